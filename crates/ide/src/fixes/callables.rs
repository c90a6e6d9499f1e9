//! Fixes calls of values that are not functions: shadowed operators, attributes, fields.

use hir::body::Expr;
use relax::script::Namespace;
use relax::sinfo::StructInfo;
use relax::{Diagnostic, FunctionKind, ops};
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::semantics::spelling::module_alias;
use crate::source_edit::SourceEdit;

/// Calls the function that a variable of the same name shadows.
pub fn hidden(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let name = cx.slice(diagnostic.range);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        return;
    }
    let mut offer = |meant: String| {
        let title = format!("Call `{meant}`");
        let edit = SourceEdit::replace(diagnostic.range, meant);
        fixes.possible("call-hidden", title, edit);
    };
    if let Some(module) = cx.module() {
        let mut functions = module.functions(cx.db).iter();
        let relax = |it: &&_| hir::FunctionItem::kind(**it, cx.db) == FunctionKind::Relax;
        if functions.any(|it| relax(&it) && it.name(cx.db) == name) {
            let module = module.name(cx.db);
            let alias = module_alias(cx.body, &module).unwrap_or(module);
            offer(format!("{alias}.{name}"));
        }
    }
    let operator = ops::by_script(name, cx.release).map(ops::OpDef::script);
    let nested = || ops::nearest(name).filter(|it| it.rsplit('.').next() == Some(name));
    if let Some(op) = operator.or_else(nested) {
        offer(format!("{}.{op}", cx.alias(Namespace::Relax)));
    }
}

/// Rewrites `x.shape()` to `x.shape`, and `t(0)` for a tuple to `t[0]`.
pub fn without_call(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let callee = diagnostic.range;
    let calls = cx.covering(callee).into_iter();
    let mut calls = calls.flat_map(|node| node.ancestors().filter_map(ast::CallExpr::cast));
    let Some(call) = calls.find(|it| it.callee().is_some_and(|it| it.range() == callee)) else {
        return;
    };
    let Some(args) = call.arg_list() else { return };
    let given: Vec<ast::Arg> = args.args().collect();
    match given.as_slice() {
        [] => {
            let title = format!("Write `{}`", cx.slice(callee));
            fixes.preferred("remove-call", title, SourceEdit::delete(args.range()));
        }
        [field] if is_tuple(cx, callee) && field.keyword().is_none() => {
            let field = format!("[{}]", cx.slice(field.range()));
            let title = format!("Write `{}{field}`", cx.slice(callee));
            fixes.preferred(
                "take-field",
                title,
                SourceEdit::replace(args.range(), field),
            );
        }
        _ => {}
    }
}

fn is_tuple(cx: &FunctionContext<'_>, range: TextRange) -> bool {
    let mut around = cx.body.exprs_around(range).into_iter();
    around.any(|expr| {
        cx.body.range(expr) == range
            && !matches!(cx.body.exprs[expr], Expr::Call { .. })
            && matches!(
                cx.facts.value(expr).struct_info(),
                Some(StructInfo::Tuple(_))
            )
    })
}
