//! Runs the stages of a sequence on the same inputs, and finds the first pass that changes a value.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use hir::form::{ModuleForm, PlacedForm};
use ide::passes::Sequence;
use relax::{FunctionKind, Release};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;
use text_size::TextRange;
use vm::tensor::Tensor;
use vm::value::Value;

use super::bare_name;
use super::dumps::Dump;
use super::json::with;
use crate::run::constants::ConstantFiles;
use crate::run::execute::{Leaves, execute};
use crate::run::job::{InputSource, Job, Limits};
use crate::run::limits::Deadline;
use crate::run::observed::Observed;
use crate::run::outcome::Outcome;
use crate::run::tolerance::{RequestedTolerance, difference};

/// The default value of shape variables.
const DIM: u64 = 4;

/// For each callee of bindings, the number of calls and the total time in seconds.
pub type Times = BTreeMap<String, (usize, f64)>;

/// The function to run, its inputs, and the tolerance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The function; by default, the one that no other function calls.
    pub function: Option<String>,
    pub dims: BTreeMap<String, i64>,
    pub inputs: BTreeMap<String, InputSource>,
    /// Files with weights, the names of a tuple's, and whether they may be incomplete.
    pub weights: Vec<PathBuf>,
    pub weight_names: Vec<String>,
    pub allow_missing: bool,
    /// Files with the elements of constants that the stages name by index.
    pub constants: Vec<PathBuf>,
    pub seed: u64,
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
}

