//! One call of an operator as its type relation sees it, and the relation's answer.
//!
//! A relation is a plain function of the input types and the attributes. It knows no solver and no ranges.

use smol_str::{SmolStr, format_smolstr};

use super::attrs::Value;
use super::ops::Entry;
use super::types::{Dim, Tensor, Type};
use crate::diagnostics::Code;
use crate::dtype::DType;
use crate::ops::layout::Layout;
use crate::sym::{SymExpr, SymVar};

/// A call.
pub struct Site<'a> {
    pub entry: &'static Entry,
    /// The types of the inputs, as far as they are known.
    pub types: &'a [Type],
    /// Returns an attribute that the call gives. They are checked against the row.
    pub given: &'a dyn Fn(&str) -> Option<Value>,
    /// Returns the value of an input that is a constant scalar.
    pub constant: &'a dyn Fn(usize) -> Option<f64>,
}

/// The result of a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub out: Type,
    /// Required types of inputs, by index.
    pub expects: Vec<(usize, Type)>,
}

/// Why a relation has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The type of an input has not been inferred yet.
    Wait,
    /// Unknown, because of an error elsewhere or because the text does not say it.
    Unknown,
    Wrong(Box<Mistake>),
}

/// An error in a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub code: Code,
    pub message: String,
    /// The inputs that it is about.
    pub inputs: Vec<usize>,
    /// The dimensions of these inputs that it is about, in the same order.
    pub dims: Vec<usize>,
    /// The attribute that it is about.
    pub attr: Option<&'static str>,
    /// Two values that should be equal.
    pub differing: Option<(SmolStr, SmolStr)>,
}

/// Returns one of a list of attributes.
pub fn attribute(attrs: &[(SmolStr, Value)], name: &str) -> Option<Value> {
    let found = attrs.iter().find(|it| it.0 == name);
    found.map(|it| it.1.clone())
}

