//! Executes the statements of a scope in order, and keeps the values of its names.

use std::rc::Rc;
use std::sync::Arc;

use relax::script::METADATA;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};

use super::eval::{Calls, eval_with, eval_within};
use super::{Budget, Env, Loaded, PyValue, ScriptKind, ScriptMacro, imported, star};
use crate::body::{self, Bound, bound_by, lower_expr};
use crate::metadata::Metadata;

/// The environment while a file is read from top to bottom.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    scopes: Vec<Arc<Env>>,
    budget: Rc<Budget<'a>>,
    loaded: Rc<Loaded>,
}

impl<'a> Scanner<'a> {
    pub fn new(budget: Rc<Budget<'a>>) -> Scanner<'a> {
        Scanner::of_env(&Arc::default(), budget)
    }

    /// Creates a scanner for a text that may use names of other texts.
    pub fn open(budget: Rc<Budget<'a>>) -> Scanner<'a> {
        let mut scanner = Scanner::new(budget);
        scanner.env_mut().star_import = true;
        scanner
    }

    /// Creates a scanner inside `env`.
    pub fn of_env(env: &Arc<Env>, budget: Rc<Budget<'a>>) -> Scanner<'a> {
        Scanner {
            scopes: vec![Arc::clone(env)],
            budget,
            loaded: Rc::default(),
        }
    }

    /// Sets the metadata that the file loads.
    pub fn with_loaded(self, loaded: Loaded) -> Scanner<'a> {
        Scanner {
            loaded: Rc::new(loaded),
            ..self
        }
    }

    /// Sets the types of the constants that the file names by index.
    pub fn with_constants(mut self, constants: &Arc<Metadata>) -> Scanner<'a> {
        let value = PyValue::Metadata(Arc::clone(constants));
        self.env_mut().set(METADATA, value);
        self
    }

    /// Returns the current environment.
    pub fn env(&self) -> &Arc<Env> {
        &self.scopes[self.scopes.len() - 1]
    }

    fn env_mut(&mut self) -> &mut Env {
        let last = self.scopes.len() - 1;
        Arc::make_mut(&mut self.scopes[last])
    }

    /// Enters a new scope. All names that it binds are visible from the start, as unknown.
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

    /// Continues with more known values.
    pub fn know(&mut self, known: &[(SmolStr, PyValue)]) {
        let mut env = Arc::clone(self.env());
        let news = known
            .iter()
            .any(|(name, value)| env.get(name) != Some(value));
        if news {
            let mut inner = Env::child(&env);
            for (name, value) in known {
                inner.set(name.clone(), value.clone());
            }
            env = Arc::new(inner);
        }
        self.scopes.push(env);
    }

    pub fn leave_known(&mut self) {
        self.scopes.pop();
    }

    pub fn leave(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Binds the names in the statements as unknown.
    pub fn hoist(&mut self, stmts: impl Iterator<Item = ast::Stmt>) {
        let env = self.env_mut();
        let know = |env: &mut Env, name: SmolStr, value: PyValue| {
            if env.names.get(&name).is_none() {
                env.set(name, value);
            }
        };
        // Treat what looks like TVMScript as such at once, so that the functions after each see the same names and
        // share facts.
        for stmt in stmts {
            if let Some((name, value)) = script(&stmt) {
                know(env, name, value);
            }
            for bound in bound_by(&stmt) {
                match bound {
                    Bound::Name(name) => know(env, name.text().into(), PyValue::Unknown),
                    Bound::Exports(module) => match star::exports(&module) {
                        Some(exports) => {
                            for export in exports {
                                know(env, SmolStr::new_static(export), PyValue::Unknown);
                            }
                        }
                        None => env.star_import = true,
                    },
                }
            }
        }
    }

    pub fn set(&mut self, name: &str, value: PyValue) {
        let compared = self.budget.spend(value.cost());
        if !compared || self.env().names.get(name) != Some(&value) {
            self.env_mut().set(name, value);
        }
    }

    /// After statements that may not have run, the names that they bind are unknown.
    pub fn forget(&mut self, stmts: impl Iterator<Item = ast::Stmt>) {
        for bound in stmts.flat_map(|stmt| bound_by(&stmt)) {
            let Bound::Name(name) = bound else { continue };
            // An import in a `try` or an `if` refers to the same module in each branch.
            if !matches!(self.env().get(name.text()), Some(PyValue::Path(_))) {
                self.set(name.text(), PyValue::Unknown);
            }
        }
    }

    /// Keeps what both branches agree on.
    pub fn join(&mut self, other: &Scanner) {
        for (mine, theirs) in self.scopes.iter_mut().zip(&other.scopes) {
            if Arc::ptr_eq(mine, theirs) {
                continue;
            }
            for name in mine.names.changed_since(&theirs.names) {
                let value = mine.names.get(&name);
                if value.is_some_and(|it| *it != PyValue::Unknown)
                    && value != theirs.names.get(&name)
                {
                    Arc::make_mut(mine).set(name, PyValue::Unknown);
                }
            }
        }
    }

    /// Binds a function decorated with `R.macro`, which is expanded at its calls.
    pub fn define_macro(&mut self, name: &str, def: &ast::FunctionDef) {
        let hygienic = !def.decorators().any(|decorator| {
            decorator.expr().is_some_and(|expr| {
                let (body, id) = lower_expr(&expr);
                let body::Expr::Call { args, .. } = &body.exprs[id] else {
                    return false;
                };
                args.iter().any(|arg| {
                    arg.keyword.as_ref().is_some_and(|k| k.text == "hygienic")
                        && body.exprs[arg.value] == body::Expr::Bool(false)
                })
            })
        });
        let body = body::lower(&def.syntax().green(), None);
        let env = hygienic.then(|| Arc::new(self.env().seen_by(&body)));
        let script = ScriptMacro {
            // Few expressions are shorter than two bytes plus a separator.
            expressions: usize::from(def.range().len()) / 4,
            depth: env.as_ref().map_or(0, |env| env.depth_of_macros()),
            body,
            env,
        };
        self.set(name, PyValue::Macro(Arc::new(script)));
    }

    /// Binds a function of the file itself whose body is one `return`.
    pub fn define_helper(&mut self, name: &str, def: &ast::FunctionDef) {
        let of_file = self.scopes.len() == 1;
        if of_file && def.decorators().next().is_none() && returns_alone(def) {
            let body = body::lower(&def.syntax().green(), None);
            self.set(name, PyValue::Helper(Arc::new(body)));
        }
    }

    /// Executes a statement, keeping plain values.
    pub fn run(&mut self, stmt: &ast::Stmt) {
        let budget = Rc::clone(&self.budget);
        self.run_with(stmt, &mut |expr, env| {
            let (body, id) = lower_expr(expr);
            eval_within(&body, id, env, &budget)
        });
    }

    /// Executes a statement and follows calls.
    pub fn run_calls(&mut self, stmt: &ast::Stmt, calls: &mut dyn Calls) {
        self.run_with(stmt, &mut |expr, env| {
            let (body, id) = lower_expr(expr);
            eval_with(&body, id, env, calls)
        });
    }

    fn run_with(&mut self, stmt: &ast::Stmt, eval: &mut dyn FnMut(&ast::Expr, &Env) -> PyValue) {
        match stmt {
            ast::Stmt::AssignStmt(it) => {
                let value = match it.value() {
                    Some(value) => match self.loaded.value(&value) {
                        Some(loaded) => loaded,
                        None => eval(&value, self.env()),
                    },
                    None => PyValue::Unknown,
                };
                for target in it.targets() {
                    self.bind(&target, &value);
                }
            }
            ast::Stmt::AnnAssignStmt(it) => {
                if let (Some(target), Some(value)) = (it.target(), it.value()) {
                    let value = eval(&value, self.env());
                    self.bind(&target, &value);
                }
            }
            ast::Stmt::ExprStmt(it) => {
                if let Some(expr) = it.expr() {
                    eval(&expr, self.env());
                    self.mutate(&expr);
                }
            }
            ast::Stmt::ImportStmt(_) | ast::Stmt::ImportFromStmt(_) => {
                for (name, path) in imported(stmt) {
                    self.set(&name, path.map_or(PyValue::Unknown, PyValue::Path));
                }
            }
            ast::Stmt::AugAssignStmt(_) | ast::Stmt::DelStmt(_) | ast::Stmt::TypeAliasStmt(_) => {
                self.forget(std::iter::once(stmt.clone()));
            }
            _ => {}
        }
    }

    /// After `shape.append(4)`, the contents of the list are unknown.
    fn mutate(&mut self, expr: &ast::Expr) {
        let ast::Expr::CallExpr(call) = expr else {
            return;
        };
        let Some(ast::Expr::AttributeExpr(method)) = call.callee() else {
            return;
        };
        let mutates = method.name().is_some_and(|n| MUTATORS.contains(&n.text()));
        if let (true, Some(ast::Expr::NameExpr(name))) = (mutates, method.base()) {
            self.set(&name.text(), PyValue::Unknown);
        }
    }

    pub fn bind(&mut self, target: &ast::Expr, value: &PyValue) {
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
            // `shape[0] = 4`
            ast::Expr::SubscriptExpr(place) => {
                if let Some(ast::Expr::NameExpr(name)) = place.base() {
                    self.set(&name.text(), PyValue::Unknown);
                }
            }
            _ => {}
        }
    }
}

/// Returns `true` if a function consists of a `return`, after an optional docstring.
fn returns_alone(def: &ast::FunctionDef) -> bool {
    let Some(body) = def.body() else { return false };
    let mut stmts = body.stmts();
    let mut first = stmts.next();
    if let Some(ast::Stmt::ExprStmt(doc)) = &first
        && matches!(doc.expr(), Some(ast::Expr::StringLit(_)))
    {
        first = stmts.next();
    }
    matches!(first, Some(ast::Stmt::ReturnStmt(_))) && stmts.next().is_none()
}

/// Returns the name of a function or module whose decorators look like TVMScript, and its value.
fn script(stmt: &ast::Stmt) -> Option<(SmolStr, PyValue)> {
    let last_name = |decorator: ast::Decorator| -> Option<SmolStr> {
        let mut expr = decorator.expr()?;
        if let ast::Expr::CallExpr(call) = &expr {
            expr = call.callee()?;
        }
        match expr {
            ast::Expr::AttributeExpr(path) => Some(path.name()?.text().into()),
            ast::Expr::NameExpr(name) => Some(name.text().into()),
            _ => None,
        }
    };
    match stmt {
        ast::Stmt::FunctionDef(def) => {
            let mut names = def.decorators().filter_map(last_name);
            let kind = names.find_map(|name| match name.as_str() {
                "function" | "func" => Some(ScriptKind::Relax),
                "prim_func" => Some(ScriptKind::PrimFunc),
                _ => None,
            });
            Some((def.name()?.text().into(), PyValue::Script(kind?)))
        }
        ast::Stmt::ClassDef(class) => {
            let name = SmolStr::from(class.name()?.text());
            let mut names = class.decorators().filter_map(last_name);
            let is_module = names.any(|name| name == "ir_module");
            is_module.then(|| (name.clone(), PyValue::IrModule(name)))
        }
        _ => None,
    }
}

/// Methods that modify the list or dict.
const MUTATORS: &[&str] = &[
    "append",
    "clear",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];
