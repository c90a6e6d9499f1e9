//! Evaluates simple expressions over variables: names, fields, shapes, statistics, arithmetic, comparisons.

use std::fmt;

use hir::body::{BinaryOp, Body, BoolOp, CompareOp, Expr, ExprId, UnaryOp, lower_expr};
use relax::dtype::DType;
use smol_str::SmolStr;
use syntax::ast;
use vm::tensor::{Scalar, Tensor};
use vm::value::{Prim, Value};

type Variables<'v> = [(SmolStr, &'v Value)];

pub(super) enum Got {
    Value(Value),
    Number(f64),
    Truth(bool),
    Text(String),
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Got::Value(value) => f.write_str(&value.describe()),
            Got::Number(number) => write!(f, "{number}"),
            Got::Truth(true) => f.write_str("True"),
            Got::Truth(false) => f.write_str("False"),
            Got::Text(text) => f.write_str(text),
        }
    }
}

impl Got {
    fn number(&self) -> Result<f64, String> {
        let number = match self {
            Got::Number(number) => Some(*number),
            Got::Truth(truth) => Some(f64::from(*truth)),
            Got::Value(value) => value.as_scalar().map(Scalar::as_f64),
            Got::Text(_) => None,
        };
        number.ok_or_else(|| format!("{self} is not a number"))
    }

    fn truth(&self) -> Result<bool, String> {
        match self {
            Got::Truth(truth) => Ok(*truth),
            other => other.number().map(|number| number != 0.0),
        }
    }
}

pub(super) fn evaluate(text: &str, variables: &Variables<'_>) -> Result<Got, String> {
    let parsed = syntax::parse(text.trim());
    let tree = parsed.tree();
    let mut stmts = tree.stmts();
    let (Some(ast::Stmt::ExprStmt(stmt)), None, true) =
        (stmts.next(), stmts.next(), parsed.errors.is_empty())
    else {
        return Err(format!("`{text}` is not an expression"));
    };
    let expr = stmt
        .expr()
        .ok_or_else(|| format!("`{text}` is not an expression"))?;
    let (body, id) = lower_expr(&expr);
    Evaluator {
        body: &body,
        variables,
    }
    .expr(id)
}

/// Returns `true` if a condition holds.
pub(super) fn truth(text: &str, variables: &Variables<'_>) -> Result<bool, String> {
    evaluate(text, variables)?.truth()
}

/// Returns the new value of a variable, of the same type. A number fills every element.
pub(super) fn replacement(
    name: &str,
    text: &str,
    variables: &Variables<'_>,
) -> Result<Value, String> {
    let old = variables.iter().find(|it| it.0 == name);
    let (_, old) = old.ok_or_else(|| format!("there is no variable `{name}` here"))?;
    let got = evaluate(text, variables)?;
    match (old, &got) {
        (Value::Tensor(old), Got::Value(Value::Tensor(new))) => {
            let fits = old.shape() == new.shape() && old.dtype() == new.dtype();
            let wrong = || format!("`{name}` is {}", Value::Tensor(old.clone()).describe());
            fits.then(|| Value::Tensor(new.clone())).ok_or_else(wrong)
        }
        (Value::Tensor(old), got) => {
            let number = Scalar::Float(got.number()?);
            let filled = Tensor::full(old.kind(), old.shape(), number);
            filled.map(Value::from).map_err(|error| error.to_string())
        }
        (Value::Prim(old), got) => {
            let number = Scalar::Float(got.number()?);
            let value = number.cast(old.dtype).map_err(|error| error.to_string())?;
            Ok(Value::Prim(Prim {
                dtype: old.dtype,
                value,
            }))
        }
        (_, Got::Value(value)) => Ok(value.clone()),
        (old, got) => Err(format!("{} cannot become {got}", old.describe())),
    }
}

struct Evaluator<'e> {
    body: &'e Body,
    variables: &'e Variables<'e>,
}

