//! Binds an unbound shape variable, by a cast or by a parameter.

use hir::body::Expr;
use hir::facts::Def;
use hir::{file_items, function_signature};
use relax::Diagnostic;
use relax::dialect::Dialect;
use relax::sinfo::Fit;
use relax::sym::SymCx;
use syntax::ast::{self, AstNode};

use super::Fixes;
use crate::annotations;
use crate::casts::{cast_name, match_cast};
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `y: R.Tensor((m,)) = f(x)` to `y = R.match_cast(f(x), R.Tensor((m,)))`.
pub fn cast(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let stmt = cx.around::<ast::AnnAssignStmt>(diagnostic.range);
    if let Some((stmt, edit)) = stmt.and_then(|it| Some((it.clone(), match_cast(cx, &it)?)))
        && let Some(target) = stmt.target()
    {
        let name = cx.slice(target.range());
        let title = format!("Check the shape of `{name}` with `{}`", cast_name(cx));
        fixes.preferred("match-cast", title, edit);
    }
}

/// Adds a parameter `m_shape: R.Shape(["m"])` that binds it. Callers have to pass it.
pub fn parameter(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(name) = diagnostic.about.as_deref() else {
        return;
    };
    let def = cx.function_def(diagnostic.range);
    let Some(params) = def.params() else { return };
    let python = cx.release.has_type_var() && !cx.declares(name);
    let dim = if python {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    };
    let annotation = match cx.release.dialect() {
        Dialect::Rfc => format!("{}[({dim},)]", cx.relax("Shape")),
        Dialect::StructInfo | Dialect::Type => format!("{}([{dim}])", cx.relax("Shape")),
    };
    let param = format!("{name}_shape: {annotation}");
    let edit = match params.params().last() {
        Some(last) => SourceEdit::insert(last.range().end(), format!(", {param}")),
        None => SourceEdit::replace(params.range(), format!("({param})")),
    };
    // Callers of the function do not pass the new parameter yet.
    if fixes.checking(cx).improves(&edit) != Some(false) {
        fixes.possible(
            "shape-parameter",
            format!("Add the parameter `{param}`"),
            edit,
        );
    }
}

/// Casts an argument before the call if less is known about it than the callee requires.
pub fn cast_argument(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let around = cx.body.exprs_around(diagnostic.range).into_iter();
    let found = around
        .map(|it| &cx.body.exprs[it])
        .find_map(|expr| match expr {
            Expr::Call { callee, args } => {
                let at = args
                    .iter()
                    .position(|it| cx.body.range(it.value) == diagnostic.range)?;
                Some((*callee, at, args[at].value))
            }
            _ => None,
        });
    let Some((callee, at, argument)) = found else {
        return;
    };
    let Some(Def::Global(name)) = cx.facts.def(callee) else {
        return;
    };
    let module = cx.function.module(cx.db);
    let functions = file_items(cx.db, cx.function.file(cx.db)).functions.iter();
    let mut named = functions.filter(|it| it.module(cx.db) == module && it.name(cx.db) == *name);
    let Some(wanted) = named.next().and_then(|it| {
        let params = &function_signature(cx.db, *it).params;
        params.get(at).cloned()
    }) else {
        return;
    };
    let value = cx.facts.value(argument).struct_info();
    let narrower = value.is_some_and(|it| it.fit(&wanted, &SymCx::default()) == Fit::Narrower);
    // The callee's shape variables are not visible here.
    let closed = wanted.used_vars().is_empty();
    let text = match cx.release.dialect() {
        Dialect::Rfc => annotations::shape_in_body(cx, &wanted),
        Dialect::StructInfo | Dialect::Type => annotations::in_body(cx, &wanted),
    };
    let Some(text) = text.filter(|_| narrower && closed) else {
        return;
    };
    let argument = cx.slice(diagnostic.range);
    let match_cast = cast_name(cx);
    let title = format!("Check `{argument}` with `{match_cast}`");
    // A cast needs its own binding.
    let Some(stmt) = cx.around::<ast::Stmt>(diagnostic.range) else {
        return;
    };
    let start = stmt.range().start();
    let (name, indent) = (cx.free_name("lv"), cx.indent(start));
    let cast = format!(
        "{name} = {match_cast}({argument}, {text}){}{indent}",
        cx.newline()
    );
    let edit = SourceEdit::insert(start, cast).and_replace(diagnostic.range, name);
    fixes.preferred("cast-argument", title, edit);
}
