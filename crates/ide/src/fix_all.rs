//! `source.fixAll`: every fix that says the same in a right way, at once.

use hir::{Database, SourceFile};
use salsa::Database as _;
use text_size::TextRange;

use crate::code_action::{ActionKind, CodeAction};
use crate::draft::Draft;
use crate::fixes::fixes;
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
        draft.apply(&last);
        last = pass(&draft.db, draft.file);
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
