//! One call of an operator, as its inference rule sees it: operands by parameter, and the possible outcomes of a rule.

use crate::dialect::Dialect;
use crate::release::Release;
use std::fmt::Display;

use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::{Default, OpDef};
use crate::dtype::{self, DType};
use crate::sinfo::{Prim, Shape, StructInfo, Tensor, TensorShape, VDevice};
use crate::sym::{SymCx, SymExpr};
use crate::value::Value;

/// The result of a rule.
pub type Infer = Result<StructInfo, Stop>;

/// Why a rule has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// An operand is only known to Python. The result is unknown, and nothing is reported.
    Unknown,
    Error(Box<OpError>),
}

impl Stop {
    /// Adds two dimensions or dtypes that should be equal to an error.
    pub fn between(mut self, one: impl Display, other: impl Display) -> Stop {
        if let Stop::Error(error) = &mut self {
            error.differing = Some((format_smolstr!("{one}"), format_smolstr!("{other}")));
        }
        self
    }
}

/// An error in a call.
#[derive(Clone, Debug, PartialEq)]
pub struct OpError {
    pub kind: OpErrorKind,
    /// A sentence without the operator's name, with shapes and dimensions in backquotes.
    pub message: String,
    pub at: At,
    /// Related places: the other dimension, the other operand.
    pub related: Vec<(At, String)>,
    /// Two dimensions or dtypes that should be equal: the actual and the expected one, or both if either may be wrong.
    pub differing: Option<(SmolStr, SmolStr)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpErrorKind {
    /// Dimensions that provably differ.
    Shape,
    /// An invalid number of dimensions.
    Rank,
    DType,
    /// An operand of the wrong kind: a Shape instead of a Tensor.
    Type,
    /// An invalid value: an axis, a layout, a mode.
    Value,
}

/// A place in a call: a parameter, an element of a list operand, or a dimension of its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, std::default::Default)]
pub struct At {
    pub param: usize,
    pub element: Option<usize>,
    pub dim: Option<usize>,
}

impl At {
    pub fn param(param: usize) -> At {
        At {
            param,
            ..At::default()
        }
    }

    pub fn dim(param: usize, dim: usize) -> At {
        At {
            param,
            dim: Some(dim),
            element: None,
        }
    }

    pub fn element(param: usize, element: usize) -> At {
        At {
            param,
            element: Some(element),
            dim: None,
        }
    }
}

/// One call with its operands, in the order of the row's parameters.
pub struct Call<'a> {
    pub op: &'static OpDef,
    /// One operand for each parameter; `None` if it is not given. The operands of a starred parameter are one
    /// `Value::List`.
    pub args: &'a [Option<Value>],
    pub cx: &'a SymCx,
    pub release: Release,
    /// The oldest release that the file may be written for.
    pub oldest: Release,
    /// The virtual devices of the module.
    pub vdevices: &'a [VDevice],
}

