//! `--run`: its options, and the runs of the stages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ide::passes::Sequence;

use crate::cli::progress;
use crate::compilation::dumps::Dump;
use crate::compilation::runs::{self, Options, Runs, Verdict};
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
    progress::begin("Running stages");
    runs::run(
        sequence,
        dumps,
        &values.options(),
        limits,
        &mut progress::step,
    )
}
