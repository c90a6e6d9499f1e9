//! Quick fixes: what ends a diagnostic. One file for each kind of fix; the table says which code has which.

mod annotation;
mod axes;
mod blocks;
mod branches;
mod callables;
mod called;
mod callee_parameter;
mod check;
mod dataflow_only;
mod devices;
mod division;
mod imports;
mod indices;
mod loops;
mod meant;
mod missing;
mod module;
mod names;
mod nearest_name;
mod operands;
mod output;
mod parameter;
mod prim_calls;
mod prim_inputs;
mod purity;
mod ranks;
mod recursion;
mod returns;
mod shape_variables;
mod statements;
mod syntax;
mod unused;
mod values;

use hir::{Database, SourceFile};
use relax::{Code, Diagnostic};
use text_size::{TextRange, TextSize};

use crate::code_action::{ActionKind, CodeAction};
use crate::function_context::FunctionContext;
use crate::source_edit::SourceEdit;
use check::Checking;
pub use shape_variables::{cast_name, match_cast};
pub use unused::is_pure;

/// Fixes that are checked for one answer.
const MAX_CHECKS: usize = 16;

/// Adds what ends `diagnostic`, which is of the function of `cx`.
type Fix = fn(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes);

/// The fixes of each code, the most likely first.
#[rustfmt::skip]
const FIXES: &[(Code, &[Fix])] = &[
    (Code::UndefinedName, &[prim_calls::through_module, statements::assign, branches::out_of_frames, imports::add, nearest_name::rename, meant::offer]),
    (Code::UndefinedFunction, &[nearest_name::rename]),
    (Code::UnknownOperator, &[nearest_name::rename]),
    (Code::UnknownArgument, &[nearest_name::rename]),
    (Code::UnknownDtype, &[nearest_name::rename]),
    (Code::UnknownAttribute, &[nearest_name::rename]),
    (Code::InvalidAnnotation, &[nearest_name::rename, ranks::leave_out]),
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
    (Code::UnsupportedStatement, &[statements::rewrite, loops::unroll]),
    (Code::UnboundValue, &[statements::bind]),
    (Code::MissingAnnotation, &[annotation::of_parameter]),
    (Code::AnnotationMismatch, &[annotation::correct, parameter::correct]),
    (Code::ReturnMismatch, &[annotation::of_result, parameter::correct]),
    (Code::ImpossibleCast, &[annotation::of_cast]),
    (Code::ArgumentType, &[prim_calls::call_directly, shape_variables::cast_argument, operands::field, operands::convert_argument, parameter::correct, callee_parameter::correct]),
    (Code::DtypeMismatch, &[operands::convert, division::floor, division::whole, parameter::correct, parameter::correct_value]),
    (Code::RankMismatch, &[ranks::of_operand, ranks::leave_out]),
    (Code::NotCallable, &[callables::hidden, callables::without_call]),
    (Code::UnknownVdevice, &[devices::listed, devices::list]),
    (Code::NotATuple, &[operands::take]),
    (Code::ArgumentCount, &[prim_calls::add_output, prim_calls::call_tir, prim_inputs::add, missing::add, missing::cast_target, operands::remove]),
    (Code::ArgumentValue, &[values::last_axis, axes::kinds]),
    (Code::ShapeMismatch, &[prim_calls::correct_output, values::reshape, values::transpose, parameter::correct, parameter::correct_value, callee_parameter::correct]),
    (Code::TupleIndexOutOfRange, &[values::last_field]),
    (Code::GlobalSymbolMismatch, &[names::correct_symbol]),
    (Code::IterationCount, &[names::count_loops, axes::count]),
    (Code::IndexCount, &[indices::count]),
    (Code::MisplacedBlockStatement, &[blocks::settle]),
    (Code::Redefinition, &[names::rename_second]),
    (Code::UnboundShapeVariable, &[shape_variables::cast, shape_variables::parameter]),
    (Code::UnusedBinding, &[unused::remove, unused::underscore]),
];

/// A file with what fixes of more than one function read of it.
struct FileContext<'db> {
    db: &'db Database,
    file: SourceFile,
}

/// The same as [`Fix`] for what is no function's own; positions are the file's.
type FileFix = fn(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes);

#[rustfmt::skip]
const FILE_FIXES: &[(Code, &[FileFix])] = &[
    (Code::SyntaxError, &[syntax::repair]),
    (Code::Redefinition, &[module::rename_second]),
    (Code::NoEntryPoint, &[module::publish_one]),
    (Code::UnusedFunction, &[module::remove_unused]),
    (Code::RecursionInDataflow, &[module::move_out]),
    (Code::DataflowVarCaptured, &[module::give_out]),
    (Code::RecursionWithoutAnnotation, &[recursion::annotate]),
];

