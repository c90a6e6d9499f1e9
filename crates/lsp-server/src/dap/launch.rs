//! The launch arguments: a function of a file, with the options of `relax-lsp run`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use relax::Release;
use serde::Deserialize;

use crate::run::constants::ConstantFiles;
use crate::run::job::{InputSource, Job, Limits};

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Launch {
    pub program: PathBuf,
    #[serde(default)]
    pub function: String,
    #[serde(default)]
    dims: BTreeMap<String, i64>,
    /// The value of shape variables that are not in `dims`.
    #[serde(default)]
    default_dim: Option<u64>,
    #[serde(default)]
    inputs: BTreeMap<String, InputSource>,
    #[serde(default)]
    params: Vec<PathBuf>,
    #[serde(default)]
    param_names: Vec<String>,
    #[serde(default)]
    constants: Vec<PathBuf>,
    #[serde(default)]
    allow_missing: bool,
    #[serde(default)]
    seed: u64,
    /// The release of TVM that the file is written for. If missing, the project's release.
    #[serde(default)]
    tvm: Option<String>,
    #[serde(default)]
    pub stop_on_entry: bool,
    #[serde(default)]
    pub no_debug: bool,
}

impl Launch {
    /// Returns the release that the client names.
    pub fn release(&self) -> Result<Option<Release>, String> {
        let named = |name: &str| {
            Release::from_name(name).ok_or_else(|| format!("unknown release of TVM: {name}"))
        };
        self.tvm.as_deref().map(named).transpose()
    }

    pub fn job(&self, text: &str, release: Option<Release>) -> Job {
        Job {
            text: text.into(),
            relay: false,
            directory: self.program.parent().map(Into::into),
            target: release.map(|it| it.name().to_owned()),
            function: self.function.clone(),
            line: None,
            dims: self.dims.clone(),
            default_dim: self.default_dim,
            inputs: self.inputs.clone(),
            weights: self.params.clone(),
            weight_names: self.param_names.clone(),
            allow_missing: self.allow_missing,
            constants: ConstantFiles {
                files: self.constants.clone(),
                beside: Some(self.program.clone()),
            },
            seed: self.seed,
            repeat: 1,
            trace: false,
            goes_on: false,
            limits: Limits::available(),
            keep: None,
        }
    }
}
