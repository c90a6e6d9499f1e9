//! `source.fixAll`: every fix that says the same in a right way, at once.

use hir::{Database, SourceFile};
use text_size::TextRange;

use crate::code_action::{ActionKind, CodeAction};
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

/// One edit of all plain fixes; of those that touch each other the first.
pub fn fix_all(db: &Database, file: SourceFile) -> Option<CodeAction> {
    let whole = TextRange::up_to(file.source(db).parse.green.text_len());
    let plain = fixes(db, file, whole, &[])
        .into_iter()
        .filter(|it| PLAIN.contains(&it.id));
    let edit = plain
        .filter_map(|fix| fix.edit)
        .fold(SourceEdit::default(), SourceEdit::and_all_if_apart);
    (!edit.is_empty()).then(|| CodeAction {
        id: "fix-all",
        title: "Fix all that is plain".to_owned(),
        kind: ActionKind::FixAll,
        preferred: false,
        ends: None,
        edit: Some(edit),
    })
}
