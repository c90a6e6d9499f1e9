//! The request of a run as plain data, sent between processes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

#[cfg(not(target_family = "wasm"))]
use super::limits::available_memory_mb;
use crate::compilation::runs::Options;
use crate::config::RunConfig;

/// What a worker does.
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

/// What is to be shown of a text on its way to the virtual machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LowerJob {
    pub text: Arc<str>,
    /// Whether the text is Relay's.
    #[serde(default)]
    pub relay: bool,
    /// The name of the release; `None`: found out from the text.
    pub target: Option<String>,
    /// `Module.forward`, or a bare name; `None`: every function.
    pub function: Option<String>,
    /// The line of the `def`, from 0, to tell apart functions of one name.
    pub line: Option<u32>,
    /// The name of the stage.
    pub stage: String,
    pub limits: Limits,
}

/// The stages of a compilation, to run on the same inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StagesJob {
    pub stages: Vec<StageText>,
    pub options: Options,
    /// The time is that of each stage, and of all together.
    pub limits: Limits,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageText {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// The name of the release; `None`: found out from the text.
    pub target: Option<String>,
    /// In how many passes its own ran, where that was recorded.
    pub depth: Option<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub text: Arc<str>,
    /// Whether the text is Relay's.
    #[serde(default)]
    pub relay: bool,
    /// Relative paths of inputs start here.
    pub directory: Option<PathBuf>,
    /// The name of the release; `None`: found out from the text.
    pub target: Option<String>,
    /// `Module.forward`, or a bare name.
    pub function: String,
    /// The line of the `def`, from 0, to tell apart functions of one name.
    pub line: Option<u32>,
    pub dims: BTreeMap<String, i64>,
    /// The value of shape variables that `dims` leaves out; `None`: they are an error.
    pub default_dim: Option<u64>,
    pub inputs: BTreeMap<String, InputSource>,
    /// Files and folders of weights, for parameters that `inputs` leaves out.
    #[serde(default)]
    pub weights: Vec<PathBuf>,
    /// The names of the weights of a tuple, in its order.
    #[serde(default)]
    pub weight_names: Vec<String>,
    pub seed: u64,
    /// How often it runs, at least once.
    #[serde(default)]
    pub repeat: u32,
    /// Whether every binding is told.
    #[serde(default)]
    pub trace: bool,
    pub limits: Limits,
    /// The folder for values that are looked at after the run.
    pub keep: Option<PathBuf>,
}

/// What the whole of it may take, from the text to the answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    pub time_seconds: u64,
    pub memory_mb: u64,
}

/// The default of the command line.
#[cfg(not(target_family = "wasm"))]
pub const DAY: u64 = 24 * 3600;

impl Limits {
    /// What the machine has to give.
    #[cfg(not(target_family = "wasm"))]
    pub fn available() -> Limits {
        Limits {
            time_seconds: DAY,
            memory_mb: available_memory_mb(),
        }
    }

    /// As the settings have them.
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
    /// A fixed pattern of small values, by the number of the parameter and the index of the element.
    Formula,
    Npy(PathBuf),
    /// An object that an earlier run gave; written `$NAME`.
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
