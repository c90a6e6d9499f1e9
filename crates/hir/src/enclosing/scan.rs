//! Follows the statements of a scope in order and keeps what its names stand for.

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast::{self, AstNode};

use super::eval::eval;
use super::{Env, PyValue};
use crate::body::lower_expr;

/// The environment while a file is read from top to bottom.
pub(crate) struct Scanner {
    scopes: Vec<Arc<Env>>,
}

impl Scanner {
    pub fn new() -> Scanner {
        Scanner {
            scopes: vec![Arc::new(Env::default())],
        }
    }

    /// What the names stand for here.
    pub fn env(&self) -> &Arc<Env> {
        &self.scopes[self.scopes.len() - 1]
    }

    fn env_mut(&mut self) -> &mut Env {
        let last = self.scopes.len() - 1;
        Arc::make_mut(&mut self.scopes[last])
    }

    /// Enters a scope of its own. Every name it binds anywhere is there from the start, unknown at first.
    pub fn enter(
        &mut self,
        stmts: impl Iterator<Item = ast::Stmt>,
        params: Option<ast::ParamList>,
    ) {
        let mut env = Env::child(self.env());
        for param in params.into_iter().flat_map(|list| list.params()) {
            if let Some(name) = param.name() {
                env.set(name.text(), PyValue::Unknown);
            }
        }
        self.scopes.push(Arc::new(env));
        self.hoist(stmts);
    }

