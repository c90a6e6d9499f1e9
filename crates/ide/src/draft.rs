//! A text that nobody has written yet, to see what an edit would lead to.

use hir::{Database, Source, SourceFile};
use salsa::Setter;

use crate::host::edited;
use crate::source_edit::SourceEdit;

/// A file in a database that nobody else reads.
pub struct Draft {
    pub db: Database,
    pub file: SourceFile,
}

impl Draft {
    /// The same text, read by the same settings.
    pub fn new(db: &Database, source: &Source) -> Draft {
        let mut draft = Database::default();
        let dialect = hir::Config::get(db).dialect(db);
        hir::Config::get(&draft).set_dialect(&mut draft).to(dialect);
        let file = SourceFile::new(&draft, source.clone());
        Draft { db: draft, file }
    }

    pub fn apply(&mut self, edit: &SourceEdit) {
        let before = self.file.source(&self.db);
        let after = edited(before, edit.apply(&before.text).into());
        self.file.set_source(&mut self.db).to(after);
    }
}
