//! The arguments of a call, by the parameter names of the operator table.

use std::sync::Arc;

use relax::dtype::DType;
use relax::ops::{Default, Param};
use relax::value::IndexMap;
use smol_str::SmolStr;

use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};

/// One argument: a run-time value, or a constant of the program.
#[derive(Clone, Debug)]
pub enum Arg {
    Value(Value),
    /// Not given: the table's default applies.
    Default,
    /// `None` in the program.
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(SmolStr),
    DType(DType),
    List(Vec<Arg>),
    /// A function that maps indices to indices.
    IndexMap(Arc<IndexMap>),
}

/// What inference knows about the result.
#[derive(Clone, Debug, std::default::Default, PartialEq)]
pub struct Out {
    pub shape: Option<Vec<usize>>,
    pub dtype: Option<DType>,
}

#[derive(Clone, Copy)]
pub struct Args<'a> {
    params: &'a [Param],
    given: &'a [Arg],
    out: Option<&'a Out>,
}

fn default_arg(default: Default) -> Arg {
    match default {
        Default::Required | Default::None => Arg::None,
        Default::Bool(value) => Arg::Bool(value),
        Default::Int(value) => Arg::Int(value),
        Default::Float(value) => Arg::Float(value),
        Default::Str(value) => Arg::Str(value.into()),
        Default::Ints(values) => Arg::List(values.iter().map(|&v| Arg::Int(v)).collect()),
    }
}

impl Arg {
    fn scalar(&self) -> Option<Scalar> {
        match self {
            Arg::Bool(value) => Some(Scalar::Bool(*value)),
            Arg::Int(value) => Some(Scalar::Int(*value)),
            Arg::Float(value) => Some(Scalar::Float(*value)),
            Arg::Value(value) => value.as_scalar(),
            _ => None,
        }
    }

    fn is_none(&self) -> bool {
        matches!(self, Arg::None | Arg::Value(Value::Null))
    }

    fn int(&self) -> Option<i64> {
        self.scalar()?.as_i64()
    }

    fn ints(&self) -> Option<Vec<i64>> {
        match self {
            Arg::List(items) => items.iter().map(Arg::int).collect(),
            Arg::Value(Value::Shape(dims)) => Some(dims.to_vec()),
            Arg::Value(Value::Tuple(fields)) => fields
                .iter()
                .map(|field| field.as_scalar()?.as_i64())
                .collect(),
            Arg::Value(Value::Tensor(tensor))
                if tensor.ndim() == 1 && !tensor.kind().is_float() =>
            {
                Some(
                    tensor
                        .cast(Kind::I64)
                        .ok()?
                        .values::<i64>()
                        .ok()?
                        .into_owned(),
                )
            }
            _ => Some(vec![self.int()?]),
        }
    }

    fn tensor(&self) -> Option<RunResult<Tensor>> {
        match self {
            Arg::Value(Value::Tensor(tensor)) => Some(Ok(tensor.clone())),
            Arg::Value(Value::Prim(Prim { dtype, value })) => {
                Some(Kind::of(*dtype).and_then(|kind| Tensor::full(kind, &[], *value)))
            }
            Arg::Bool(_) => Some(Tensor::full(Kind::Bool, &[], self.scalar()?)),
            Arg::Int(_) => Some(Tensor::full(Kind::I64, &[], self.scalar()?)),
            Arg::Float(_) => Some(Tensor::full(Kind::F32, &[], self.scalar()?)),
            _ => None,
        }
    }

