//! Runs operators of Relay with Relax kernels: the recipe of the operator is expanded for the values of a call, which
//! determine all extents.
//!
//! The recipes are those of the translation to Relax.

use relax::dtype::DType;
use relax::ops;
use relax::relay::attrs::Value as Attr;
use relax::relay::ops::Entry;
use relax::relay::recipes::{self, Build, Recipe, Refusal, Step, Written};
use relax::relay::{Dim, Site, Type, attribute, struct_info};
use relax::release::Release;
use smol_str::SmolStr;

use super::{Arg, Out, lookup};
use crate::error::{Fault, RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};

/// The maximum number of elements of a shape or another list of numbers.
const MOST_ELEMENTS: usize = 256;

/// An operator with the attributes of a call.
#[derive(Debug)]
pub struct Operator {
    entry: &'static Entry,
    recipe: Recipe,
    attrs: Vec<(SmolStr, Attr)>,
}

impl Operator {
    /// Returns `None` if there is no recipe for the operator.
    pub fn new(entry: &'static Entry, attrs: Vec<(SmolStr, Attr)>) -> Option<Operator> {
        let recipe = recipes::of(entry.op.name)?;
        Some(Operator {
            entry,
            recipe,
            attrs,
        })
    }

    pub fn name(&self) -> &'static str {
        self.entry.op.name
    }

    pub fn call(&self, inputs: &[Value]) -> RunResult<Value> {
        self.compute(inputs).map_err(|error| {
            let inputs: Vec<String> = inputs.iter().map(Value::describe).collect();
            let site = format!("{}({})", self.name(), inputs.join(", "));
            RunError {
                site: Some(site.into()),
                ..error
            }
        })
    }

    fn compute(&self, inputs: &[Value]) -> RunResult<Value> {
        let types: Vec<Type> = inputs.iter().map(type_of).collect();
        let constant = |at: usize| number(inputs.get(at)?);
        let elements = |at: usize| match inputs.get(at)? {
            Value::Tensor(tensor) if tensor.len() <= MOST_ELEMENTS => (0..tensor.len())
                .map(|at| tensor.get(at).map(Scalar::as_f64))
                .collect(),
            _ => None,
        };
        let site = Site {
            entry: self.entry,
            types: &types,
            given: &|name| attribute(&self.attrs, name),
            constant: &constant,
        };
        let sinfos = types
            .iter()
            .map(|it| struct_info::of(it, &mut None).unwrap_or_default());
        let mut build = Build::new(&site, sinfos.collect(), Release::NEWEST).knowing(&elements);
        let result = match self.recipe.write(&mut build) {
            Ok(result) => result.at,
            Err(Refusal(why)) => return Err(Fault::Unsupported(why).into()),
        };
        let mut made = RecipeSteps {
            inputs,
            steps: &build.steps,
            done: vec![None; build.steps.len()],
        };
        made.value(&result)
    }
}

/// Returns the type of a value. Only tensors need one.
fn type_of(value: &Value) -> Type {
    match value {
        Value::Tensor(tensor) => {
            let dims = tensor.shape().iter().map(|it| Dim::Int(*it as i64));
            Type::tensor(dims.collect::<Vec<_>>(), tensor.dtype())
        }
        Value::Tuple(fields) => Type::tuple(fields.iter().map(type_of).collect::<Vec<_>>()),
        _ => Type::Unknown,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value.as_scalar()? {
        Scalar::Bool(_) => None,
        scalar => Some(scalar.as_f64()),
    }
}

/// The steps of a recipe, computed on demand. Some steps are unused: they belong to attempts that Relax rejected.
struct RecipeSteps<'a> {
    inputs: &'a [Value],
    steps: &'a [Step],
    done: Vec<Option<Value>>,
}

impl RecipeSteps<'_> {
    fn value(&mut self, at: &Written) -> RunResult<Value> {
        match at {
            Written::Input(at) => Ok(self.inputs[*at].clone()),
            Written::Number(value, dtype) => constant(*value, *dtype).map(Value::Tensor),
            Written::Step(at) => {
                if let Some(value) = &self.done[*at] {
                    return Ok(value.clone());
                }
                let value = self.step(&self.steps[*at])?;
                self.done[*at] = Some(value.clone());
                Ok(value)
            }
            Written::Field(of, index) => match self.value(of)? {
                Value::Tuple(fields) if *index < fields.len() => Ok(fields[*index].clone()),
                other => Err(RunError::argument(format!(
                    "{} has no field {index}",
                    other.describe()
                ))),
            },
            Written::Tuple(parts) => {
                let parts: RunResult<Vec<Value>> = parts.iter().map(|it| self.value(it)).collect();
                Ok(Value::tuple(parts?))
            }
        }
    }

    fn step(&mut self, step: &Step) -> RunResult<Value> {
        let def = ops::by_script(step.op, Release::NEWEST);
        let Some((def, kernel)) = def.and_then(|def| Some((def, lookup(def.name)?))) else {
            let why = format!("`R.{}` has no kernel on this machine", step.op);
            return Err(Fault::Unsupported(why).into());
        };
        let mut args = vec![Arg::Default; def.params.len().max(step.args.len())];
        for (slot, arg) in args.iter_mut().zip(&step.args) {
            *slot = self.argument(arg)?;
        }
        for (name, arg) in &step.named {
            if let Some(at) = def.param(name) {
                args[at] = self.argument(arg)?;
            }
        }
        let dtype = match &step.sinfo {
            relax::sinfo::StructInfo::Tensor(tensor) => tensor.known_dtype(),
            _ => None,
        };
        kernel.call(def.params, &args, Some(&Out { shape: None, dtype }))
    }

    fn argument(&mut self, arg: &recipes::Arg) -> RunResult<Arg> {
        let ints = |values: Vec<i64>| Arg::List(values.into_iter().map(Arg::Int).collect());
        Ok(match arg {
            recipes::Arg::Val(val) => Arg::Value(self.value(&val.at)?),
            recipes::Arg::Int(value) => Arg::Int(*value),
            recipes::Arg::Float(value) => Arg::Float(*value),
            recipes::Arg::Bool(value) => Arg::Bool(*value),
            recipes::Arg::Str(value) => Arg::Str(value.clone()),
            recipes::Arg::DType(dtype) => Arg::DType(*dtype),
            recipes::Arg::Ints(values) => ints(values.clone()),
            recipes::Arg::Dims(dims) => {
                let dims: Option<Vec<i64>> = dims.iter().map(relax::sym::SymExpr::as_int).collect();
                let missing = || RunError::shape("an extent is not known");
                ints(dims.ok_or_else(missing)?)
            }
            recipes::Arg::Prim(value, dtype) => Arg::Value(Value::Prim(Prim {
                dtype: *dtype,
                value: Scalar::Float(*value).cast(*dtype)?,
            })),
            recipes::Arg::None => Arg::None,
        })
    }
}

fn constant(value: f64, dtype: DType) -> RunResult<Tensor> {
    Tensor::full(Kind::of(dtype)?, &[], Scalar::Float(value))
}