pub type Relation = fn(&Site<'_>) -> Result<Answer, Stop>;

impl From<Type> for Answer {
    fn from(out: Type) -> Answer {
        Answer {
            out,
            expects: Vec::new(),
        }
    }
}

impl Answer {
    pub fn tensor(shape: impl Into<std::sync::Arc<[Dim]>>, dtype: DType) -> Result<Answer, Stop> {
        Ok(Type::tensor(shape, dtype).into())
    }

    pub fn expecting(mut self, input: usize, ty: Type) -> Answer {
        self.expects.push((input, ty));
        self
    }
}

impl Mistake {
    pub fn new(code: Code, message: impl Into<String>) -> Mistake {
        Mistake {
            code,
            message: message.into(),
            inputs: Vec::new(),
            dims: Vec::new(),
            attr: None,
            differing: None,
        }
    }

    pub fn of(mut self, inputs: impl Into<Vec<usize>>) -> Mistake {
        self.inputs = inputs.into();
        self
    }

    /// Sets the dimensions of inputs that it is about.
    pub fn at_dims(mut self, dims: impl IntoIterator<Item = (usize, usize)>) -> Mistake {
        (self.inputs, self.dims) = dims.into_iter().unzip();
        self
    }

    pub fn attr(mut self, name: &'static str) -> Mistake {
        self.attr = Some(name);
        self
    }

    pub fn between(mut self, one: impl ToString, other: impl ToString) -> Mistake {
        self.differing = Some((one.to_string().into(), other.to_string().into()));
        self
    }

    pub fn stop<T>(self) -> Result<T, Stop> {
        Err(Stop::Wrong(Box::new(self)))
    }
}

impl<'a> Site<'a> {
    pub fn name(&self) -> &'static str {
        self.entry.op.name
    }

    /// Returns how a message calls an input.
    pub fn input(&self, at: usize) -> SmolStr {
        match self.entry.inputs.get(at) {
            Some(name) => format_smolstr!("`{name}`"),
            None => format_smolstr!("argument {}", at + 1),
        }
    }

    pub fn tensor(&self, at: usize) -> Result<&'a Tensor, Stop> {
        match self.types.get(at) {
            Some(ty) => self.as_tensor(at, ty),
            None => Err(Stop::Unknown),
        }
    }

    fn as_tensor(&self, at: usize, ty: &'a Type) -> Result<&'a Tensor, Stop> {
        match ty {
            Type::Tensor(it) => Ok(it),
            Type::Hole(_) => Err(Stop::Wait),
            Type::Unknown => Err(Stop::Unknown),
            other => Mistake::new(
                Code::ArgumentType,
                format!(
                    "{} of `{}` must be a tensor, but is {}",
                    self.input(at),
                    self.name(),
                    other.kind_name()
                ),
            )
            .of([at])
            .stop(),
        }
    }

    /// Returns the fields of an input that is a tuple of tensors.
    pub fn tensors(&self, at: usize) -> Result<Vec<&'a Tensor>, Stop> {
        match self.types.get(at) {
            Some(Type::Tuple(fields)) => fields.iter().map(|it| self.as_tensor(at, it)).collect(),
            Some(Type::Hole(_)) => Err(Stop::Wait),
            Some(Type::Unknown) | None => Err(Stop::Unknown),
            Some(other) => Mistake::new(
                Code::ArgumentType,
                format!(
                    "{} of `{}` must be a tuple of tensors, but is {}",
                    self.input(at),
                    self.name(),
                    other.kind_name()
                ),
            )
            .of([at])
            .stop(),
        }
    }

    /// Returns the value of an attribute, or its default.
    pub fn attr(&self, name: &str) -> Value {
        let default = || self.entry.attr(name)?.default.clone();
        let value = (self.given)(name).or_else(default);
        value.unwrap_or(Value::None)
    }

    /// Returns `None` if the attribute is `None`.
    pub fn opt_int(&self, name: &str) -> Result<Option<i64>, Stop> {
        match self.attr(name) {
            Value::Int(value) => Ok(Some(value)),
            Value::Bool(value) => Ok(Some(value.into())),
            Value::None => Ok(None),
            _ => Err(Stop::Unknown),
        }
    }

    pub fn int(&self, name: &str) -> Result<i64, Stop> {
        self.opt_int(name)?.ok_or(Stop::Unknown)
    }

    pub fn float(&self, name: &str) -> Result<f64, Stop> {
        match self.attr(name) {
            Value::Float(value) => Ok(value),
            Value::Int(value) => Ok(value as f64),
            _ => Err(Stop::Unknown),
        }
    }

    pub fn bool(&self, name: &str) -> Result<bool, Stop> {
        match self.attr(name) {
            Value::Bool(value) => Ok(value),
            Value::Int(value) => Ok(value != 0),
            _ => Err(Stop::Unknown),
        }
    }

    pub fn str(&self, name: &str) -> Result<SmolStr, Stop> {
        match self.attr(name) {
            Value::Str(value) => Ok(value),
            _ => Err(Stop::Unknown),
        }
    }

    /// Returns `None` if the attribute leaves the dtype to the inputs.
    pub fn dtype(&self, name: &str) -> Result<Option<DType>, Stop> {
        match self.attr(name) {
            Value::Str(text) if text.is_empty() || text == "void" => Ok(None),
            Value::Str(text) => DType::parse(&text).map(Some).ok_or(Stop::Unknown),
            Value::None => Ok(None),
            _ => Err(Stop::Unknown),
        }
    }

    /// Returns the integers of a list, with `?` for other elements.
    pub fn opt_dims(&self, name: &str) -> Result<Option<Vec<Dim>>, Stop> {
        match self.attr(name) {
            Value::List(items) => Ok(Some(items.iter().map(as_dim).collect())),
            Value::None => Ok(None),
            _ => Err(Stop::Unknown),
        }
    }

    pub fn dims(&self, name: &str) -> Result<Vec<Dim>, Stop> {
        self.opt_dims(name)?.ok_or(Stop::Unknown)
    }

    pub fn opt_ints(&self, name: &str) -> Result<Option<Vec<i64>>, Stop> {
        let Some(dims) = self.opt_dims(name)? else {
            return Ok(None);
        };
        let ints: Option<Vec<i64>> = dims.iter().map(Dim::as_int).collect();
        ints.map(Some).ok_or(Stop::Unknown)
    }

    pub fn ints(&self, name: &str) -> Result<Vec<i64>, Stop> {
        self.opt_ints(name)?.ok_or(Stop::Unknown)
    }

    /// Returns a list of exactly `count` integers.
    pub fn ints_of(&self, name: &'static str, count: usize) -> Result<Vec<i64>, Stop> {
        let ints = self.ints(name)?;
        if ints.len() == count {
            return Ok(ints);
        }
        self.wrong_value(
            name,
            format!("must have {count} values, but has {}", ints.len()),
        )
    }

    /// Returns pairs of integers.
    pub fn pairs(&self, name: &'static str) -> Result<Vec<(i64, i64)>, Stop> {
        let Value::List(items) = self.attr(name) else {
            return Err(Stop::Unknown);
        };
        let pair = |item: &Value| match item {
            Value::List(two) if two.len() == 2 => match (as_dim(&two[0]), as_dim(&two[1])) {
                (Dim::Int(one), Dim::Int(other)) => Ok((one, other)),
                _ => Err(Stop::Unknown),
            },
            Value::List(_) => self.wrong_value(name, "is not a list of pairs".to_owned()),
            _ => Err(Stop::Unknown),
        };
        items.iter().map(pair).collect()
    }

    pub fn layout(&self, name: &'static str) -> Result<Layout, Stop> {
        let text = self.str(name)?;
        match Layout::parse(&text) {
            Ok(layout) => Ok(layout),
            Err(why) => self.wrong_value(name, format!("`{text}` is not a layout: {why}")),
        }
    }

    /// Normalizes an axis, which may be negative, of a tensor with that rank.
    pub fn axis(&self, name: &'static str, axis: i64, rank: usize) -> Result<usize, Stop> {
        let rank = rank as i64;
        let from_front = if axis < 0 { axis + rank } else { axis };
        if (0..rank).contains(&from_front) {
            return Ok(from_front as usize);
        }
        self.wrong_value(
            name,
            format!("{axis} is out of range for {}", dimensions(rank)),
        )
    }

    /// Returns an error about the value of an attribute.
    pub fn wrong_value<T>(&self, name: &'static str, why: String) -> Result<T, Stop> {
        Mistake::new(
            Code::ArgumentValue,
            format!("`{name}` of `{}`: {why}", self.name()),
        )
        .attr(name)
        .stop()
    }

    /// Returns an error about the number of dimensions of an input.
    pub fn wrong_rank<T>(&self, at: usize, wanted: &str) -> Result<T, Stop> {
        let rank = self.tensor(at)?.rank();
        Mistake::new(
            Code::RankMismatch,
            format!(
                "{} of `{}` must have {wanted}, but has {rank}",
                self.input(at),
                self.name()
            ),
        )
        .of([at])
        .stop()
    }

    pub fn of_rank(&self, at: usize, rank: usize) -> Result<&'a Tensor, Stop> {
        let tensor = self.tensor(at)?;
        if tensor.rank() == rank {
            return Ok(tensor);
        }
        self.wrong_rank(at, &dimensions(rank as i64))
    }

    pub fn wrong_dtype<T>(&self, at: usize, wanted: &str) -> Result<T, Stop> {
        Mistake::new(
            Code::DtypeMismatch,
            format!(
                "{} of `{}` must have the dtype {wanted}, but has {}",
                self.input(at),
                self.name(),
                self.tensor(at)?.dtype
            ),
        )
        .of([at])
        .stop()
    }

    /// Checks that two dimensions are equal, unless this is only known at run time.
    pub fn same_dim(&self, one: (usize, usize), other: (usize, usize)) -> Result<(), Stop> {
        let dim = |(input, at): (usize, usize)| {
            let tensor = self.tensor(input)?;
            tensor.shape.get(at).cloned().ok_or(Stop::Unknown)
        };
        let (a, b) = (dim(one)?, dim(other)?);
        if !a.differs(&b) {
            return Ok(());
        }
        Mistake::new(
            Code::ShapeMismatch,
            format!(
                "dimension {} of {} is {a}, dimension {} of {} is {b}: `{}` needs them equal",
                one.1,
                self.input(one.0),
                other.1,
                self.input(other.0),
                self.name()
            ),
        )
        .at_dims([one, other])
        .between(a, b)
        .stop()
    }
}

