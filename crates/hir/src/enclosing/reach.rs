//! Determines the values that the TVMScript inside a Python function sees: those that are the same in all calls.
//!
//! Follows the Python code of the file from call to call (`make_module(4, "float32")`, `pytest.mark.parametrize`),
//! within a budget. If code outside of the file may call a function, its parameters are unknown.

mod parametrize;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, Stars};
use text_size::TextSize;

use super::eval::{Calls, escape_value, eval_with};
use super::operators::truth;
use super::{Budget, Env, PyValue, Scanner};
use crate::body::lower_expr;

/// The maximum number of statements that are executed for one file.
const BUDGET: u32 = 200_000;
/// The maximum depth of nested calls.
const DEPTH: usize = 12;
/// The maximum number of parameter combinations of one test.
const COMBINATIONS: usize = 64;
/// An `if` with more branches is not followed.
const LONGEST_CHAIN: usize = 256;
/// The maximum number of iterations of a `for`.
const ITERATIONS: usize = 64;

type IsScript<'a> = dyn Fn(&ast::Stmt, &Env) -> bool + 'a;

/// The known values at each piece of TVMScript in a file, by its offset.
#[derive(Default)]
pub(crate) struct Reach {
    known: FxHashMap<TextSize, EnclosingValues>,
}

/// Names of the enclosing functions, with values that are the same in all executions.
type EnclosingValues = Vec<(SmolStr, PyValue)>;

impl Reach {
    /// Analyses a file. `is_script` tells whether a `def` or a `class` is TVMScript. Nothing is known if the budget is
    /// exceeded. Calls `give_way` before each statement.
    pub fn of(tree: &ast::SourceFile, is_script: &IsScript<'_>, give_way: &dyn Fn()) -> Reach {
        if !tree.stmts().any(|stmt| holds_template(&stmt)) {
            return Reach::default();
        }
        let budget = Rc::new(Budget::of_file(tree.range().len().into(), give_way));
        let mut machine = Machine {
            is_script,
            functions: Vec::new(),
            called: FxHashSet::default(),
            escaped: Vec::new(),
            depth: 0,
            steps: 0,
            budget: Rc::clone(&budget),
            reach: Reach::default(),
        };
        let mut scanner = Scanner::new(budget);
        scanner.hoist(tree.stmts());
        machine.block(tree.stmts(), &mut scanner, &mut Vec::new());
        machine.entries(0, scanner.env());
        if machine.steps > BUDGET || machine.budget.is_spent() {
            return Reach::default();
        }
        machine.reach
    }

    pub fn at(&self, start: TextSize) -> &[(SmolStr, PyValue)] {
        self.known.get(&start).map_or(&[], Vec::as_slice)
    }
}

/// Returns `true` if the statement is a Python function that contains TVMScript.
fn holds_template(stmt: &ast::Stmt) -> bool {
    let ast::Stmt::FunctionDef(def) = stmt else {
        return false;
    };
    def.decorators().all(|d| is_pytest(&d))
        && def.body().is_some_and(|body| {
            let mut inner = body.syntax().descendants();
            inner.any(|node| ast::Decorator::can_cast(node.kind()))
        })
}

/// A Python function of the file.
struct PyFunction {
    def: ast::FunctionDef,
    /// The names at its definition.
    env: Arc<Env>,
    /// `true` if code that is not followed has it: a decorator other than pytest's, or a class.
    open: bool,
}

struct Machine<'a> {
    is_script: &'a IsScript<'a>,
    functions: Vec<PyFunction>,
    /// Functions by their offsets.
    called: FxHashSet<TextSize>,
    escaped: Vec<u32>,
    depth: usize,
    steps: u32,
    budget: Rc<Budget<'a>>,
    reach: Reach,
}

enum Flow {
    Next,
    /// `return`, `raise`: the following statements are not executed.
    Stop,
}

impl<'a> Machine<'a> {
    fn block(
        &mut self,
        stmts: impl Iterator<Item = ast::Stmt>,
        scanner: &mut Scanner<'a>,
        returned: &mut Vec<PyValue>,
    ) -> Flow {
        for stmt in stmts {
            self.steps += 1;
            if self.steps > BUDGET || self.budget.is_spent() {
                return Flow::Stop;
            }
            self.budget.give_way();
            if let Flow::Stop = self.stmt(&stmt, scanner, returned) {
                return Flow::Stop;
            }
        }
        Flow::Next
    }