/// The codes that no edit ends, and why.
#[cfg(test)]
pub const UNFIXED: &[(Code, &str)] = &[(
    Code::NoFittingCall,
    "whether the calls or the parameters are wrong, only their author knows; each call has fixes of its own",
)];

/// Gathers the fixes of one diagnostic.
#[derive(Default)]
struct Fixes {
    found: Vec<Found>,
    /// Whether only those are wanted that leave no choice: what has to be tried out is not.
    plain: bool,
}

struct Found {
    id: &'static str,
    title: String,
    preferred: bool,
    edit: SourceEdit,
    /// Whether the edit is of the file, where others are relative to what the diagnostic is relative to.
    elsewhere: bool,
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
            elsewhere: false,
        });
    }

    /// A possible fix that edits the file outside of the function.
    fn elsewhere(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.found.push(Found {
            id,
            title: title.into(),
            preferred: false,
            edit,
            elsewhere: true,
        });
    }

    /// As actions on a file in which what `diagnostic` is relative to begins at `start`.
    fn into_actions(
        self,
        diagnostic: &Diagnostic,
        start: TextSize,
    ) -> impl Iterator<Item = CodeAction> {
        let ends = Some((diagnostic.code.name(), diagnostic.range + start));
        self.found.into_iter().map(move |fix| CodeAction {
            id: fix.id,
            title: fix.title,
            kind: ActionKind::QuickFix,
            preferred: fix.preferred,
            ends,
            edit: Some(if fix.elsewhere {
                fix.edit
            } else {
                fix.edit.moved(start)
            }),
        })
    }
}

/// The fixes of the diagnostics that `range` touches, or, where a client names them, of those named.
pub fn fixes(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
) -> Vec<CodeAction> {
    gathered(db, file, range, named, false)
}

/// Those of a whole file that need not be tried out.
pub fn plain_fixes(db: &Database, file: SourceFile) -> Vec<CodeAction> {
    let whole = TextRange::up_to(file.source(db).parse.green.text_len());
    gathered(db, file, whole, &[], true)
}

fn gathered(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
    plain: bool,
) -> Vec<CodeAction> {
    let around = named
        .iter()
        .fold(range, |around, (_, range)| around.cover(*range));
    let wanted = |code: Code, at: TextRange| {
        if named.is_empty() {
            return at.intersect(range).is_some();
        }
        let mut named = named.iter();
        named.any(|(name, range)| name == code.name() && *range == at)
    };
    let mut actions = Vec::new();
    let cx = FileContext { db, file };
    for diagnostic in hir::outline_diagnostics(db, file, around) {
        if wanted(diagnostic.code, diagnostic.range) {
            let fixes = gather(FILE_FIXES, &diagnostic, plain, |fix: &FileFix, fixes| {
                fix(&cx, &diagnostic, fixes);
            });
            actions.extend(fixes.into_actions(&diagnostic, 0.into()));
        }
    }
    for cx in FunctionContext::touching(db, file, around) {
        for diagnostic in hir::function_diagnostics(db, cx.function) {
            if wanted(diagnostic.code, diagnostic.range + cx.start) {
                let fixes = gather(FIXES, diagnostic, plain, |fix: &Fix, fixes| {
                    fix(&cx, diagnostic, fixes);
                });
                actions.extend(fixes.into_actions(diagnostic, cx.start));
            }
        }
    }
    actions
}

/// The same, without those that bring another mistake where another one of the same diagnostic brings none.
pub fn checked_fixes(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
) -> Vec<CodeAction> {
    let checking = Checking::of_file(db, file);
    let mut left = MAX_CHECKS;
    let mut checked = Vec::new();
    for group in fixes(db, file, range, named).chunk_by(|one, next| one.ends == next.ends) {
        let mut right = group.to_vec();
        if (2..=left).contains(&group.len()) {
            left -= group.len();
            right.retain(|it| {
                let edit = it.edit.as_ref();
                edit.is_some_and(|edit| checking.improves(edit) != Some(false))
            });
        }
        match right.as_mut_slice() {
            [] => checked.extend_from_slice(group),
            [only] => {
                only.preferred |= group.iter().any(|it| it.preferred);
                checked.extend(right);
            }
            _ => checked.extend(right),
        }
    }
    checked
}

/// What the fixes of a table offer for a diagnostic.
fn gather<F>(
    table: &[(Code, &[F])],
    diagnostic: &Diagnostic,
    plain: bool,
    offer: impl Fn(&F, &mut Fixes),
) -> Fixes {
    let mut fixes = Fixes {
        plain,
        ..Fixes::default()
    };
    let rows = table.iter().filter(|(code, _)| *code == diagnostic.code);
    for fix in rows.flat_map(|(_, row)| *row) {
        offer(fix, &mut fixes);
    }
    fixes
}

#[cfg(test)]
pub(crate) mod tests;