/// Formats a number of dimensions: "2 dimensions".
pub fn dimensions(rank: i64) -> String {
    match rank {
        1 => "1 dimension".to_owned(),
        _ => format!("{rank} dimensions"),
    }
}

fn as_dim(value: &Value) -> Dim {
    match value {
        Value::Int(value) => Dim::Int(*value),
        Value::Bool(value) => Dim::Int((*value).into()),
        _ => Dim::Any,
    }
}

/// Converts a shape between layouts. Returns `None` if the layouts are incompatible.
pub fn convert(shape: &[Dim], from: &Layout, to: &Layout) -> Option<Vec<Dim>> {
    if !from.converts_to(to) || from.ndim() != shape.len() {
        return None;
    }
    let dims: Vec<SymExpr> = shape
        .iter()
        .map(|dim| match dim {
            Dim::Int(value) => SymExpr::int(*value),
            Dim::Any => SymExpr::var(SymVar::python("?".into())),
            Dim::Var(name) => SymExpr::var(SymVar::python(name.clone())),
        })
        .collect();
    let back = |dim: SymExpr| match (dim.as_int(), dim.as_var()) {
        (Some(value), _) => Dim::Int(value),
        (None, Some(var)) if var.name != "?" => Dim::Var(var.name.clone()),
        _ => Dim::Any,
    };
    let converted = from.convert(&dims, to).ok()?;
    Some(converted.into_iter().map(back).collect())
}
