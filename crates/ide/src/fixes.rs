//! Quick fixes for diagnostics. Each kind of fix has its own file; the table maps codes to fixes.

mod annotation;
mod axes;
mod blocks;
mod branches;
mod callables;
mod callee_parameter;
mod check;
mod dataflow_only;
mod devices;
mod division;
mod ignores;
mod imports;
mod indices;
mod loops;
mod missing;
mod missing_text;
mod module;
mod names;
mod nearest_name;
mod operands;
mod operator_call;
mod output;
mod parameter;
mod prim_calls;
mod prim_inputs;
mod purity;
mod python_operators;
mod ranks;
mod recursion;
mod relay;
mod returns;
mod shape_variables;
mod statements;
mod syntax;
mod unused;
mod values;
mod variables_in_reach;

use hir::{Database, Db as _, SourceFile};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashSet;
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::code_action::{ActionKind, CodeAction};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;
use crate::types::FileId;
pub use check::Budget;
use check::Checking;
use relay::RelayContext;

/// Returns `true` if a file that contains a mistake of this code tends to contain several.
pub fn is_repeated(code: Code) -> bool {
    let own = FIXES.iter().filter(|row| row.repeated).map(|row| row.code);
    let of_file = FILE_FIXES
        .iter()
        .filter(|row| row.repeated)
        .map(|row| row.code);
    own.chain(of_file).any(|it| it == code)
}

/// Adds fixes for `diagnostic`, which belongs to the function of `cx`.
type Fix = fn(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes);

/// The fixes of one code, the most likely first.
struct Row<F: 'static> {
    code: Code,
    fixes: &'static [F],
    /// `true` if a file with this mistake tends to contain it several times, so that a fix for all of them is offered.
    repeated: bool,
}

const fn single<F>(code: Code, fixes: &'static [F]) -> Row<F> {
    Row {
        code,
        fixes,
        repeated: false,
    }
}

const fn repeated<F>(code: Code, fixes: &'static [F]) -> Row<F> {
    Row {
        code,
        fixes,
        repeated: true,
    }
}

