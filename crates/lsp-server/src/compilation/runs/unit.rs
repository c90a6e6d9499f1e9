//! What runs in each stage: a function, or the calls of a script.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use smol_str::SmolStr;
use vm::bytecode::Function;
use vm::tensor::{Kind, Scalar, Tensor};
use vm::value::Value;
use vm::{Binding, Input, Observer};

use super::Options;
use crate::run::constants::ConstantFiles;
use crate::run::execute::{Leaves, Listener, execute_given};
use crate::run::job::{Job, Limits};
use crate::run::limits::Deadline;
use crate::run::observed::Observed;
use crate::run::outcome::{Cause, Failure, Outcome};
use crate::run::script::{self, Step, is_packed};

pub enum Unit {
    Function(String),
    Script(PathBuf, Vec<Step>),
}

/// The values of a unit in one stage.
pub struct Values {
    pub calls: Vec<Call>,
    /// The indices of constants that were generated, in order.
    pub generated: Vec<u32>,
}

impl Values {
    /// Returns the number of finite elements in the results, and of all.
    pub fn finite(&self) -> (usize, usize) {
        let leaves = self.calls.iter().flat_map(|it| &it.leaves);
        let summaries = leaves.filter_map(|(_, value)| match value {
            Value::Tensor(it) => it.summary(0).ok(),
            _ => None,
        });
        summaries.fold((0, 0), |(finite, total), it| {
            (finite + it.count - it.nan - it.inf, total + it.count)
        })
    }
}

/// The values of one call. A packed function only has a result.
pub struct Call {
    pub function: String,
    pub observed: Observed,
    pub leaves: Leaves,
}

/// Why a unit has no result.
pub struct Stop {
    pub message: String,
    /// The offset in the text that ran.
    pub offset: Option<u32>,
    /// `true` if the program raised an error, rather than exceeding a limit or what can be run here.
    pub is_raised: bool,
}

impl Unit {
    pub fn script(path: &Path) -> anyhow::Result<Unit> {
        let shown = path.display();
        let text = std::fs::read(path).with_context(|| format!("cannot read `{shown}`"))?;
        let steps = script::read(&text).map_err(|why| anyhow!("`{shown}`: {why}"))?;
        Ok(Unit::Script(path.to_owned(), steps))
    }

    /// Returns the name for reports.
    pub fn name(&self) -> String {
        match self {
            Unit::Function(name) => name.clone(),
            Unit::Script(path, _) => {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
        }
    }

    /// Returns the functions of the module that it calls.
    pub fn functions(&self) -> Vec<&str> {
        match self {
            Unit::Function(name) => vec![name],
            Unit::Script(_, steps) => {
                let called = steps.iter().map(|step| step.call.as_str());
                called.filter(|name| !is_packed(name)).collect()
            }
        }
    }

    /// Runs the unit in a stage. `inputs` are those of an earlier stage.
    pub fn run(
        &self,
        stage: &Stage<'_>,
        options: &Options,
        limits: Limits,
        inputs: Option<&Inputs>,
    ) -> Result<Values, Stop> {
        let deadline = Deadline::after(limits.time_seconds);
        let mut calls = Calls::default();
        match self {
            Unit::Function(name) => {
                let job = job(name, stage, options, limits);
                let given = |function: &Function| {
                    inputs.map_or_else(Vec::new, |it| it.of(function, options))
                };
                let (outcome, leaves) = execute_given(&job, &given, deadline, &mut calls);
                match outcome {
                    Outcome::Finished(finished) => Ok(Values {
                        generated: sorted(finished.generated_constants),
                        calls: vec![Call {
                            function: name.clone(),
                            observed: calls.0.pop().unwrap_or_default(),
                            leaves,
                        }],
                    }),
                    Outcome::Failed(failure) => Err(Stop::from(failure)),
                    Outcome::Cancelled => Err(Stop {
                        message: "cancelled".to_owned(),
                        offset: None,
                        is_raised: false,
                    }),
                }
            }
            Unit::Script(_, steps) => {
                let job = job("", stage, options, limits);
                let (done, failed) = script::execute(&job, steps, deadline, &mut calls);
                if let Some(failure) = failed {
                    return Err(Stop::from(failure));
                }
                let generated = done.iter().flat_map(|it| &it.finished.generated_constants);
                let generated = sorted(generated.copied().collect());
                let mut observed = calls.0.into_iter();
                let calls = done.into_iter().map(|done| {
                    let function = done.finished.function;
                    let of_function = if is_packed(&function) {
                        None
                    } else {
                        observed.next()
                    };
                    Call {
                        function,
                        observed: of_function.unwrap_or_default(),
                        leaves: done.leaves,
                    }
                });
                Ok(Values {
                    calls: calls.collect(),
                    generated,
                })
            }
        }
    }
}

fn sorted(mut indices: Vec<u32>) -> Vec<u32> {
    indices.sort_unstable();
    indices.dedup();
    indices
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        let lines: Vec<&str> = failure.message.lines().map(str::trim).collect();
        Stop {
            is_raised: failure.cause == Cause::Program && !failure.is_limit,
            message: lines.join(" "),
            offset: failure.range.map(|it| it.0),
        }
    }
}