impl Call<'_> {
    /// Returns operand `i`, or its default.
    pub fn value(&self, i: usize) -> Value {
        if let Some(Some(value)) = self.args.get(i) {
            return value.clone();
        }
        match self.op.params.get(i).map(|p| p.default) {
            Some(Default::Bool(value)) => Value::Bool(value),
            Some(Default::Int(value)) => Value::Int(value),
            Some(Default::Float(value)) => Value::Float(value),
            Some(Default::Str(value)) => Value::Str(SmolStr::new_static(value)),
            Some(Default::Ints(values)) => {
                Value::List(values.iter().map(|&v| Value::Int(v)).collect())
            }
            Some(Default::Required | Default::None) | None => Value::None,
        }
    }

    pub fn is_given(&self, i: usize) -> bool {
        !matches!(self.value(i), Value::None)
    }

    /// Returns the StructInfo of operand `i`, which must be a Relax expression.
    pub fn sinfo(&self, i: usize) -> Result<StructInfo, Stop> {
        match self.value(i).struct_info() {
            Some(StructInfo::Unknown) => Err(Stop::Unknown),
            Some(sinfo) => Ok(sinfo),
            None => Err(self.wrong_kind(i, "a Relax expression")),
        }
    }

    /// Returns operand `i`, which must be a tensor.
    pub fn tensor(&self, i: usize) -> Result<Tensor, Stop> {
        match self.sinfo(i)? {
            StructInfo::Tensor(tensor) => Ok(tensor),
            StructInfo::DTensor(dtensor) => Ok(dtensor.tensor.clone()),
            _ => Err(self.wrong_kind(i, "a Tensor")),
        }
    }

    /// Returns operand `i` if it is given. It must be a tensor.
    pub fn tensor_opt(&self, i: usize) -> Result<Option<Tensor>, Stop> {
        if self.is_given(i) {
            self.tensor(i).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns operand `i`, which must be a tuple or list of tensors.
    pub fn tensors(&self, i: usize) -> Result<Vec<Tensor>, Stop> {
        let fields: Vec<StructInfo> = match self.sinfo(i)? {
            StructInfo::Tuple(fields) => fields.to_vec(),
            _ => return Err(self.wrong_kind(i, "a Tuple of Tensors")),
        };
        let mut tensors = Vec::with_capacity(fields.len());
        for (k, field) in fields.iter().enumerate() {
            match field {
                StructInfo::Unknown => return Err(Stop::Unknown),
                StructInfo::Tensor(tensor) => tensors.push(tensor.clone()),
                StructInfo::DTensor(dtensor) => tensors.push(dtensor.tensor.clone()),
                _ => {
                    return Err(self.error(
                        OpErrorKind::Type,
                        At::element(i, k),
                        format!("element {k} of `{}` must be a Tensor", self.name(i)),
                    ));
                }
            }
        }
        Ok(tensors)
    }

    /// Returns operand `i` as a shape: dimensions, or a Shape without known values.
    pub fn shape(&self, i: usize) -> Result<Shape, Stop> {
        match self.value(i) {
            Value::List(items) => {
                let mut dims = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match (item.sym(), item) {
                        (Some(dim), _) => dims.push(dim),
                        (None, Value::Bool(value)) => dims.push(SymExpr::int(i64::from(*value))),
                        (None, item) if item.is_unknown() => return Err(Stop::Unknown),
                        (None, _) => return Err(self.wrong_kind(i, "a shape of integers")),
                    }
                }
                Ok(Shape::Known(dims.into()))
            }
            value => match value.struct_info() {
                Some(StructInfo::Shape(shape)) => Ok(shape),
                Some(StructInfo::Unknown) => Err(Stop::Unknown),
                _ => Err(self.wrong_kind(i, "a Shape")),
            },
        }
    }

    /// Returns operand `i` as the shape of a new tensor: its dimensions, or the variable that holds them.
    pub fn target_shape(&self, i: usize) -> Result<TensorShape, Stop> {
        if let Value::ShapeVar { name, id, shape } = self.value(i) {
            let (ndim, values) = match shape {
                Shape::Known(dims) => (Some(dims.len()), Some(dims)),
                Shape::Unknown(ndim) => (ndim, None),
            };
            return Ok(TensorShape::Var {
                name,
                id,
                ndim,
                values,
            });
        }
        Ok(match self.shape(i)? {
            Shape::Known(dims) => TensorShape::Known(dims),
            Shape::Unknown(ndim) => TensorShape::Unknown(ndim),
        })
    }

    /// Returns operand `i` as a scalar: a number, a shape expression or a variable with an `R.Prim`.
    pub fn prim(&self, i: usize) -> Result<Prim, Stop> {
        let value = self.value(i);
        // Before TVM 0.26, a Python float becomes a float32.
        if matches!(value, Value::Float(_)) && self.release.dialect() < Dialect::Type {
            return Ok(Prim {
                dtype: Some(DType::F32),
                value: None,
            });
        }
        match value.struct_info() {
            Some(StructInfo::Prim(prim)) => Ok(prim),
            Some(StructInfo::Unknown) => Err(Stop::Unknown),
            _ => Err(self.wrong_kind(i, "a scalar")),
        }
    }

    /// Returns operand `i` as a constant integer, or `None` if it is missing.
    pub fn int(&self, i: usize) -> Result<Option<i64>, Stop> {
        match self.value(i) {
            Value::None => Ok(None),
            Value::Int(value) => Ok(Some(value)),
            Value::Bool(value) => Ok(Some(i64::from(value))),
            value if value.is_unknown() => Err(Stop::Unknown),
            value => match value.sym() {
                Some(expr) => expr.as_int().map(Some).ok_or(Stop::Unknown),
                None => Err(self.wrong_kind(i, "an integer")),
            },
        }
    }

    /// Returns operand `i` as a list of constant integers (a single integer is a list of one), or `None` if it is
    /// missing.
    pub fn ints(&self, i: usize) -> Result<Option<Vec<i64>>, Stop> {
        let Some(dims) = self.syms(i)? else {
            return Ok(None);
        };
        dims.iter()
            .map(|d| d.as_int().ok_or(Stop::Unknown))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Returns operand `i` as a list of symbolic integers (a single integer is a list of one), or `None` if it is
    /// missing.
    pub fn syms(&self, i: usize) -> Result<Option<Vec<SymExpr>>, Stop> {
        let one = |value: &Value| match value.sym() {
            Some(expr) => Ok(expr),
            // In Python, truth values are integers.
            None if matches!(value, Value::Bool(_)) => {
                Ok(SymExpr::int(i64::from(matches!(value, Value::Bool(true)))))
            }
            None if value.is_unknown() => Err(Stop::Unknown),
            None => Err(self.wrong_kind(i, "integers")),
        };
        match self.value(i) {
            Value::None => Ok(None),
            Value::List(items) => items.iter().map(one).collect::<Result<_, _>>().map(Some),
            Value::Expr(StructInfo::Shape(Shape::Known(dims))) => Ok(Some(dims.to_vec())),
            Value::Expr(StructInfo::Tuple(fields)) => fields
                .iter()
                .map(|f| one(&Value::Expr(f.clone())))
                .collect::<Result<_, _>>()
                .map(Some),
            value => one(&value).map(|v| Some(vec![v])),
        }
    }

    pub fn bool(&self, i: usize) -> Result<bool, Stop> {
        match self.value(i) {
            Value::Bool(value) => Ok(value),
            Value::Int(value) => Ok(value != 0),
            Value::None => Ok(false),
            Value::Expr(StructInfo::Prim(Prim { value: None, .. })) => Err(Stop::Unknown),
            value if value.is_unknown() => Err(Stop::Unknown),
            value => match value.sym() {
                Some(expr) => expr.as_int().map(|v| v != 0).ok_or(Stop::Unknown),
                None => Err(self.wrong_kind(i, "True or False")),
            },
        }
    }

    pub fn str(&self, i: usize) -> Result<Option<SmolStr>, Stop> {
        match self.value(i) {
            Value::None => Ok(None),
            Value::Str(text) | Value::DType(text) => Ok(Some(text)),
            value if value.is_unknown() => Err(Stop::Unknown),
            _ => Err(self.wrong_kind(i, "a string")),
        }
    }

    /// Returns operand `i` as a dtype, or `None` if it is missing or stands for a default. Since TVM 0.26, `""` and
    /// `"void"` are a dtype of their own, but where the file may be older, they often stand for the default.
    pub fn dtype(&self, i: usize) -> Result<Option<DType>, Stop> {
        let Some(text) = self.str(i)? else {
            return Ok(None);
        };
        if text.is_empty() || text == "void" {
            let is_given = matches!(self.args.get(i), Some(Some(_)));
            let is_dtype = is_given && self.oldest.dialect() >= Dialect::Type;
            return Ok(is_dtype.then_some(DType::VOID));
        }
        let message = match DType::parse(&text) {
            Some(dtype) if dtype.is_pointer() && self.release.dialect() == Dialect::Type => {
                dtype::NO_POINTERS.to_owned()
            }
            Some(dtype) => return Ok(Some(dtype)),
            None => format!("`{text}` is not a dtype"),
        };
        Err(self.error(OpErrorKind::DType, At::param(i), message))
    }

    /// Returns operand `i` as a nonnegative axis of a tensor with `ndim` dimensions.
    pub fn axis(&self, i: usize, ndim: usize) -> Result<Option<usize>, Stop> {
        self.int(i)?
            .map(|axis| self.checked_axis(i, axis, ndim))
            .transpose()
    }

    /// Normalizes `axis` of operand `i`, which may be negative.
    pub fn checked_axis(&self, i: usize, axis: i64, ndim: usize) -> Result<usize, Stop> {
        let n = ndim as i64;
        if -n <= axis && axis < n {
            return Ok((if axis < 0 { axis + n } else { axis }) as usize);
        }
        Err(self.error(
            OpErrorKind::Value,
            At::param(i),
            match ndim {
                0 => format!("axis `{axis}` is out of range: the tensor has no dimensions"),
                _ => format!(
                    "axis `{axis}` is out of range for a tensor of rank {ndim}: axes go from {} to {}",
                    -n,
                    n - 1
                ),
            },
        ))
    }

    /// Returns operand `i` as distinct nonnegative axes of a tensor with `ndim` dimensions.
    pub fn axes(&self, i: usize, ndim: usize) -> Result<Option<Vec<usize>>, Stop> {
        self.ints(i)?
            .map(|axes| self.checked_axes(i, &axes, ndim))
            .transpose()
    }

    /// Normalizes the axes of operand `i`. A duplicate is an error.
    pub fn checked_axes(&self, i: usize, axes: &[i64], ndim: usize) -> Result<Vec<usize>, Stop> {
        let mut out: Vec<usize> = Vec::with_capacity(axes.len());
        let mut seen = FxHashSet::default();
        for &axis in axes {
            let checked = self.checked_axis(i, axis, ndim)?;
            if !seen.insert(checked) {
                let message = format!("`{}` names axis {checked} twice", self.name(i));
                return Err(self.error(OpErrorKind::Value, At::param(i), message));
            }
            out.push(checked);
        }
        Ok(out)
    }

    pub fn name(&self, i: usize) -> &'static str {
        self.op.params.get(i).map_or("?", |p| p.name)
    }

    pub fn error(&self, kind: OpErrorKind, at: At, message: impl Into<String>) -> Stop {
        Stop::Error(Box::new(OpError {
            kind,
            message: message.into(),
            at,
            related: Vec::new(),
            differing: None,
        }))
    }

    /// Returns an error with one related place.
    pub fn error_with(
        &self,
        kind: OpErrorKind,
        at: At,
        message: impl Into<String>,
        other: At,
        note: impl Into<String>,
    ) -> Stop {
        let related = vec![(other, note.into())];
        Stop::Error(Box::new(OpError {
            kind,
            message: message.into(),
            at,
            related,
            differing: None,
        }))
    }

    pub fn wrong_kind(&self, i: usize, wanted: &str) -> Stop {
        let found = self.value(i).kind_name();
        self.error(
            OpErrorKind::Type,
            At::param(i),
            format!("`{}` must be {wanted}, but is {found}", self.name(i)),
        )
    }
}

