//! Assists: refactorings of correct code, offered at a position. Each has its own file.

mod annotate;
mod dataflow_blocks;
mod extract_binding;
mod extract_function;
mod flip_if;
mod if_frames;
mod inline_binding;
mod match_cast;
mod spelling;

use hir::{Database, SourceFile};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::code_action::{ActionKind, CodeAction, Resolve};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;
use crate::types::FileId;

/// Adds the assists for `range`, which is relative to the function.
type Assist = fn(cx: &FunctionContext<'_>, range: TextRange, assists: &mut Assists<'_>);

#[rustfmt::skip]
const ASSISTS: &[Assist] = &[
    annotate::one,
    annotate::all,
    annotate::remove_all,
    match_cast::check,
    inline_binding::inline,
    extract_binding::extract,
    extract_binding::name_nested,
    extract_function::extract,
    dataflow_blocks::split,
    dataflow_blocks::merge,
    flip_if::flip,
    if_frames::to_frames,
    if_frames::to_statement,
    spelling::change,
];

/// Collects the assists. Edits are only computed if the client asks for them.
struct Assists<'a> {
    resolve: &'a Resolve,
    found: Vec<CodeAction>,
}

impl Assists<'_> {
    fn add(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        kind: ActionKind,
        edit: impl FnOnce() -> SourceEdit,
    ) {
        self.found.push(CodeAction {
            id,
            title: title.into(),
            kind,
            preferred: false,
            certain: false,
            ends: None,
            edit: self.resolve.wants(id).then(edit),
        });
    }
}

impl Analysis {
    /// Returns the assists for a range of a file.
    pub fn assists(
        &self,
        file: FileId,
        range: TextRange,
        resolve: &Resolve,
    ) -> Cancellable<Vec<CodeAction>> {
        self.with_file(file, |db, file| assists(db, file, range, resolve))
    }
}

/// Returns the assists for `range`.
fn assists(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    resolve: &Resolve,
) -> Vec<CodeAction> {
    let mut found = Vec::new();
    for cx in FunctionContext::touching(db, file, range) {
        let Some(within) = cx.relative(range) else {
            continue;
        };
        let mut assists = Assists {
            resolve,
            found: Vec::new(),
        };
        for assist in ASSISTS {
            assist(&cx, within, &mut assists);
        }
        for mut action in assists.found {
            action.edit = action.edit.map(|edit| edit.moved(cx.start));
            found.push(action);
        }
    }
    found
}
