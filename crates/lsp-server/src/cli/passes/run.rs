//! The stages of a sequence run on the same inputs, and the first pass that changes a value.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::bail;
use clap::Args;
use hir::form::{ModuleForm, PlacedForm};
use ide::passes::Sequence;
use relax::{FunctionKind, Release};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;
use text_size::TextRange;
use vm::tensor::Tensor;
use vm::value::Value;

use super::table::place;
use crate::compilation::bare_name;
use crate::compilation::dumps::Dump;
use crate::run::execute::{Leaves, execute};
use crate::run::job::{InputSource, Job, Limits};
use crate::run::limits::{Deadline, available_memory_mb, limit_memory};
use crate::run::observed::Observed;
use crate::run::outcome::Outcome;
use crate::run::tolerance::{RequestedTolerance, difference};

/// The inputs of the runs, and what counts as a difference.
#[derive(Args)]
pub struct Values {
    /// With `--run`: the function that runs; by default the one that no other calls
    #[arg(long, value_name = "NAME", requires = "run")]
    function: Option<String>,
    /// With `--run`: value of a shape variable; 4 if absent
    #[arg(long = "dim", value_name = "NAME=N", value_parser = crate::cli::run::dim, requires = "run")]
    dims: Vec<(String, i64)>,
    /// With `--run`: value of a parameter, as for `relax-lsp run`; `formula` if absent
    #[arg(long = "input", value_name = "PARAM=VALUE", value_parser = crate::cli::run::input, requires = "run")]
    inputs: Vec<(String, InputSource)>,
    /// Seed of random inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// With `--run`: elements may differ by `atol + rtol * |before|`
    #[arg(long, value_name = "X", requires = "run")]
    rtol: Option<f64>,
    /// See `--rtol`
    #[arg(long, value_name = "X", requires = "run")]
    atol: Option<f64>,
    /// With `--run`: stop a stage after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    time_limit: u64,
}

/// The value of a shape variable that is not given.
const DIM: u64 = 4;

/// By what computed bindings: how often, and how many seconds.
pub type Times = BTreeMap<String, (usize, f64)>;

/// How the stages ran.
pub struct Runs {
    function: String,
    /// One for each stage.
    stages: Vec<Run>,
    pub first_difference: Option<ValueDifference>,
    /// The last stage that ran, with what computed its bindings: how often, and how many seconds.
    pub times: Option<(usize, Times)>,
}

enum Run {
    Same,
    Differs,
    /// It lacks functions of the module.
    Partial,
    Failed(String),
}

/// The first value that a pass changed.
pub struct ValueDifference {
    /// The stage, and the one before it that ran.
    stage: usize,
    before: usize,
    /// The binding in both; none for the result.
    binding: Option<Binding>,
    what: String,
}

struct Binding {
    before: (String, (u32, u32)),
    after: (String, (u32, u32)),
}

/// What is kept of the last stage that ran.
struct LastRun {
    at: usize,
    observed: Observed,
    leaves: Leaves,
}

pub fn run(sequence: &Sequence, dumps: &[Dump], values: &Values) -> anyhow::Result<Runs> {
    debug_assert_eq!(sequence.stages.len(), dumps.len());
    let function = match &values.function {
        Some(name) => name.clone(),
        None => entry(&sequence.stages[0].snapshot.form)?,
    };
    let mut runs = Runs {
        function,
        stages: Vec::new(),
        first_difference: None,
        times: None,
    };
    let asked = RequestedTolerance {
        rtol: values.rtol,
        atol: values.atol,
    };
    limit_memory(available_memory_mb());
    let mut last: Option<LastRun> = None;
    for (at, stage) in sequence.stages.iter().enumerate() {
        if sequence.steps[at].is_partial {
            runs.stages.push(Run::Partial);
            continue;
        }
        let text = &stage.snapshot.text;
        let job = job(&runs.function, text, values, dumps[at].release);
        let mut observed = Observed::default();
        let deadline = Deadline::after(values.time_limit);
        let (outcome, leaves) = execute(&job, deadline, &mut observed);
        let failure = match outcome {
            Outcome::Finished(_) => None,
            Outcome::Failed(failure) => Some(failure.message),
            Outcome::Cancelled => Some("cancelled".to_owned()),
        };
        if let Some(message) = failure {
            let first = message.lines().next().unwrap_or_default();
            runs.stages.push(Run::Failed(first.to_owned()));
            continue;
        }
        let now = LastRun {
            at,
            observed,
            leaves,
        };
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
    runs.times = last.map(|it| (it.at, it.observed.times));
    Ok(runs)
}

fn job(function: &str, text: &str, values: &Values, release: Option<Release>) -> Job {
    let mut inputs: BTreeMap<String, InputSource> = values.inputs.iter().cloned().collect();
    inputs.entry("*".to_owned()).or_insert(InputSource::Formula);
    Job {
        text: text.into(),
        relay: false,
        directory: None,
        target: release.map(|it| it.name().to_owned()),
        function: function.to_owned(),
        line: None,
        dims: values.dims.iter().cloned().collect(),
        default_dim: Some(DIM),
        inputs,
        weights: Vec::new(),
        weight_names: Vec::new(),
        seed: values.seed,
        repeat: 1,
        trace: false,
        limits: Limits {
            time_seconds: values.time_limit,
            memory_mb: available_memory_mb(),
        },
        keep: None,
    }
}

/// The Relax function that no other calls.
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

/// The first binding whose value another stage has not, else the result.
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
        // A pass may store other values on the way to the same result.
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

/// The bindings of the function that are in both stages, with their values.
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
        let range = form.row_range(row);
        let name = &form.rows[row as usize].name;
        (name.clone(), range)
    };
    for &(row, partner) in of_function.flat_map(|it| &it.pairs) {
        let (row, partner) = (place(old, row), place(new, partner));
        let value = before.observed.value_in(&row.0, row.1);
        let other = now.observed.value_in(&partner.0, partner.1);
        if let (Some(value), Some(other)) = (value, other) {
            let shown = |(name, range): (SmolStr, TextRange)| {
                let range = (range.start().into(), range.end().into());
                (name.to_string(), range)
            };
            let binding = Binding {
                before: shown(row),
                after: shown(partner),
            };
            found.push((binding, value, other));
        }
    }
    found
}