/// Returns the dimensions if they are given explicitly and not by a variable.
pub fn explicit_dims(tensor: &Tensor) -> Option<&[SymExpr]> {
    match &tensor.shape {
        TensorShape::Known(dims) => Some(dims),
        TensorShape::Var { .. } | TensorShape::Unknown(_) => None,
    }
}

/// Returns the common device of the tensors that have one, or `None` if they have different ones.
pub fn common_vdevice<'t>(tensors: impl IntoIterator<Item = &'t Tensor>) -> Option<VDevice> {
    let mut devices = tensors.into_iter().filter_map(|t| t.vdevice.as_ref());
    let first = devices.next()?;
    devices.all(|d| d == first).then(|| first.clone())
}

/// Returns a tensor with the given dimensions.
pub fn tensor(dims: Vec<SymExpr>, dtype: Option<DType>) -> StructInfo {
    StructInfo::Tensor(Tensor::new(dims, dtype))
}

/// Returns a tensor with an unknown shape, from its rank and dtype as far as they are known.
pub fn tensor_of_ndim(ndim: Option<usize>, dtype: Option<DType>) -> StructInfo {
    StructInfo::Tensor(Tensor::of_ndim(ndim, dtype))
}

/// Returns `data` with other dimensions, but the same dtype and device.
pub fn with_dims(data: &Tensor, dims: Vec<SymExpr>) -> StructInfo {
    with_shape(data, TensorShape::Known(dims.into()))
}

/// Returns `data` with at most the number of dimensions known.
pub fn with_ndim(data: &Tensor, ndim: Option<usize>) -> StructInfo {
    with_shape(data, TensorShape::Unknown(ndim))
}

/// Returns `data` with another shape.
pub fn with_shape(data: &Tensor, shape: TensorShape) -> StructInfo {
    StructInfo::Tensor(Tensor {
        shape,
        ..data.clone()
    })
}

/// Returns the product of dimensions.
pub fn product(dims: &[SymExpr]) -> SymExpr {
    SymExpr::product(dims)
}

/// Formats dimensions in brackets for a message.
pub fn show_dims(dims: &[SymExpr]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    match &dims[..] {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}

/// Returns a tuple result with these fields.
pub fn tuple(fields: Vec<StructInfo>) -> StructInfo {
    StructInfo::tuple(fields)
}
