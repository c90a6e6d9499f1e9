//! Values in registers.
//!
//! Cheap to clone. Knows no bytecode: functions and closures are named by the interpreter's own numbers.

mod adt;

use std::fmt::Write;
use std::sync::Arc;

use relax::dtype::DType;
use relax::sinfo::short;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::error::RunResult;
use crate::objects::{Object, State};
use crate::tensor::{Kind, Scalar, Storage, Tensor};

pub use adt::Adt;

#[derive(Clone, Debug, Default)]
pub enum Value {
    Tensor(Tensor),
    Shape(Arc<[i64]>),
    Prim(Prim),
    Str(SmolStr),
    DType(DType),
    Tuple(Arc<[Value]>),
    /// A function of the module.
    Function(SmolStr),
    /// A function of the host, by its global symbol.
    Packed(SmolStr),
    Closure(Arc<Closure>),
    Storage(Arc<Storage>),
    /// A cache or another mutable object with shared ownership.
    Object(Arc<Object>),
    /// A value that a constructor of Relay built.
    Adt(Arc<Adt>),
    /// Null: `R.null_value()`, and the result of functions that are called for their effect.
    #[default]
    Null,
}

/// A scalar with its dtype.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prim {
    pub dtype: DType,
    pub value: Scalar,
}

/// A function with captured values, which follow its parameters.
#[derive(Clone, Debug)]
pub struct Closure {
    pub function: SmolStr,
    pub captured: Vec<Value>,
}

/// The maximum nesting of tuples and closures. Dropping nested values recurses on the stack.
pub const MOST_NESTED: usize = 1000;

impl Value {
    /// Returns the nesting depth of the value.
    pub fn nesting(&self) -> usize {
        fn inner(value: &Value, known: &mut FxHashMap<*const Value, usize>) -> usize {
            let fields = match value {
                Value::Tuple(fields) => &**fields,
                Value::Closure(closure) => closure.captured.as_slice(),
                _ => return 0,
            };
            let is_nested = |field: &&Value| matches!(field, Value::Tuple(_) | Value::Closure(_));
            if !fields.iter().any(|field| is_nested(&field)) {
                return 1;
            }
            // Visit shared values only once.
            if let Some(&depth) = known.get(&fields.as_ptr()) {
                return depth;
            }
            let nested = fields.iter().filter(is_nested);
            let depth = 1 + nested.map(|it| inner(it, known)).max().unwrap_or(0);
            known.insert(fields.as_ptr(), depth);
            depth
        }
        inner(self, &mut FxHashMap::default())
    }

    pub fn int(value: i64) -> Value {
        Value::Prim(Prim {
            dtype: DType::I64,
            value: Scalar::Int(value),
        })
    }

    pub fn float(value: f64) -> Value {
        Value::Prim(Prim {
            dtype: DType::F64,
            value: Scalar::Float(value),
        })
    }

    pub fn bool(value: bool) -> Value {
        Value::Prim(Prim {
            dtype: DType::BOOL,
            value: Scalar::Bool(value),
        })
    }

    pub fn tuple(fields: impl Into<Arc<[Value]>>) -> Value {
        Value::Tuple(fields.into())
    }

    pub fn as_tensor(&self) -> Option<&Tensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Returns the number of a scalar or a tensor of one element.
    /// Returns a tensor, a scalar or a shape as NumPy has them; `None` for any other value.
    pub fn to_array(&self) -> Option<RunResult<Tensor>> {
        match self {
            Value::Tensor(tensor) => Some(Ok(tensor.clone())),
            Value::Shape(dims) => Some(Tensor::from_vec(&[dims.len()], dims.to_vec())),
            Value::Prim(prim) => {
                Some(Kind::of(prim.dtype).and_then(|kind| Tensor::full(kind, &[], prim.value)))
            }
            _ => None,
        }
    }

    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Value::Prim(prim) => Some(prim.value),
            Value::Tensor(tensor) if tensor.len() == 1 => tensor.get(0),
            _ => None,
        }
    }

    /// Describes the value for messages: `f32[2, 3]`.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        self.describe_into(&mut text, 0);
        text
    }

    fn describe_into(&self, text: &mut String, depth: usize) {
        // Writing to a string does not fail.
        let _ = match self {
            Value::Tensor(tensor) => write!(
                text,
                "{}",
                short::tensor(tensor.shape(), tensor.dtype().short())
            ),
            Value::Shape(dims) => write!(text, "{}", short::tensor(dims, "shape")),
            Value::Prim(prim) => write!(text, "{}({})", prim.dtype.short(), prim.value),
            Value::Str(value) => write!(text, "{value:?}"),
            Value::DType(dtype) => write!(text, "{dtype}"),
            Value::Tuple(fields) if depth > 8 => write!(text, "Tuple of {}", fields.len()),
            Value::Tuple(fields) => {
                text.push('(');
                for (i, field) in fields.iter().take(16).enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    field.describe_into(text, depth + 1);
                }
                if fields.len() > 16 {
                    text.push_str(", ...");
                }
                text.write_char(')')
            }
            Value::Function(name) => write!(text, "function {name}"),
            Value::Packed(name) => write!(text, "packed function {name}"),
            Value::Closure(closure) => write!(text, "closure of {}", closure.function),
            Value::Storage(storage) => write!(text, "Storage({} bytes)", storage.bytes),
            Value::Object(object) => write!(text, "{}", object.describe()),
            Value::Adt(adt) => {
                adt.describe_into(text, depth);
                Ok(())
            }
            Value::Null => write!(text, "null"),
        };
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Value {
        Value::Tensor(tensor)
    }
}

impl From<State> for Value {
    fn from(state: State) -> Value {
        Value::Object(Arc::new(Object::new(state)))
    }
}

impl From<Vec<i64>> for Value {
    fn from(dims: Vec<i64>) -> Value {
        Value::Shape(dims.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Str(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Tensor, Value};

    #[test]
    fn a_value_describes_itself_as_messages_write_it() {
        let tensor = Tensor::from_fn(&[2, 3], |i| i as f32).unwrap();
        let value = Value::tuple([
            tensor.into(),
            Value::from(vec![1, 2]),
            Value::int(3),
            Value::Null,
        ]);
        assert_eq!(value.describe(), "(f32[2, 3], shape[1, 2], i64(3), null)");
    }
}
