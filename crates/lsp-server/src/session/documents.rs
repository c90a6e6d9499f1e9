//! The open documents.

use std::sync::Arc;

use ide::FileId;
use lsp_types::{Range, Uri};
use rustc_hash::FxHashMap;

use crate::line_index::{Encoding, Lines, Replaced, apply_changes};

/// One version of an open document.
pub struct Document {
    pub uri: Uri,
    pub file: FileId,
    pub version: i32,
    pub lines: Lines,
    /// Whether it holds TVMScript; nothing is said about any other Python file.
    pub relevant: bool,
}

#[derive(Default)]
pub struct Documents {
    open: Arc<FxHashMap<String, Arc<Document>>>,
    opened: u32,
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
        text: Arc<str>,
        encoding: Encoding,
    ) -> Arc<Document> {
        let file = if let Some(before) = self.get(uri.as_str()) {
            before.file
        } else {
            self.opened += 1;
            FileId(self.opened)
        };
        self.put(Document {
            relevant: ide::contains_tvmscript(&text),
            lines: Lines::new(text, encoding),
            uri,
            file,
            version,
        })
    }

    /// The next version of a document, and what is new in it, if that is one change.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<(Option<Range>, String)>,
    ) -> Option<(Arc<Document>, Option<Replaced>)> {
        let before = self.get(uri.as_str())?;
        let (lines, replaced) = apply_changes(&before.lines, changes);
        let document = Document {
            relevant: ide::contains_tvmscript(lines.text()),
            lines,
            uri: before.uri.clone(),
            file: before.file,
            version,
        };
        Some((self.put(document), replaced))
    }

    pub fn close(&mut self, uri: &Uri) -> Option<Arc<Document>> {
        Arc::make_mut(&mut self.open).remove(uri.as_str())
    }

    fn put(&mut self, document: Document) -> Arc<Document> {
        let document = Arc::new(document);
        let key = document.uri.as_str().to_owned();
        Arc::make_mut(&mut self.open).insert(key, document.clone());
        document
    }
}
