//! The inputs of a function: given values, or values generated from its signature, a seed and its dimensions.

pub(crate) mod generated;
mod index_bounds;

use relax::dtype::DType;
use relax::sinfo::{Prim, Shape, StructInfo, TensorShape};
use relax::sym::SymExpr;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use thiserror::Error;

use crate::bytecode::Function;
use crate::random::formula;
use crate::tensor::{Kind, Scalar, Tensor, show_shape};
use crate::value::{Prim as PrimValue, Value};

pub use index_bounds::IndexBounds;

use generated::Leaf;

/// Where a parameter's value comes from.
#[derive(Clone, Debug)]
pub enum Input {
    /// Generated from the name, the shape and the use of the parameter.
    Random,
    Zeros,
    Ones,
    Arange,
    /// Every element is this number, cast to the dtype.
    Constant(f64),
    /// The formula of recorded results. Floats are divided by this number.
    Formula(f64),
    Given(Tensor),
    /// An existing value.
    Value(Value),
    /// One input for each field of a tuple.
    Fields(Vec<Input>),
}

/// How to create the inputs of a run.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub dims: FxHashMap<SmolStr, i64>,
    /// The inputs of parameters, by name.
    pub given: FxHashMap<SmolStr, Input>,
    /// The input of all other parameters.
    pub default: Input,
    pub seed: u64,
    /// What integers index.
    pub bounds: IndexBounds,
}

/// The first size of a shape variable without a value.
pub const SMALLEST_DIM: i64 = 4;

/// Gives shape variables without a value small sizes: different ones, since the program may not say that two are equal.
#[expect(clippy::implicit_hasher, reason = "the map of `Inputs`")]
pub fn small_dims(function: &Function, dims: &mut FxHashMap<SmolStr, i64>) {
    let mut next = SMALLEST_DIM;
    for name in function.dims() {
        if dims.contains_key(&name) {
            continue;
        }
        while dims.values().any(|it| *it == next) {
            next += 1;
        }
        dims.insert(name, next);
    }
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            dims: FxHashMap::default(),
            given: FxHashMap::default(),
            default: Input::Random,
            seed: 0,
            bounds: IndexBounds::default(),
        }
    }
}

/// Why inputs cannot be created.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InputError {
    #[error("`{function}` has no parameter `{name}`; its parameters are {known}")]
    NoSuchParameter {
        function: SmolStr,
        name: SmolStr,
        known: String,
    },
    #[error("`{function}` has no dimension `{name}`; {known}")]
    NoSuchDimension {
        function: SmolStr,
        name: SmolStr,
        known: String,
    },
    #[error("{}: give {}", missing_dims(.names), .names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" and "))]
    MissingDimensions { names: Vec<SmolStr> },
    #[error("parameter `{param}`: {reason}")]
    Parameter { param: SmolStr, reason: String },
}

fn missing_dims(names: &[SmolStr]) -> &'static str {
    if names.len() == 1 {
        "a dimension has no value"
    } else {
        "dimensions have no value"
    }
}

impl Inputs {
    /// Returns a value for each parameter of `function`.
    pub fn make(&self, function: &Function) -> Result<Vec<Value>, InputError> {
        let params = function.source_params();
        if let Some(name) = self
            .given
            .keys()
            .find(|name| params.iter().all(|p| p.name != **name))
        {
            let known: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
            return Err(InputError::NoSuchParameter {
                function: function.name.clone(),
                name: name.clone(),
                known: known.join(", "),
            });
        }
        let names = function.dims();
        if let Some(name) = self.dims.keys().find(|name| !names.contains(name)) {
            return Err(InputError::NoSuchDimension {
                function: function.name.clone(),
                name: name.clone(),
                known: if names.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("it has {}", names.join(", "))
                },
            });
        }
        let mut dims = self.dims.clone();
        for param in params {
            if let Some(input) = self.given.get(&param.name) {
                input.bind_dims(&param.struct_info, &mut |name, extent| {
                    dims.entry(name.clone()).or_insert(extent);
                });
            }
        }
        let mut maker = Maker {
            dims,
            missing: Vec::new(),
            inputs: self,
            param: (0, ""),
            field: None,
            leaf: 0,
        };
        let mut values = Vec::with_capacity(params.len());
        for (at, param) in params.iter().enumerate() {
            maker.param = (at, &param.name);
            let default = match &self.default {
                // What a PrimFunc does not write, or adds to, should not be a random number.
                Input::Random if function.outputs.contains(&param.name) => &Input::Zeros,
                default => default,
            };
            let input = self.given.get(&param.name).unwrap_or(default);
            // Printed programs may have two parameters of one name.
            let namesake = params[..at].iter().position(|it| it == param);
            if let (Input::Random, Some(namesake)) = (input, namesake) {
                let value: &Value = &values[namesake];
                values.push(value.clone());
                continue;
            }
            let made =
                maker
                    .value(&param.struct_info, input)
                    .map_err(|reason| InputError::Parameter {
                        param: param.name.clone(),
                        reason,
                    })?;
            values.push(made);
        }
        if maker.missing.is_empty() {
            Ok(values)
        } else {
            Err(InputError::MissingDimensions {
                names: maker.missing,
            })
        }
    }
}

