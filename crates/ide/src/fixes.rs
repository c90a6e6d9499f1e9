//! Quick fixes: what ends a diagnostic. One file for each kind of fix; the table says which code has which.

mod nearest_name;
mod output;
mod purity;
mod unused;

use hir::{Code, Database, Diagnostic, SourceFile};
use text_size::TextRange;

use crate::code_action::{ActionKind, CodeAction};
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;

/// Adds what ends `diagnostic`, which is of the function of `cx`.
type Fix = fn(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes);

/// The fixes of each code, the most likely first.
#[rustfmt::skip]
const FIXES: &[(Code, &[Fix])] = &[
    (Code::UndefinedName, &[nearest_name::rename]),
    (Code::UndefinedFunction, &[nearest_name::rename]),
    (Code::UnknownOperator, &[nearest_name::rename]),
    (Code::UnknownArgument, &[nearest_name::rename]),
    (Code::UnknownDtype, &[nearest_name::rename]),
    (Code::InvalidAnnotation, &[nearest_name::rename]),
    (Code::IgnoredArgument, &[nearest_name::rename]),
    (Code::OtherDialect, &[nearest_name::rename]),
    (Code::DataflowVarOutsideBlock, &[output::give_out]),
    (Code::MissingOutput, &[output::add]),
    (Code::ImpureCallInPureFunction, &[purity::mark_impure]),
    (Code::UnusedBinding, &[unused::remove, unused::underscore]),
];

/// Gathers the fixes of one diagnostic.
#[derive(Default)]
struct Fixes {
    found: Vec<Found>,
}

struct Found {
    id: &'static str,
    title: String,
    preferred: bool,
    edit: SourceEdit,
}

impl Fixes {
    /// A fix that is what was meant, as far as one can tell.
    fn preferred(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.add(id, title, true, edit);
    }

    /// A fix that is one among several ways.
    fn possible(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.add(id, title, false, edit);
    }

    fn add(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        preferred: bool,
        edit: SourceEdit,
    ) {
        self.found.push(Found {
            id,
            title: title.into(),
            preferred,
            edit,
        });
    }
}

/// The fixes of the diagnostics that `range` touches, or, where a client names them, of those named.
pub fn fixes(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
) -> Vec<CodeAction> {
    let around = named
        .iter()
        .fold(range, |around, (_, range)| around.cover(*range));
    let mut actions = Vec::new();
    for cx in FunctionContext::touching(db, file, around) {
        for diagnostic in hir::function_diagnostics(db, cx.function) {
            let at = diagnostic.range + cx.start;
            let wanted = if named.is_empty() {
                at.intersect(range).is_some()
            } else {
                named
                    .iter()
                    .any(|(code, range)| code == diagnostic.code.name() && *range == at)
            };
            if wanted {
                actions.extend(fixes_of(&cx, diagnostic));
            }
        }
    }
    actions
}

fn fixes_of(cx: &FunctionContext<'_>, diagnostic: &Diagnostic) -> Vec<CodeAction> {
    let mut fixes = Fixes::default();
    for (code, rows) in FIXES {
        if *code == diagnostic.code {
            for fix in *rows {
                fix(cx, diagnostic, &mut fixes);
            }
        }
    }
    let at = diagnostic.range + cx.start;
    let action = |fix: Found| CodeAction {
        id: fix.id,
        title: fix.title,
        kind: ActionKind::QuickFix,
        preferred: fix.preferred,
        ends: Some((diagnostic.code.name(), at)),
        edit: fix.edit.moved(cx.start),
    };
    fixes.found.into_iter().map(action).collect()
}

#[cfg(test)]
mod tests;
