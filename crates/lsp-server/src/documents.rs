//! The open documents, and how one version follows another.

use std::sync::Arc;

use ide::{AnalysisHost, FileId, Language, ParsedText, Text};
use lsp_types::{Range, Uri};
use relax::Release;
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::line_index::{Encoding, Lines};
use crate::targets::{Target, Targets};
use crate::uri;

/// One version of an open document.
#[derive(Clone)]
pub struct Document {
    pub uri: Uri,
    pub file: FileId,
    pub version: i32,
    /// Tells apart versions to which the client gives one number.
    pub revision: u64,
    pub lines: Lines,
    pub language: Language,
    /// Whether it holds TVMScript or Relay; other Python files get no answers.
    pub relevant: bool,
    /// What its project is written for.
    pub target: Option<Arc<Target>>,
}

impl Document {
    /// The release that it is written for, if that is known.
    pub fn release(&self, config: &Config) -> Option<Release> {
        config.target.or(self.target.as_ref().map(|it| it.release))
    }
}

impl Document {
    fn find_relevance(&mut self) {
        self.relevant =
            self.language == Language::Relay || ide::contains_tvmscript(self.lines.text());
    }
}

/// A range and what replaces it, or no range and the whole text.
pub type TextChange = (Option<Range>, String);

/// By URI, what documents are written for.
pub type NewTargets = Vec<(String, Option<Arc<Target>>)>;

/// The way from one version of a document to the next. It needs nothing else, so that any thread can go it.
pub struct Update {
    /// The version before, or an empty document.
    before: Document,
    /// Of a document that is opened: where its target is looked for.
    targets: Option<Arc<Targets>>,
    parsed: Option<ParsedText>,
    version: i32,
    changes: Vec<TextChange>,
}

/// The next version of a document, ready to be taken in.
pub struct Updated {
    pub document: Document,
    parsed: Option<ParsedText>,
}

impl Update {
    /// Takes as long as the text is long, unless little of it differs.
    pub fn make(self) -> Updated {
        let Update {
            before: mut document,
            targets,
            parsed: before,
            version,
            changes,
        } = self;
        document.version = version;
        document.lines.apply(changes);
        document.find_relevance();
        let text = document.lines.text();
        if let Some(targets) = targets {
            document.target = uri::path(&document.uri).and_then(|it| targets.of_file(&it));
        }
        let parsed = document.relevant.then(|| match before {
            Some(before) => before.with_text(text.clone()),
            None => ParsedText::new(text.clone(), document.language),
        });
        Updated { document, parsed }
    }
}

#[derive(Default)]
pub struct Documents {
    targets: Arc<Targets>,
    open: Arc<FxHashMap<String, Arc<Document>>>,
    opened: u32,
    revisions: u64,
}

impl Documents {
    pub fn new(targets: Arc<Targets>) -> Documents {
        Documents {
            targets,
            ..Documents::default()
        }
    }

    pub fn all(&self) -> Arc<FxHashMap<String, Arc<Document>>> {
        self.open.clone()
    }

    pub fn get(&self, uri: &str) -> Option<&Arc<Document>> {
        self.open.get(uri)
    }

    /// Opening an open document again replaces its text, which is what a confused client means.
    pub fn open(
        &mut self,
        uri: Uri,
        version: i32,
        text: String,
        language: Language,
        encoding: Encoding,
        host: &AnalysisHost,
    ) -> Update {
        let file = if let Some(before) = self.get(uri.as_str()) {
            before.file
        } else {
            self.opened += 1;
            FileId(self.opened)
        };
        Update {
            before: Document {
                uri,
                file,
                version,
                revision: 0,
                lines: Lines::new(Text::default(), encoding),
                language,
                relevant: false,
                target: None,
            },
            targets: Some(self.targets.clone()),
            parsed: host.parsed(file),
            version,
            changes: vec![(None, text)],
        }
    }

    /// The way to the next version of a document; `None` if it is not open.
    pub fn change(
        &self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextChange>,
        host: &AnalysisHost,
    ) -> Option<Update> {
        let before = self.get(uri.as_str())?;
        Some(Update {
            before: Document::clone(before),
            targets: None,
            parsed: host.parsed(before.file),
            version,
            changes,
        })
    }

    /// Goes that way at once where it is short, as that of a keystroke is: a change that comes alone and concerns little
    /// of the text.
    pub fn change_nearby(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: &[TextChange],
        host: &mut AnalysisHost,
    ) -> bool {
        let [(Some(range), new)] = changes else {
            return false;
        };
        let open = Arc::make_mut(&mut self.open);
        let Some(before) = open.remove(uri.as_str()) else {
            return false;
        };
        // Unless a snapshot holds this version, its text is changed in place.
        let mut document = Arc::unwrap_or_clone(before);
        let edit = |text: &mut Text, range, new: &str| {
            document.relevant && host.apply_edit(document.file, text, range, new)
        };
        if !document.lines.replace(*range, new, edit) {
            open.insert(uri.as_str().to_owned(), Arc::new(document));
            return false;
        }
        document.version = version;
        document.find_relevance();
        if !document.relevant {
            host.apply_parsed(document.file, None);
        }
        self.put(document);
        true
    }

    /// Takes a version in. Gives the text before it, which may take long to drop.
    pub fn take_in(
        &mut self,
        updated: Updated,
        host: &mut AnalysisHost,
    ) -> (Option<Arc<Document>>, Option<ParsedText>) {
        let Updated { document, parsed } = updated;
        let parsed = host.apply_parsed(document.file, parsed);
        host.set_target(document.file, document.target.as_ref().map(|it| it.release));
        (self.put(document), parsed)
    }

    /// Takes in what the projects of documents are written for; whether that is news.
    pub fn set_targets(&mut self, targets: NewTargets, host: &mut AnalysisHost) -> bool {
        let open = Arc::make_mut(&mut self.open);
        let mut changed = false;
        for (uri, target) in targets {
            if let Some(document) = open.get_mut(&uri)
                && document.target != target
            {
                changed = true;
                host.set_target(document.file, target.as_ref().map(|it| it.release));
                Arc::make_mut(document).target = target;
            }
        }
        changed
    }

    pub fn close(&mut self, uri: &Uri) -> Option<Arc<Document>> {
        Arc::make_mut(&mut self.open).remove(uri.as_str())
    }

    fn put(&mut self, mut document: Document) -> Option<Arc<Document>> {
        self.revisions += 1;
        document.revision = self.revisions;
        let key = document.uri.as_str().to_owned();
        Arc::make_mut(&mut self.open).insert(key, Arc::new(document))
    }
}
