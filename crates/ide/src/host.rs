//! The one writer's handle on the database, and snapshots of it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    Diagnostic, DocumentSymbol, FileId, FilePosition, Hover, InlayHint, NavigationTarget, Runnable,
};
use text_size::TextRange;

/// A change overtook the question; ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

pub type Cancellable<T> = Result<T, Cancelled>;

/// A new state of one file.
#[derive(Clone, Debug)]
pub struct Change {
    pub file: FileId,
    /// `None`: the file is gone.
    pub text: Option<Arc<str>>,
}

/// What the user may choose about analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `None`: found out from each file.
    pub dialect: Option<hir::dialect::Dialect>,
}

#[derive(Default)]
pub struct AnalysisHost {
    files: Arc<FxHashMap<FileId, Arc<str>>>,
}

#[derive(Clone)]
pub struct Analysis {
    #[expect(dead_code)]
    files: Arc<FxHashMap<FileId, Arc<str>>>,
}

impl AnalysisHost {
    pub fn apply_change(&mut self, change: Change) {
        let files = Arc::make_mut(&mut self.files);
        match change.text {
            Some(text) => files.insert(change.file, text),
            None => files.remove(&change.file),
        };
    }

    pub fn set_config(&mut self, _config: Config) {}

    pub fn analysis(&self) -> Analysis {
        Analysis {
            files: self.files.clone(),
        }
    }
}

impl Analysis {
    pub fn diagnostics(&self, _file: FileId) -> Cancellable<Vec<Diagnostic>> {
        Ok(Vec::new())
    }

    pub fn hover(&self, _position: FilePosition) -> Cancellable<Option<Hover>> {
        Ok(None)
    }

    pub fn document_symbols(&self, _file: FileId) -> Cancellable<Vec<DocumentSymbol>> {
        Ok(Vec::new())
    }

    pub fn goto_definition(&self, _position: FilePosition) -> Cancellable<Vec<NavigationTarget>> {
        Ok(Vec::new())
    }

    pub fn inlay_hints(&self, _file: FileId, _range: TextRange) -> Cancellable<Vec<InlayHint>> {
        Ok(Vec::new())
    }

    pub fn runnables(&self, _file: FileId) -> Cancellable<Vec<Runnable>> {
        Ok(Vec::new())
    }
}