/// The results of the runs.
#[derive(Debug, Serialize, Deserialize)]
pub struct Runs {
    pub function: String,
    /// One result for each stage.
    pub stages: Vec<Run>,
    pub first_difference: Option<ValueDifference>,
    /// The indices of constants that were generated, as no source has their elements.
    #[serde(default)]
    pub generated: Vec<u32>,
    /// The last stage that ran, with the times of its callees.
    pub times: Option<(usize, Times)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Run {
    Same,
    Differs,
    /// The stage is not expected to run, for this reason.
    Skipped(String),
    Failed(String),
}

/// The first value that a pass changed.
#[derive(Debug, Serialize, Deserialize)]
pub struct ValueDifference {
    /// The stage, and the previous stage that ran.
    pub stage: usize,
    pub before: usize,
    /// The binding in both stages; `None` for the result.
    pub binding: Option<Binding>,
    pub what: String,
}

/// A binding of two stages: its name, and its range in each.
#[derive(Debug, Serialize, Deserialize)]
pub struct Binding {
    pub before: (String, (u32, u32)),
    pub after: (String, (u32, u32)),
}

/// The data kept from the last stage that ran.
struct LastRun {
    at: usize,
    observed: Observed,
    leaves: Leaves,
    /// The indices of constants that were generated.
    generated: Vec<u32>,
}

const OTHER_CONSTANTS: &str =
    "not compared: it has other constants than the stage before, and their elements are unknown";

/// Runs each stage within the limits.
pub fn run(
    sequence: &Sequence,
    dumps: &[Dump],
    options: &Options,
    limits: Limits,
) -> anyhow::Result<Runs> {
    debug_assert_eq!(sequence.stages.len(), dumps.len());
    let function = match &options.function {
        Some(name) => name.clone(),
        None => entry(&sequence.stages[0].snapshot.form)?,
    };
    let mut runs = Runs {
        function,
        stages: Vec::new(),
        first_difference: None,
        generated: Vec::new(),
        times: None,
    };
    let asked = RequestedTolerance {
        rtol: options.rtol,
        atol: options.atol,
    };
    let mut last: Option<LastRun> = None;
    for (at, stage) in sequence.stages.iter().enumerate() {
        let functions = &stage.snapshot.form.functions;
        let skipped = if sequence.steps[at].is_partial {
            Some("not the whole module")
        } else if functions
            .iter()
            .all(|it| it.kind == FunctionKind::PrimFunc && it.name != bare_name(&runs.function))
        {
            Some("no Relax function")
        } else {
            None
        };
        if let Some(why) = skipped {
            runs.stages.push(Run::Skipped(why.to_owned()));
            continue;
        }
        let text = &stage.snapshot.text;
        let mut job = job(&runs.function, text, options, dumps[at].release, limits);
        job.constants.beside = Some(dumps[at].path.clone());
        // Passes remove parameters that nothing reads.
        job.allow_missing |= last.is_some();
        let (mut observed, mut generated) = (Observed::default(), Vec::new());
        let deadline = Deadline::after(limits.time_seconds);
        let (outcome, leaves) = execute(&job, deadline, &mut observed);
        let failure = match outcome {
            Outcome::Finished(finished) => {
                generated = finished.generated_constants;
                None
            }
            Outcome::Failed(failure) => Some(failure.message),
            Outcome::Cancelled => Some("cancelled".to_owned()),
        };
        if let Some(message) = failure {
            let first = message.lines().next().unwrap_or_default();
            runs.stages.push(Run::Failed(first.to_owned()));
            continue;
        }
        generated.sort_unstable();
        runs.generated.extend_from_slice(&generated);
        let now = LastRun {
            at,
            observed,
            leaves,
            generated,
        };
        // A pass that folds or adds constants numbers them anew, so what is generated says nothing about the pass.
        if last
            .as_ref()
            .is_some_and(|it| it.generated != now.generated)
        {
            runs.stages.push(Run::Skipped(OTHER_CONSTANTS.to_owned()));
            last = Some(now);
            continue;
        }
        let found = last
            .as_ref()
            .and_then(|before| first_difference(sequence, &runs.function, before, &now, asked));
        runs.stages.push(match found {
            Some(_) => Run::Differs,
            None => Run::Same,
        });
        if runs.first_difference.is_none() {
            runs.first_difference = found;
        }
        last = Some(now);
    }
    runs.generated.sort_unstable();
    runs.generated.dedup();
    runs.times = last.map(|it| (it.at, it.observed.times));
    Ok(runs)
}

fn job(
    function: &str,
    text: &str,
    options: &Options,
    release: Option<Release>,
    limits: Limits,
) -> Job {
    let mut inputs = options.inputs.clone();
    inputs.entry("*".to_owned()).or_insert(InputSource::Formula);
    Job {
        text: text.into(),
        relay: false,
        directory: None,
        target: release.map(|it| it.name().to_owned()),
        function: function.to_owned(),
        line: None,
        dims: options.dims.clone(),
        default_dim: Some(DIM),
        inputs,
        weights: options.weights.clone(),
        weight_names: options.weight_names.clone(),
        allow_missing: options.allow_missing,
        constants: ConstantFiles {
            files: options.constants.clone(),
            beside: None,
        },
        seed: options.seed,
        repeat: 1,
        trace: false,
        goes_on: false,
        limits,
        keep: None,
    }
}

/// Returns the Relax function that no other function calls.
fn entry(form: &ModuleForm) -> anyhow::Result<String> {
    let relax = form.functions.iter();
    let relax = relax.filter(|it| it.kind == FunctionKind::Relax);
    let is_called = |name: &str| {
        form.functions
            .iter()
            .any(|it| it.callees.iter().any(|callee| callee == name))
    };
    let names: Vec<&str> = relax
        .map(|it| it.name.as_str())
        .filter(|name| !is_called(name))
        .collect();
    match names.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => bail!("the first stage has no Relax function"),
        several if several.contains(&"main") => Ok("main".to_owned()),
        several => bail!("name a function with `--function`: {}", several.join(", ")),
    }
}

/// Returns the first binding whose value differs in the other stage, or else the result.
fn first_difference(
    sequence: &Sequence,
    function: &str,
    before: &LastRun,
    now: &LastRun,
    asked: RequestedTolerance,
) -> Option<ValueDifference> {
    let stage = |at: usize| &sequence.stages[at];
    let names = [now.at, before.at].map(|at| format!("after {}", stage(at).pass));
    let names = [names[0].as_str(), names[1].as_str()];
    let differs = |a: &Tensor, b: &Tensor| difference(b, a, asked.of(b.kind()), names);
    let leaves = before.leaves.iter().zip(&now.leaves);
    let result = leaves.clone().find_map(|((name, a), (_, b))| match (a, b) {
        (Value::Tensor(a), Value::Tensor(b)) => Some((name, differs(a, b)?)),
        _ => None,
    });
    let other_count = (before.leaves.len() != now.leaves.len()).then(|| {
        format!(
            "{} results instead of {}",
            now.leaves.len(),
            before.leaves.len()
        )
    });
    let what = match (result, other_count) {
        (_, Some(what)) => what,
        (Some((name, what)), None) => format!("{name}: {what}"),
        // A pass may compute the same result through different values.
        (None, None) => return None,
    };
    let found = bindings(sequence, function, before, now)
        .into_iter()
        .find_map(|(binding, a, b)| Some((binding, differs(a, b)?)));
    let (binding, what) = match found {
        Some((binding, what)) => (Some(binding), what),
        None => (None, what),
    };
    Some(ValueDifference {
        stage: now.at,
        before: before.at,
        binding,
        what,
    })
}

