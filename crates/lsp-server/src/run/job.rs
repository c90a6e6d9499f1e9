//! The request of a run as plain data, which is sent between processes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::constants::ConstantFiles;
#[cfg(not(target_family = "wasm"))]
use super::limits::available_memory_mb;
use crate::compilation::runs::Options;
use crate::config::RunConfig;

/// A task of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    Run(Job),
    Lower(LowerJob),
    Stages(StagesJob),
}

impl Task {
    pub fn limits(&self) -> Limits {
        match self {
            Task::Run(job) => job.limits,
            Task::Lower(job) => job.limits,
            Task::Stages(job) => job.limits,
        }
    }
}

/// A request to show a text at a stage of lowering.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LowerJob {
    pub text: Arc<str>,
    /// `true` if the text is Relay.
    #[serde(default)]
    pub relay: bool,
    /// The name of the release; `None` to detect it from the text.
    pub target: Option<String>,
    /// `Module.forward`, or a bare name; `None` for every function.
    pub function: Option<String>,
    /// The line of the `def`, starting at 0, to distinguish functions of the same name.
    pub line: Option<u32>,
    /// The name of the stage.
    pub stage: String,
    #[serde(default)]
    pub constants: ConstantFiles,
    pub limits: Limits,
}

/// The stages of a compilation, which are run on the same inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StagesJob {
    pub stages: Vec<StageText>,
    pub options: Options,
    /// The time limit applies to each stage, and to all together.
    pub limits: Limits,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageText {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// The name of the release; `None` to detect it from the text.
    pub target: Option<String>,
    /// The nesting depth of the pass, if it was recorded.
    pub depth: Option<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub text: Arc<str>,
    /// `true` if the text is Relay.
    #[serde(default)]
    pub relay: bool,
    /// The directory in which relative paths of inputs start.
    pub directory: Option<PathBuf>,
    /// The name of the release; `None` to detect it from the text.
    pub target: Option<String>,
    /// `Module.forward`, or a bare name.
    pub function: String,
    /// The line of the `def`, starting at 0, to distinguish functions of the same name.
    pub line: Option<u32>,
    pub dims: BTreeMap<String, i64>,
    /// The value of shape variables that are not in `dims`; `None` gives each a small size of its own.
    pub default_dim: Option<u64>,
    pub inputs: BTreeMap<String, InputSource>,
    /// Files and folders with weights, for parameters that are not in `inputs`.
    #[serde(default)]
    pub weights: Vec<PathBuf>,
    /// The names of the weights of a tuple, in order.
    #[serde(default)]
    pub weight_names: Vec<String>,
    /// `true` if weights may be missing or left over.
    #[serde(default)]
    pub allow_missing: bool,
    #[serde(default)]
    pub constants: ConstantFiles,
    pub seed: u64,
    /// The number of runs, at least one.
    #[serde(default)]
    pub repeat: u32,
    /// `true` if every binding is recorded.
    #[serde(default)]
    pub trace: bool,
    /// `true` if the run goes on after an index out of range, and lists it.
    #[serde(default)]
    pub goes_on: bool,
    pub limits: Limits,
    /// The folder for values that can be viewed after the run.
    pub keep: Option<PathBuf>,
}

impl Job {
    /// Returns the directory in which relative paths start.
    pub fn directory(&self) -> &Path {
        self.directory.as_deref().unwrap_or(Path::new(""))
    }

    /// Reads the constants of the text from files.
    pub fn constants(&self) -> Result<vm::Constants, String> {
        self.constants.read(self.directory(), self.seed)
    }
}

/// The limits for the whole job, from the text to the answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    pub time_seconds: u64,
    pub memory_mb: u64,
}

/// The default time limit of the command line, in seconds.
#[cfg(not(target_family = "wasm"))]
pub const DAY: u64 = 24 * 3600;

impl Limits {
    /// Returns the resources of the machine.
    #[cfg(not(target_family = "wasm"))]
    pub fn available() -> Limits {
        Limits {
            time_seconds: DAY,
            memory_mb: available_memory_mb(),
        }
    }

    /// Returns the limits from the settings.
    pub fn of(settings: &RunConfig) -> Limits {
        Limits {
            time_seconds: settings.time_limit_seconds,
            memory_mb: settings.memory_limit_mb,
        }
    }
}

/// Where the value of a parameter comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum InputSource {
    #[default]
    Random,
    Zeros,
    Ones,
    /// 0, 1, 2, ... in row-major order.
    Arange,
    /// The same number everywhere.
    Constant(f64),
    /// A fixed pattern of small values, by the parameter's number and the element's index.
    Formula,
    Npy(PathBuf),
    /// An object that an earlier run returned, written `$NAME`.
    Result(String),
}

impl From<String> for InputSource {
    fn from(text: String) -> InputSource {
        match text.as_str() {
            "random" => InputSource::Random,
            "zeros" => InputSource::Zeros,
            "ones" => InputSource::Ones,
            "arange" => InputSource::Arange,
            "formula" => InputSource::Formula,
            _ if text.starts_with('$') => InputSource::Result(text[1..].to_owned()),
            _ => match text.parse() {
                Ok(number) => InputSource::Constant(number),
                Err(_) => InputSource::Npy(text.into()),
            },
        }
    }
}

impl From<InputSource> for String {
    fn from(source: InputSource) -> String {
        match source {
            InputSource::Random => "random".to_owned(),
            InputSource::Zeros => "zeros".to_owned(),
            InputSource::Ones => "ones".to_owned(),
            InputSource::Arange => "arange".to_owned(),
            InputSource::Constant(number) => number.to_string(),
            InputSource::Formula => "formula".to_owned(),
            InputSource::Npy(path) => path.to_string_lossy().into_owned(),
            InputSource::Result(name) => format!("${name}"),
        }
    }
}
