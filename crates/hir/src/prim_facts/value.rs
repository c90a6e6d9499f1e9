//! The dtype and value of an expression of a PrimFunc, as far as they are known without Python.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::PrimDefId;
use crate::enclosing::PyValue;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Value {
    /// Only Python knows, or a mistake that is reported already.
    #[default]
    Unknown,
    Number(Number),
    Buffer(PrimDefId),
    /// Part of a buffer: `A[0]` of two dimensions, `A[0:4]`.
    Region {
        buffer: PrimDefId,
        /// Indices and slices.
        given: usize,
        sliced: bool,
    },
    Pointer,
    Handle,
    /// A value that Python computes and that is known.
    Python(PyValue),
    /// A loop that no `for` runs yet, a block that no `with` opens: what a call under `T` makes.
    Other,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub dtype: Option<DType>,
    /// A Python literal, whose dtype gives way.
    pub weak: bool,
}

impl Value {
    pub fn number(dtype: Option<DType>) -> Value {
        Value::Number(Number { dtype, weak: false })
    }

    pub fn dtype(&self) -> Option<DType> {
        match self {
            Value::Number(number) => number.dtype,
            Value::Python(PyValue::Int(value)) => Some(int_dtype(*value)),
            Value::Python(PyValue::Float(_)) => Some(DType::F32),
            Value::Python(PyValue::Bool(_)) => Some(DType::BOOL),
            _ => None,
        }
    }

    /// Whether it is a Python number, whose dtype gives way to what it meets.
    pub fn is_weak(&self) -> bool {
        match self {
            Value::Number(number) => number.weak,
            Value::Python(PyValue::Int(_) | PyValue::Float(_)) => true,
            _ => false,
        }
    }

    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Python(PyValue::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is certain that the value exists only when the PrimFunc runs.
    pub fn is_tir(&self) -> bool {
        matches!(
            self,
            Value::Number(_) | Value::Buffer(_) | Value::Region { .. } | Value::Pointer
        )
    }
}

/// A name of an assignment with the place where it is written.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub text: SmolStr,
    pub range: TextRange,
}

pub(super) fn int_dtype(value: i64) -> DType {
    if i32::try_from(value).is_ok() {
        DType::I32
    } else {
        DType::I64
    }
}

/// The dtype in which two numbers meet, where that is plain.
pub(super) fn meet(a: &Value, b: &Value) -> Option<DType> {
    let (x, y) = (a.dtype()?, b.dtype()?);
    if x == y {
        return Some(x);
    }
    match (a.is_weak(), b.is_weak()) {
        (true, false) if !x.is_float() || y.is_float() => Some(y),
        (false, true) if !y.is_float() || x.is_float() => Some(x),
        _ => wider(x, y),
    }
}

fn wider(x: DType, y: DType) -> Option<DType> {
    if x.lanes != y.lanes {
        return None;
    }
    match (x.is_float(), y.is_float()) {
        (true, false) => Some(x),
        (false, true) => Some(y),
        _ if x.bits != y.bits => Some(if x.bits > y.bits { x } else { y }),
        _ => None,
    }
}