impl Runs {
    pub fn is_first_difference(&self, at: usize) -> bool {
        self.first_difference
            .as_ref()
            .is_some_and(|it| it.stage == at)
    }

    /// What the table shows of a stage.
    pub fn mark(&self, at: usize) -> Option<&'static str> {
        match &self.stages[at] {
            Run::Same | Run::Partial => None,
            Run::Differs => Some("≠ other values;"),
            Run::Failed(_) => Some("✗ does not run;"),
        }
    }

    pub fn render(&self, sequence: &Sequence, dumps: &[Dump]) -> String {
        let ran = self.stages.iter();
        let ran = ran
            .filter(|it| matches!(it, Run::Same | Run::Differs))
            .count();
        let mut text = format!(
            "{ran} of {} stages ran `{}`",
            self.stages.len(),
            self.function
        );
        match &self.first_difference {
            None => text.push_str(", with equal results\n"),
            Some(found) => {
                let stage = &sequence.stages[found.stage];
                let before = &sequence.stages[found.before];
                let _ = writeln!(
                    text,
                    "\n{} is the first stage with other values than {} before it",
                    stage.label, before.label
                );
                if let Some(binding) = &found.binding {
                    let _ = writeln!(
                        text,
                        "  `{}` ({}), which was `{}` ({})",
                        binding.after.0,
                        place(stage, &dumps[found.stage], binding.after.1),
                        binding.before.0,
                        place(before, &dumps[found.before], binding.before.1),
                    );
                }
                let _ = writeln!(text, "  {}", found.what);
            }
        }
        for (at, run) in self.stages.iter().enumerate() {
            let why = match run {
                Run::Same | Run::Differs => continue,
                Run::Partial => "not the whole module",
                Run::Failed(why) => why,
            };
            let _ = writeln!(text, "  {} does not run: {why}", sequence.stages[at].label);
        }
        text
    }

    pub fn to_json(&self, dumps: &[Dump]) -> Json {
        let stages = self.stages.iter().map(|run| match run {
            Run::Same => json!({"ran": true, "same": true}),
            Run::Differs => json!({"ran": true, "same": false}),
            Run::Partial => json!({"ran": false, "why": "not the whole module"}),
            Run::Failed(why) => json!({"ran": false, "why": why}),
        });
        let binding = |(name, range): &(String, (u32, u32)), at: usize| {
            let (line, col) = dumps[at].lines.line_col(range.0.into());
            json!({"name": name, "line": line, "col": col})
        };
        let first = self.first_difference.as_ref().map(|it| {
            let was = it
                .binding
                .as_ref()
                .map(|found| binding(&found.before, it.before));
            let is = it
                .binding
                .as_ref()
                .map(|found| binding(&found.after, it.stage));
            json!({
                "stage": it.stage,
                "before": it.before,
                "was": was,
                "binding": is,
                "what": it.what,
            })
        });
        json!({
            "function": self.function,
            "stages": stages.collect::<Vec<_>>(),
            "first_difference": first,
        })
    }
}