#[rustfmt::skip]
const FIXES: &[Row<Fix>] = &[
    single(Code::UndefinedName, &[prim_calls::through_module, statements::assign, branches::out_of_frames, imports::add, nearest_name::rename, variables_in_reach::offer]),
    single(Code::UndefinedFunction, &[nearest_name::rename]),
    single(Code::UnknownOperator, &[nearest_name::rename]),
    single(Code::UnknownArgument, &[nearest_name::rename]),
    single(Code::UnknownDtype, &[nearest_name::rename]),
    single(Code::UnknownAttribute, &[nearest_name::rename]),
    single(Code::InvalidAnnotation, &[nearest_name::rename, ranks::leave_out]),
    repeated(Code::IgnoredArgument, &[nearest_name::other_dialect]),
    repeated(Code::OtherDialect, &[missing_text::insert, nearest_name::other_dialect]),
    repeated(Code::DataflowVarOutsideBlock, &[output::give_out]),
    repeated(Code::DataflowVarInType, &[annotation::without_shape_vars]),
    single(Code::MissingOutput, &[output::add]),
    single(Code::InvalidOutput, &[output::correct]),
    single(Code::BindingAfterOutput, &[output::move_to_end]),
    single(Code::ControlFlowInDataflow, &[dataflow_only::move_out]),
    repeated(Code::ImpureCallInDataflow, &[dataflow_only::move_out, purity::call_pure]),
    single(Code::ImpureCallInPureFunction, &[purity::mark_impure, purity::call_pure]),
    single(Code::ConflictingPurity, &[purity::unmark]),
    single(Code::MissingReturn, &[returns::add]),
    single(Code::MisplacedReturn, &[returns::remove]),
    single(Code::MissingElse, &[branches::add_else]),
    single(Code::BranchVariableMismatch, &[branches::same_name]),
    repeated(Code::UnsupportedStatement, &[statements::rewrite, loops::unroll, python_operators::call, python_operators::branch, python_operators::decorate]),
    single(Code::UnboundValue, &[statements::bind]),
    single(Code::MissingAnnotation, &[annotation::of_parameter]),
    repeated(Code::AnnotationMismatch, &[annotation::correct, parameter::correct]),
    single(Code::ReturnMismatch, &[annotation::of_result, parameter::correct]),
    single(Code::ImpossibleCast, &[annotation::of_cast]),
    single(Code::ArgumentType, &[values::printed_float, prim_calls::call_directly, shape_variables::cast_argument, operands::field, operands::convert_argument, parameter::correct, callee_parameter::correct]),
    single(Code::DtypeMismatch, &[operands::convert, division::floor, division::whole_number, parameter::correct, parameter::correct_value]),
    single(Code::RankMismatch, &[ranks::of_operand, ranks::leave_out]),
    single(Code::NotCallable, &[callables::hidden, callables::without_call]),
    single(Code::UnknownVdevice, &[devices::listed, devices::list]),
    single(Code::NotATuple, &[operands::take]),
    single(Code::ArgumentCount, &[prim_calls::add_output, prim_calls::call_tir, prim_inputs::add, missing::add, missing::cast_target, operands::remove]),
    single(Code::ArgumentValue, &[values::last_axis, axes::kinds]),
    single(Code::ShapeMismatch, &[prim_calls::correct_output, values::reshape, values::transpose, parameter::correct, parameter::correct_value, callee_parameter::correct]),
    single(Code::TupleIndexOutOfRange, &[values::last_field]),
    single(Code::GlobalSymbolMismatch, &[names::correct_symbol]),
    single(Code::IterationCount, &[names::count_loops, axes::count]),
    single(Code::IndexCount, &[indices::count]),
    single(Code::MisplacedBlockStatement, &[blocks::merge_or_wrap]),
    single(Code::Redefinition, &[names::rename_second]),
    single(Code::UnboundShapeVariable, &[shape_variables::cast, shape_variables::parameter]),
    repeated(Code::UnusedBinding, &[unused::remove, unused::underscore]),
];

/// A file, for fixes that concern more than one function.
struct FileContext<'db> {
    db: &'db Database,
    file: SourceFile,
}

/// Like [`Fix`], for diagnostics outside of functions. Positions are relative to the file.
type FileFix = fn(cx: &FileContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes);

#[rustfmt::skip]
const FILE_FIXES: &[Row<FileFix>] = &[
    single(Code::SyntaxError, &[syntax::repair]),
    single(Code::UndefinedName, &[imports::add_letter, nearest_name::of_file, module::decorate]),
    single(Code::Redefinition, &[module::rename_second]),
    single(Code::NoEntryPoint, &[module::publish_one]),
    single(Code::UnusedFunction, &[module::remove_unused]),
    single(Code::RecursionInDataflow, &[module::move_out]),
    single(Code::DataflowVarCaptured, &[module::give_out]),
    single(Code::RecursionWithoutAnnotation, &[recursion::annotate]),
    repeated(Code::UnusedIgnore, &[ignores::remove]),
];

/// Like [`Fix`], for Relay's text. Positions are relative to the file.
type RelayFix = fn(cx: &RelayContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes);

#[rustfmt::skip]
const RELAY_FIXES: &[Row<RelayFix>] = &[
    single(Code::UndefinedName, &[relay::nearest_name]),
    single(Code::UndefinedFunction, &[relay::nearest_name]),
    single(Code::UnknownOperator, &[relay::nearest_name]),
    single(Code::UnknownArgument, &[relay::nearest_name]),
    single(Code::UnknownDtype, &[relay::nearest_name]),
    single(Code::IncompleteMatch, &[relay::add_clauses]),
];

