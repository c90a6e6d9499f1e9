//! Plain Python evaluation over what the enclosing scope knows. Anything doubtful is unknown.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{Env, PyValue, arrays};
use crate::body::{BinaryOp, Body, CompareOp, Expr, ExprId, UnaryOp};

/// The value of an expression of the enclosing Python code.
pub(crate) fn eval(body: &Body, expr: ExprId, env: &Env) -> PyValue {
    match &body.exprs[expr] {
        Expr::None => PyValue::None,
        Expr::Bool(value) => PyValue::Bool(*value),
        Expr::Int(value) => PyValue::Int(*value),
        Expr::Float(value) => PyValue::Float(*value),
        Expr::Str(value) => PyValue::Str(value.clone()),
        Expr::Tuple(items) | Expr::List(items) => list(body, items, env),
        Expr::Name(name) => env.get(name).cloned().unwrap_or(PyValue::Unknown),
        Expr::Attribute { base, name } => match eval(body, *base, env) {
            PyValue::Path(path) => PyValue::Path(SmolStr::from(format!("{path}.{}", name.text))),
            _ => PyValue::Unknown,
        },
        Expr::Unary { op, operand } => unary(*op, &eval(body, *operand, env)),
        Expr::Binary { op, lhs, rhs } => {
            binary(*op, &eval(body, *lhs, env), &eval(body, *rhs, env))
        }
        Expr::Not(operand) => match eval(body, *operand, env) {
            PyValue::Bool(value) => PyValue::Bool(!value),
            _ => PyValue::Unknown,
        },
        Expr::IfElse {
            test,
            then,
            otherwise,
        } => match eval(body, *test, env) {
            PyValue::Bool(true) => eval(body, *then, env),
            PyValue::Bool(false) => eval(body, *otherwise, env),
            _ => PyValue::Unknown,
        },
        Expr::Subscript { base, index } => {
            subscript(&eval(body, *base, env), &eval(body, *index, env))
        }
        Expr::Call { callee, args } => {
            let positional: Vec<PyValue> = args
                .iter()
                .map(|a| {
                    if a.starred {
                        PyValue::Unknown
                    } else {
                        eval(body, a.value, env)
                    }
                })
                .collect();
            let keywords: Vec<(&str, PyValue)> = args
                .iter()
                .filter_map(|a| Some((a.keyword.as_ref()?.text.as_str(), eval(body, a.value, env))))
                .collect();
            let positional = &positional[..args.len() - keywords.len()];
            call(body, *callee, positional, &keywords, env)
        }
        _ => PyValue::Unknown,
    }
}

/// A tuple or a list; unknown as a whole where `*values` are, for nobody knows how many they are.
fn list(body: &Body, items: &[ExprId], env: &Env) -> PyValue {
    let mut all = Vec::with_capacity(items.len());
    for &item in items {
        match &body.exprs[item] {
            Expr::Star(inner) => match eval(body, *inner, env) {
                PyValue::List(values) => all.extend(values.iter().cloned()),
                _ => return PyValue::Unknown,
            },
            _ => all.push(eval(body, item, env)),
        }
    }
    PyValue::List(all.into())
}

fn call(
    body: &Body,
    callee: ExprId,
    args: &[PyValue],
    keywords: &[(&str, PyValue)],
    env: &Env,
) -> PyValue {
    if let Expr::Name(name) = &body.exprs[callee]
        && env.get(name).is_none()
    {
        return match (name.as_str(), args) {
            ("len", [PyValue::List(items)]) => PyValue::Int(items.len() as i64),
            ("int", [PyValue::Int(value)]) => PyValue::Int(*value),
            ("range", [PyValue::Int(n)]) if (0..=4096).contains(n) => {
                PyValue::List((0..*n).map(PyValue::Int).collect())
            }
            ("tuple" | "list", [PyValue::List(items)]) => PyValue::List(Arc::clone(items)),
            // Printed TVMScript of the Type dialect declares its variables with the import commented out.
            ("TypeVar", [PyValue::Str(name), ..]) => PyValue::ShapeVar(name.clone()),
            _ => PyValue::Unknown,
        };
    }
    if let Expr::Attribute { base, name } = &body.exprs[callee]
        && let Some(made) = arrays::method(&eval(body, *base, env), &name.text, args)
    {
        return made;
    }
    let PyValue::Path(path) = eval(body, callee, env) else {
        // `T.Var("n", "int64")` where `T` itself is not imported.
        if let Expr::Attribute { base, name } = &body.exprs[callee]
            && let Expr::Name(base) = &body.exprs[*base]
            && base == "T"
            && env.get("T").is_none()
        {
            return shape_var(&name.text, args);
        }
        return PyValue::Unknown;
    };
    arrays::call(&path, args, keywords)
        .unwrap_or_else(|| shape_var(path.rsplit('.').next().unwrap_or_default(), args))
}

/// `TypeVar("n")`, `tirx.Var("n", "int64")`, `T.SizeVar("n", "int64")`.
fn shape_var(last: &str, args: &[PyValue]) -> PyValue {
    match (last, args) {
        ("TypeVar" | "SizeVar", [PyValue::Str(name), ..]) => PyValue::ShapeVar(name.clone()),
        ("Var", [PyValue::Str(name)]) => PyValue::ShapeVar(name.clone()),
        ("Var", [PyValue::Str(name), PyValue::Str(dtype), ..])
            if dtype.starts_with("int") || dtype.starts_with("uint") =>
        {
            PyValue::ShapeVar(name.clone())
        }
        _ => PyValue::Unknown,
    }
}

