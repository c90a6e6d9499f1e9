//! `source.fixAll`: every fix that says the same in a right way, at once.

use hir::{Database, Source, SourceFile};
use salsa::{Database as _, Setter};
use text_size::TextRange;

use crate::code_action::{ActionKind, CodeAction};
use crate::fixes::fixes;
use crate::host::edited;
use crate::source_edit::SourceEdit;

/// The fixes that leave no choice: what was meant is plain, and nobody could mean another thing.
const PLAIN: &[&str] = &[
    "add-output-annotation",
    "docstring-to-comment",
    "expand-assignment",
    "give-out",
    "move-out",
    "move-output",
    "other-dialect",
    "remove-impure",
    "remove-return",
    "unpack",
];

/// Passes over a file. A fix can uncover another mistake; one that brings back its own must end.
const MAX_PASSES: u32 = 16;

/// One edit of all plain fixes, and of those that are plain only after others were made.
pub fn fix_all(db: &Database, file: SourceFile) -> Option<CodeAction> {
    let source = file.source(db);
    let mut edit = pass(db, file);
    if edit.is_empty() {
        return None;
    }
    let mut draft = Draft::new(db, source);
    let mut last = edit.clone();
    for _ in 1..MAX_PASSES {
        db.unwind_if_revision_cancelled();
        last = draft.next_pass(&last);
        if last.is_empty() {
            break;
        }
        edit = edit.then(&last, &source.text);
    }
    Some(CodeAction {
        id: "fix-all",
        title: "Fix all that is plain".to_owned(),
        kind: ActionKind::FixAll,
        preferred: false,
        ends: None,
        edit: Some(edit),
    })
}

/// All plain fixes of a text; of those that touch each other the first.
fn pass(db: &Database, file: SourceFile) -> SourceEdit {
    let whole = TextRange::up_to(file.source(db).parse.green.text_len());
    let plain = fixes(db, file, whole, &[])
        .into_iter()
        .filter(|it| PLAIN.contains(&it.id));
    plain
        .filter_map(|fix| fix.edit)
        .fold(SourceEdit::default(), SourceEdit::and_all_if_apart)
}

/// The text with fixes made, in a database that nobody else reads.
struct Draft {
    db: Database,
    file: SourceFile,
}

impl Draft {
    fn new(db: &Database, source: &Source) -> Draft {
        let mut draft = Database::default();
        let dialect = hir::Config::get(db).dialect(db);
        hir::Config::get(&draft).set_dialect(&mut draft).to(dialect);
        let file = SourceFile::new(&draft, source.clone());
        Draft { db: draft, file }
    }

    /// Makes an edit and gives the plain fixes of what becomes of the text.
    fn next_pass(&mut self, edit: &SourceEdit) -> SourceEdit {
        let before = self.file.source(&self.db);
        let after = edited(before, edit.apply(&before.text).into());
        self.file.set_source(&mut self.db).to(after);
        pass(&self.db, self.file)
    }
}