/// The codes without a fix, and the reason.
#[cfg(test)]
pub const UNFIXED: &[(Code, &str)] = &[
    (
        Code::NoFittingCall,
        "either the calls or the parameters may be wrong; the error at each call has its own fixes",
    ),
    (
        Code::NotAnalysedFurther,
        "how to shorten the program depends on its purpose",
    ),
    (Code::UnloweredOperator, "only the author knows the shape"),
    (
        Code::IndexOutOfRange,
        "only the author knows which element is meant",
    ),
    (
        Code::StorageStillNeeded,
        "the pass that planned the memory is to be mended",
    ),
];

/// Collects the fixes of one diagnostic.
#[derive(Default)]
struct Fixes {
    found: Vec<FoundFix>,
    /// `true` if only unambiguous fixes are requested. Fixes that must be tried out don't count as such.
    only_certain: bool,
    checks: Budget,
}

/// How certain it is that a fix is what the author meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Confidence {
    /// The fix is unambiguous, so `source.fixAll` applies it.
    Certain,
    Likely,
    Possible,
}

impl Confidence {
    fn likely_if(likely: bool) -> Confidence {
        if likely {
            Confidence::Likely
        } else {
            Confidence::Possible
        }
    }
}

struct FoundFix {
    id: &'static str,
    title: String,
    confidence: Confidence,
    edit: SourceEdit,
    /// `true` if the edit is relative to the file. Other edits are relative to what the diagnostic is relative to.
    elsewhere: bool,
}

impl Fixes {
    /// Returns checks of edits that are relative to a function.
    fn checking<'c, 'db>(&self, cx: &'c FunctionContext<'db>) -> Checking<'c, 'db> {
        Checking::new(cx, &self.checks)
    }

    /// Returns checks of edits that are relative to the file of a function.
    fn checking_of_file<'c, 'db>(&self, cx: &'c FunctionContext<'db>) -> Checking<'c, 'db> {
        Checking::of_file(cx.db, cx.function.file(cx.db), &self.checks)
    }

    /// Adds an unambiguous fix.
    fn certain(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.add(id, title, Confidence::Certain, edit);
    }

    /// Adds the most likely fix.
    fn preferred(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.add(id, title, Confidence::Likely, edit);
    }

    /// Adds one of several possible fixes.
    fn possible(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.add(id, title, Confidence::Possible, edit);
    }

    fn add(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        confidence: Confidence,
        edit: SourceEdit,
    ) {
        self.found.push(FoundFix {
            id,
            title: title.into(),
            confidence,
            edit,
            elsewhere: false,
        });
    }

    /// Adds a possible fix that edits the file outside of the function.
    fn possible_outside(&mut self, id: &'static str, title: impl Into<String>, edit: SourceEdit) {
        self.found.push(FoundFix {
            id,
            title: title.into(),
            confidence: Confidence::Possible,
            edit,
            elsewhere: true,
        });
    }

    /// Converts the fixes to actions. `start` is the position in the file that `diagnostic` is relative to.
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
            preferred: fix.confidence != Confidence::Possible,
            certain: fix.confidence == Confidence::Certain,
            ends,
            edit: Some(if fix.elsewhere {
                fix.edit
            } else {
                fix.edit.moved(start)
            }),
        })
    }
}

/// Returns the fixes of the diagnostics that `range` touches, or of the diagnostics that the client names.
pub fn fixes(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
    checks: &Budget,
) -> Vec<CodeAction> {
    gathered(db, file, range, named, false, checks)
}

/// Returns the unambiguous fixes of a whole file.
pub fn certain_fixes(db: &Database, file: SourceFile) -> Vec<CodeAction> {
    let whole = TextRange::up_to(TextSize::of(&*file.source(db).text));
    let mut fixes = gathered(db, file, whole, &[], true, &Budget::default());
    fixes.retain(|fix| fix.certain);
    fixes
}