    fn suite(
        &mut self,
        suite: Option<ast::Suite>,
        scanner: &mut Scanner<'a>,
        returned: &mut Vec<PyValue>,
    ) -> Flow {
        match suite {
            Some(suite) => self.block(suite.stmts(), scanner, returned),
            None => Flow::Next,
        }
    }

    /// Executes a suite that may run entirely, partly, or not at all.
    fn perhaps(
        &mut self,
        suite: Option<ast::Suite>,
        scanner: &mut Scanner<'a>,
        returned: &mut Vec<PyValue>,
    ) {
        if let Some(suite) = suite {
            self.block(suite.stmts(), scanner, returned);
            scanner.forget(suite.stmts());
        }
    }

    fn stmt(
        &mut self,
        stmt: &ast::Stmt,
        scanner: &mut Scanner<'a>,
        returned: &mut Vec<PyValue>,
    ) -> Flow {
        match stmt {
            ast::Stmt::FunctionDef(def) => self.define(stmt, def, scanner),
            ast::Stmt::ClassDef(class) => self.class(stmt, class, scanner),
            ast::Stmt::IfStmt(it) => {
                let branches: Vec<ast::Branch> = it.branches().collect();
                return self.branches(&branches, it.else_suite(), scanner, returned);
            }
            ast::Stmt::WithStmt(it) => {
                for item in it.items() {
                    self.expr(item.context(), scanner);
                }
                let before = returned.len();
                return match self.suite(it.body(), scanner, returned) {
                    // With `pytest.raises(...)`, execution continues after an exception inside.
                    Flow::Stop if returned.len() == before => Flow::Next,
                    flow => flow,
                };
            }
            ast::Stmt::ForStmt(it) => self.for_loop(it, scanner, returned),
            ast::Stmt::WhileStmt(it) => {
                if let Some(body) = it.body() {
                    scanner.forget(body.stmts());
                }
                self.perhaps(it.body(), scanner, returned);
            }
            ast::Stmt::TryStmt(it) => {
                self.perhaps(it.body(), scanner, returned);
                for clause in it.except_clauses() {
                    self.perhaps(clause.suite(), scanner, returned);
                }
                self.perhaps(it.else_clause().and_then(|e| e.suite()), scanner, returned);
                self.perhaps(
                    it.finally_clause().and_then(|f| f.suite()),
                    scanner,
                    returned,
                );
            }
            ast::Stmt::MatchStmt(it) => {
                for case in it.cases() {
                    self.perhaps(case.suite(), scanner, returned);
                }
            }
            ast::Stmt::ReturnStmt(it) => {
                let value = match it.value() {
                    Some(value) => self.expr(Some(value), scanner),
                    None => PyValue::None,
                };
                returned.push(value);
                return Flow::Stop;
            }
            ast::Stmt::RaiseStmt(_) => return Flow::Stop,
            ast::Stmt::AssertStmt(it) => {
                self.expr(it.test(), scanner);
            }
            _ => scanner.run_calls(stmt, self),
        }
        Flow::Next
    }

    fn expr(&mut self, expr: Option<ast::Expr>, scanner: &Scanner<'a>) -> PyValue {
        let Some(expr) = expr else {
            return PyValue::Unknown;
        };
        let (body, id) = lower_expr(&expr);
        eval_with(&body, id, &Arc::clone(scanner.env()), self)
    }

    /// Executes `if`, `elif`, `else`: the branch that is taken, or all, keeping what they agree on.
    fn branches(
        &mut self,
        branches: &[ast::Branch],
        otherwise: Option<ast::Suite>,
        scanner: &mut Scanner<'a>,
        returned: &mut Vec<PyValue>,
    ) -> Flow {
        let Some((branch, rest)) = branches.split_first() else {
            return self.suite(otherwise, scanner, returned);
        };
        if branches.len() > LONGEST_CHAIN {
            for branch in branches {
                self.perhaps(branch.suite.clone(), scanner, returned);
            }
            self.perhaps(otherwise, scanner, returned);
            return Flow::Next;
        }
        let test = self.expr(branch.test.clone(), scanner);
        match truth(&test) {
            Some(true) => self.suite(branch.suite.clone(), scanner, returned),
            Some(false) => self.branches(rest, otherwise, scanner, returned),
            None => {
                let mut other = scanner.clone();
                let taken = self.suite(branch.suite.clone(), scanner, returned);
                let passed = self.branches(rest, otherwise, &mut other, returned);
                match (taken, passed) {
                    (Flow::Stop, Flow::Stop) => return Flow::Stop,
                    (Flow::Stop, Flow::Next) => *scanner = other,
                    (Flow::Next, Flow::Stop) => {}
                    (Flow::Next, Flow::Next) => scanner.join(&other),
                }
                Flow::Next
            }
        }
    }

