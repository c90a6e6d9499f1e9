//! The settings. A single table defines how they are read, documented, and declared to VS Code.

mod dims;
pub mod project;
mod settings;
mod severities;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use relax::release::Release;
use serde_json::Value;

pub use dims::Dims;
use ide::{Diagnostic, FormatOptions};
use settings::SETTINGS;
pub use severities::Severities;

/// The current settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The release that files are written for; `None` to detect it from each file.
    pub target: Option<Release>,
    pub severities: Severities,
    /// The assumed values of shape variables.
    pub dims: Dims,
    /// The Python that the user chose.
    pub python: Option<PathBuf>,
    pub inlay_hints: InlayHintConfig,
    pub code_lens: bool,
    pub code_lens_references: bool,
    /// The line length; 0 never breaks lines.
    pub line_length: u32,
    pub run: RunConfig,
}

/// The hints that are shown.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a setting of its own"
)]
pub struct InlayHintConfig {
    pub enable: bool,
    pub struct_info: bool,
    pub parameter_names: bool,
    pub dimensions: bool,
    pub purity: bool,
    /// Values of traced runs.
    pub values: bool,
    /// Operations and bytes, if there are [`Dims`].
    pub cost: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunConfig {
    pub seed: u64,
    pub default_dim: u64,
    pub time_limit_seconds: u64,
    pub memory_limit_mb: u64,
}

impl Default for Config {
    fn default() -> Config {
        let mut config = Config {
            target: None,
            severities: Severities::default(),
            dims: Dims::default(),
            python: None,
            inlay_hints: InlayHintConfig::default(),
            code_lens: false,
            code_lens_references: false,
            line_length: 0,
            run: RunConfig {
                seed: 0,
                default_dim: 0,
                time_limit_seconds: 0,
                memory_limit_mb: 0,
            },
        };
        for setting in SETTINGS {
            setting.set(&mut config, &setting.default());
        }
        config
    }
}

impl Config {
    /// Applies the user's severities and dimensions to diagnostics.
    pub fn adjust(&self, diagnostics: &mut Vec<Diagnostic>) {
        self.severities.apply(diagnostics);
        self.dims.explain(diagnostics);
    }

    pub fn format(&self) -> FormatOptions {
        FormatOptions {
            line_length: Some(self.line_length).filter(|&length| length > 0),
        }
    }

    /// Reads settings as clients send them: `{"relax": {"run": {"seed": 1}}}`, the same without `relax`, or with
    /// dotted names. Returns the configuration, and an error message for each invalid value.
    pub fn read(value: &Value) -> (Config, Vec<String>) {
        let mut config = Config::default();
        let mut problems = Vec::new();
        for setting in SETTINGS {
            let Some(value) = find(value, setting.name).filter(|value| !value.is_null()) else {
                continue;
            };
            if let Err(expected) = setting.check(value) {
                problems.push(format!(
                    "setting `{}` must be {expected}, not {value}. {}",
                    setting.name, setting.doc
                ));
            } else {
                setting.set(&mut config, value);
            }
        }
        (config, problems)
    }
}

/// Returns the value of a dotted name. Leading parts of the name may be missing, and adjacent parts may be joined.
fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    fn descend<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
        let object = value.as_object()?;
        if let Some(value) = object.get(name) {
            return Some(value);
        }
        name.match_indices('.').find_map(|(dot, _)| {
            let (head, tail) = (&name[..dot], &name[dot + 1..]);
            descend(object.get(head)?, tail)
        })
    }
    descend(value, name).or_else(|| descend(value, name.strip_prefix("relax.")?))
}
