//! The dtype and value of an expression of a PrimFunc, as far as they are known without Python.

use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::arith::Number;
use super::lanes::Steps;
use crate::body;
use crate::enclosing::{self, PyValue};
use crate::prim_facts::PrimDefId;
use crate::tir::{BufferId, Expr, ExprKind, ThreadAxis};

#[derive(Clone, Debug, Default)]
pub(super) enum Value {
    /// Only Python knows the value, or its mistake is reported already.
    #[default]
    Unknown,
    Number(Number),
    /// A number of the running program without a known dtype: a hole.
    Untyped,
    Buffer(PrimDefId),
    /// Part of a buffer: `A[0]` of two dimensions, `A[0:4]`.
    Region {
        buffer: PrimDefId,
        /// The start in each dimension that is given.
        starts: Vec<Expr>,
        sliced: bool,
        /// The elements of the slice, if only the last dimension is sliced.
        lanes: Option<Steps>,
    },
    Pointer(Option<BufferId>),
    /// A parameter, by position.
    Handle(Option<usize>),
    /// A thread axis that is not launched.
    Thread(Option<ThreadAxis>),
    /// A Python sequence of numbers: `A.shape`.
    Items(Vec<Expr>),
    /// A known value that Python computes.
    Python(PyValue),
    /// `T.int32()`: a variable that nothing binds, or a dtype.
    NewVar(DType),
    /// Another result of a call under `T`: a loop before its `for`, a block before its `with`.
    Other,
}

impl Value {
    pub fn dtype(&self) -> Option<DType> {
        match self {
            Value::Number(number) => Some(number.expr.dtype),
            Value::Thread(_) => Some(DType::I32),
            Value::Python(PyValue::Int(value)) => Some(int_dtype(*value)),
            Value::Python(PyValue::Float(_)) => Some(DType::F32),
            Value::Python(PyValue::Bool(_)) => Some(DType::BOOL),
            _ => None,
        }
    }

    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Python(PyValue::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the branch that Python takes at this test, if Python decides it.
    pub fn chosen(&self) -> Option<bool> {
        match self {
            Value::Python(known) => enclosing::truth(known),
            _ => None,
        }
    }

    /// Returns whether it is a number without a known value.
    pub fn is_number(&self) -> bool {
        matches!(self, Value::Number(_) | Value::Untyped | Value::Thread(_))
    }

    /// Returns whether the value certainly exists only when the PrimFunc runs.
    pub fn is_tir(&self) -> bool {
        match self {
            Value::Number(number) => !number.weak,
            _ => matches!(
                self,
                Value::Untyped
                    | Value::Buffer(_)
                    | Value::Region { .. }
                    | Value::Pointer(_)
                    | Value::Thread(_)
            ),
        }
    }
}

impl From<Number> for Value {
    /// Numbers that Python computes stay values of Python.
    fn from(number: Number) -> Value {
        match number.expr.kind {
            ExprKind::Int(value) if number.weak => match i64::try_from(value) {
                Ok(value) => Value::Python(PyValue::Int(value)),
                Err(_) => Value::Number(number),
            },
            ExprKind::Float(value) if number.weak => Value::Python(PyValue::Float(value)),
            _ => Value::Number(number),
        }
    }
}

impl From<Option<Number>> for Value {
    fn from(number: Option<Number>) -> Value {
        number.map_or(Value::Untyped, Value::from)
    }
}

/// A name in the target of an assignment, with its place.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub text: SmolStr,
    pub range: TextRange,
}

impl Named {
    pub fn of(name: &body::Name) -> Named {
        Named {
            text: name.text.clone(),
            range: name.range,
        }
    }

    /// Returns the name of a target, or `None` if the target is several names or a place.
    pub fn of_target(target: &body::Target) -> Option<Named> {
        match target {
            body::Target::Name(name) => Some(Named::of(name)),
            _ => None,
        }
    }
}

pub(super) fn int_dtype(value: i64) -> DType {
    if i32::try_from(value).is_ok() {
        DType::I32
    } else {
        DType::I64
    }
}
