//! Fixes `return`: exactly one, at the end.

use hir::facts::{Var, VarKind};
use relax::Diagnostic;
use relax::sinfo::{Fit, StructInfo};
use relax::sym::SymCx;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Returns the last variable that fits the return annotation, or else the last variable.
pub fn add(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(at) = cx.facts.functions.iter().position(|it| {
        it.range.contains_range(diagnostic.range) && diagnostic.range.contains_range(it.name_range)
    }) else {
        return;
    };
    let def = cx.function_def(diagnostic.range);
    let Some(last) = def.body().and_then(|it| it.stmts().last()) else {
        return;
    };
    let own = cx.facts.vars().filter(|it| it.function == at);
    let bound = own.filter(|it| {
        matches!(it.kind, VarKind::Var | VarKind::MatchCast) && !it.name.starts_with('_')
    });
    let bound: Vec<Var<'_>> = bound.collect();
    let annotated = cx.facts.functions[at].annotated_ret.as_ref();
    let params = cx.facts.functions[at].params.iter();
    let params = params.map(|it| cx.facts.var(*it));
    let known: Vec<Var<'_>> = params.chain(bound.iter().copied()).collect();
    let value = match annotated {
        Some(ret) => fitting(cx, &known, ret),
        None => Some(
            bound
                .last()
                .map_or_else(|| tuple(cx, &[]), |it| it.name.to_string()),
        ),
    };
    let Some(value) = value else { return };
    let indent = cx.indent(last.range().start());
    let text = format!("{indent}return {value}{}", cx.newline());
    let edit = SourceEdit::insert(cx.lines(last.range()).end(), text);
    fixes.preferred("add-return", format!("Return `{value}`"), edit);
}

/// Returns the last variable that fits the annotation, or a tuple of such variables.
fn fitting(cx: &FunctionContext<'_>, known: &[Var<'_>], wanted: &StructInfo) -> Option<String> {
    let fit = |it: &Var<'_>| it.struct_info.fit(wanted, &SymCx::default());
    let may_fit = known.iter().filter(|it| fit(it) > Fit::Never);
    if let Some(best) = may_fit.max_by_key(|it| fit(it)) {
        return Some(best.name.to_string());
    }
    let StructInfo::Tuple(fields) = wanted else {
        return None;
    };
    let fields: Option<Vec<String>> = fields.iter().map(|it| fitting(cx, known, it)).collect();
    Some(tuple(cx, &fields?))
}

fn tuple(cx: &FunctionContext<'_>, fields: &[String]) -> String {
    match fields {
        [] => format!("{}()", cx.relax("tuple")),
        [one] => format!("({one},)"),
        fields => format!("({})", fields.join(", ")),
    }
}

/// Removes a second `return`.
pub fn remove(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let stmt = cx.around::<ast::ReturnStmt>(diagnostic.range);
    if let Some(stmt) = stmt.filter(|it| cx.alone_on_its_lines(it.range())) {
        let edit = SourceEdit::delete(cx.lines(stmt.range()));
        fixes.certain("remove-return", "Remove this `return`", edit);
    }
}