/// The text of a stage.
pub struct Stage<'s> {
    pub text: &'s str,
    /// The dump whose constants it names by index.
    pub constants_of: &'s Path,
    pub release: Option<relax::Release>,
    /// The size of all shape variables without a value, instead of different ones.
    pub default_dim: Option<u64>,
    /// Whether a stage before it ran.
    pub is_later: bool,
}

fn job(function: &str, stage: &Stage<'_>, options: &Options, limits: Limits) -> Job {
    Job {
        text: stage.text.into(),
        relay: false,
        directory: None,
        target: stage.release.map(|it| it.name().to_owned()),
        function: function.to_owned(),
        line: None,
        dims: options.dims.clone(),
        default_dim: stage.default_dim,
        inputs: options.inputs.clone(),
        weights: options.weights.clone(),
        weight_names: options.weight_names.clone(),
        allow_missing: options.allow_missing || stage.is_later,
        constants: ConstantFiles {
            files: options.constants.clone(),
            beside: Some(stage.constants_of.to_owned()),
        },
        seed: options.seed,
        repeat: 1,
        trace: false,
        goes_on: false,
        limits,
        keep: None,
    }
}

/// The inputs of the first stage that ran, which later stages get too: the use of a parameter, which says how to make
/// its value, is not the same in every stage.
pub struct Inputs(Vec<(SmolStr, Value)>);

impl Inputs {
    /// Returns the inputs of a function, which `call` got.
    pub fn of_call(call: &Call) -> Inputs {
        let names = call.observed.params.iter().cloned();
        Inputs(names.zip(call.observed.inputs.iter().cloned()).collect())
    }

    /// Returns the same inputs as floats of 64 bits.
    pub fn in_double(&self) -> Inputs {
        let inputs = self.0.iter().map(|(name, it)| {
            let wide = floats(it, &|tensor| tensor.cast(Kind::F64).ok());
            (name.clone(), wide)
        });
        Inputs(inputs.collect())
    }

    /// Returns the same inputs with smaller scalars, where the user did not choose them.
    pub fn with_small_scalars(&self, options: &Options) -> Inputs {
        let small = |tensor: &Tensor| {
            let value = tensor.get(0).filter(|_| tensor.len() == 1)?.as_f64();
            let value = Scalar::Float(value * SMALL);
            Tensor::full(tensor.kind(), tensor.shape(), value).ok()
        };
        let inputs = self.0.iter().map(|(name, it)| {
            let is_given = options.inputs.contains_key(name.as_str());
            let value = if is_given {
                it.clone()
            } else {
                floats(it, &small)
            };
            (name.clone(), value)
        });
        Inputs(inputs.collect())
    }

    /// Returns a copy with another value of one parameter.
    pub fn with(&self, name: &str, value: Value) -> Inputs {
        let changed = self.0.iter().map(|(it, old)| {
            let value = if it == name { &value } else { old };
            (it.clone(), value.clone())
        });
        Inputs(changed.collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the inputs for a function by the names of its parameters; by position for those with another name, if
    /// there are as many.
    fn of(&self, function: &Function, options: &Options) -> Vec<(SmolStr, Input)> {
        let params = function.source_params();
        let is_same_length = params.len() == self.0.len();
        let find = |(at, param): (usize, &vm::bytecode::Param)| {
            let named = self.0.iter().find(|it| it.0 == param.name);
            let placed = || self.0.get(at).filter(|_| is_same_length);
            let (_, value) = named.or_else(placed)?;
            let is_given = options.inputs.contains_key(param.name.as_str());
            (!is_given).then(|| (param.name.clone(), Input::Value(value.clone())))
        };
        params.iter().enumerate().filter_map(find).collect()
    }
}

/// The inverse of the length of a usual sum.
const SMALL: f64 = 1.0 / 1024.0;

/// Replaces the tensors of floats in a value, where `change` has another.
fn floats(value: &Value, change: &dyn Fn(&Tensor) -> Option<Tensor>) -> Value {
    match value {
        Value::Tensor(it) if it.kind().is_float() => {
            change(it).map_or_else(|| value.clone(), Value::Tensor)
        }
        Value::Tuple(fields) => {
            let fields = fields.iter().map(|it| floats(it, change));
            Value::tuple(fields.collect::<Vec<_>>())
        }
        value => value.clone(),
    }
}

/// Records each call of a function.
#[derive(Default)]
struct Calls(Vec<Observed>);

impl Observer for Calls {
    fn print(&mut self, _: &str) {}

    fn wants_bindings(&self) -> bool {
        true
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        if let Some(call) = self.0.last_mut() {
            call.binding(binding);
        }
    }
}

impl Listener for Calls {
    fn printed(&self) -> String {
        String::new()
    }

    fn inputs(&mut self, function: &Function, values: &[Value]) {
        let mut call = Observed::default();
        call.inputs(function, values);
        self.0.push(call);
    }
}
