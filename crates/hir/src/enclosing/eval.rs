//! Evaluates plain Python expressions in the enclosing scope. Anything doubtful is unknown.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::builtins::builtin;
use super::operators::{binary, compare, slice, subscript, truth, unary};
use super::{Budget, Declared, Env, PyValue, ScriptLambda, arrays};
use crate::body::{Arg, Body, BoolOp, CompClause, CompareOp, Expr, ExprId, FormatPart, Target};

/// Evaluates calls of the file's own Python functions.
pub(crate) trait Calls {
    /// Calls the function with index `function`.
    fn call(&mut self, function: u32, args: &[PyValue], keywords: &[(&str, PyValue)]) -> PyValue;
    /// The function is passed to code that is not followed, which may call it with any arguments.
    fn escape(&mut self, function: u32);
    /// Returns the remaining budget.
    fn budget(&self) -> &Budget<'_>;
}

/// Follows no calls.
struct NoCalls<'a>(&'a Budget<'a>);

impl Calls for NoCalls<'_> {
    fn call(&mut self, _: u32, _: &[PyValue], _: &[(&str, PyValue)]) -> PyValue {
        PyValue::Unknown
    }

    fn escape(&mut self, _: u32) {}

    fn budget(&self) -> &Budget<'_> {
        self.0
    }
}

/// Evaluates an expression inside a function.
pub(crate) fn eval(body: &Body, expr: ExprId, env: &Env) -> PyValue {
    let budget = Budget::of_expression(body.range(expr).len().into());
    eval_within(body, expr, env, &budget)
}

/// Evaluates an expression of the enclosing Python code.
pub(crate) fn eval_within(body: &Body, expr: ExprId, env: &Env, budget: &Budget<'_>) -> PyValue {
    eval_with(body, expr, env, &mut NoCalls(budget))
}

/// Evaluates an expression and follows calls.
pub(crate) fn eval_with(body: &Body, expr: ExprId, env: &Env, calls: &mut dyn Calls) -> PyValue {
    let locals = Locals::default();
    Eval {
        body,
        env,
        calls,
        locals,
    }
    .expr(expr)
}

/// The maximum number of clauses of one comprehension.
const MOST_CLAUSES: usize = 8;

struct Eval<'a> {
    body: &'a Body,
    env: &'a Env,
    calls: &'a mut dyn Calls,
    locals: Locals,
}

/// The variables of enclosing comprehensions. There may be thousands, and each name is looked up here first.
#[derive(Default)]
struct Locals {
    /// The innermost value of a name is last.
    values: FxHashMap<SmolStr, Vec<PyValue>>,
    /// The bound names, the innermost last.
    names: Vec<SmolStr>,
}

impl Locals {
    fn get(&self, name: &str) -> Option<&PyValue> {
        self.values.get(name)?.last()
    }

    fn bind(&mut self, name: &SmolStr, value: &PyValue) {
        self.names.push(name.clone());
        let values = self.values.entry(name.clone()).or_default();
        values.push(value.clone());
    }

    /// Unbinds the innermost names, so that `len` stay bound.
    fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len..) {
            if let Some(values) = self.values.get_mut(&name) {
                values.pop();
            }
        }
    }
}

