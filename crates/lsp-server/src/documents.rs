//! The open documents and their versions.

use std::sync::Arc;

use hir::metadata::Metadata;
use ide::{Analysis, AnalysisHost, Cancelled, Diagnostic, FileId, Language, ParsedText, Text};
use lsp_types::{Range, Uri};
use relax::{Code, Release};
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::line_index::{Encoding, Lines};
use crate::run::constants::ConstantTypes;
use crate::targets::{Target, Targets};
use crate::uri;

/// One version of an open document.
#[derive(Clone)]
pub struct Document {
    pub uri: Uri,
    pub file: FileId,
    pub version: i32,
    /// Distinguishes versions to which the client gives the same number.
    pub revision: u64,
    pub lines: Lines,
    pub language: Language,
    /// `true` if it contains TVMScript or Relay, or imports TVM. Of other Python files, only recordings know anything.
    pub relevant: bool,
    /// The release that its project is written for.
    pub target: Option<Arc<Target>>,
    /// The types of its constants, if it is a module of a recording.
    constants: Option<Arc<Metadata>>,
}

impl Document {
    /// Returns the release that the document is written for, if it is known.
    pub fn release(&self, config: &Config) -> Option<Release> {
        config.target.or(self.target.as_ref().map(|it| it.release))
    }
}

impl Document {
    fn find_relevance(&mut self) {
        self.relevant = self.language == Language::Relay || ide::concerns_tvm(self.lines.text());
    }

    /// Returns the diagnostics of its text. In a program without TVMScript, syntax errors are left to Python's servers.
    pub fn diagnostics(
        &self,
        analysis: &Analysis,
        config: &Config,
    ) -> Result<Vec<Diagnostic>, Cancelled> {
        if !self.relevant {
            return Ok(Vec::new());
        }
        let mut found = analysis.diagnostics(self.file)?;
        if self.language == Language::Python && !ide::contains_tvmscript(self.lines.text()) {
            found.retain(|it| it.code != Code::SyntaxError.name());
        }
        config.adjust(&mut found);
        Ok(found)
    }
}

/// A range with its replacement, or the whole text without a range.
pub type TextChange = (Option<Range>, String);

/// The targets of documents, by URI.
pub type NewTargets = Vec<(String, Option<Arc<Target>>)>;

/// The change from one version of a document to the next. It is self-contained, so any thread can apply it.
pub struct Update {
    /// The previous version, or an empty document.
    before: Document,
    /// Finds the target of a newly opened document.
    targets: Option<Arc<Targets>>,
    parsed: Option<ParsedText>,
    version: i32,
    changes: Vec<TextChange>,
}

/// The next version of a document.
pub struct Updated {
    pub document: Document,
    parsed: Option<ParsedText>,
}

impl Update {
    /// Computes the next version. Takes time proportional to the text, unless little has changed.
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
        let path = uri::path(&document.uri);
        let constants = ConstantTypes::default();
        document.constants = path.as_deref().and_then(|it| constants.of_file(it));
        if let Some(targets) = targets {
            document.target = path.and_then(|it| targets.of_file(&it));
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

    /// Opens a document. If it is already open, replaces its text, which is what a confused client means.
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
                constants: None,
            },
            targets: Some(self.targets.clone()),
            parsed: host.parsed(file),
            version,
            changes: vec![(None, text)],
        }
    }

    /// Returns the change to the next version of a document, or `None` if it is not open.
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

    /// Applies a small change at once, such as a keystroke: a single change that affects little of the text.
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
        // If no snapshot holds this version, its text is changed in place.
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

    /// Stores a new version. Returns the previous text, since dropping it may take long.
    pub fn take_in(
        &mut self,
        updated: Updated,
        host: &mut AnalysisHost,
    ) -> (Option<Arc<Document>>, Option<ParsedText>) {
        let Updated { document, parsed } = updated;
        let parsed = host.apply_parsed(document.file, parsed);
        host.set_target(document.file, document.target.as_ref().map(|it| it.release));
        host.set_constants(document.file, document.constants.clone());
        (self.put(document), parsed)
    }

    /// Stores the targets of documents. Returns `true` if any changed.
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