impl Input {
    /// Reports the dimensions that given tensors determine.
    pub fn bind_dims(&self, sinfo: &StructInfo, settled: &mut impl FnMut(&SmolStr, i64)) {
        match (self, sinfo) {
            (
                Input::Given(tensor) | Input::Value(Value::Tensor(tensor)),
                StructInfo::Tensor(info),
            ) => {
                let TensorShape::Known(wanted) = &info.shape else {
                    return;
                };
                if wanted.len() != tensor.ndim() {
                    return;
                }
                for (dim, &got) in wanted.iter().zip(tensor.shape()) {
                    if let Some(var) = dim.as_var() {
                        settled(&var.name, got as i64);
                    }
                }
            }
            (Input::Constant(value), StructInfo::Prim(prim)) => {
                if let Some(var) = prim.value.as_ref().and_then(SymExpr::as_var) {
                    settled(&var.name, *value as i64);
                }
            }
            (Input::Fields(inputs), StructInfo::Tuple(fields)) => {
                for (input, field) in inputs.iter().zip(fields.iter()) {
                    input.bind_dims(field, settled);
                }
            }
            _ => {}
        }
    }
}

struct Maker<'i> {
    dims: FxHashMap<SmolStr, i64>,
    missing: Vec<SmolStr>,
    inputs: &'i Inputs,
    /// The current parameter: its index and name.
    param: (usize, &'i str),
    /// The current field of a tuple.
    field: Option<usize>,
    /// The index of the current leaf. Each leaf of a tuple counts.
    leaf: usize,
}

