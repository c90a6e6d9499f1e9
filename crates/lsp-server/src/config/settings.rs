//! The table of settings.

use std::path::PathBuf;

use relax::release::Release;
use serde_json::{Value, json};

use super::{Config, Dims, Severities};

/// One setting: the only source for everything about it.
pub struct Setting {
    pub name: &'static str,
    pub kind: Kind,
    pub doc: &'static str,
    set: Set,
}

type Set = fn(&mut Config, &Value) -> Option<()>;

pub enum Kind {
    Bool {
        default: bool,
    },
    Integer {
        default: u64,
        minimum: u64,
        maximum: u64,
    },
    /// A path, or empty for none.
    Path,
    Choice {
        default: &'static str,
        options: &'static [(&'static str, &'static str)],
    },
    /// The severity of each diagnostic code.
    Severities,
    /// Values of shape variables by name.
    Dims,
}

/// For settings that only the client uses.
const CLIENT_ONLY: Set = |_, _| Some(());

/// The largest integer that every JSON parser represents exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// `auto`, followed by every release.
const RELEASES: [(&str, &str); Release::ALL.len() + 1] = {
    let found_out = "The project's release (`[tool.relax-lsp] tvm` in pyproject.toml, a pin of apache-tvm there or in requirements.txt, the apache-tvm of its Python environment), or else detected for each file from what it uses.";
    let mut all = [("auto", found_out); Release::ALL.len() + 1];
    let mut at = 0;
    while at < Release::ALL.len() {
        all[at + 1] = (Release::ALL[at].name(), Release::ALL[at].title());
        at += 1;
    }
    all
};

pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "relax.server.path",
        kind: Kind::Path,
        doc: "Path of the `relax-lsp` program. If empty, uses the one in the selected Python environment, in the extension, or on the `PATH`.",
        set: CLIENT_ONLY,
    },
    Setting {
        name: "relax.tvm",
        kind: Kind::Choice {
            default: "auto",
            options: &RELEASES,
        },
        doc: "The release of TVM that files are written for.",
        set: |config, value| {
            config.target = Release::from_name(value.as_str()?);
            Some(())
        },
    },
    Setting {
        name: "relax.diagnostics.severity",
        kind: Kind::Severities,
        doc: "The severity of diagnostics by code: `{\"unused-binding\": \"warning\"}`. `off` hides them.",
        set: |config, value| {
            config.severities = Severities::read(value).ok()?;
            Some(())
        },
    },
    Setting {
        name: "relax.dims",
        kind: Kind::Dims,
        doc: "Assumed values of shape variables: `{\"n\": 2048}`. Errors for these values are reported, and operations, bytes and planned memory are shown as numbers.",
        set: |config, value| {
            config.dims = Dims::read(value).ok()?;
            Some(())
        },
    },
    Setting {
        name: "relax.python",
        kind: Kind::Path,
        doc: "The Python that `relax.record` runs. Its installed apache-tvm determines the release that files are written for, if neither `relax.tvm` nor the project does.",
        set: |config, value| {
            let path = Some(value.as_str()?).filter(|it| !it.is_empty());
            config.python = path.map(PathBuf::from);
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.enable",
        kind: Kind::Bool { default: true },
        doc: "Show inlay hints; the other settings under `relax.inlayHints` choose which.",
        set: |config, value| {
            config.inlay_hints.enable = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.structInfo",
        kind: Kind::Bool { default: true },
        doc: "Show the StructInfo of bindings that have no annotation.",
        set: |config, value| {
            config.inlay_hints.struct_info = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.parameterNames",
        kind: Kind::Bool { default: true },
        doc: "Show the name of the parameter before a bare number or truth value: `axis=` before `-1`.",
        set: |config, value| {
            config.inlay_hints.parameter_names = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.dimensions",
        kind: Kind::Bool { default: true },
        doc: "Show the values of dimensions that are not literal: of `-1`, and of names defined in the surrounding Python code.",
        set: |config, value| {
            config.inlay_hints.dimensions = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.purity",
        kind: Kind::Bool { default: false },
        doc: "Show which functions are impure, and the outputs of dataflow blocks.",
        set: |config, value| {
            config.inlay_hints.purity = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.values",
        kind: Kind::Bool { default: true },
        doc: "After a traced run, show the shape, time and range of each value, until the text changes. VS Code shows its own notes instead.",
        set: |config, value| {
            config.inlay_hints.values = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.inlayHints.cost",
        kind: Kind::Bool { default: true },
        doc: "If `relax.dims` has values, show after each binding its operations and the bytes that it reads and writes.",
        set: |config, value| {
            config.inlay_hints.cost = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.codeLens.enable",
        kind: Kind::Bool { default: true },
        doc: "Show \"▶ Run\", \"Trace\" and the outcome of the last run above each Relax function and PrimFunc; in VS Code also \"Graph\" of Relax functions.",
        set: |config, value| {
            config.code_lens = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.codeLens.references",
        kind: Kind::Bool { default: true },
        doc: "Show the number of references above each function of a module.",
        set: |config, value| {
            config.code_lens_references = value.as_bool()?;
            Some(())
        },
    },
    Setting {
        name: "relax.format.lineLength",
        kind: Kind::Integer {
            default: 100,
            minimum: 0,
            maximum: 100_000,
        },
        doc: "Formatting breaks longer lines where possible. 0 never breaks lines, as TVM prints.",
        set: |config, value| {
            config.line_length = u32::try_from(value.as_u64()?).ok()?;
            Some(())
        },
    },
    Setting {
        name: "relax.run.seed",
        kind: Kind::Integer {
            default: 0,
            minimum: 0,
            maximum: MAX_SAFE_INTEGER,
        },
        doc: "Seed for the random inputs of a run: the same seed gives the same inputs.",
        set: |config, value| {
            config.run.seed = value.as_u64()?;
            Some(())
        },
    },
    Setting {
        name: "relax.run.defaultDim",
        kind: Kind::Integer {
            default: 4,
            minimum: 1,
            maximum: 1 << 31,
        },
        doc: "Value of shape variables for which a run has no value.",
        set: |config, value| {
            config.run.default_dim = value.as_u64()?;
            Some(())
        },
    },
    Setting {
        name: "relax.run.timeLimitSeconds",
        kind: Kind::Integer {
            default: 60,
            minimum: 1,
            maximum: 7 * 24 * 3600,
        },
        doc: "Stop a run after this many seconds.",
        set: |config, value| {
            config.run.time_limit_seconds = value.as_u64()?;
            Some(())
        },
    },
    Setting {
        name: "relax.run.memoryLimitMb",
        kind: Kind::Integer {
            default: 4096,
            minimum: 64,
            maximum: 1 << 24,
        },
        doc: "Stop a run that needs more than this many MB of memory.",
        set: |config, value| {
            config.run.memory_limit_mb = value.as_u64()?;
            Some(())
        },
    },
    Setting {
        name: "relax.trace.server",
        kind: Kind::Choice {
            default: "off",
            options: &[
                ("off", "Nothing."),
                ("messages", "The name of each message."),
                ("verbose", "Each message in full."),
            ],
        },
        doc: "Which messages between editor and server are logged, in VS Code in the output channel “Relax: Protocol Trace”.",
        set: CLIENT_ONLY,
    },
];

impl Setting {
    pub fn default(&self) -> Value {
        match self.kind {
            Kind::Bool { default } => json!(default),
            Kind::Integer { default, .. } => json!(default),
            Kind::Path => json!(""),
            Kind::Choice { default, .. } => json!(default),
            Kind::Severities | Kind::Dims => json!({}),
        }
    }

    /// Returns an error that says what is expected if `value` is invalid.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match &self.kind {
            Kind::Bool { .. } => value
                .is_boolean()
                .then_some(())
                .ok_or_else(|| "true or false".to_owned()),
            Kind::Integer {
                minimum, maximum, ..
            } => value
                .as_u64()
                .filter(|value| (minimum..=maximum).contains(&value))
                .map(drop)
                .ok_or_else(|| format!("a whole number from {minimum} to {maximum}")),
            Kind::Path => value
                .is_string()
                .then_some(())
                .ok_or_else(|| "a path".to_owned()),
            Kind::Choice { options, .. } => value
                .as_str()
                .filter(|value| options.iter().any(|(name, _)| name == value))
                .map(drop)
                .ok_or_else(|| {
                    let names: Vec<_> = options
                        .iter()
                        .map(|(name, _)| format!("\"{name}\""))
                        .collect();
                    format!("one of {}", names.join(", "))
                }),
            Kind::Severities => Severities::read(value).map(drop),
            Kind::Dims => Dims::read(value).map(drop),
        }
    }

    /// Applies a value that [`Setting::check`] accepts. Any other value leaves the configuration unchanged.
    pub fn set(&self, config: &mut Config, value: &Value) {
        let _ = (self.set)(config, value);
    }
}
