//! The open documents.

use std::sync::Arc;

use ide::{AnalysisHost, Change, FileId, Text};
use lsp_types::{Range, Uri};
use rustc_hash::FxHashMap;

use crate::line_index::{Encoding, Lines};
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
    /// Whether it holds TVMScript; nothing is said about any other Python file.
    pub relevant: bool,
}

impl Document {
    /// The text for the analysis.
    fn change(&self) -> Change {
        Change {
            file: self.file,
            text: self.relevant.then(|| self.lines.text().clone()),
            cell: uri::is_cell(&self.uri),
        }
    }
}

#[derive(Default)]
pub struct Documents {
    open: Arc<FxHashMap<String, Arc<Document>>>,
    opened: u32,
    revisions: u64,
}

impl Documents {
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
        text: Text,
        encoding: Encoding,
        host: &mut AnalysisHost,
    ) {
        let file = if let Some(before) = self.get(uri.as_str()) {
            before.file
        } else {
            self.opened += 1;
            FileId(self.opened)
        };
        let document = Document {
            relevant: ide::contains_tvmscript(&text),
            lines: Lines::new(text, encoding),
            uri,
            file,
            version,
            revision: 0,
        };
        host.apply_change(document.change());
        self.put(document);
    }

    /// Brings a document, and what the host knows of it, to the next version; false if it is not open.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<(Option<Range>, String)>,
        host: &mut AnalysisHost,
    ) -> bool {
        let Some(before) = Arc::make_mut(&mut self.open).remove(uri.as_str()) else {
            return false;
        };
        // Unless a snapshot holds this version, its text is changed in place.
        let mut document = Arc::unwrap_or_clone(before);
        document.version = version;
        let Document { file, relevant, .. } = document;
        // A change that comes alone, as a keystroke does, costs what it touches.
        let alone = match changes.as_slice() {
            [(Some(range), new)] if relevant => {
                let edit = |text: &mut Text, range, new: &str| {
                    host.apply_edit(file, text, range, new);
                };
                document.lines.replace(*range, new, edit);
                true
            }
            _ => {
                document.lines.apply(changes);
                false
            }
        };
        document.relevant = ide::contains_tvmscript(document.lines.text());
        if !alone || !document.relevant {
            host.apply_change(document.change());
        }
        self.put(document);
        true
    }

    pub fn close(&mut self, uri: &Uri) -> Option<Arc<Document>> {
        Arc::make_mut(&mut self.open).remove(uri.as_str())
    }

    fn put(&mut self, mut document: Document) {
        self.revisions += 1;
        document.revision = self.revisions;
        let key = document.uri.as_str().to_owned();
        Arc::make_mut(&mut self.open).insert(key, Arc::new(document));
    }
}
