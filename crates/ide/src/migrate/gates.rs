//! Migrates decorators of TVM's tests that skip a test without some hardware: `@tvm.testing.requires_cuda`.

use relax::release::{GATES, Rename};
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextSize;

use super::Pass;

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(attribute) = ast::AttributeExpr::cast(node.clone()) else {
        return;
    };
    let expr = Expr::AttributeExpr(attribute);
    let Some(written) = pass.imports.written(&expr) else {
        return;
    };
    let path = written.path();
    let is_lost = |row: &&Rename| row.old == path && pass.transition.enters(row.since);
    let Some(row) = GATES.iter().find(is_lost) else {
        return;
    };
    let is_decorator = node
        .parent()
        .is_some_and(|it| ast::Decorator::can_cast(it.kind()));
    let rest = row
        .new
        .strip_prefix(&written.root)
        .filter(|it| it.starts_with('.'));
    if let (true, Some(rest), Some(at)) = (is_decorator, rest, imports(pass))
        && (has_pytest(pass) || pass.import(at, "import pytest\n".to_owned()))
    {
        let local = written.names[0].text();
        let need = row.old.rsplit("requires_").next().unwrap_or(row.old);
        let text = format!("pytest.mark.skipif(not {local}{rest}(), reason=\"need {need}\")");
        return pass.replace(expr.range(), text);
    }
    let message = format!(
        "`{}` was removed ({}): use `pytest.mark.skipif(not {}(), ...)`",
        row.old, row.source, row.new
    );
    pass.leave(expr.range(), message);
}

fn has_pytest(pass: &Pass<'_>) -> bool {
    pass.imports.path("pytest").as_deref() == Some("pytest")
}

/// Returns the offset of the first import of the file that others may stand before.
fn imports(pass: &Pass<'_>) -> Option<TextSize> {
    let is_future =
        |it: &ast::ImportFromStmt| it.module().is_some_and(|it| it.dotted() == "__future__");
    let mut stmts = pass.tree.stmts();
    let first = stmts.find(|it| match it {
        ast::Stmt::ImportStmt(_) => true,
        ast::Stmt::ImportFromStmt(import) => !is_future(import),
        _ => false,
    });
    first.map(|it| it.range().start())
}
