//! Dataflow blocks as fixes and assists see them: the `with`, its bindings, its `R.output`.

use hir::dialect::Dialect;
use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::TextRange;

use crate::function_context::FunctionContext;

pub struct DataflowBlock {
    pub with: ast::WithStmt,
    /// What stands in the block, `R.output` included.
    pub stmts: Vec<Stmt>,
    /// The call in `R.output(...)`.
    pub output: Option<ast::CallExpr>,
}

impl DataflowBlock {
    /// The innermost dataflow block around `range`.
    pub fn around(cx: &FunctionContext<'_>, range: TextRange) -> Option<DataflowBlock> {
        let node = cx.covering(range)?;
        node.ancestors()
            .filter_map(ast::WithStmt::cast)
            .find_map(DataflowBlock::new)
    }

    pub fn new(with: ast::WithStmt) -> Option<DataflowBlock> {
        let Expr::CallExpr(call) = with.items().next()?.context()? else {
            return None;
        };
        if last_name(&call.callee()?)? != "dataflow" {
            return None;
        }
        let stmts: Vec<Stmt> = with.body()?.stmts().collect();
        let output = stmts.iter().find_map(output_call);
        Some(DataflowBlock {
            with,
            stmts,
            output,
        })
    }

    pub fn range(&self) -> TextRange {
        self.with.range()
    }

    /// What the file calls `R`.
    fn script<'db>(&self, cx: &FunctionContext<'db>) -> &'db str {
        let callee = self.with.items().next().and_then(|it| it.context());
        let path = callee.map_or("", |it| cx.slice(it.range()));
        path.split_once('.').map_or("R", |(root, _)| root.trim())
    }

    /// `R.output(...)` as the dialect spells it.
    pub fn output_call(&self, cx: &FunctionContext<'_>, names: &[&str]) -> String {
        let output = match cx.dialect {
            Dialect::Rfc => "outputs",
            Dialect::StructInfo | Dialect::Type => "output",
        };
        format!("{}.{output}({})", self.script(cx), names.join(", "))
    }
}

/// The call of a statement `R.output(...)`.
fn output_call(stmt: &Stmt) -> Option<ast::CallExpr> {
    let Stmt::ExprStmt(stmt) = stmt else {
        return None;
    };
    let Expr::CallExpr(call) = stmt.expr()? else {
        return None;
    };
    let name = last_name(&call.callee()?)?;
    matches!(name.as_str(), "output" | "outputs").then_some(call)
}

/// `dataflow` of `R.dataflow`.
pub fn last_name(path: &Expr) -> Option<String> {
    match path {
        Expr::AttributeExpr(attribute) => Some(attribute.name()?.text().to_owned()),
        _ => None,
    }
}