    pub fn leave(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Makes the names that the statements bind known as unknown.
    pub fn hoist(&mut self, stmts: impl Iterator<Item = ast::Stmt>) {
        let mut names = Vec::new();
        for stmt in stmts {
            bound_names(&stmt, &mut names);
        }
        let env = self.env_mut();
        for name in names {
            if name == "*" {
                env.star_import = true;
            } else {
                env.names.entry(name).or_insert(PyValue::Unknown);
            }
        }
    }

    pub fn set(&mut self, name: &str, value: PyValue) {
        if self.env().names.get(name) != Some(&value) {
            self.env_mut().set(name, value);
        }
    }

    /// After statements that may not have run, what they bind is unknown.
    pub fn forget(&mut self, stmts: impl Iterator<Item = ast::Stmt>) {
        let mut names = Vec::new();
        for stmt in stmts {
            bound_names(&stmt, &mut names);
        }
        for name in names {
            // An import in a `try` or an `if` means the same module whichever way it goes.
            if !matches!(self.env().get(&name), Some(PyValue::Path(_))) {
                self.set(&name, PyValue::Unknown);
            }
        }
    }

    /// What the statement binds, with the values that are plain.
    pub fn run(&mut self, stmt: &ast::Stmt) {
        match stmt {
            ast::Stmt::AssignStmt(it) => {
                let value = it.value().map_or(PyValue::Unknown, |v| self.eval(&v));
                for target in it.targets() {
                    self.bind(&target, &value);
                }
            }
            ast::Stmt::AnnAssignStmt(it) => {
                if let (Some(target), Some(value)) = (it.target(), it.value()) {
                    let value = self.eval(&value);
                    self.bind(&target, &value);
                }
            }
            ast::Stmt::ImportStmt(it) => {
                for import in it.names() {
                    let Some(path) = import.path() else { continue };
                    match import.alias() {
                        Some(alias) => self.set(alias.text(), PyValue::Path(path.dotted().into())),
                        None => {
                            if let Some(first) = path.names().next() {
                                self.set(first.text(), PyValue::Path(first.text().into()));
                            }
                        }
                    }
                }
            }
            ast::Stmt::ImportFromStmt(it) => {
                let module = it.module().map(|m| m.dotted()).unwrap_or_default();
                for import in it.names() {
                    let Some(path) = import.path() else { continue };
                    let name = path.dotted();
                    let bound = import
                        .alias()
                        .map_or_else(|| name.clone(), |a| a.text().to_owned());
                    let value = if it.level() > 0 {
                        PyValue::Unknown
                    } else {
                        PyValue::Path(SmolStr::from(format!("{module}.{name}")))
                    };
                    self.set(&bound, value);
                }
            }
            ast::Stmt::AugAssignStmt(_) | ast::Stmt::DelStmt(_) | ast::Stmt::TypeAliasStmt(_) => {
                self.forget(std::iter::once(stmt.clone()));
            }
            _ => {}
        }
    }

    fn eval(&self, expr: &ast::Expr) -> PyValue {
        let (body, id) = lower_expr(expr);
        eval(&body, id, self.env())
    }

    fn bind(&mut self, target: &ast::Expr, value: &PyValue) {
        match target {
            ast::Expr::NameExpr(name) => self.set(&name.text(), value.clone()),
            ast::Expr::ParenExpr(paren) => {
                if let Some(inner) = paren.expr() {
                    self.bind(&inner, value);
                }
            }
            ast::Expr::TupleExpr(tuple) => {
                let targets: Vec<ast::Expr> = tuple.elements().collect();
                for (k, target) in targets.iter().enumerate() {
                    let part = match value {
                        PyValue::List(items) if items.len() == targets.len() => items[k].clone(),
                        _ => PyValue::Unknown,
                    };
                    self.bind(target, &part);
                }
            }
            _ => {}
        }
    }
}

/// The names that a statement binds in its scope, those of nested blocks included; `*` for a star import.
fn bound_names(stmt: &ast::Stmt, names: &mut Vec<SmolStr>) {
    match stmt {
        ast::Stmt::FunctionDef(it) => names.extend(it.name().map(|n| n.text().into())),
        ast::Stmt::ClassDef(it) => names.extend(it.name().map(|n| n.text().into())),
        ast::Stmt::AssignStmt(it) => it.targets().for_each(|t| target_names(&t, names)),
        ast::Stmt::AnnAssignStmt(it) => it.target().iter().for_each(|t| target_names(t, names)),
        ast::Stmt::AugAssignStmt(it) => it.target().iter().for_each(|t| target_names(t, names)),
        ast::Stmt::TypeAliasStmt(it) => names.extend(it.name().map(|n| n.text().into())),
        ast::Stmt::ImportStmt(it) => {
            for import in it.names() {
                let first = import.path().and_then(|p| p.names().next());
                names.extend(import.alias().or(first).map(|n| n.text().into()));
            }
        }
        ast::Stmt::ImportFromStmt(it) => {
            if it.star().is_some() {
                names.push("*".into());
            }
            for import in it.names() {
                let first = import.path().and_then(|p| p.names().next());
                names.extend(import.alias().or(first).map(|n| n.text().into()));
            }
        }
        ast::Stmt::IfStmt(it) => {
            it.branches().for_each(|b| suite_names(b.suite, names));
            suite_names(it.else_suite(), names);
        }
        ast::Stmt::WithStmt(it) => {
            suite_names(it.body(), names);
            it.items()
                .filter_map(|i| i.target())
                .for_each(|t| target_names(&t, names));
        }
        ast::Stmt::ForStmt(it) => {
            suite_names(it.body(), names);
            suite_names(it.else_clause().and_then(|e| e.suite()), names);
            it.target().iter().for_each(|t| target_names(t, names));
        }
        ast::Stmt::WhileStmt(it) => {
            suite_names(it.body(), names);
            suite_names(it.else_clause().and_then(|e| e.suite()), names);
        }
        ast::Stmt::TryStmt(it) => {
            suite_names(it.body(), names);
            for clause in it.except_clauses() {
                suite_names(clause.suite(), names);
            }
            suite_names(it.else_clause().and_then(|e| e.suite()), names);
            suite_names(it.finally_clause().and_then(|e| e.suite()), names);
            names.extend(
                it.except_clauses()
                    .filter_map(|c| c.name())
                    .map(|n| n.text().into()),
            );
        }
        ast::Stmt::MatchStmt(it) => {
            for case in it.cases() {
                suite_names(case.suite(), names);
                if let Some(pattern) = case.pattern() {
                    let captures = pattern.syntax().descendants();
                    names.extend(
                        captures
                            .filter_map(ast::CapturePattern::cast)
                            .filter_map(|c| c.name())
                            .map(|n| SmolStr::from(n.text())),
                    );
                }
            }
        }
        ast::Stmt::GlobalStmt(it) => names.extend(it.names().map(|n| n.text().into())),
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

fn suite_names(suite: Option<ast::Suite>, names: &mut Vec<SmolStr>) {
    for stmt in suite.into_iter().flat_map(|s| s.stmts()) {
        bound_names(&stmt, names);
    }
}

fn target_names(target: &ast::Expr, names: &mut Vec<SmolStr>) {
    match target {
        ast::Expr::NameExpr(name) => names.push(name.text().into()),
        ast::Expr::ParenExpr(it) => it.expr().iter().for_each(|e| target_names(e, names)),
        ast::Expr::TupleExpr(it) => it.elements().for_each(|e| target_names(&e, names)),
        ast::Expr::ListExpr(it) => it.elements().for_each(|e| target_names(&e, names)),
        ast::Expr::StarExpr(it) => it.expr().iter().for_each(|e| target_names(e, names)),
        _ => {}
    }
}
