//! `--run`: its options, and the reports about the runs of the stages.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ide::passes::Sequence;

use super::table::place;
use crate::cli::origin::brief;
use crate::compilation::dumps::Dump;
use crate::compilation::runs::{self, Options, Run, Runs, ValueDifference, Verdict};
use crate::run::constants;
use crate::run::job::{InputSource, Limits};
use crate::run::limits::{available_memory_mb, limit_memory_to_available};

/// The inputs of the runs, and the tolerance of the comparison.
#[derive(Args)]
pub struct Values {
    /// With `--run`: the function to run; by default, all that no other function calls
    #[arg(long, value_name = "NAME", requires = "run")]
    function: Option<String>,
    /// With `--run`: call several functions in order in each stage, as for `relax-lsp run`
    #[arg(
        long,
        value_name = "CALLS.json",
        requires = "run",
        conflicts_with = "function"
    )]
    script: Option<PathBuf>,
    /// With `--run`: value of a shape variable; a small one if missing
    #[arg(long = "dim", value_name = "NAME=N", value_parser = crate::cli::run::dim, requires = "run")]
    dims: Vec<(String, i64)>,
    /// With `--run`: value of a parameter, as for `relax-lsp run`; `random` if missing
    #[arg(long = "input", value_name = "PARAM=VALUE", value_parser = crate::cli::run::input, requires = "run")]
    inputs: Vec<(String, InputSource)>,
    /// With `--run`: weights, as for `relax-lsp run`
    #[arg(long = "params", value_name = "FILE|DIR", requires = "run")]
    params: Vec<PathBuf>,
    /// The names of the weights for the fields of a tuple, in order
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
    /// With `--run`: elements may differ by `atol + rtol * |before|`; by default by a share of the element and of the
    /// scale of the tensor
    #[arg(long, value_name = "X", requires = "run")]
    rtol: Option<f64>,
    /// See `--rtol`
    #[arg(long, value_name = "X", requires = "run")]
    atol: Option<f64>,
    /// With `--run`: check a difference in float64 on both sides, which tells rounding from a mistake
    #[arg(long, value_name = "WHICH", requires = "run")]
    precision: Option<Precision>,
    /// With `--run`: exit with 1 unless everything was compared
    #[arg(long, requires = "run")]
    strict: bool,
    /// With `--run`: time limit of each stage in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    time_limit: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Precision {
    /// That of the program
    Own,
    /// Floats of 64 bits
    High,
}

impl Values {
    fn options(&self) -> Options {
        Options {
            function: self.function.clone(),
            script: self.script.clone(),
            dims: self.dims.iter().cloned().collect(),
            inputs: self.inputs.iter().cloned().collect(),
            weights: self.params.clone(),
            weight_names: self.param_names.clone(),
            allow_missing: self.allow_missing,
            constants: self.constants.clone(),
            seed: self.seed,
            rtol: self.rtol,
            atol: self.atol,
            is_high_precision: self.precision == Some(Precision::High),
            is_quick: false,
        }
    }

    /// Returns the exit code of a verdict.
    pub fn exit_code(&self, verdict: Verdict) -> u8 {
        verdict.exit_code(self.strict)
    }
}

pub fn run(sequence: &Sequence, dumps: &[Dump], values: &Values) -> anyhow::Result<Runs> {
    let limits = Limits {
        time_seconds: values.time_limit,
        memory_mb: available_memory_mb(),
    };
    limit_memory_to_available();
    runs::run(sequence, dumps, &values.options(), limits)
}

/// Formats the runs as text.
impl Runs {
    /// Returns `true` for the first stage that is wrong.
    pub fn is_first_wrong(&self, at: usize) -> bool {
        let different = self.first_difference.as_ref().map(|it| it.stage);
        different == Some(at) || self.first_stop == Some(at)
    }

