//! Fixes impure calls: marks the calling function as impure, or makes the call pure.

use relax::Diagnostic;
use syntax::ast::{self, AstNode, Expr};

use super::Fixes;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites `@R.function` to `@R.function(pure=False)`.
pub fn mark_impure(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let def = cx.function_def(diagnostic.range);
    let decorators = def.decorators().filter_map(|it| it.expr());
    for decorator in decorators {
        let (edit, script) = match &decorator {
            Expr::AttributeExpr(_) => {
                let edit = SourceEdit::insert(decorator.range().end(), "(pure=False)");
                (edit, decorator.range())
            }
            Expr::CallExpr(call) => {
                let (Some(callee), Some(args)) = (call.callee(), call.arg_list()) else {
                    continue;
                };
                let pure = args
                    .args()
                    .find(|it| it.keyword().is_some_and(|keyword| keyword.text() == "pure"));
                let edit = match (pure.and_then(|it| it.value()), args.args().last()) {
                    (Some(value), _) => SourceEdit::replace(value.range(), "False"),
                    (None, Some(last)) => SourceEdit::insert(last.range().end(), ", pure=False"),
                    (None, None) => SourceEdit::replace(args.range(), "(pure=False)"),
                };
                (edit, callee.range())
            }
            _ => continue,
        };
        if is_function(cx.slice(script)) {
            let name = def
                .name()
                .map_or_else(String::new, |it| it.text().to_owned());
            fixes.preferred("mark-impure", format!("Mark `{name}` `pure=False`"), edit);
            return;
        }
    }
}

/// Returns `true` if a decorator's path ends in `function`, whatever the name of `R`.
fn is_function(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, name)| name.trim() == "function")
}

/// Removes `pure=False` from the decorator.
pub fn unmark(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let def = cx.function_def(diagnostic.range);
    if let Some(edit) = without_keyword(cx, &def, "pure") {
        fixes.certain("remove-impure", "Remove `pure=False`", edit);
    }
}

/// Returns the edit that removes a keyword argument from a function's decorator.
pub fn without_keyword(
    cx: &FunctionContext<'_>,
    def: &ast::FunctionDef,
    keyword: &str,
) -> Option<SourceEdit> {
    def.decorators().find_map(|decorator| {
        let Expr::CallExpr(call) = decorator.expr()? else {
            return None;
        };
        let (callee, args) = (call.callee()?, call.arg_list()?);
        let goes = |arg: &ast::Arg| arg.keyword().is_some_and(|it| it.text() == keyword);
        if !is_function(cx.slice(callee.range())) || !args.args().any(|it| goes(&it)) {
            return None;
        }
        let kept = args.args().filter(|it| !goes(it));
        let kept: Vec<&str> = kept.map(|it| cx.slice(it.range())).collect();
        let text = if kept.is_empty() {
            String::new()
        } else {
            format!("({})", kept.join(", "))
        };
        Some(SourceEdit::replace(args.range(), text))
    })
}

/// Rewrites an `R.call_packed` of a function without visible effects to `R.call_pure_packed`.
pub fn call_pure(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let callee = cx.slice(diagnostic.range);
    if let Some(script) = callee.strip_suffix("call_packed")
        && script.ends_with('.')
    {
        let pure = format!("{script}call_pure_packed");
        let title = format!("Write `{pure}`: it has no visible effect");
        let edit = SourceEdit::replace(diagnostic.range, pure);
        fixes.possible("call-pure", title, edit);
    }
}
