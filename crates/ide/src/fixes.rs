//! Quick fixes: what ends a diagnostic. One file for each kind of fix; the table says which code has which.

mod annotation;
mod branches;
mod dataflow_only;
mod nearest_name;
mod operands;
mod output;
mod purity;
mod returns;
mod shape_variables;
mod statements;
mod unused;

use hir::{Code, Database, Diagnostic, SourceFile};
use text_size::TextRange;

use crate::code_action::{ActionKind, CodeAction};
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;
pub use shape_variables::match_cast;
pub use unused::is_pure;

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
    (Code::IgnoredArgument, &[nearest_name::other_dialect]),
    (Code::OtherDialect, &[nearest_name::other_dialect]),
    (Code::DataflowVarOutsideBlock, &[output::give_out]),
    (Code::MissingOutput, &[output::add]),
    (Code::InvalidOutput, &[output::correct]),
    (Code::BindingAfterOutput, &[output::move_to_end]),
    (Code::ControlFlowInDataflow, &[dataflow_only::move_out]),
    (Code::ImpureCallInDataflow, &[dataflow_only::move_out, purity::call_pure]),
    (Code::ImpureCallInPureFunction, &[purity::mark_impure, purity::call_pure]),
    (Code::ConflictingPurity, &[purity::unmark]),
    (Code::MissingReturn, &[returns::add]),
    (Code::MisplacedReturn, &[returns::remove]),
    (Code::MissingElse, &[branches::add_else]),
    (Code::BranchVariableMismatch, &[branches::same_name]),
    (Code::UnsupportedStatement, &[statements::rewrite]),
    (Code::UnboundValue, &[statements::bind]),
    (Code::MissingAnnotation, &[annotation::of_parameter]),
    (Code::AnnotationMismatch, &[annotation::correct]),
    (Code::ReturnMismatch, &[annotation::of_result]),
    (Code::ImpossibleCast, &[annotation::of_cast]),
    (Code::ArgumentType, &[shape_variables::cast_argument]),
    (Code::DtypeMismatch, &[operands::convert]),
    (Code::NotATuple, &[operands::take]),
    (Code::ArgumentCount, &[operands::add_output]),
    (Code::UnboundShapeVariable, &[shape_variables::cast, shape_variables::parameter]),
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
        edit: Some(fix.edit.moved(cx.start)),
    };
    fixes.found.into_iter().map(action).collect()
}

#[cfg(test)]
mod tests;