/// Returns the function's bindings that exist in both stages, with their values.
fn bindings<'v>(
    sequence: &Sequence,
    function: &str,
    before: &'v LastRun,
    now: &'v LastRun,
) -> Vec<(Binding, &'v Tensor, &'v Tensor)> {
    let form = |at: usize| &sequence.stages[at].snapshot.form;
    let (old, new) = (form(before.at), form(now.at));
    let bare = bare_name(function);
    let find = |form: &ModuleForm| form.functions.iter().position(|it| it.name == bare);
    let (Some(a), Some(b)) = (find(old), find(new)) else {
        return Vec::new();
    };
    let difference = hir::difference::ModuleDifference::of(old, new);
    let of_function = difference.functions.iter();
    let of_function = of_function.filter(|it| it.before == Some(a) && it.after == Some(b));
    let mut found = Vec::new();
    let (old, new) = (&old.functions[a], &new.functions[b]);
    let place = |form: &PlacedForm, row: u32| {
        let name = &form.rows[row as usize].name;
        (name.clone(), form.row_range(row))
    };
    for &(row, partner) in of_function.flat_map(|it| &it.pairs) {
        let value = value_of(old, row, &before.observed);
        let other = value_of(new, partner, &now.observed);
        if let (Some((at, value)), Some((_, other))) = (value, other) {
            let shown = |(name, range): (SmolStr, TextRange)| {
                let range = (range.start().into(), range.end().into());
                (name.to_string(), range)
            };
            let binding = Binding {
                before: shown(place(old, row)),
                after: shown(place(new, partner)),
            };
            found.push((at, binding, value, other));
        }
    }
    // Memory may be allocated long before it is written.
    found.sort_by_key(|it| it.0);
    let found = found.into_iter();
    found.map(|(_, binding, a, b)| (binding, a, b)).collect()
}

/// Returns the tensor of a row, and its place in the order of the run.
fn value_of<'v>(
    form: &PlacedForm,
    row: u32,
    observed: &'v Observed,
) -> Option<(usize, &'v Tensor)> {
    let row = form.named_row(row);
    observed.value_in(&form.rows[row as usize].name, form.row_range(row))
}

impl Runs {
    /// Converts to JSON. `locate` converts a range of a stage.
    pub fn to_json(&self, locate: &dyn Fn(TextRange, usize) -> Json) -> Json {
        let stages = self.stages.iter().map(|run| match run {
            Run::Same => json!({"ran": true, "same": true}),
            Run::Differs => json!({"ran": true, "same": false}),
            Run::Skipped(why) => json!({"ran": false, "skipped": true, "why": why}),
            Run::Failed(why) => json!({"ran": false, "why": why}),
        });
        let binding = |(name, (start, end)): &(String, (u32, u32)), at: usize| {
            let range = TextRange::new((*start).into(), (*end).into());
            with(json!({"name": name}), locate(range, at))
        };
        let first = self.first_difference.as_ref().map(|it| {
            let found = it.binding.as_ref();
            json!({
                "stage": it.stage,
                "before": it.before,
                "was": found.map(|found| binding(&found.before, it.before)),
                "binding": found.map(|found| binding(&found.after, it.stage)),
                "what": it.what,
            })
        });
        json!({
            "function": self.function,
            "stages": stages.collect::<Vec<_>>(),
            "first_difference": first,
            "generated": (!self.generated.is_empty()).then_some(&self.generated),
        })
    }
}
