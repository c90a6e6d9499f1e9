//! Migrates blocks in which a region names a buffer that the block allocates after it. TVM 0.27 prints a declaration of
//! such a buffer before the region; releases before it refuse the second binding. Without the region, TVM computes it.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, decorators};

/// The first release that prints the declaration.
const SINCE: Release = Release::V0_27;

const REGIONS: &[&str] = &["T.reads", "T.writes"];

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if !pass.transition.leaves(SINCE) {
        return;
    }
    let Some(declaration) = ast::AssignStmt::cast(node.clone()) else {
        return;
    };
    let Some(name) = bound_to(pass, &declaration, "T.Buffer") else {
        return;
    };
    if !decorators::is_in_prim_func(pass, node) {
        return;
    }
    let after = std::iter::successors(node.next_sibling(), SyntaxNode::next_sibling);
    let mut regions = Vec::new();
    for sibling in after {
        if let Some(stmt) = ast::AssignStmt::cast(sibling.clone())
            && bound_to(pass, &stmt, "T.sblock_alloc_buffer").as_deref() == Some(&*name)
        {
            pass.remove_stmt(&declaration);
            for region in regions {
                pass.remove_stmt(&region);
            }
            return;
        }
        let mut names = sibling.descendants().filter_map(ast::NameExpr::cast);
        if names.any(|it| it.text() == name) {
            match region(pass, &sibling) {
                Some(stmt) => regions.push(stmt),
                None => return,
            }
        }
    }
}

/// Returns the name that a statement binds to a call of `callee`.
fn bound_to(pass: &Pass<'_>, stmt: &ast::AssignStmt, callee: &str) -> Option<String> {
    let bound = pass.bound_call(stmt)?;
    (bound.callee == callee).then(|| bound.target.text().clone())
}

/// Returns the statement `T.reads(...)` or `T.writes(...)`.
fn region(pass: &Pass<'_>, node: &SyntaxNode) -> Option<ast::ExprStmt> {
    let stmt = ast::ExprStmt::cast(node.clone())?;
    let Some(Expr::CallExpr(call)) = stmt.expr() else {
        return None;
    };
    let called = pass.script_name(&call.callee()?)?;
    REGIONS.contains(&called.as_str()).then_some(stmt)
}
