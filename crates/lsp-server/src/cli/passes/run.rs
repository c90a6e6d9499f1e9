//! `--run`: its options, and the reports about the runs of the stages.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ide::passes::Sequence;

use super::table::place;
use crate::compilation::dumps::Dump;
use crate::compilation::runs::{self, Options, Run, Runs};
use crate::run::constants;
use crate::run::job::{InputSource, Limits};
use crate::run::limits::{available_memory_mb, limit_memory};

/// The inputs of the runs, and the tolerance of the comparison.
#[derive(Args)]
pub struct Values {
    /// With `--run`: the function to run; by default the one that no other function calls
    #[arg(long, value_name = "NAME", requires = "run")]
    function: Option<String>,
    /// With `--run`: value of a shape variable; 4 if missing
    #[arg(long = "dim", value_name = "NAME=N", value_parser = crate::cli::run::dim, requires = "run")]
    dims: Vec<(String, i64)>,
    /// With `--run`: value of a parameter, as for `relax-lsp run`; `formula` if missing
    #[arg(long = "input", value_name = "PARAM=VALUE", value_parser = crate::cli::run::input, requires = "run")]
    inputs: Vec<(String, InputSource)>,
    /// With `--run`: weights, as for `relax-lsp run`
    #[arg(long = "params", value_name = "FILE|DIR", requires = "run")]
    params: Vec<PathBuf>,
    /// See `relax-lsp run`
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "params"
    )]
    param_names: Vec<String>,
    /// Run although `--params` lacks weights, or has weights that no parameter takes
    #[arg(long, requires = "params")]
    allow_missing: bool,
    #[arg(long, value_name = "FILE|DIR", requires = "run", help = constants::HELP)]
    constants: Vec<PathBuf>,
    /// Seed for random inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// With `--run`: elements may differ by `atol + rtol * |before|`
    #[arg(long, value_name = "X", requires = "run")]
    rtol: Option<f64>,
    /// See `--rtol`
    #[arg(long, value_name = "X", requires = "run")]
    atol: Option<f64>,
    /// With `--run`: time limit of each stage in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    time_limit: u64,
}

impl Values {
    fn options(&self) -> Options {
        Options {
            function: self.function.clone(),
            dims: self.dims.iter().cloned().collect(),
            inputs: self.inputs.iter().cloned().collect(),
            weights: self.params.clone(),
            weight_names: self.param_names.clone(),
            allow_missing: self.allow_missing,
            constants: self.constants.clone(),
            seed: self.seed,
            rtol: self.rtol,
            atol: self.atol,
        }
    }
}

pub fn run(sequence: &Sequence, dumps: &[Dump], values: &Values) -> anyhow::Result<Runs> {
    let limits = Limits {
        time_seconds: values.time_limit,
        memory_mb: available_memory_mb(),
    };
    limit_memory(limits.memory_mb);
    runs::run(sequence, dumps, &values.options(), limits)
}

/// Formats the runs as text.
impl Runs {
    pub fn is_first_difference(&self, at: usize) -> bool {
        self.first_difference
            .as_ref()
            .is_some_and(|it| it.stage == at)
    }

    /// Returns the mark of a stage in the table.
    pub fn mark(&self, at: usize) -> Option<&'static str> {
        match &self.stages[at] {
            Run::Same | Run::Skipped(_) => None,
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
                    "\n{} is the first stage whose values differ from {} before it",
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
        if !self.generated.is_empty() {
            let _ = writeln!(
                text,
                "  generated, since the dumps lack their elements (`--constants`): {}",
                constants::list(&self.generated)
            );
        }
        let reasons: Vec<Option<&str>> = self.stages.iter().map(Run::obstacle).collect();
        let mut at = 0;
        for group in reasons.chunk_by(|a, b| a == b) {
            let (first, last) = (at, at + group.len() - 1);
            at += group.len();
            let Some(why) = group[0] else { continue };
            let label = |at: usize| &sequence.stages[at].label;
            let which = if first == last {
                format!("{} does", label(first))
            } else {
                format!("{} to {} do", label(first), label(last))
            };
            let _ = writeln!(text, "  {which} not run: {why}");
        }
        text
    }
}

impl Run {
    /// Returns why the stage does not run.
    fn obstacle(&self) -> Option<&str> {
        match self {
            Run::Same | Run::Differs => None,
            Run::Skipped(why) | Run::Failed(why) => Some(why),
        }
    }
}
