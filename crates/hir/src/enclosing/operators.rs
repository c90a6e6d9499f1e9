//! Evaluates Python operators on plain values. Anything doubtful is unknown.

use super::PyValue;
use crate::body::{BinaryOp, CompareOp, UnaryOp};

/// Returns the truth value of a value.
pub(crate) fn truth(value: &PyValue) -> Option<bool> {
    match value {
        PyValue::Bool(value) => Some(*value),
        PyValue::None => Some(false),
        PyValue::Int(value) => Some(*value != 0),
        PyValue::Str(text) => Some(!text.is_empty()),
        PyValue::List(items) => Some(!items.is_empty()),
        PyValue::Dict(entries) => Some(!entries.is_empty()),
        _ => None,
    }
}

/// Evaluates `base[index]`.
pub(super) fn subscript(base: &PyValue, index: &PyValue) -> PyValue {
    match (base, index) {
        (PyValue::List(items), PyValue::Int(index)) => {
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
        (PyValue::Dict(entries), key) if is_plain(key) => entries
            .iter()
            .rev()
            .find(|(known, _)| known == key)
            .filter(|_| entries.iter().all(|(known, _)| is_plain(known)))
            .map_or(PyValue::Unknown, |(_, value)| value.clone()),
        _ => PyValue::Unknown,
    }
}

/// Returns `true` if every part of the value is known.
fn is_plain(value: &PyValue) -> bool {
    match value {
        PyValue::List(items) => items.iter().all(is_plain),
        PyValue::None
        | PyValue::Bool(_)
        | PyValue::Int(_)
        | PyValue::Float(_)
        | PyValue::Str(_)
        | PyValue::Path(_) => true,
        _ => false,
    }
}

/// Evaluates `items[start:stop]`.
pub(super) fn slice(base: &PyValue, start: Option<PyValue>, stop: Option<PyValue>) -> PyValue {
    let PyValue::List(items) = base else {
        return PyValue::Unknown;
    };
    let length = items.len() as i64;
    let place = |bound: Option<PyValue>, default: i64| match bound {
        None | Some(PyValue::None) => Some(default),
        Some(PyValue::Int(at)) => Some(if at < 0 { at + length } else { at }.clamp(0, length)),
        Some(_) => None,
    };
    match (place(start, 0), place(stop, length)) {
        (Some(start), Some(stop)) => PyValue::list(
            items
                .iter()
                .take(usize::try_from(stop).unwrap_or(0))
                .skip(usize::try_from(start).unwrap_or(0))
                .cloned()
                .collect::<Vec<_>>(),
        ),
        _ => PyValue::Unknown,
    }
}

/// Evaluates `-value`, `~value`.
pub(super) fn unary(op: UnaryOp, value: &PyValue) -> PyValue {
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

/// Evaluates a binary operator.
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
        (PyValue::Str(a), PyValue::Str(b)) if op == B::Add => PyValue::text(format!("{a}{b}")),
        (PyValue::List(a), PyValue::List(b)) if op == B::Add => {
            PyValue::list(a.iter().chain(b.iter()).cloned().collect::<Vec<_>>())
        }
        (PyValue::List(a), PyValue::Int(n)) | (PyValue::Int(n), PyValue::List(a))
            if op == B::Mul && (0..=64).contains(n) && a.len() <= 64 =>
        {
            PyValue::list((0..*n).flat_map(|_| a.iter().cloned()).collect::<Vec<_>>())
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

/// Evaluates a comparison.
pub(crate) fn compare(op: CompareOp, lhs: &PyValue, rhs: &PyValue) -> PyValue {
    use std::cmp::Ordering as O;
    match op {
        CompareOp::Eq | CompareOp::Is => {
            return equal(lhs, rhs).map_or(PyValue::Unknown, PyValue::Bool);
        }
        CompareOp::NotEq | CompareOp::IsNot => {
            return equal(lhs, rhs).map_or(PyValue::Unknown, |e| PyValue::Bool(!e));
        }
        CompareOp::In | CompareOp::NotIn => {
            let PyValue::List(items) = rhs else {
                return PyValue::Unknown;
            };
            let found: Vec<Option<bool>> = items.iter().map(|item| equal(lhs, item)).collect();
            let inside = if found.contains(&Some(true)) {
                true
            } else if found.contains(&None) {
                return PyValue::Unknown;
            } else {
                false
            };
            return PyValue::Bool(inside == (op == CompareOp::In));
        }
        _ => {}
    }
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
        _ => ordering != O::Less,
    })
}

/// Returns whether two values are equal, if it is certain. Lists stand for tuples too, so similar values may differ.
fn equal(lhs: &PyValue, rhs: &PyValue) -> Option<bool> {
    match (lhs, rhs) {
        (PyValue::Path(a), PyValue::Path(b)) => {
            if a == b {
                return Some(true);
            }
            // Members of the same enumeration: `TensorProto.FLOAT`, `TensorProto.INT64`.
            let ((scope_a, a), (scope_b, b)) = (a.rsplit_once('.')?, b.rsplit_once('.')?);
            let member = |name: &str| !name.chars().any(char::is_lowercase);
            (scope_a == scope_b && member(a) && member(b)).then_some(false)
        }
        (PyValue::Float(a), PyValue::Float(b)) => Some(a == b),
        (PyValue::List(a), PyValue::List(b)) => {
            let same = a.iter().zip(b.iter()).map(|(a, b)| equal(a, b));
            let same: Option<Vec<bool>> = same.collect();
            (a.len() != b.len() || same?.contains(&false)).then_some(false)
        }
        (a, b) if simple(a) && simple(b) => Some(a == b),
        (a, PyValue::None) if is_plain(a) => Some(false),
        (PyValue::None, b) if is_plain(b) => Some(false),
        _ => None,
    }
}

fn simple(value: &PyValue) -> bool {
    matches!(
        value,
        PyValue::None | PyValue::Bool(_) | PyValue::Int(_) | PyValue::Str(_)
    )
}
