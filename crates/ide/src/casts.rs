//! Writes a cast that checks a value at run time, in the file's dialect: `R.match_cast` or `R.match_shape`.

use relax::dialect::Dialect;
use syntax::ast::{self, AstNode};
use text_size::TextRange;

use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// Rewrites an annotated binding to a cast.
pub fn match_cast(cx: &FunctionContext<'_>, stmt: &ast::AnnAssignStmt) -> Option<SourceEdit> {
    let (target, annotation, value) = (stmt.target()?, stmt.annotation()?, stmt.value()?);
    let says = match cx.release.dialect() {
        Dialect::Rfc => written_shape(&annotation)?.range(),
        Dialect::StructInfo | Dialect::Type => annotation.range(),
    };
    let (value, says) = (cx.slice(value.range()), cx.slice(says));
    let cast = format!(" = {}({value}, {says})", cast_name(cx));
    let rest = TextRange::new(target.range().end(), stmt.range().end());
    Some(SourceEdit::replace(rest, cast))
}

/// Returns the file's name for the function that checks a value at run time.
pub fn cast_name(cx: &FunctionContext<'_>) -> String {
    cx.relax(match cx.release.dialect() {
        Dialect::Rfc => "match_shape",
        Dialect::StructInfo | Dialect::Type => "match_cast",
    })
}

/// Returns the dimensions of `R.Tensor[(n, 4), "float32"]`.
fn written_shape(annotation: &ast::Expr) -> Option<ast::Expr> {
    let ast::Expr::SubscriptExpr(subscript) = annotation else {
        return None;
    };
    let shape = match subscript.index()? {
        ast::Expr::TupleExpr(parts) => parts.elements().next()?,
        _ => return None,
    };
    matches!(shape, ast::Expr::TupleExpr(_)).then_some(shape)
}