fn subscript(base: &PyValue, index: &PyValue) -> PyValue {
    let (PyValue::List(items), PyValue::Int(index)) = (base, index) else {
        return PyValue::Unknown;
    };
    let at = if *index < 0 {
        index + items.len() as i64
    } else {
        *index
    };
    usize::try_from(at)
        .ok()
        .and_then(|at| items.get(at))
        .cloned()
        .unwrap_or(PyValue::Unknown)
}

fn unary(op: UnaryOp, value: &PyValue) -> PyValue {
    match (op, value) {
        (UnaryOp::Plus, PyValue::Int(_) | PyValue::Float(_)) => value.clone(),
        (UnaryOp::Minus, PyValue::Int(value)) => {
            value.checked_neg().map_or(PyValue::Unknown, PyValue::Int)
        }
        (UnaryOp::Minus, PyValue::Float(value)) => PyValue::Float(-value),
        (UnaryOp::Invert, PyValue::Int(value)) => PyValue::Int(!value),
        _ => PyValue::Unknown,
    }
}

/// A binary operation of Python on plain values.
pub(crate) fn binary(op: BinaryOp, lhs: &PyValue, rhs: &PyValue) -> PyValue {
    use BinaryOp as B;
    match (lhs, rhs) {
        (PyValue::Int(a), PyValue::Int(b)) => int_binary(op, *a, *b),
        (PyValue::Float(_) | PyValue::Int(_), PyValue::Float(_) | PyValue::Int(_)) => {
            let float = |v: &PyValue| match v {
                PyValue::Int(i) => *i as f64,
                PyValue::Float(f) => *f,
                _ => f64::NAN,
            };
            let (a, b) = (float(lhs), float(rhs));
            match op {
                B::Add => PyValue::Float(a + b),
                B::Sub => PyValue::Float(a - b),
                B::Mul => PyValue::Float(a * b),
                B::Div if b != 0.0 => PyValue::Float(a / b),
                B::FloorDiv if b != 0.0 => PyValue::Float((a / b).floor()),
                B::Pow => PyValue::Float(a.powf(b)),
                _ => PyValue::Unknown,
            }
        }
        (PyValue::Str(a), PyValue::Str(b)) if op == B::Add => {
            PyValue::Str(SmolStr::from(format!("{a}{b}")))
        }
        (PyValue::List(a), PyValue::List(b)) if op == B::Add => {
            PyValue::List(a.iter().chain(b.iter()).cloned().collect())
        }
        (PyValue::List(a), PyValue::Int(n)) | (PyValue::Int(n), PyValue::List(a))
            if op == B::Mul && (0..=64).contains(n) && a.len() <= 64 =>
        {
            PyValue::List((0..*n).flat_map(|_| a.iter().cloned()).collect())
        }
        _ => PyValue::Unknown,
    }
}

fn int_binary(op: BinaryOp, a: i64, b: i64) -> PyValue {
    use BinaryOp as B;
    let floor_div = || {
        let quotient = a.checked_div(b)?;
        let exact = a.checked_rem(b)? == 0;
        Some(if !exact && ((a < 0) != (b < 0)) {
            quotient - 1
        } else {
            quotient
        })
    };
    let value = match op {
        B::Add => a.checked_add(b),
        B::Sub => a.checked_sub(b),
        B::Mul => a.checked_mul(b),
        B::FloorDiv => floor_div(),
        B::Mod => floor_div()
            .and_then(|q| q.checked_mul(b))
            .and_then(|p| a.checked_sub(p)),
        B::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        B::Div if b != 0 => return PyValue::Float(a as f64 / b as f64),
        B::ShiftLeft => u32::try_from(b)
            .ok()
            .and_then(|b| 1i64.checked_shl(b))
            .and_then(|p| a.checked_mul(p)),
        B::ShiftRight => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
        B::BitAnd => Some(a & b),
        B::BitOr => Some(a | b),
        B::BitXor => Some(a ^ b),
        B::Div | B::MatMul => None,
    };
    value.map_or(PyValue::Unknown, PyValue::Int)
}

/// A comparison of Python on plain values.
pub(crate) fn compare(op: CompareOp, lhs: &PyValue, rhs: &PyValue) -> PyValue {
    use std::cmp::Ordering as O;
    let ordering = match (lhs, rhs) {
        (PyValue::Int(a), PyValue::Int(b)) => Some(a.cmp(b)),
        (PyValue::Str(a), PyValue::Str(b)) => Some(a.cmp(b)),
        (PyValue::Float(a), PyValue::Float(b)) => a.partial_cmp(b),
        _ => None,
    };
    let Some(ordering) = ordering else {
        return PyValue::Unknown;
    };
    PyValue::Bool(match op {
        CompareOp::Less => ordering == O::Less,
        CompareOp::LessEq => ordering != O::Greater,
        CompareOp::Greater => ordering == O::Greater,
        CompareOp::GreaterEq => ordering != O::Less,
        CompareOp::Eq => ordering == O::Equal,
        CompareOp::NotEq => ordering != O::Equal,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => {
            return PyValue::Unknown;
        }
    })
}
