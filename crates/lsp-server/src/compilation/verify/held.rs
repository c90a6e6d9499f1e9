//! What the values of an imported graph are in the module.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value as Json;
use vm::tensor::{Kind, Tensor};
use vm::value::Value;

use super::ModuleValues;
use super::reference::ValueFiles;
use crate::run::inputs::is_printed_as;
use crate::run::weights::Weights;

/// What a value of the graph is in the module, as the recorder writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    Binding(String),
    Parameter(String),
    /// The name of a tensor of the recording.
    Constant(Option<String>),
    Shape(Vec<Json>),
    Scalar(Json),
    Tuple(Vec<Option<Held>>),
}

/// A value of the module, and the file with that of the reference.
pub struct Pair {
    pub ours: Tensor,
    pub file: String,
    pub binding: Option<(String, u32)>,
    /// `true` if the importer computed it.
    pub is_folded: bool,
}

/// The values of the module.
pub struct Module<'m> {
    pub values: &'m ModuleValues,
    pub tensors: &'m Weights,
    pub mapping: &'m FxHashMap<String, Held>,
}

impl Module<'_> {
    /// Returns the tensors for a value of the graph, or why it has none.
    pub fn pairs(&self, name: &str, files: &ValueFiles) -> Result<Vec<Pair>, String> {
        let held = self.mapping.get(name);
        let held = held.ok_or("the module has no counterpart")?;
        let mut pairs = Vec::new();
        self.add(held, files, &mut pairs)?;
        Ok(pairs)
    }

    fn add(&self, held: &Held, files: &ValueFiles, pairs: &mut Vec<Pair>) -> Result<(), String> {
        match held {
            Held::Binding(name) => {
                let found = self.values.bindings.get(name);
                let (offset, value) = found.ok_or_else(|| format!("`{name}` was not computed"))?;
                of_value(value, files, Some((name.clone(), *offset)), pairs)
            }
            Held::Parameter(name) => {
                let mut params = self.values.params.iter();
                let found = params.find(|it| is_printed_as(name, &it.0));
                let (_, value) = found.ok_or_else(|| format!("there is no parameter `{name}`"))?;
                of_value(value, files, None, pairs)
            }
            Held::Constant(name) => {
                let name = name
                    .as_ref()
                    .ok_or("the constant has a dtype that is not stored")?;
                let at = self.tensors.find(name);
                let at = at.ok_or("the recording lacks the constant")?;
                let ours = self.tensors.entries()[at].load()?;
                folded(ours, files, pairs)
            }
            Held::Shape(dims) => {
                let dims: Option<Vec<i64>> = dims.iter().map(Json::as_i64).collect();
                let dims = dims.ok_or("a shape that depends on shape variables")?;
                folded(vector(&dims)?, files, pairs)
            }
            Held::Scalar(value) => {
                let ours = match (value.as_i64(), value.as_f64()) {
                    (Some(value), _) => Tensor::from_vec(&[], vec![value]),
                    (None, Some(value)) => Tensor::from_vec(&[], vec![value as f32]),
                    (None, None) => return Err("a value that is no number".to_owned()),
                };
                folded(ours.map_err(|error| error.to_string())?, files, pairs)
            }
            Held::Tuple(fields) => {
                let ValueFiles::Several(files) = files else {
                    return Err("a tuple beside a tensor".to_owned());
                };
                for (field, file) in fields.iter().zip(files) {
                    if let (Some(field), Some(file)) = (field, file) {
                        self.add(field, file, pairs)?;
                    }
                }
                Ok(())
            }
        }
    }
}

fn of_value(
    value: &Value,
    files: &ValueFiles,
    binding: Option<(String, u32)>,
    pairs: &mut Vec<Pair>,
) -> Result<(), String> {
    match (value, files) {
        (Value::Tuple(fields), ValueFiles::Several(files)) => {
            for (field, file) in fields.iter().zip(files) {
                if let Some(file) = file {
                    of_value(field, file, binding.clone(), pairs)?;
                }
            }
            Ok(())
        }
        (value, ValueFiles::One(file)) => {
            let ours = match value {
                Value::Tensor(it) => it.clone(),
                Value::Shape(dims) => vector(dims)?,
                _ => return Err("the module has no tensor for it".to_owned()),
            };
            pairs.push(Pair {
                ours,
                file: file.clone(),
                binding,
                is_folded: false,
            });
            Ok(())
        }
        (_, ValueFiles::Several(_)) => Err("one value beside several tensors".to_owned()),
    }
}

fn vector(dims: &[i64]) -> Result<Tensor, String> {
    Tensor::from_vec(&[dims.len()], dims.to_vec()).map_err(|error| error.to_string())
}

fn folded(ours: Tensor, files: &ValueFiles, pairs: &mut Vec<Pair>) -> Result<(), String> {
    let ValueFiles::One(file) = files else {
        return Err("a constant beside several tensors".to_owned());
    };
    pairs.push(Pair {
        ours,
        file: file.clone(),
        binding: None,
        is_folded: true,
    });
    Ok(())
}

/// Kinds that the files of the reference cannot hold.
pub fn is_widened(kind: Kind) -> bool {
    matches!(kind, Kind::BF16 | Kind::Tiny(_))
}
