//! Python's builtin functions in a Relax function, for constant operands: `len`, `range`, `zip`.

use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Arg, Expr, ExprId};
use crate::enclosing::{self, PyValue};
use crate::infer::Infer;

/// The maximum length of a list that is expanded.
const LONGEST: i64 = 4096;

impl Infer<'_> {
    /// Evaluates a call of a Python builtin. Returns `None` for any other call.
    pub(in crate::infer) fn builtin_call(&mut self, callee: ExprId, args: &[Arg]) -> Option<Value> {
        let Expr::Name(name) = &self.body.exprs[callee] else {
            return None;
        };
        if self.lookup(name).is_some() || self.cx.env.get(name).is_some() {
            return None;
        }
        if args.iter().any(|a| a.starred || a.keyword.is_some()) {
            return None;
        }
        let given: Vec<ExprId> = args.iter().map(|a| a.value).collect();
        self.check_builtin(name, &given);
        let values: Vec<Value> = args
            .iter()
            .map(|a| self.facts.value(a.value).clone())
            .collect();
        builtin(name, &values)
    }

    /// Returns the path of a dotted name in the modules of the surrounding code.
    pub(in crate::infer) fn python_path(&self, expr: ExprId) -> Option<SmolStr> {
        let root = self.body.dotted_root(expr);
        if !matches!(self.body.exprs[root], Expr::Name(_)) {
            return None;
        }
        match enclosing::eval(self.body, expr, self.cx.env) {
            PyValue::Path(path) => Some(path),
            _ => None,
        }
    }
}

fn builtin(name: &str, args: &[Value]) -> Option<Value> {
    Some(match (name, args) {
        ("len", [Value::List(items)]) => Value::Int(i64::try_from(items.len()).ok()?),
        ("list" | "tuple", [Value::List(items)]) => Value::List(items.clone()),
        ("list" | "tuple", []) => Value::List([].into()),
        ("reversed", [Value::List(items)]) => Value::List(items.iter().rev().cloned().collect()),
        ("int", [Value::Int(value)]) => Value::Int(*value),
        ("float", [Value::Int(value)]) => Value::Float(*value as f64),
        ("float", [Value::Float(value)]) => Value::Float(*value),
        // `float("nan")`, `float("-inf")`
        ("float", [Value::Str(text)]) => Value::Float(text.parse().ok()?),
        ("range", args) => {
            let ints: Vec<i64> = args.iter().map(int).collect::<Option<_>>()?;
            let (from, to, step) = match ints[..] {
                [to] => (0, to, 1),
                [from, to] => (from, to, 1),
                [from, to, step] if step > 0 => (from, to, step),
                _ => return None,
            };
            if to.checked_sub(from)? > LONGEST {
                return None;
            }
            let step = usize::try_from(step).ok()?;
            Value::List((from..to).step_by(step).map(Value::Int).collect())
        }
        ("enumerate", [Value::List(items)]) => {
            let numbered = (0..).zip(items.iter());
            let pairs = numbered.map(|(k, item)| Value::list([Value::Int(k), item.clone()]));
            Value::list(pairs.collect::<Vec<_>>())
        }
        ("zip", lists) => {
            let lists: Vec<_> = lists
                .iter()
                .map(|list| match list {
                    Value::List(items) => Some(items),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            let length = lists.iter().map(|l| l.len()).min()?;
            let row = |k: usize| lists.iter().map(|l| l[k].clone()).collect::<Vec<_>>();
            Value::list((0..length).map(|k| Value::list(row(k))).collect::<Vec<_>>())
        }
        _ => return None,
    })
}

fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(*value),
        _ => None,
    }
}
