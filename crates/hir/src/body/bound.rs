//! The names that a Python statement binds.

use smol_str::SmolStr;
use syntax::SyntaxToken;
use syntax::ast::{self, AstNode};

/// A name that a statement binds in its scope.
pub(crate) enum Bound {
    Name(SyntaxToken),
    /// Everything that a module exports: `from module import *`.
    Exports(SmolStr),
}

/// Returns what a statement binds in its scope, including nested blocks.
pub(crate) fn bound_by(stmt: &ast::Stmt) -> Vec<Bound> {
    let mut bound = Vec::new();
    of_stmt(stmt, &mut bound);
    bound
}

fn of_stmt(stmt: &ast::Stmt, bound: &mut Vec<Bound>) {
    match stmt {
        ast::Stmt::FunctionDef(it) => bound.extend(it.name().map(Bound::Name)),
        ast::Stmt::ClassDef(it) => bound.extend(it.name().map(Bound::Name)),
        ast::Stmt::AssignStmt(it) => it.targets().for_each(|t| of_target(&t, bound)),
        ast::Stmt::AnnAssignStmt(it) => it.target().iter().for_each(|t| of_target(t, bound)),
        ast::Stmt::AugAssignStmt(it) => it.target().iter().for_each(|t| of_target(t, bound)),
        ast::Stmt::TypeAliasStmt(it) => bound.extend(it.name().map(Bound::Name)),
        ast::Stmt::ImportStmt(it) => {
            for import in it.names() {
                let first = import.path().and_then(|p| p.names().next());
                bound.extend(import.alias().or(first).map(Bound::Name));
            }
        }
        ast::Stmt::ImportFromStmt(it) => {
            if it.star().is_some() {
                let module = it.module().map(|m| m.dotted()).unwrap_or_default();
                bound.push(Bound::Exports(module.into()));
            }
            for import in it.names() {
                let first = import.path().and_then(|p| p.names().next());
                bound.extend(import.alias().or(first).map(Bound::Name));
            }
        }
        ast::Stmt::IfStmt(it) => {
            it.branches().for_each(|b| of_suite(b.suite, bound));
            of_suite(it.else_suite(), bound);
        }
        ast::Stmt::WithStmt(it) => {
            of_suite(it.body(), bound);
            it.items()
                .filter_map(|i| i.target())
                .for_each(|t| of_target(&t, bound));
        }
        ast::Stmt::ForStmt(it) => {
            of_suite(it.body(), bound);
            of_suite(it.else_clause().and_then(|e| e.suite()), bound);
            it.target().iter().for_each(|t| of_target(t, bound));
        }
        ast::Stmt::WhileStmt(it) => {
            of_suite(it.body(), bound);
            of_suite(it.else_clause().and_then(|e| e.suite()), bound);
        }
        ast::Stmt::TryStmt(it) => {
            of_suite(it.body(), bound);
            for clause in it.except_clauses() {
                of_suite(clause.suite(), bound);
            }
            of_suite(it.else_clause().and_then(|e| e.suite()), bound);
            of_suite(it.finally_clause().and_then(|e| e.suite()), bound);
            let names = it.except_clauses().filter_map(|c| c.name());
            bound.extend(names.map(Bound::Name));
        }
        ast::Stmt::MatchStmt(it) => {
            for case in it.cases() {
                of_suite(case.suite(), bound);
                if let Some(pattern) = case.pattern() {
                    let captures = pattern.syntax().descendants();
                    let names = captures
                        .filter_map(ast::CapturePattern::cast)
                        .filter_map(|c| c.name());
                    bound.extend(names.map(Bound::Name));
                }
            }
        }
        ast::Stmt::GlobalStmt(it) => bound.extend(it.names().map(Bound::Name)),
        ast::Stmt::ExprStmt(_)
        | ast::Stmt::ReturnStmt(_)
        | ast::Stmt::PassStmt(_)
        | ast::Stmt::BreakStmt(_)
        | ast::Stmt::ContinueStmt(_)
        | ast::Stmt::DelStmt(_)
        | ast::Stmt::NonlocalStmt(_)
        | ast::Stmt::AssertStmt(_)
        | ast::Stmt::RaiseStmt(_)
        | ast::Stmt::ErrorNode(_) => {}
    }
}

fn of_suite(suite: Option<ast::Suite>, bound: &mut Vec<Bound>) {
    for stmt in suite.into_iter().flat_map(|s| s.stmts()) {
        of_stmt(&stmt, bound);
    }
}

fn of_target(target: &ast::Expr, bound: &mut Vec<Bound>) {
    match target {
        ast::Expr::NameExpr(name) => bound.extend(name.token().map(Bound::Name)),
        ast::Expr::ParenExpr(it) => it.expr().iter().for_each(|e| of_target(e, bound)),
        ast::Expr::TupleExpr(it) => it.elements().for_each(|e| of_target(&e, bound)),
        ast::Expr::ListExpr(it) => it.elements().for_each(|e| of_target(&e, bound)),
        ast::Expr::StarExpr(it) => it.expr().iter().for_each(|e| of_target(e, bound)),
        _ => {}
    }
}