impl Eval<'_> {
    fn expr(&mut self, expr: ExprId) -> PyValue {
        if !self.spend(1) {
            return PyValue::Unknown;
        }
        let body = self.body;
        match &body.exprs[expr] {
            Expr::None => PyValue::None,
            Expr::Bool(value) => PyValue::Bool(*value),
            Expr::Int(value) => PyValue::Int(*value),
            Expr::Float(value) => PyValue::Float(*value),
            Expr::Str(value) => PyValue::Str(value.clone()),
            Expr::Tuple(items) | Expr::List(items) => self.list(items),
            Expr::Dict(entries) => {
                let entries: Option<Vec<(PyValue, PyValue)>> = entries
                    .iter()
                    .map(|(key, value)| Some((self.expr((*key)?), self.expr(*value))))
                    .collect();
                entries.map_or(PyValue::Unknown, PyValue::dict)
            }
            Expr::Name(name) => self.lookup(name).cloned().unwrap_or(PyValue::Unknown),
            Expr::Attribute { base, name } => {
                let base = self.expr(*base);
                self.attribute(&base, &name.text)
            }
            Expr::Unary { op, operand } => unary(*op, &self.expr(*operand)),
            Expr::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.expr(*lhs), self.expr(*rhs));
                if !self.spend(lhs.cost() + rhs.cost()) {
                    return PyValue::Unknown;
                }
                binary(*op, &lhs, &rhs)
            }
            Expr::Not(operand) => match truth(&self.expr(*operand)) {
                Some(value) => PyValue::Bool(!value),
                None => PyValue::Unknown,
            },
            Expr::Compare { first, rest } => self.comparison(*first, rest),
            Expr::BoolOp { op, operands } => self.bool_op(*op, operands),
            Expr::IfElse {
                test,
                then,
                otherwise,
            } => match truth(&self.expr(*test)) {
                Some(true) => self.expr(*then),
                Some(false) => self.expr(*otherwise),
                None => {
                    let (then, otherwise) = (self.expr(*then), self.expr(*otherwise));
                    if self.spend(then.cost()) && then == otherwise {
                        then
                    } else {
                        PyValue::Unknown
                    }
                }
            },
            Expr::Subscript { base, index } => self.item(*base, *index),
            Expr::Call { callee, args } => self.call_with(*callee, args),
            Expr::Comprehension(it) => {
                let mut made = Vec::new();
                let plain = it.key.is_none()
                    && it.clauses.len() <= MOST_CLAUSES
                    && self.clauses(&it.clauses, it.element, &mut made);
                if plain {
                    PyValue::list(made)
                } else {
                    PyValue::Unknown
                }
            }
            Expr::Lambda(_) => {
                if !self.spend(body.exprs.own_len()) {
                    return PyValue::Unknown;
                }
                self.escape_names();
                PyValue::Lambda(Arc::new(ScriptLambda {
                    body: body.clone(),
                    expr,
                }))
            }
            Expr::Walrus { value, .. } => self.expr(*value),
            Expr::Format(parts) => self.format(parts),
            Expr::Python(parts) => {
                for &part in parts {
                    self.expr(part);
                }
                PyValue::Unknown
            }
            Expr::Suspended { value, .. } => {
                if let &Some(part) = value {
                    self.expr(part);
                }
                PyValue::Unknown
            }
            Expr::Missing
            | Expr::Endless
            | Expr::BigNumber(_)
            | Expr::Ellipsis
            | Expr::Slice { .. }
            | Expr::Star(_) => PyValue::Unknown,
        }
    }

    /// Evaluates `a < b <= c`.
    fn comparison(&mut self, first: ExprId, rest: &[(CompareOp, ExprId)]) -> PyValue {
        let mut lhs = self.expr(first);
        let mut result = PyValue::Bool(true);
        for (op, rhs) in rest {
            let rhs = self.expr(*rhs);
            if result == PyValue::Bool(true) {
                result = if self.spend(lhs.cost() + rhs.cost()) {
                    compare(*op, &lhs, &rhs)
                } else {
                    PyValue::Unknown
                };
            }
            lhs = rhs;
        }
        result
    }

    /// Evaluates `base[index]` and `base[start:stop]`.
    fn item(&mut self, base: ExprId, index: ExprId) -> PyValue {
        let base = self.expr(base);
        let body = self.body;
        if let Expr::Slice { start, stop, step } = &body.exprs[index] {
            let mut bound = |at: &Option<ExprId>| at.map(|at| self.expr(at));
            let (start, stop) = (bound(start), bound(stop));
            return match step {
                None if self.spend(base.cost()) => slice(&base, start, stop),
                _ => PyValue::Unknown,
            };
        }
        let index = self.expr(index);
        match base {
            // The lookup takes time.
            PyValue::Dict(_) if !self.spend(base.cost()) => PyValue::Unknown,
            _ => subscript(&base, &index),
        }
    }

    /// Evaluates the arguments of a call, then the call.
    fn call_with(&mut self, callee: ExprId, args: &[Arg]) -> PyValue {
        let mut positional = Vec::with_capacity(args.len());
        let mut keywords = Vec::new();
        let mut plain = true;
        for arg in args {
            let value = self.expr(arg.value);
            match (&arg.keyword, arg.starred, value) {
                (Some(keyword), _, value) => keywords.push((keyword.text.as_str(), value)),
                (None, false, value) => positional.push(value),
                (None, true, PyValue::List(items)) if self.spend(items.len()) => {
                    positional.extend(items.iter().cloned());
                }
                (None, true, _) => plain = false,
            }
        }
        self.call(callee, &positional, &keywords, plain)
    }

    /// Evaluates an f-string.
    fn format(&mut self, parts: &[FormatPart]) -> PyValue {
        let mut text = String::new();
        let mut known = true;
        for part in parts {
            match part {
                FormatPart::Text(part) => text.push_str(part),
                FormatPart::Field(field) => {
                    let value = self.expr(*field);
                    known &= self.spend(value.cost()) && write_plain(&value, &mut text);
                }
            }
        }
        if known {
            PyValue::text(text)
        } else {
            PyValue::Unknown
        }
    }

    fn list(&mut self, items: &[ExprId]) -> PyValue {
        let mut values = Vec::with_capacity(items.len());
        for &item in items {
            match &self.body.exprs[item] {
                Expr::Star(inner) => match self.expr(*inner) {
                    PyValue::List(inner) if self.spend(inner.len()) => {
                        values.extend(inner.iter().cloned());
                    }
                    _ => return PyValue::Unknown,
                },
                _ => values.push(self.expr(item)),
            }
        }
        PyValue::list(values)
    }

    fn spend(&self, steps: usize) -> bool {
        self.calls.budget().spend(steps)
    }

    fn bool_op(&mut self, op: BoolOp, operands: &[ExprId]) -> PyValue {
        let mut last = PyValue::Unknown;
        for &operand in operands {
            last = self.expr(operand);
            match truth(&last) {
                Some(value) if value == (op == BoolOp::Or) => return last,
                Some(_) => {}
                None => return PyValue::Unknown,
            }
        }
        last
    }

    /// Adds the elements that the clauses generate. Returns `false` if only Python knows them.
    fn clauses(
        &mut self,
        clauses: &[CompClause],
        element: ExprId,
        made: &mut Vec<PyValue>,
    ) -> bool {
        let Some((clause, rest)) = clauses.split_first() else {
            let value = self.expr(element);
            made.push(value);
            return made.len() <= 256;
        };
        match clause {
            CompClause::If(test) => match truth(&self.expr(*test)) {
                Some(true) => self.clauses(rest, element, made),
                Some(false) => true,
                None => {
                    self.clauses(rest, element, made);
                    false
                }
            },
            CompClause::For { target, iter } => match self.expr(*iter) {
                PyValue::List(items) if items.len() <= 256 => items
                    .iter()
                    .all(|item| self.spend(1) && self.round(target, item, rest, element, made)),
                _ => {
                    self.round(target, &PyValue::Unknown, rest, element, made);
                    false
                }
            },
        }
    }

    /// Evaluates the clauses after a `for` for one of its items.
    fn round(
        &mut self,
        target: &Target,
        item: &PyValue,
        rest: &[CompClause],
        element: ExprId,
        made: &mut Vec<PyValue>,
    ) -> bool {
        let outside = self.locals.names.len();
        self.bind(target, item);
        let goes_on = self.clauses(rest, element, made);
        self.locals.truncate(outside);
        goes_on
    }

    fn bind(&mut self, target: &Target, value: &PyValue) {
        match (target, value) {
            (Target::Name(name), value) => self.locals.bind(&name.text, value),
            (Target::Tuple(targets, _), PyValue::List(items)) if targets.len() == items.len() => {
                for (target, item) in targets.iter().zip(items.iter()) {
                    self.bind(target, item);
                }
            }
            (Target::Tuple(targets, _), _) => {
                for target in targets {
                    self.bind(target, &PyValue::Unknown);
                }
            }
            (Target::Place(_), _) => {}
        }
    }

    fn lookup(&self, name: &str) -> Option<&PyValue> {
        self.locals.get(name).or_else(|| self.env.get(name))
    }

    /// Functions that a lambda names may be called wherever the lambda is used.
    fn escape_names(&mut self) {
        for (_, expr) in self.body.exprs.iter() {
            if let Expr::Name(name) = expr
                && let Some(&PyValue::Function(function)) = self.lookup(name)
            {
                self.calls.escape(function);
            }
        }
    }

    fn call(
        &mut self,
        callee: ExprId,
        args: &[PyValue],
        keywords: &[(&str, PyValue)],
        plain: bool,
    ) -> PyValue {
        if let Expr::Name(name) = &self.body.exprs[callee]
            && self.lookup(name).is_none()
        {
            self.escape_values(args, keywords);
            return if plain && keywords.is_empty() && self.spend(cost(args)) {
                builtin(name, args)
            } else {
                PyValue::Unknown
            };
        }
        // Evaluate the object of a method call only once, since calls are chained.
        let (object, function) = match &self.body.exprs[callee] {
            Expr::Attribute { base, name } => {
                let object = self.expr(*base);
                let method = self.attribute(&object, &name.text);
                (Some((object, *base, &name.text)), method)
            }
            _ => (None, self.expr(callee)),
        };
        if let PyValue::Function(function) = function {
            if plain {
                return self.calls.call(function, args, keywords);
            }
            self.calls.escape(function);
        }
        self.escape_values(args, keywords);
        if !plain || !self.spend(cost(args)) {
            return PyValue::Unknown;
        }
        if let Some((object, base, name)) = object {
            if let Some(made) = arrays::method(&object, name, args) {
                return made;
            }
            // `T.Var("n", "int64")` without an import of `T`.
            if let Expr::Name(base) = &self.body.exprs[base]
                && base == "T"
                && self.lookup("T").is_none()
            {
                return shape_var(name, args, keywords);
            }
        }
        let PyValue::Path(path) = function else {
            return PyValue::Unknown;
        };
        arrays::call(&path, args, keywords).unwrap_or_else(|| {
            let last = path.rsplit('.').next().unwrap_or_default();
            shape_var(last, args, keywords)
        })
    }

    fn attribute(&self, base: &PyValue, name: &str) -> PyValue {
        if !self.spend(base.cost()) {
            return PyValue::Unknown;
        }
        match base {
            PyValue::Path(path) => PyValue::Path(SmolStr::from(format!("{path}.{name}"))),
            base => arrays::attribute(base, name),
        }
    }

    /// If there is too much to visit, everything is unknown, including what is known about functions.
    fn escape_values(&mut self, args: &[PyValue], keywords: &[(&str, PyValue)]) {
        if !self.spend(cost(args)) {
            return;
        }
        for value in args.iter().chain(keywords.iter().map(|(_, v)| v)) {
            escape_value(value, self.calls);
        }
    }
}

