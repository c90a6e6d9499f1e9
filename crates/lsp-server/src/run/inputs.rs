//! The arguments of a run: files are read and dimensions settled here, the rest the vm makes.

use std::collections::BTreeMap;
use std::path::Path;

use relax::sinfo::Tensor as TensorInfo;
use vm::bytecode::Function;
use vm::tensor::Tensor;
use vm::value::Value;
use vm::{Input, InputError, Inputs};

use super::job::{InputSource, Job};
use super::npy;

/// What the formula's small integers are divided by, for floating point.
const FORMULA_DIVISOR: f64 = 64.0;

/// The name that stands for every parameter that is not named.
const EVERY: &str = "*";

/// A value for each parameter, and every dimension's; or what is missing.
pub fn prepare(
    job: &Job,
    function: &Function,
) -> Result<(Vec<Value>, BTreeMap<String, i64>), String> {
    let mut inputs = Inputs {
        seed: job.seed,
        ..Inputs::default()
    };
    for (name, source) in &job.inputs {
        let input = input(job, source)?;
        if name == EVERY {
            inputs.default = input;
        } else {
            inputs.given.insert(name.as_str().into(), input);
        }
    }
    let dims = dims(job, function, &inputs);
    inputs.dims = dims
        .iter()
        .map(|(name, &value)| (name.as_str().into(), value))
        .collect();
    let values = inputs.make(function).map_err(|error| match &error {
        InputError::MissingDimensions { names } => {
            let options: Vec<String> = names
                .iter()
                .map(|name| format!("--dim {name}=16"))
                .collect();
            format!("{error}, for example `{}`", options.join(" "))
        }
        _ => error.to_string(),
    })?;
    Ok((values, dims))
}

fn input(job: &Job, source: &InputSource) -> Result<Input, String> {
    Ok(match source {
        InputSource::Random => Input::Random,
        InputSource::Zeros => Input::Zeros,
        InputSource::Ones => Input::Ones,
        InputSource::Arange => Input::Arange,
        InputSource::Constant(number) => Input::Constant(*number),
        InputSource::Formula => Input::Formula(FORMULA_DIVISOR),
        InputSource::Npy(path) => {
            let directory = job.directory.as_deref().unwrap_or(Path::new(""));
            Input::Given(npy::read(&directory.join(path))?)
        }
    })
}

/// Values as chosen, else as the shapes of files have them, else the default if there is one.
fn dims(job: &Job, function: &Function, inputs: &Inputs) -> BTreeMap<String, i64> {
    let mut dims = job.dims.clone();
    for param in function.source_params() {
        if let Some(Input::Given(tensor)) = inputs.given.get(&param.name) {
            let declared = param.struct_info.as_tensor().and_then(TensorInfo::dims);
            bind_dims(declared.unwrap_or_default(), tensor, &mut dims);
        }
    }
    if let Some(default) = job.default_dim {
        for name in function.dims() {
            dims.entry(name.to_string()).or_insert(default as i64);
        }
    }
    dims
}

fn bind_dims(declared: &[relax::sym::SymExpr], tensor: &Tensor, dims: &mut BTreeMap<String, i64>) {
    for (dim, &extent) in declared.iter().zip(tensor.shape()) {
        if let Some(var) = dim.as_var() {
            dims.entry(var.name.to_string()).or_insert(extent as i64);
        }
    }
}