    fn for_loop(
        &mut self,
        it: &ast::ForStmt,
        scanner: &mut Scanner<'a>,
        returned: &mut Vec<PyValue>,
    ) {
        let items = self.expr(it.iterable(), scanner);
        let (Some(body), Some(target)) = (it.body(), it.target()) else {
            return;
        };
        match items {
            PyValue::List(items) if items.len() <= ITERATIONS => {
                for item in items.iter() {
                    scanner.bind(&target, item);
                    if let Flow::Stop = self.block(body.stmts(), scanner, returned) {
                        break;
                    }
                }
            }
            _ => {
                scanner.bind(&target, &PyValue::Unknown);
                scanner.forget(body.stmts());
                self.block(body.stmts(), scanner, returned);
            }
        }
        // `break` and `continue` are not followed.
        scanner.forget(body.stmts());
    }

    fn define(&mut self, stmt: &ast::Stmt, def: &ast::FunctionDef, scanner: &mut Scanner<'a>) {
        let name: SmolStr = def.name().map(|n| n.text().into()).unwrap_or_default();
        if (self.is_script)(stmt, scanner.env()) {
            self.record_env(def.range().start(), scanner.env());
            scanner.set(&name, PyValue::Unknown);
            return;
        }
        let open = def.decorators().any(|d| !is_pytest(&d));
        for decorator in def.decorators() {
            self.expr(decorator.expr(), scanner);
        }
        let id = self.functions.len() as u32;
        self.functions.push(PyFunction {
            def: def.clone(),
            env: Arc::clone(scanner.env()),
            open,
        });
        let value = if open {
            PyValue::Unknown
        } else {
            PyValue::Function(id)
        };
        scanner.set(&name, value);
    }

    fn class(&mut self, stmt: &ast::Stmt, class: &ast::ClassDef, scanner: &mut Scanner<'a>) {
        let name: SmolStr = class.name().map(|n| n.text().into()).unwrap_or_default();
        if (self.is_script)(stmt, scanner.env()) {
            self.record_env(class.range().start(), scanner.env());
            scanner.set(&name, PyValue::IrModule(name.clone()));
            return;
        }
        let Some(body) = class.body() else { return };
        let from = self.functions.len();
        scanner.enter(body.stmts(), None);
        self.block(body.stmts(), scanner, &mut Vec::new());
        scanner.leave();
        for function in &mut self.functions[from..] {
            function.open = true;
        }
        scanner.set(&name, PyValue::Unknown);
    }

    /// Runs the functions from `from` on like code outside of this file: tests with their parameters, and functions
    /// that are never called here with unknown arguments.
    fn entries(&mut self, from: usize, env: &Arc<Env>) {
        let mine = from..self.functions.len();
        // Tests first, and later functions before earlier ones, since helpers come before their callers.
        let is_test = |f: &PyFunction| f.def.name().is_some_and(|n| n.text().starts_with("test"));
        let mut order: Vec<usize> = mine.rev().collect();
        order.sort_by_key(|&k| !is_test(&self.functions[k]));
        for k in order {
            let function = &self.functions[k];
            if self.called.contains(&function.def.range().start()) && !function.open {
                continue;
            }
            // A function of the module sees all names of the module.
            if self.depth == 0 && !function.open {
                self.functions[k].env = Arc::clone(env);
            }
            self.enter(k);
        }
        // A recursive function counts as passed to unknown code when the nesting limit is reached.
        while self.depth < DEPTH
            && let Some(function) = self.escaped.pop()
        {
            self.enter(function as usize);
        }
    }

    /// Runs a test for each combination of the parameters that pytest passes.
    fn enter(&mut self, function: usize) {
        let PyFunction { def, env, .. } = &self.functions[function];
        let (def, env) = (def.clone(), Arc::clone(env));
        let mut runs: Vec<Vec<(SmolStr, PyValue)>> = vec![Vec::new()];
        for decorator in def.decorators() {
            let Some(sets) = self.parametrize(&decorator, &env) else {
                continue;
            };
            if runs.len() * sets.len() > COMBINATIONS {
                runs = vec![Vec::new()];
                break;
            }
            runs = runs
                .iter()
                .flat_map(|run| {
                    sets.iter()
                        .map(|set| run.iter().chain(set).cloned().collect())
                })
                .collect();
        }
        for run in runs {
            self.run(function, &run);
        }
    }