    /// Returns the mark of a stage in the table.
    pub fn mark(&self, at: usize) -> Option<&'static str> {
        match self.worst(at) {
            Run::Same | Run::Skipped(_) => None,
            Run::Differs => Some("≠ other values;"),
            Run::Stopped { .. } => Some("✗ stops;"),
        }
    }

    /// Returns a sign for each function in a stage, if there are several.
    pub fn signs(&self, at: usize) -> Option<String> {
        let signs = self.stages[at].iter().map(|run| match run {
            Run::Same => '=',
            Run::Differs => '≠',
            Run::Stopped { .. } => '✗',
            Run::Skipped(_) => '·',
        });
        (self.functions.len() > 1).then(|| signs.collect())
    }

    pub fn render(&self, sequence: &Sequence, dumps: &[Dump]) -> String {
        let mut text = String::new();
        for (nth, function) in self.functions.iter().enumerate() {
            let ran = self.stages.iter().filter(|it| it[nth].ran()).count();
            let count = self.stages.len();
            let _ = writeln!(text, "{ran} of {count} stages ran `{function}`");
        }
        if !self.generated.is_empty() {
            let _ = writeln!(
                text,
                "  generated, since the dumps lack their elements (`--constants`): {}",
                constants::list(&self.generated)
            );
        }
        let _ = writeln!(text, "{}", self.sentence());
        if let Some(found) = &self.first_difference {
            difference(found, sequence, dumps, &mut text);
        }
        if let Some(at) = self.first_stop {
            self.stop(at, sequence, dumps, &mut text);
        }
        for note in self.doubts.iter().chain(&self.notes) {
            let _ = writeln!(text, "  {note}");
        }
        for (nth, function) in self.functions.iter().enumerate() {
            self.obstacles(nth, function, sequence, &mut text);
        }
        text
    }

    /// Returns the verdict in words: `equal: 312 values compared; sight 94 %`.
    fn sentence(&self) -> String {
        let mut sentence = self.verdict.word().to_owned();
        if self.compared > 0 {
            let _ = write!(sentence, ": {} values compared", self.compared);
        }
        if let Some(sight) = self.sight {
            let percent = (sight * 100.0).round();
            let _ = write!(sentence, "; sight {percent} % of small changes");
        }
        sentence
    }

    fn stop(&self, at: usize, sequence: &Sequence, dumps: &[Dump], text: &mut String) {
        let label = &sequence.stages[at].label;
        let before = (0..at).rev().find(|it| self.worst(*it).ran());
        let before = before.map_or("", |it| &sequence.stages[it].label);
        let _ = writeln!(
            text,
            "{label} is the first stage that stops; {before} before it ran"
        );
        let stopped = self.stages[at].iter().find_map(|run| match run {
            Run::Stopped { message, place } => Some((message, place)),
            _ => None,
        });
        let Some((message, found)) = stopped else {
            return;
        };
        let _ = match found {
            Some((stage, offset)) => {
                let range = (*offset, *offset);
                let place = place(&sequence.stages[*stage], &dumps[*stage], range);
                writeln!(text, "  {message} ({place})")
            }
            None => writeln!(text, "  {message}"),
        };
    }

    /// Lists the stages that a function does not run in, with the reasons.
    fn obstacles(&self, nth: usize, function: &str, sequence: &Sequence, text: &mut String) {
        let reasons: Vec<Option<&str>> = self.stages.iter().map(|it| it[nth].obstacle()).collect();
        let mut at = 0;
        for group in reasons.chunk_by(|a, b| a == b) {
            let (first, last) = (at, at + group.len() - 1);
            at += group.len();
            let Some(why) = group[0] else { continue };
            if self.first_stop == Some(first) && first == last {
                continue;
            }
            let label = |at: usize| &sequence.stages[at].label;
            let which = if first == last {
                format!("{} does", label(first))
            } else {
                format!("{} to {} do", label(first), label(last))
            };
            let what = if self.functions.len() > 1 {
                format!("run `{function}`")
            } else {
                "run".to_owned()
            };
            let _ = writeln!(text, "  {which} not {what}: {why}");
        }
    }
}

fn difference(found: &ValueDifference, sequence: &Sequence, dumps: &[Dump], text: &mut String) {
    let stage = &sequence.stages[found.stage];
    let before = &sequence.stages[found.before];
    let rounding = match found.is_rounding {
        Some(false) => ", not by rounding",
        _ => "",
    };
    let _ = writeln!(
        text,
        "{} is the first stage whose values differ from {} before it{rounding}",
        stage.label, before.label
    );
    if let Some(binding) = &found.binding {
        let (new, old) = (&binding.after, &binding.before);
        let at = |it: &runs::Named| place(&sequence.stages[it.stage], &dumps[it.stage], it.range);
        let _ = writeln!(
            text,
            "  `{}` ({}), which was `{}` ({})",
            new.name,
            at(new),
            old.name,
            at(old),
        );
    }
    if let Some(origin) = &found.origin {
        let _ = writeln!(text, "  from {}", brief(origin, Path::new("")));
    }
    let _ = writeln!(text, "  {}: {}", found.function, found.what);
}

impl Run {
    /// Returns why the stage does not run.
    fn obstacle(&self) -> Option<&str> {
        match self {
            Run::Same | Run::Differs => None,
            Run::Skipped(why) | Run::Stopped { message: why, .. } => Some(why),
        }
    }
}