fn gathered(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
    only_certain: bool,
    checks: &Budget,
) -> Vec<CodeAction> {
    let around = named
        .iter()
        .fold(range, |around, (_, range)| around.cover(*range));
    let of_named: FxHashSet<(&str, TextRange)> = named
        .iter()
        .map(|(name, range)| (name.as_str(), *range))
        .collect();
    let wanted = |it: &Diagnostic, start: TextSize| {
        db.give_way();
        let at = it.range + start;
        if named.is_empty() {
            let mut places = it.repeats.iter().map(|repeat| *repeat + start).chain([at]);
            return places.any(|place| place.intersect(range).is_some());
        }
        of_named.contains(&(it.code.name(), at))
    };
    let empty = || Fixes {
        found: Vec::new(),
        only_certain,
        checks: checks.clone(),
    };
    let mut actions = Vec::new();
    let cx = FileContext { db, file };
    let unused_ignores = crate::ignores::unused(db, file, around);
    let of_outline = hir::outline_diagnostics(db, file, around).into_iter();
    for diagnostic in of_outline.chain(unused_ignores) {
        if wanted(&diagnostic, 0.into()) {
            let fixes = gather(FILE_FIXES, &diagnostic, empty(), |fix: &FileFix, fixes| {
                fix(&cx, &diagnostic, fixes);
            });
            actions.extend(fixes.into_actions(&diagnostic, 0.into()));
        }
    }
    if let Some(relay) = hir::relay_file(db, file) {
        let cx = RelayContext {
            file: relay,
            text: &file.source(db).text,
        };
        for diagnostic in relay.facts.diagnostics(&relay.module) {
            if wanted(&diagnostic, 0.into()) {
                let gathered = gather(
                    RELAY_FIXES,
                    &diagnostic,
                    empty(),
                    |fix: &RelayFix, fixes| {
                        fix(&cx, &diagnostic, fixes);
                    },
                );
                actions.extend(gathered.into_actions(&diagnostic, 0.into()));
            }
        }
    }
    for cx in FunctionContext::touching(db, file, around) {
        for diagnostic in hir::function_diagnostics(db, cx.function) {
            if wanted(diagnostic, cx.start) {
                let fixes = gather(FIXES, diagnostic, empty(), |fix: &Fix, fixes| {
                    fix(&cx, diagnostic, fixes);
                });
                actions.extend(fixes.into_actions(diagnostic, cx.start));
            }
        }
    }
    actions
}

impl Analysis {
    /// Returns the fixes of the diagnostics that `range` touches, or of the diagnostics named by code and range.
    pub fn fixes(
        &self,
        file: FileId,
        range: TextRange,
        named: &[(String, TextRange)],
    ) -> Cancellable<Vec<CodeAction>> {
        self.with_file(file, |db, file| checked_fixes(db, file, range, named))
    }
}

/// Like `fixes`, but drops a fix that causes a new mistake if another fix of the same diagnostic causes none.
fn checked_fixes(
    db: &Database,
    file: SourceFile,
    range: TextRange,
    named: &[(String, TextRange)],
) -> Vec<CodeAction> {
    let checks = Budget::default();
    let checking = Checking::of_file(db, file, &checks);
    let mut checked = Vec::new();
    for group in fixes(db, file, range, named, &checks).chunk_by(|one, next| one.ends == next.ends)
    {
        let mut right = group.to_vec();
        if group.len() > 1 {
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

/// Adds the fixes that a table has for a diagnostic.
fn gather<F>(
    table: &[Row<F>],
    diagnostic: &Diagnostic,
    mut fixes: Fixes,
    offer: impl Fn(&F, &mut Fixes),
) -> Fixes {
    let rows = table.iter().filter(|row| row.code == diagnostic.code);
    for fix in rows.flat_map(|row| row.fixes) {
        offer(fix, &mut fixes);
    }
    fixes
}

#[cfg(test)]
pub(crate) mod tests;