fn cost(args: &[PyValue]) -> usize {
    args.iter().map(PyValue::cost).sum()
}

/// Writes a value as an f-string does. Returns `false` if that requires Python.
pub(crate) fn write_plain(value: &PyValue, text: &mut String) -> bool {
    match value {
        PyValue::Str(part) => text.push_str(part),
        PyValue::Int(number) => text.push_str(&number.to_string()),
        PyValue::Bool(true) => text.push_str("True"),
        PyValue::Bool(false) => text.push_str("False"),
        PyValue::None => text.push_str("None"),
        _ => return false,
    }
    true
}

/// Records functions inside a value that is passed to code that is not followed.
pub(super) fn escape_value(value: &PyValue, calls: &mut dyn Calls) {
    match value {
        PyValue::Function(function) => calls.escape(*function),
        PyValue::List(items) => items.iter().for_each(|item| escape_value(item, calls)),
        PyValue::Dict(entries) => {
            for (key, value) in entries.iter() {
                escape_value(key, calls);
                escape_value(value, calls);
            }
        }
        _ => {}
    }
}

/// Evaluates `TypeVar("n")`.
pub(super) fn type_var(args: &[PyValue], keywords: &[(&str, PyValue)]) -> PyValue {
    let is_bound = keywords.iter().any(|it| it.0 == "bound");
    let (name, declared) = match args {
        // An invalid call is reported where it is written.
        [PyValue::Str(name)] | [PyValue::Str(name), _] if !is_bound => {
            (name.clone(), Declared::TypeVar)
        }
        [PyValue::Str(name), ..] => (name.clone(), Declared::Mistaken(CONSTRAINED)),
        [] if keywords.is_empty() => (SmolStr::default(), Declared::TypeVar),
        // Before Python 3.12, `TypeVar` accepts any name.
        [name] if keywords.is_empty() && name.is_plain() => {
            (SmolStr::default(), Declared::Mistaken(UNNAMED))
        }
        _ => return PyValue::Unknown,
    };
    PyValue::ShapeVar(name, declared)
}

const UNNAMED: &str = "is a TypeVar whose name is not a string: write `n = TypeVar(\"n\")`";

const CONSTRAINED: &str = "is a TypeVar with a constraint or a bound: a shape variable has none";

/// Evaluates `TypeVar("n")`, `tirx.Var("n", "int64")`, `T.SizeVar("n", "int64")`.
fn shape_var(last: &str, args: &[PyValue], keywords: &[(&str, PyValue)]) -> PyValue {
    match (last, args) {
        ("TypeVar", _) => type_var(args, keywords),
        ("SizeVar", [PyValue::Str(name), ..]) => PyValue::ShapeVar(name.clone(), Declared::Var),
        ("Var", [PyValue::Str(name)]) => PyValue::ShapeVar(name.clone(), Declared::Var),
        ("Var", [PyValue::Str(name), PyValue::Str(dtype), ..])
            if dtype.starts_with("int") || dtype.starts_with("uint") =>
        {
            PyValue::ShapeVar(name.clone(), Declared::Var)
        }
        _ => PyValue::Unknown,
    }
}