impl Maker<'_> {
    fn value(&mut self, sinfo: &StructInfo, input: &Input) -> Result<Value, String> {
        match (sinfo, input) {
            (_, Input::Value(value)) => {
                self.leaf += 1;
                Ok(value.clone())
            }
            (StructInfo::Tuple(fields), _) => {
                let mut values = Vec::with_capacity(fields.len());
                for (at, field) in fields.iter().enumerate() {
                    let input = match input {
                        Input::Fields(inputs) => inputs.get(at).unwrap_or(&Input::Random),
                        input => input,
                    };
                    self.field = Some(at);
                    values.push(self.value(field, input)?);
                }
                self.field = None;
                Ok(Value::tuple(values))
            }
            (StructInfo::Prim(prim), input) => {
                self.leaf += 1;
                self.prim(prim, input)
            }
            (_, Input::Given(tensor)) => {
                self.leaf += 1;
                // A file holds the codes of tiny numbers without their format.
                let kind = sinfo
                    .as_tensor()
                    .and_then(relax::sinfo::Tensor::known_dtype);
                Ok(match kind.map(Kind::of) {
                    Some(Ok(kind @ Kind::Tiny(_))) => tensor.clone().with_kind(kind).into(),
                    _ => tensor.clone().into(),
                })
            }
            (StructInfo::Tensor(tensor), input) => self.tensor(tensor, input),
            (StructInfo::DTensor(dtensor), input) => self.tensor(&dtensor.tensor, input),
            (StructInfo::Shape(Shape::Known(dims)), _) => {
                let dims: Vec<i64> = dims.iter().map(|dim| self.dim(dim)).collect();
                Ok(dims.into())
            }
            (StructInfo::Shape(Shape::Unknown(_)), _) => {
                Err("its dimensions are not known, so it cannot be made".to_owned())
            }
            (StructInfo::String, _) => Ok(Value::from("")),
            (StructInfo::Callable(_), _) => Err("a function cannot be made".to_owned()),
            (StructInfo::Object | StructInfo::Unknown, _) => {
                let pass = "pass a tensor, or the result of another function (`--script`)";
                Err(format!("its annotation does not describe it: {pass}"))
            }
        }
    }

    /// Returns the value of a dimension. A variable without a value counts as 1 for now.
    fn dim(&mut self, dim: &SymExpr) -> i64 {
        dim.for_each_var(&mut |var| {
            if !self.dims.contains_key(&var.name)
                && !var.is_python()
                && !self.missing.contains(&var.name)
            {
                self.missing.push(var.name.clone());
            }
        });
        dim.eval(&|var| self.dims.get(&var.name).copied())
            .unwrap_or(1)
    }

    fn prim(&mut self, prim: &Prim, input: &Input) -> Result<Value, String> {
        let dtype = prim.dtype.unwrap_or(DType::I64);
        let given = match input {
            Input::Given(tensor) => tensor.get(0),
            Input::Constant(value) if !dtype.is_float() && value.fract() != 0.0 => {
                return Err(format!("{value} is not {dtype}"));
            }
            Input::Constant(value) => Some(Scalar::Float(*value)),
            Input::Zeros | Input::Arange => Some(Scalar::Int(0)),
            Input::Ones => Some(Scalar::Int(1)),
            _ => None,
        };
        // With one input for all parameters, a shape variable keeps the value of its dimension.
        let given = given.filter(|_| {
            prim.value.is_none() || !matches!(input, Input::Zeros | Input::Ones | Input::Arange)
        });
        let scalar = match (given, &prim.value) {
            (Some(scalar), _) => scalar,
            (None, Some(value)) if !dtype.is_float() => Scalar::Int(self.dim(value)),
            (None, _) if dtype.is_float() => Scalar::Float(0.5),
            (None, _) if dtype.is_bool() => Scalar::Bool(true),
            (None, _) => Scalar::Int(1),
        };
        Ok(Value::Prim(PrimValue {
            dtype,
            value: scalar.cast(dtype).unwrap_or(scalar),
        }))
    }

    fn tensor(&mut self, tensor: &relax::sinfo::Tensor, input: &Input) -> Result<Value, String> {
        let Some(dims) = tensor.dims() else {
            return Err("its shape is unknown: pass a tensor".to_owned());
        };
        if dims.iter().any(|d| d.any_var(&|v| v.is_python())) {
            return Err("its shape is only known when Python runs: pass a tensor".to_owned());
        }
        let before = self.missing.len();
        let mut shape = Vec::with_capacity(dims.len());
        for dim in dims {
            let extent = self.dim(dim);
            let extent = usize::try_from(extent)
                .map_err(|_| format!("dimension `{dim}` would be {extent}"))?;
            shape.push(extent);
        }
        let kind =
            Kind::of(tensor.known_dtype().unwrap_or(DType::F32)).map_err(|e| e.to_string())?;
        let leaf = self.leaf;
        self.leaf += 1;
        if self.missing.len() > before {
            // The run will stop because of the missing dimensions, so don't allocate memory for a guess.
            shape.fill(0);
        }
        let made = match input {
            Input::Random => self
                .generated(leaf)
                .generate(self.inputs.seed, kind, &shape),
            Input::Zeros => Tensor::zeros(kind, &shape),
            Input::Ones => Tensor::full(kind, &shape, Scalar::Int(1)),
            Input::Arange => arange(kind, &shape),
            Input::Constant(value) => Tensor::full(kind, &shape, Scalar::Float(*value)),
            Input::Formula(divisor) => formula(leaf, kind, &shape, *divisor),
            Input::Given(tensor) => Ok(tensor.clone()),
            Input::Value(value) => return Ok(value.clone()),
            Input::Fields(_) => return Err("fields are given, but it is not a tuple".to_owned()),
        };
        made.map(Value::Tensor)
            .map_err(|error| format!("{}: {error}", show_shape(&shape)))
    }
}

impl Maker<'_> {
    fn generated(&self, leaf: usize) -> Leaf<'_> {
        let (param, name) = self.param;
        let extent = |dim: &SymExpr| dim.eval(&|var| self.dims.get(&var.name).copied());
        Leaf {
            name,
            field: self.field,
            is_first: leaf == 0,
            below: self.inputs.bounds.smallest((param, self.field), &extent),
        }
    }
}

fn arange(kind: Kind, shape: &[usize]) -> crate::error::RunResult<Tensor> {
    use crate::tensor::{Element, dispatch};
    if let Kind::Tiny(_) = kind {
        return arange(Kind::I64, shape)?.cast(kind);
    }
    let made = dispatch!(kind, T => Tensor::from_fn::<T>(shape, |i| {
        if kind == Kind::Bool { T::from_i64(i64::from(i > 0)) } else { T::from_i64(i as i64) }
    })?);
    Ok(made.with_kind(kind))
}
