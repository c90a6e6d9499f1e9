//! The arguments of a script's calls, which are JSON.

use std::path::Path;
use std::sync::Arc;

use relax::dtype::DType;
use relax::sinfo::{StructInfo, TensorShape};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use smol_str::SmolStr;
use vm::Input;
use vm::bytecode::Param;
use vm::tensor::{Kind, Scalar, Tensor};
use vm::value::{Adt, Value};

use super::super::compiled::Constructors;
use super::super::job::InputSource;
use super::super::{inputs, npy};
use super::Args;
use super::derived::derived;

/// The names that arguments can refer to.
pub(super) struct Scope<'j> {
    directory: &'j Path,
    results: FxHashMap<String, Value>,
    /// The constructors of a Relay text, in which numbers are tensors without dimensions.
    constructors: Option<Constructors>,
}

impl<'j> Scope<'j> {
    pub(super) fn new(directory: &'j Path, constructors: Option<Constructors>) -> Scope<'j> {
        Scope {
            directory,
            results: FxHashMap::default(),
            constructors,
        }
    }

    /// Later calls may take this result.
    pub(super) fn name(&mut self, name: String, result: Value) {
        self.results.insert(name, result);
    }

    pub(super) fn named(
        &self,
        args: &Args,
        params: &[Param],
    ) -> Result<Vec<(SmolStr, Input)>, String> {
        match args {
            Args::ByPosition(args) if args.len() > params.len() => Err(format!(
                "it takes {} arguments, but {} are given",
                params.len(),
                args.len()
            )),
            Args::ByPosition(args) => {
                let named = params.iter().zip(args);
                named
                    .map(|(param, arg)| Ok((param.name.clone(), self.input(arg, Some(param))?)))
                    .collect()
            }
            Args::ByName(args) => args
                .iter()
                .map(|(name, arg)| {
                    let param = params.iter().find(|it| it.name == name);
                    Ok((name.as_str().into(), self.input(arg, param)?))
                })
                .collect(),
        }
    }

    fn input(&self, arg: &Json, param: Option<&Param>) -> Result<Input, String> {
        match arg {
            Json::String(text) if !text.starts_with('$') => {
                inputs::source(self.directory, &InputSource::from(text.clone()))
            }
            _ => {
                let dtype = param.and_then(|it| dtype_of_scalar(&it.struct_info));
                self.value_of(arg, dtype).map(Input::Value)
            }
        }
    }

    pub(super) fn value(&self, arg: &Json) -> Result<Value, String> {
        self.value_of(arg, None)
    }

    /// `dtype` is what a scalar of Relay has there.
    fn value_of(&self, arg: &Json, dtype: Option<DType>) -> Result<Value, String> {
        match arg {
            Json::Null => Ok(Value::Null),
            Json::Bool(_) | Json::Number(_) if self.constructors.is_some() => scalar(arg, dtype),
            Json::Bool(value) => Ok(Value::bool(*value)),
            Json::Number(number) => Ok(match number.as_i64() {
                Some(value) => Value::int(value),
                None => Value::float(number.as_f64().unwrap_or_default()),
            }),
            Json::String(text) => match text.strip_prefix('$') {
                Some(path) => self.result(path),
                None if Path::new(text).extension().is_some_and(|it| it == "npy") => {
                    npy::read(&self.directory.join(text)).map(Value::from)
                }
                None => Ok(Value::from(text.as_str())),
            },
            Json::Array(items) => {
                let items = items.iter().map(|item| self.value(item));
                Ok(Value::tuple(items.collect::<Result<Vec<_>, _>>()?))
            }
            Json::Object(fields) if fields.contains_key("constructor") => self.constructed(fields),
            Json::Object(fields)
                if let Some(value) = derived(fields, &|inner| self.value(inner)) =>
            {
                value
            }
            Json::Object(fields) => match (fields.get("shape"), fields.get("tensor")) {
                (Some(Json::Array(dims)), None) => {
                    let dims: Option<Vec<i64>> = dims.iter().map(Json::as_i64).collect();
                    let dims = dims.ok_or("a shape holds integers")?;
                    Ok(Value::from(dims))
                }
                (None, Some(elements)) => {
                    let dtype = fields
                        .get("dtype")
                        .and_then(Json::as_str)
                        .unwrap_or("float32");
                    tensor(elements, dtype).map(Value::from)
                }
                _ => Err(format!(
                    "{arg} is not a valid argument: give a number, a list, \"$name\", {{\"shape\": [..]}}, {{\"tensor\": [..], \"dtype\": ..}}, {{\"argmax\": ..}} or {{\"reshape\": .., \"shape\": [..]}}"
                )),
            },
        }
    }

    /// `{"constructor": "Cons", "fields": [1, {"constructor": "Nil"}]}`
    fn constructed(&self, arg: &serde_json::Map<String, Json>) -> Result<Value, String> {
        let name = arg["constructor"].as_str().unwrap_or_default();
        let known = self.constructors.as_ref().and_then(|it| it.get(name));
        let known = known.ok_or_else(|| format!("the file has no constructor `{name}`"))?;
        let fields = arg.get("fields").and_then(Json::as_array);
        let fields = fields.map_or(&[][..], Vec::as_slice);
        if fields.len() != known.len() {
            let (takes, given) = (known.len(), fields.len());
            return Err(format!(
                "`{name}` takes {takes} fields, but {given} are given"
            ));
        }
        let fields = fields.iter().zip(known);
        let fields = fields.map(|(field, dtype)| self.value_of(field, *dtype));
        Ok(Value::Adt(Arc::new(Adt {
            constructor: name.into(),
            fields: fields.collect::<Result<_, _>>()?,
        })))
    }

    /// Returns the result for `name`, or the field for `name.0`.
    fn result(&self, path: &str) -> Result<Value, String> {
        let mut parts = path.split('.');
        let name = parts.next().unwrap_or_default();
        let missing = || format!("no earlier call is named `{path}`");
        let mut value = self.results.get(name).cloned().ok_or_else(missing)?;
        for part in parts {
            let Value::Tuple(fields) = &value else {
                return Err(format!("`${path}`: {} has no fields", value.describe()));
            };
            let field = part
                .parse::<usize>()
                .ok()
                .and_then(|at| fields.get(at).cloned());
            value = field.ok_or_else(missing)?;
        }
        Ok(value)
    }
}

fn dtype_of_scalar(struct_info: &StructInfo) -> Option<DType> {
    match struct_info {
        StructInfo::Tensor(tensor) => match &tensor.shape {
            TensorShape::Known(dims) if dims.is_empty() => tensor.dtype,
            _ => None,
        },
        _ => None,
    }
}

/// Converts a number or a boolean of Relay: `1` is `int32` and `1.5` is `float32`, unless another dtype is expected.
fn scalar(literal: &Json, dtype: Option<DType>) -> Result<Value, String> {
    let (tensor, natural) = match literal {
        Json::Bool(value) => (Tensor::scalar(i64::from(*value)), DType::BOOL),
        literal => match literal.as_i64() {
            Some(value) => (Tensor::scalar(value), DType::I32),
            None => (
                Tensor::scalar(literal.as_f64().unwrap_or_default()),
                DType::F32,
            ),
        },
    };
    let kind = Kind::of(dtype.unwrap_or(natural)).map_err(|error| error.to_string())?;
    let tensor = tensor.and_then(|it| it.cast(kind));
    tensor.map(Value::from).map_err(|error| error.to_string())
}

/// Converts nested lists of numbers to a tensor.
fn tensor(elements: &Json, dtype: &str) -> Result<Tensor, String> {
    let dtype = DType::parse(dtype).ok_or_else(|| format!("`{dtype}` is not a dtype"))?;
    let kind = Kind::of(dtype).map_err(|error| error.to_string())?;
    let mut shape = Vec::new();
    let mut level = elements;
    while let Json::Array(items) = level {
        shape.push(items.len());
        match items.first() {
            Some(first) => level = first,
            None => break,
        }
    }
    let mut flat = Vec::new();
    flatten(elements, shape.len(), &mut flat)?;
    let values = Tensor::from_vec(&shape, flat).map_err(|error| error.to_string())?;
    values.cast(kind).map_err(|error| error.to_string())
}

fn flatten(elements: &Json, depth: usize, into: &mut Vec<f64>) -> Result<(), String> {
    match elements {
        Json::Array(items) if depth > 0 => items
            .iter()
            .try_for_each(|item| flatten(item, depth - 1, into)),
        Json::Bool(value) => {
            into.push(Scalar::Bool(*value).as_f64());
            Ok(())
        }
        Json::Number(number) if depth == 0 => {
            into.push(number.as_f64().unwrap_or_default());
            Ok(())
        }
        other => Err(format!("{other} cannot be an element of a tensor")),
    }
}
