//! A file with an edit applied, in a database of its own.

use hir::{Database, Source, SourceFile, Text};
use salsa::Setter;

use crate::source_edit::SourceEdit;
use crate::text_difference::differing_range;

/// A file in a database of its own.
pub struct Draft {
    pub db: Database,
    pub file: SourceFile,
}

impl Draft {
    /// Creates a draft with the same text and settings as `file`.
    pub fn new(db: &Database, file: SourceFile) -> Draft {
        let mut draft = db.draft();
        let target = hir::target(db, file);
        hir::Config::get(&draft).set_target(&mut draft).to(target);
        let sizes = hir::Config::get(db).sizes(db).clone();
        hir::Config::get(&draft).set_sizes(&mut draft).to(sizes);
        let file = SourceFile::new(&draft, file.source(db).clone());
        Draft { db: draft, file }
    }

    pub fn apply(&mut self, edit: &SourceEdit) {
        let before = self.file.source(&self.db);
        let after = reparsed(before, edit.apply(&before.text).into());
        self.file.set_source(&mut self.db).to(after);
    }
}

/// Returns the source with a new text. Only the surroundings of the difference are parsed again.
pub fn reparsed(old: &Source, text: Text) -> Source {
    let (range, inserted) = differing_range(&old.text, &text);
    old.reparse(range, inserted, text)
}
