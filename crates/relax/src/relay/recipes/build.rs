//! Builds a recipe: values with their StructInfo, and the steps that compute them.

use smol_str::SmolStr;

use crate::dtype::DType;
use crate::ops::{self, Call, OpDef, Stop};
use crate::relay::attrs::Value as Attr;
use crate::relay::site::Site;
use crate::release::Release;
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::{SymCx, SymExpr};
use crate::value::Value;

/// A value in a recipe.
#[derive(Clone, Debug, PartialEq)]
pub struct Val {
    pub at: Written,
    pub sinfo: StructInfo,
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// An input of the call.
    Input(usize),
    /// A field of a tuple.
    Field(Box<Written>, usize),
    /// The result of a step.
    Step(usize),
    /// A scalar of a dtype.
    Number(f64, DType),
    Tuple(Vec<Written>),
}

/// A call of a Relax operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The name after `R.`.
    pub op: &'static str,
    pub args: Vec<Arg>,
    pub named: Vec<(&'static str, Arg)>,
    pub sinfo: StructInfo,
}

/// An argument of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Val(Val),
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(SmolStr),
    DType(DType),
    Ints(Vec<i64>),
    Dims(Vec<SymExpr>),
    /// A scalar that Relax takes as `R.prim_value`.
    Prim(f64, DType),
    None,
}

/// Why a call has no translation.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new<T>(why: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal(why.into()))
    }
}

/// A call of a Relay operator that is being translated.
pub struct Build<'a> {
    site: &'a Site<'a>,
    inputs: Vec<Val>,
    release: Release,
    cx: SymCx,
    elements: Option<&'a dyn Fn(usize) -> Option<Vec<f64>>>,
    pub steps: Vec<Step>,
}