    /// Runs a function with some known parameters, and returns its result.
    fn run(&mut self, function: usize, known: &[(SmolStr, PyValue)]) -> PyValue {
        let PyFunction { def, env, .. } = &self.functions[function];
        let (def, env) = (def.clone(), Arc::clone(env));
        let Some(body) = def.body() else {
            return PyValue::Unknown;
        };
        self.called.insert(def.range().start());
        let mut scanner = Scanner::of_env(&env, Rc::clone(&self.budget));
        scanner.enter(body.stmts(), def.params());
        for (name, value) in known {
            scanner.set(name, value.clone());
        }
        let from = self.functions.len();
        self.depth += 1;
        let mut returned = Vec::new();
        if let Flow::Next = self.block(body.stmts(), &mut scanner, &mut returned) {
            returned.push(PyValue::None);
        }
        self.entries(from, scanner.env());
        self.depth -= 1;
        let mut values = returned.into_iter();
        let first = values.next().unwrap_or(PyValue::Unknown);
        if self.budget.spend(first.cost()) && values.all(|value| value == first) {
            first
        } else {
            escape_value(&first, self);
            PyValue::Unknown
        }
    }

    /// Records what is known where TVMScript begins, merged with earlier executions.
    fn record_env(&mut self, start: TextSize, env: &Arc<Env>) {
        let known = env.known_in_functions();
        if !self.budget.spend(known.len()) {
            return;
        }
        match self.reach.known.get_mut(&start) {
            Some(before) => {
                let known: FxHashMap<SmolStr, PyValue> = known.into_iter().collect();
                before.retain_mut(|(name, value)| {
                    known.get(name).is_some_and(|other| value.agree(other))
                });
            }
            None => {
                self.reach.known.insert(start, known);
            }
        }
    }
}

impl Calls for Machine<'_> {
    fn call(&mut self, function: u32, args: &[PyValue], keywords: &[(&str, PyValue)]) -> PyValue {
        if self.depth >= DEPTH || self.steps > BUDGET || self.budget.is_spent() {
            self.escape(function);
            return PyValue::Unknown;
        }
        let at = function as usize;
        let PyFunction { def, env, .. } = &self.functions[at];
        let (def, env) = (def.clone(), Arc::clone(env));
        let mut known = Vec::new();
        let mut rest = args.iter();
        for param in def.params().into_iter().flat_map(|list| list.params()) {
            let Some(name) = param.name() else { continue };
            let value = match param.stars() {
                Stars::None => {
                    let keyword = || keywords.iter().find(|(k, _)| *k == name.text());
                    match (rest.next(), keyword(), param.default()) {
                        (Some(value), ..) => value.clone(),
                        (None, Some((_, value)), _) => value.clone(),
                        (None, None, Some(default)) => {
                            let (body, id) = lower_expr(&default);
                            eval_with(&body, id, &env, self)
                        }
                        (None, None, None) => PyValue::Unknown,
                    }
                }
                Stars::One => PyValue::list(rest.by_ref().cloned().collect::<Vec<_>>()),
                Stars::Two => PyValue::Unknown,
            };
            known.push((SmolStr::from(name.text()), value));
        }
        self.run(at, &known)
    }

    fn budget(&self) -> &Budget<'_> {
        &self.budget
    }

    fn escape(&mut self, function: u32) {
        if !self.escaped.contains(&function) {
            self.escaped.push(function);
        }
    }
}

/// Returns `true` for decorators that mark a test without changing it: `pytest.mark.*`, `tvm.testing.requires_*`.
fn is_pytest(decorator: &ast::Decorator) -> bool {
    let text = decorator.syntax().text().to_string();
    ["@pytest.mark.", "@tvm.testing.requires"]
        .iter()
        .any(|prefix| text.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_long_file_gives_way_at_each_statement() {
        let functions = "    @R.function\n    def f(x):\n        return x\n";
        let text = format!("def test_it():\n{}", functions.repeat(100));
        let asked = Cell::new(0);
        let is_script = |stmt: &ast::Stmt, _: &Env| matches!(stmt, ast::Stmt::FunctionDef(def) if def.decorators().next().is_some());
        Reach::of(&syntax::parse(&text).tree(), &is_script, &|| {
            asked.set(asked.get() + 1);
        });
        assert!(asked.get() > 100, "{asked:?}");
    }
}
