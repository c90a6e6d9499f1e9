//! The inputs of a run: reads files and determines dimensions; the vm generates the rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use relax::sinfo::StructInfo;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use vm::bytecode::Function;
use vm::value::Value;
use vm::{IndexBounds, Input, Inputs, Program};

use super::job::{InputSource, Job};
use super::kept_objects::missing;
use super::npy;
use super::weights::{self, Weights};
use crate::compilation::bare_name;

/// The divisor of the formula's small integers for floating point.
const FORMULA_DIVISOR: f64 = 64.0;

/// The name that stands for all parameters without an input of their own.
const EVERY: &str = "*";

/// The inputs of a run.
#[derive(Default)]
pub struct Prepared {
    pub values: Vec<Value>,
    pub dims: BTreeMap<String, i64>,
    /// Weights that no parameter takes.
    pub unused_weights: Vec<String>,
}

/// Returns a value for each parameter and each dimension, or an error that says what is missing.
pub fn prepare(
    job: &Job,
    program: &Program,
    function: &Function,
    given: Vec<(SmolStr, Input)>,
) -> Result<Prepared, String> {
    let mut inputs = Inputs {
        seed: job.seed,
        bounds: IndexBounds::of(program, function),
        ..Inputs::default()
    };
    for (name, source) in &job.inputs {
        if given.iter().any(|(it, _)| it == name) {
            continue;
        }
        let input = self::source(directory(job), source)?;
        if name == EVERY {
            inputs.default = input;
        } else {
            inputs.given.insert(name.as_str().into(), input);
        }
    }
    inputs.given.extend(given);
    let unused_weights = weights(job, function, &mut inputs)?;
    recorded(job, function, &mut inputs)?;
    fields(function, &mut inputs);
    inputs.dims = dims(job, function, &inputs);
    let dims = inputs.dims.iter();
    let dims = dims
        .map(|(name, &value)| (name.to_string(), value))
        .collect();
    let values = inputs.make(function).map_err(|error| error.to_string())?;
    Ok(Prepared {
        values,
        dims,
        unused_weights,
    })
}

/// Assigns weights from files to parameters without a value. Returns the weights that are left over.
fn weights(job: &Job, function: &Function, inputs: &mut Inputs) -> Result<Vec<String>, String> {
    if job.weights.is_empty() {
        return Ok(Vec::new());
    }
    let directory = directory(job);
    let paths: Vec<PathBuf> = job.weights.iter().map(|it| directory.join(it)).collect();
    let weights = Weights::open(&paths)?;
    let given = |name: &str| inputs.given.contains_key(name);
    let fitted = weights::fit(
        &weights,
        function,
        &job.weight_names,
        &given,
        job.allow_missing,
    )?;
    for (name, input) in fitted.inputs {
        inputs.given.insert(name.as_str().into(), input);
    }
    Ok(fitted.unused)
}

/// Gives the parameters of a recorded module without a value their recorded weights.
fn recorded(job: &Job, function: &Function, inputs: &mut Inputs) -> Result<(), String> {
    let bare = bare_name(&function.name);
    let Some((names, file)) = job.constants.recorded_params(bare) else {
        return Ok(());
    };
    if names.is_empty() {
        return Ok(());
    }
    let weights = Weights::open(&[file])?;
    for param in function.source_params() {
        let name = names.iter().find(|it| is_printed_as(it.0, &param.name));
        if let Some((_, name)) = name
            && !inputs.given.contains_key(&param.name)
            && let Some(at) = weights.find(name)
        {
            let tensor = weights.entries()[at].load()?;
            inputs
                .given
                .insert(param.name.clone(), Input::Given(tensor));
        }
    }
    Ok(())
}

/// Returns `true` if TVM prints a name so: other characters become `_`.
pub fn is_printed_as(name: &str, printed: &str) -> bool {
    let safe = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(safe).eq(printed.chars())
}

/// Applies an input such as `packed.3` to one field of a tuple, and keeps the other fields.
fn fields(function: &Function, inputs: &mut Inputs) {
    let dotted: Vec<SmolStr> = inputs
        .given
        .keys()
        .filter(|it| it.contains('.'))
        .cloned()
        .collect();
    for name in dotted {
        let Some((param, at)) = name.rsplit_once('.') else {
            continue;
        };
        let tuple = function.source_params().iter().find(|it| it.name == param);
        let count = match tuple.map(|it| &it.struct_info) {
            Some(StructInfo::Tuple(fields)) => fields.len(),
            _ => continue,
        };
        let Some(at) = at.parse::<usize>().ok().filter(|&at| at < count) else {
            continue;
        };
        let Some(input) = inputs.given.remove(&name) else {
            continue;
        };
        let all = inputs.given.entry(param.into());
        let default = &inputs.default;
        let all = all.or_insert_with(|| Input::Fields(vec![default.clone(); count]));
        if !matches!(all, Input::Fields(_)) {
            *all = Input::Fields(vec![all.clone(); count]);
        }
        if let Input::Fields(fields) = all {
            fields[at] = input;
        }
    }
}

fn directory(job: &Job) -> &Path {
    job.directory.as_deref().unwrap_or(Path::new(""))
}

/// Resolves the source of an input. Relative paths start in `directory`.
pub(super) fn source(directory: &Path, source: &InputSource) -> Result<Input, String> {
    Ok(match source {
        InputSource::Random => Input::Random,
        InputSource::Zeros => Input::Zeros,
        InputSource::Ones => Input::Ones,
        InputSource::Arange => Input::Arange,
        InputSource::Constant(number) => Input::Constant(*number),
        InputSource::Formula => Input::Formula(FORMULA_DIVISOR),
        InputSource::Npy(path) => Input::Given(npy::read(&directory.join(path))?),
        InputSource::Result(name) => return Err(missing(name)),
    })
}

/// Returns the values of dimensions: as chosen, else from the shapes of files, else the default or a small size.
fn dims(job: &Job, function: &Function, inputs: &Inputs) -> FxHashMap<SmolStr, i64> {
    let chosen = job.dims.iter();
    let mut dims: FxHashMap<SmolStr, i64> = chosen
        .map(|(name, &value)| (name.as_str().into(), value))
        .collect();
    for param in function.source_params() {
        if let Some(input) = inputs.given.get(&param.name) {
            input.bind_dims(&param.struct_info, &mut |name, extent| {
                dims.entry(name.clone()).or_insert(extent);
            });
        }
    }
    match job.default_dim {
        Some(default) => {
            for name in function.dims() {
                dims.entry(name).or_insert(default as i64);
            }
        }
        None => vm::small_dims(function, &mut dims),
    }
    dims
}