impl<'a> Build<'a> {
    /// `inputs` are the StructInfo of the inputs.
    pub fn new(site: &'a Site<'a>, inputs: Vec<StructInfo>, release: Release) -> Build<'a> {
        let inputs = inputs.into_iter().enumerate();
        Build {
            site,
            inputs: inputs
                .map(|(at, sinfo)| Val {
                    at: Written::Input(at),
                    sinfo,
                })
                .collect(),
            release,
            cx: SymCx::default(),
            elements: None,
            steps: Vec::new(),
        }
    }

    /// Provides the elements of constant inputs.
    pub fn knowing(self, elements: &'a dyn Fn(usize) -> Option<Vec<f64>>) -> Build<'a> {
        Build {
            elements: Some(elements),
            ..self
        }
    }

    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    pub fn inputs(&self) -> &[Val] {
        &self.inputs
    }

    pub fn input(&self, at: usize) -> Result<Val, Refusal> {
        match self.inputs.get(at) {
            Some(val) => Ok(val.clone()),
            None => Refusal::new(format!("`{}` lacks an input", self.name())),
        }
    }

    /// Returns the value of an input that is a constant scalar.
    pub fn constant(&self, at: usize) -> Option<f64> {
        (self.site.constant)(at)
    }

    /// Returns the elements of an input in row-major order.
    pub fn elements(&self, at: usize) -> Result<Vec<f64>, Refusal> {
        let known = self.elements.and_then(|it| it(at));
        known.ok_or_else(|| {
            let input = self.site.input(at);
            Refusal(format!(
                "`{}` needs {input}, which is only known at run time",
                self.name()
            ))
        })
    }

    /// Returns the elements of an input as integers.
    pub fn int_elements(&self, at: usize) -> Result<Vec<i64>, Refusal> {
        let elements = self.elements(at)?;
        Ok(elements.iter().map(|it| *it as i64).collect())
    }

    pub fn site(&self) -> &Site<'a> {
        self.site
    }

    pub fn int(&self, name: &str) -> Result<i64, Refusal> {
        self.site.int(name).map_err(|_| opaque(name))
    }

    pub fn opt_int(&self, name: &str) -> Result<Option<i64>, Refusal> {
        self.site.opt_int(name).map_err(|_| opaque(name))
    }

    pub fn float(&self, name: &str) -> Result<f64, Refusal> {
        self.site.float(name).map_err(|_| opaque(name))
    }

    pub fn bool(&self, name: &str) -> Result<bool, Refusal> {
        self.site.bool(name).map_err(|_| opaque(name))
    }

    pub fn str(&self, name: &str) -> Result<SmolStr, Refusal> {
        self.site.str(name).map_err(|_| opaque(name))
    }

    pub fn ints(&self, name: &str) -> Result<Vec<i64>, Refusal> {
        self.site.ints(name).map_err(|_| opaque(name))
    }

    pub fn floats(&self, name: &str) -> Result<Vec<f64>, Refusal> {
        let Attr::List(items) = self.attr(name) else {
            return Err(opaque(name));
        };
        let number = |it: &Attr| match it {
            Attr::Int(value) => Some(*value as f64),
            Attr::Float(value) => Some(*value),
            _ => None,
        };
        let numbers: Option<Vec<f64>> = items.iter().map(number).collect();
        numbers.ok_or_else(|| opaque(name))
    }

    pub fn opt_ints(&self, name: &str) -> Result<Option<Vec<i64>>, Refusal> {
        self.site.opt_ints(name).map_err(|_| opaque(name))
    }

    pub fn opt_dtype(&self, name: &str) -> Result<Option<DType>, Refusal> {
        self.site.dtype(name).map_err(|_| opaque(name))
    }

    pub fn dtype(&self, name: &str) -> Result<DType, Refusal> {
        self.opt_dtype(name)?.ok_or_else(|| opaque(name))
    }

    pub fn attr(&self, name: &str) -> Attr {
        self.site.attr(name)
    }

    /// Returns the tensor type of a value.
    pub fn tensor(&self, val: &Val) -> Result<Tensor, Refusal> {
        match &val.sinfo {
            StructInfo::Tensor(tensor) => Ok(tensor.clone()),
            other => Refusal::new(format!(
                "the operand of `{}` must be a tensor, but is {}",
                self.name(),
                other.kind_name()
            )),
        }
    }

    pub fn rank(&self, val: &Val) -> Result<usize, Refusal> {
        match self.tensor(val)?.ndim() {
            Some(rank) => Ok(rank),
            None => Refusal::new(format!(
                "the rank of an input of `{}` is unknown",
                self.name()
            )),
        }
    }

    pub fn dtype_of(&self, val: &Val) -> Result<DType, Refusal> {
        match self.tensor(val)?.known_dtype() {
            Some(dtype) => Ok(dtype),
            None => Refusal::new(format!(
                "the dtype of an input of `{}` is unknown",
                self.name()
            )),
        }
    }

    /// Returns the extents of a tensor, which may be symbolic.
    pub fn dims(&self, val: &Val) -> Result<Vec<SymExpr>, Refusal> {
        match self.tensor(val)?.dims() {
            Some(dims) => Ok(dims.to_vec()),
            None => Refusal::new(format!(
                "`{}` needs extents that are only known at run time",
                self.name()
            )),
        }
    }

    /// Normalizes an axis that may be negative.
    pub fn axis(&self, axis: i64, rank: usize) -> usize {
        let from_front = if axis < 0 { axis + rank as i64 } else { axis };
        from_front.clamp(0, rank.saturating_sub(1) as i64) as usize
    }

    /// Returns a scalar constant.
    pub fn number(&self, value: f64, dtype: DType) -> Val {
        Val {
            at: Written::Number(value, dtype),
            sinfo: StructInfo::Tensor(Tensor::new(Vec::new(), Some(dtype))),
        }
    }

    pub fn tuple(&self, vals: &[Val]) -> Val {
        Val {
            at: Written::Tuple(vals.iter().map(|it| it.at.clone()).collect()),
            sinfo: StructInfo::tuple(vals.iter().map(|it| it.sinfo.clone()).collect::<Vec<_>>()),
        }
    }

    pub fn field(&self, val: &Val, index: usize) -> Result<Val, Refusal> {
        match &val.sinfo {
            StructInfo::Tuple(fields) if index < fields.len() => Ok(Val {
                at: Written::Field(Box::new(val.at.clone()), index),
                sinfo: fields[index].clone(),
            }),
            _ => Refusal::new(format!(
                "`{}` needs a tuple whose fields are known",
                self.name()
            )),
        }
    }

    /// Returns the fields of a tuple input.
    pub fn fields(&self, val: &Val) -> Result<Vec<Val>, Refusal> {
        match &val.sinfo {
            StructInfo::Tuple(fields) => (0..fields.len()).map(|at| self.field(val, at)).collect(),
            _ => Refusal::new(format!(
                "`{}` needs a tuple whose fields are known",
                self.name()
            )),
        }
    }

    /// Calls an operator with one or two values.
    pub fn call(&mut self, op: &'static str, vals: &[&Val]) -> Result<Val, Refusal> {
        let args = vals.iter().map(|it| Arg::Val((*it).clone()));
        self.op(op, args.collect(), [])
    }

    /// Calls a Relax operator.
    pub fn op<const N: usize>(
        &mut self,
        op: &'static str,
        args: Vec<Arg>,
        named: [(&'static str, Arg); N],
    ) -> Result<Val, Refusal> {
        self.op_with(op, args, named.to_vec())
    }

    /// Calls a Relax operator with any number of keyword arguments.
    pub fn op_with(
        &mut self,
        op: &'static str,
        args: Vec<Arg>,
        named: Vec<(&'static str, Arg)>,
    ) -> Result<Val, Refusal> {
        let known = ops::by_script(op, self.release);
        let Some(def) = known.filter(|it| it.releases.contains(self.release)) else {
            return Refusal::new(format!("Relax of this release has no `R.{op}`"));
        };
        let sinfo = self.infer(def, &args, &named)?;
        self.steps.push(Step {
            op,
            args,
            named,
            sinfo: sinfo.clone(),
        });
        Ok(Val {
            at: Written::Step(self.steps.len() - 1),
            sinfo,
        })
    }

    fn infer(
        &self,
        def: &'static OpDef,
        args: &[Arg],
        named: &[(&'static str, Arg)],
    ) -> Result<StructInfo, Refusal> {
        let mut operands: Vec<Option<Value>> = vec![None; def.params.len()];
        for (at, arg) in args.iter().enumerate() {
            if let Some(slot) = operands.get_mut(at) {
                *slot = Some(arg.value());
            }
        }
        for (name, arg) in named {
            match def.param(name) {
                Some(at) => operands[at] = Some(arg.value()),
                None => return Refusal::new(format!("`R.{}` has no `{name}`", def.script())),
            }
        }
        let call = Call {
            op: def,
            args: &operands,
            cx: &self.cx,
            release: self.release,
            oldest: self.release,
            vdevices: &[],
        };
        match ops::infer(&call) {
            Ok(sinfo) => Ok(sinfo),
            Err(Stop::Unknown) => {
                Refusal::new(format!("`R.{}` has an unknown result here", def.script()))
            }
            Err(Stop::Error(error)) => {
                Refusal::new(format!("`R.{}`: {}", def.script(), error.message))
            }
        }
    }
}

fn opaque(name: &str) -> Refusal {
    Refusal(format!("the attribute `{name}` is not a plain value"))
}

impl Arg {
    fn value(&self) -> Value {
        match self {
            Arg::Val(val) => Value::Expr(val.sinfo.clone()),
            Arg::Int(value) => Value::Int(*value),
            Arg::Float(value) => Value::Float(*value),
            Arg::Bool(value) => Value::Bool(*value),
            Arg::Str(text) => Value::Str(text.clone()),
            Arg::DType(dtype) => Value::Str(dtype.to_string().into()),
            Arg::Ints(values) => {
                Value::list(values.iter().copied().map(Value::Int).collect::<Vec<_>>())
            }
            Arg::Dims(dims) => {
                let dim = |dim: &SymExpr| match dim.as_int() {
                    Some(value) => Value::Int(value),
                    None => Value::Sym(dim.clone()),
                };
                Value::list(dims.iter().map(dim).collect::<Vec<_>>())
            }
            Arg::Prim(_, dtype) => Value::Expr(StructInfo::prim(*dtype)),
            Arg::None => Value::None,
        }
    }
}

impl From<Val> for Arg {
    fn from(val: Val) -> Arg {
        Arg::Val(val)
    }
}

impl From<&Val> for Arg {
    fn from(val: &Val) -> Arg {
        Arg::Val(val.clone())
    }
}

impl From<i64> for Arg {
    fn from(value: i64) -> Arg {
        Arg::Int(value)
    }
}

impl From<bool> for Arg {
    fn from(value: bool) -> Arg {
        Arg::Bool(value)
    }
}

impl From<f64> for Arg {
    fn from(value: f64) -> Arg {
        Arg::Float(value)
    }
}

impl From<Vec<i64>> for Arg {
    fn from(values: Vec<i64>) -> Arg {
        Arg::Ints(values)
    }
}

impl From<SmolStr> for Arg {
    fn from(text: SmolStr) -> Arg {
        Arg::Str(text)
    }
}

impl From<DType> for Arg {
    fn from(dtype: DType) -> Arg {
        Arg::DType(dtype)
    }
}

impl From<Vec<SymExpr>> for Arg {
    fn from(dims: Vec<SymExpr>) -> Arg {
        Arg::Dims(dims)
    }
}