impl Evaluator<'_> {
    fn expr(&self, id: ExprId) -> Result<Got, String> {
        match &self.body.exprs[id] {
            Expr::Name(name) => {
                let found = self.variables.iter().find(|it| it.0 == *name);
                let (_, value) = found.ok_or_else(|| format!("`{name}` has no value here"))?;
                Ok(Got::Value((*value).clone()))
            }
            Expr::Int(value) => Ok(Got::Number(*value as f64)),
            Expr::Float(value) => Ok(Got::Number(*value)),
            Expr::Bool(value) => Ok(Got::Truth(*value)),
            Expr::Str(text) => Ok(Got::Text(text.to_string())),
            Expr::Attribute { base, name } => self.attribute(*base, &name.text),
            Expr::Subscript { base, index } => self.subscript(*base, *index),
            Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (self.expr(*lhs)?.number()?, self.expr(*rhs)?.number()?);
                Ok(Got::Number(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::FloorDiv => (a / b).floor(),
                    BinaryOp::Mod => a.rem_euclid(b),
                    _ => return Err("this operator is not supported here".to_owned()),
                }))
            }
            Expr::Unary { op, operand } => {
                let number = self.expr(*operand)?.number()?;
                match op {
                    UnaryOp::Plus => Ok(Got::Number(number)),
                    UnaryOp::Minus => Ok(Got::Number(-number)),
                    UnaryOp::Invert => Err("`~` is not supported here".to_owned()),
                }
            }
            Expr::Not(operand) => Ok(Got::Truth(!self.expr(*operand)?.truth()?)),
            Expr::BoolOp { op, operands } => {
                let stops_at = matches!(op, BoolOp::Or);
                for &operand in operands {
                    if self.expr(operand)?.truth()? == stops_at {
                        return Ok(Got::Truth(stops_at));
                    }
                }
                Ok(Got::Truth(!stops_at))
            }
            Expr::Compare { first, rest } => {
                let mut left = self.expr(*first)?;
                for &(op, right) in rest {
                    let right = self.expr(right)?;
                    if !compare(op, &left, &right)? {
                        return Ok(Got::Truth(false));
                    }
                    left = right;
                }
                Ok(Got::Truth(true))
            }
            _ => Err("only names, numbers, fields and operators are supported here".to_owned()),
        }
    }

    /// Evaluates `x.shape`, `x.dtype`, `x.max`.
    fn attribute(&self, base: ExprId, name: &str) -> Result<Got, String> {
        let Got::Value(value) = self.expr(base)? else {
            return Err(format!("a number has no `{name}`"));
        };
        let Value::Tensor(tensor) = &value else {
            return Err(format!("{} has no `{name}`", value.describe()));
        };
        let shape: Vec<i64> = tensor.shape().iter().map(|&extent| extent as i64).collect();
        match name {
            "shape" => return Ok(Got::Value(shape.into())),
            "dtype" => return Ok(Got::Text(tensor.dtype().to_string())),
            "ndim" => return Ok(Got::Number(shape.len() as f64)),
            "size" => return Ok(Got::Number(tensor.len() as f64)),
            _ => {}
        }
        let summary = tensor.summary(0).map_err(|error| error.to_string())?;
        let number = match name {
            "min" => summary.min,
            "max" => summary.max,
            "mean" => Some(summary.mean),
            "sum" => Some(summary.sum),
            "nan" => Some(summary.nan as f64),
            "inf" => Some(summary.inf as f64),
            _ => None,
        };
        let known = "shape, dtype, ndim, size, min, max, mean, sum, nan, inf";
        let missing = || format!("a tensor has no `{name}` here, but {known}");
        number.map(Got::Number).ok_or_else(missing)
    }

    /// Evaluates a field of a tuple, a dimension, or an element by its row-major index.
    fn subscript(&self, base: ExprId, index: ExprId) -> Result<Got, String> {
        let at = self.expr(index)?.number()?;
        let Got::Value(value) = self.expr(base)? else {
            return Err("a number has no fields".to_owned());
        };
        let count = match &value {
            Value::Tuple(fields) => fields.len(),
            Value::Shape(dims) => dims.len(),
            Value::Tensor(tensor) => tensor.len(),
            _ => 0,
        };
        let at = if at < 0.0 { at + count as f64 } else { at } as usize;
        let field = match &value {
            Value::Tuple(fields) => fields.get(at).cloned(),
            Value::Shape(dims) => dims.get(at).map(|&dim| Value::int(dim)),
            Value::Tensor(tensor) => tensor.get(at).map(|value| {
                let dtype: DType = tensor.dtype();
                Value::Prim(Prim { dtype, value })
            }),
            _ => None,
        };
        let missing = || format!("{} has no field {at}", value.describe());
        field.map(Got::Value).ok_or_else(missing)
    }
}

fn compare(op: CompareOp, a: &Got, b: &Got) -> Result<bool, String> {
    if let (Got::Text(a), Got::Text(b)) = (a, b) {
        return match op {
            CompareOp::Eq => Ok(a == b),
            CompareOp::NotEq => Ok(a != b),
            _ => Err("strings can only be compared with `==` and `!=`".to_owned()),
        };
    }
    let (a, b) = (a.number()?, b.number()?);
    Ok(match op {
        CompareOp::Eq => a == b,
        CompareOp::NotEq => a != b,
        CompareOp::Less => a < b,
        CompareOp::LessEq => a <= b,
        CompareOp::Greater => a > b,
        CompareOp::GreaterEq => a >= b,
        _ => return Err("this comparison is not supported here".to_owned()),
    })
}