    fn describe(&self) -> String {
        match self {
            Arg::Value(value) => value.describe(),
            Arg::Default => "...".into(),
            Arg::None => "None".into(),
            Arg::Bool(value) => Scalar::Bool(*value).to_string(),
            Arg::Int(value) => value.to_string(),
            Arg::Float(value) => Scalar::Float(*value).to_string(),
            Arg::Str(value) => format!("{value:?}"),
            Arg::DType(dtype) => format!("\"{dtype}\""),
            Arg::IndexMap(map) => format!("a map of {} indices", map.inputs.len()),
            Arg::List(items) => {
                let items: Vec<String> = items.iter().take(16).map(Arg::describe).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }
}

impl<'a> Args<'a> {
    /// Returns the dtype of an operand whose numbers have fewer than eight bits.
    pub fn tiny_dtype(&self) -> Option<DType> {
        fn of(value: &Value) -> Option<DType> {
            match value {
                Value::Tensor(tensor) if matches!(tensor.kind(), Kind::Tiny(_)) => {
                    Some(tensor.dtype())
                }
                Value::Tuple(fields) => fields.iter().find_map(of),
                _ => None,
            }
        }
        self.given.iter().find_map(|arg| match arg {
            Arg::Value(value) => of(value),
            _ => None,
        })
    }

    pub fn new(params: &'a [Param], args: &'a [Arg], out: Option<&'a Out>) -> Args<'a> {
        Args {
            params,
            given: args,
            out,
        }
    }

    /// Returns the operands as error messages show them.
    pub(crate) fn describe_call(&self, op: &str) -> String {
        let operands: Vec<String> = self
            .given
            .iter()
            .filter(|arg| matches!(arg, Arg::Value(_) | Arg::List(_)))
            .map(Arg::describe)
            .collect();
        format!("{op}({})", operands.join(", "))
    }

    /// Returns the argument of a parameter, or its default; [`Arg::None`] if it has neither.
    pub fn get(&self, name: &str) -> Arg {
        match self.params.iter().position(|param| param.name == name) {
            Some(index) => match self.given.get(index) {
                None | Some(Arg::Default) => default_arg(self.params[index].default),
                Some(arg) => arg.clone(),
            },
            None => Arg::None,
        }
    }

    fn missing(name: &str, wanted: &str, got: &Arg) -> RunError {
        if got.is_none() {
            RunError::argument(format!("argument {name} is missing"))
        } else {
            RunError::argument(format!(
                "argument {name} must be {wanted}, but is {}",
                got.describe()
            ))
        }
    }

    /// Returns a tensor operand by position, since the first operands have other names in other releases of TVM. A
    /// scalar becomes a tensor of rank 0.
    pub fn operand(&self, index: usize) -> RunResult<Tensor> {
        let arg = self.given.get(index).unwrap_or(&Arg::None);
        arg.tensor().unwrap_or_else(|| {
            let name = self.params.get(index).map_or("operand", |param| param.name);
            Err(Args::missing(name, "a tensor", arg))
        })
    }

    /// Returns `true` if an operand is a scalar rather than a tensor.
    pub fn is_scalar(&self, index: usize) -> bool {
        !matches!(self.given.get(index), Some(Arg::Value(Value::Tensor(_))))
    }

    pub fn tensor(&self, name: &str) -> RunResult<Tensor> {
        let arg = self.get(name);
        arg.tensor()
            .unwrap_or_else(|| Err(Args::missing(name, "a tensor", &arg)))
    }

    pub fn opt_tensor(&self, name: &str) -> RunResult<Option<Tensor>> {
        let arg = self.get(name);
        if arg.is_none() {
            return Ok(None);
        }
        arg.tensor()
            .unwrap_or_else(|| Err(Args::missing(name, "a tensor", &arg)))
            .map(Some)
    }

    /// Returns a tuple or list of tensors. A single tensor becomes a list.
    pub fn tensors(&self, name: &str) -> RunResult<Vec<Tensor>> {
        let arg = self.get(name);
        let wrong = || Args::missing(name, "a tuple of tensors", &arg);
        match &arg {
            Arg::Value(Value::Tuple(fields)) => fields
                .iter()
                .map(|field| Arg::Value(field.clone()).tensor().ok_or_else(wrong)?)
                .collect(),
            Arg::List(items) => items
                .iter()
                .map(|item| item.tensor().ok_or_else(wrong)?)
                .collect(),
            _ => Ok(vec![arg.tensor().ok_or_else(wrong)??]),
        }
    }

    /// Returns the first argument, of any kind.
    pub fn first_value(&self) -> RunResult<Value> {
        match self.given.first() {
            Some(Arg::Value(value)) => Ok(value.clone()),
            _ => self.operand(0).map(Value::from),
        }
    }

    /// Returns the first argument as a shape.
    pub fn first_ints(&self) -> RunResult<Vec<i64>> {
        let arg = self.given.first().unwrap_or(&Arg::None);
        arg.ints()
            .ok_or_else(|| Args::missing("shape", "a shape", arg))
    }

    pub fn scalar(&self, name: &str) -> RunResult<Scalar> {
        let arg = self.get(name);
        arg.scalar()
            .ok_or_else(|| Args::missing(name, "a scalar", &arg))
    }

    pub fn int(&self, name: &str) -> RunResult<i64> {
        let arg = self.get(name);
        arg.int()
            .ok_or_else(|| Args::missing(name, "an integer", &arg))
    }

    pub fn opt_int(&self, name: &str) -> RunResult<Option<i64>> {
        let arg = self.get(name);
        if arg.is_none() {
            return Ok(None);
        }
        arg.int()
            .map(Some)
            .ok_or_else(|| Args::missing(name, "an integer", &arg))
    }

    pub fn int_or(&self, name: &str, default: i64) -> RunResult<i64> {
        Ok(self.opt_int(name)?.unwrap_or(default))
    }

    pub fn float_or(&self, name: &str, default: f64) -> RunResult<f64> {
        let arg = self.get(name);
        if arg.is_none() {
            return Ok(default);
        }
        arg.scalar()
            .map(Scalar::as_f64)
            .ok_or_else(|| Args::missing(name, "a number", &arg))
    }

    pub fn bool_or(&self, name: &str, default: bool) -> RunResult<bool> {
        let arg = self.get(name);
        if arg.is_none() {
            return Ok(default);
        }
        arg.scalar()
            .map(Scalar::is_true)
            .ok_or_else(|| Args::missing(name, "True or False", &arg))
    }

    pub fn str_or(&self, name: &str, default: &str) -> RunResult<SmolStr> {
        match self.get(name) {
            Arg::Str(text) | Arg::Value(Value::Str(text)) => Ok(text),
            arg if arg.is_none() => Ok(default.into()),
            arg => Err(Args::missing(name, "a string", &arg)),
        }
    }

    /// Returns a list, tuple or shape of integers. A single integer becomes a list of one.
    pub fn opt_ints(&self, name: &str) -> RunResult<Option<Vec<i64>>> {
        let arg = self.get(name);
        if arg.is_none() {
            return Ok(None);
        }
        arg.ints()
            .map(Some)
            .ok_or_else(|| Args::missing(name, "a list of integers", &arg))
    }

    pub fn ints(&self, name: &str) -> RunResult<Vec<i64>> {
        self.opt_ints(name)?
            .ok_or_else(|| Args::missing(name, "a list of integers", &Arg::None))
    }

    pub fn floats(&self, name: &str) -> RunResult<Option<Vec<f64>>> {
        let arg = self.get(name);
        match &arg {
            _ if arg.is_none() => Ok(None),
            Arg::List(items) => items
                .iter()
                .map(|item| item.scalar().map(Scalar::as_f64))
                .collect::<Option<Vec<_>>>()
                .map(Some)
                .ok_or_else(|| Args::missing(name, "a list of numbers", &arg)),
            Arg::Value(Value::Tuple(fields)) => fields
                .iter()
                .map(|field| field.as_scalar().map(Scalar::as_f64))
                .collect::<Option<Vec<_>>>()
                .map(Some)
                .ok_or_else(|| Args::missing(name, "a list of numbers", &arg)),
            _ => Ok(Some(vec![arg.scalar().map(Scalar::as_f64).ok_or_else(
                || Args::missing(name, "a list of numbers", &arg),
            )?])),
        }
    }

    /// Returns a shape without negative dimensions.
    pub fn dims(&self, name: &str) -> RunResult<Vec<usize>> {
        self.ints(name)?
            .into_iter()
            .map(|dim| {
                usize::try_from(dim)
                    .map_err(|_| RunError::shape(format!("dimension {dim} of {name} is negative")))
            })
            .collect()
    }

    /// Returns a dtype argument by name, or `None` if it is missing or void.
    pub fn dtype(&self, name: &str) -> RunResult<Option<Kind>> {
        match self.get(name) {
            Arg::DType(dtype) | Arg::Value(Value::DType(dtype)) => Kind::of(dtype).map(Some),
            Arg::Str(text) | Arg::Value(Value::Str(text)) => {
                if text.is_empty() || text == "void" {
                    return Ok(None);
                }
                match DType::parse(&text) {
                    Some(dtype) => Kind::of(dtype).map(Some),
                    None => Err(RunError::argument(format!("{text:?} is not a dtype"))),
                }
            }
            arg if arg.is_none() => Ok(None),
            arg => Err(Args::missing(name, "a dtype", &arg)),
        }
    }

    /// Returns the dtype that inference found for the result.
    pub fn out_kind(&self) -> Option<Kind> {
        Kind::of(self.out?.dtype?).ok()
    }

    /// Returns the shape that inference found for the result.
    pub fn out_shape(&self) -> Option<&'a [usize]> {
        self.out?.shape.as_deref()
    }
}

/// Normalizes an axis that may be negative.
pub fn axis_of(axis: i64, ndim: usize) -> RunResult<usize> {
    let from_start = if axis < 0 { axis + ndim as i64 } else { axis };
    usize::try_from(from_start)
        .ok()
        .filter(|&axis| axis < ndim)
        .ok_or_else(|| {
            RunError::argument(format!("axis {axis} is out of range for {ndim} dimensions"))
        })
}

/// Normalizes axes that may be negative, sorts them and removes duplicates. `None` means all axes.
pub fn axes_of(axes: Option<&[i64]>, ndim: usize) -> RunResult<Vec<usize>> {
    let Some(axes) = axes else {
        return Ok((0..ndim).collect());
    };
    let mut axes = axes
        .iter()
        .map(|&axis| axis_of(axis, ndim))
        .collect::<RunResult<Vec<_>>>()?;
    axes.sort_unstable();
    let count = axes.len();
    axes.dedup();
    if axes.len() < count {
        return Err(RunError::argument(format!(
            "axes {axes:?} contain a duplicate"
        )));
    }
    Ok(axes)
}
