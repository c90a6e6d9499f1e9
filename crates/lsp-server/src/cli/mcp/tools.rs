//! The tools, one row each: the subcommand, and how its arguments follow from those of a call.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use super::roots::Roots;
use crate::run::job::InputSource;

pub struct Row {
    pub name: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    parameters: &'static [Parameter],
    /// Arguments of every call.
    always: &'static [&'static str],
}

struct Parameter {
    name: &'static str,
    kind: Kind,
    required: bool,
    doc: &'static str,
}

enum Kind {
    /// The `path` of a file, or its `text`. If the row has a function: `FILE::FUNCTION`.
    Program,
    /// The function of the program.
    Function,
    /// A positional argument.
    Word,
    /// A positional argument: a path.
    Path,
    /// A flag with a value.
    Flag(&'static str),
    /// A flag that is passed if the value is true.
    Switch(&'static str),
    /// A flag for each pair of an object: `--dim n=16`.
    Pairs(&'static str),
    /// Like `Pairs`; a value may be the path of a file.
    Inputs,
}

const PROGRAM: Parameter = Parameter {
    name: "path",
    kind: Kind::Program,
    required: false,
    doc: "Path of a Python file with TVMScript. Alternatively, `text` contains the program itself.",
};

const RELEASE: Parameter = Parameter {
    name: "tvm",
    kind: Kind::Flag("--tvm"),
    required: false,
    doc: "The release of TVM that the program is written for, such as `0.25`. Detected from the program if missing.",
};

const DIMS: Parameter = Parameter {
    name: "dims",
    kind: Kind::Pairs("--dim"),
    required: false,
    doc: "Values of shape variables, by name.",
};

pub const TOOLS: &[Row] = &[
    Row {
        name: "check",
        title: "Check TVMScript",
        doc: "Reports every error in a program or folder: syntax, names, shapes and dtypes, purity, well-formedness. Each has a code that `explain` explains.",
        parameters: &[PROGRAM, RELEASE],
        always: &["--format", "json"],
    },
    Row {
        name: "facts",
        title: "Infer StructInfo",
        doc: "Everything inferred about a program: functions, parameters, the StructInfo of each binding, diagnostics.",
        parameters: &[PROGRAM, RELEASE],
        always: &[],
    },
    Row {
        name: "explain",
        title: "Explain a diagnostic",
        doc: "The documentation of a diagnostic code: its rule, a wrong and a right example, the fix.",
        parameters: &[Parameter {
            name: "code",
            kind: Kind::Word,
            required: true,
            doc: "The code, such as `shape-mismatch`.",
        }],
        always: &[],
    },
    Row {
        name: "run",
        title: "Run a Relax function",
        doc: "Runs a function on generated inputs, and reports its result, or the error with its place in the source.",
        parameters: &[
            PROGRAM,
            Parameter {
                name: "function",
                kind: Kind::Function,
                required: false,
                doc: "The function, `Module.main`, if the program has several.",
            },
            DIMS,
            Parameter {
                name: "inputs",
                kind: Kind::Inputs,
                required: false,
                doc: "Values of parameters, by name: `random`, `zeros`, `ones`, `arange`, or the path of a .npy file.",
            },
        ],
        always: &["--format", "json", "--time-limit", "300"],
    },
    Row {
        name: "diff",
        title: "Compare two modules",
        doc: "Compares two modules, ignoring names: functions and bindings that were added, removed or changed.",
        parameters: &[
            Parameter {
                name: "before",
                kind: Kind::Path,
                required: true,
                doc: "Path of the first file.",
            },
            Parameter {
                name: "after",
                kind: Kind::Path,
                required: true,
                doc: "Path of the second file.",
            },
        ],
        always: &["--format", "json"],
    },
    Row {
        name: "passes",
        title: "Read the dumps of a compilation",
        doc: "What each pass of a compilation changed, and the first stage that is ill-formed or, with `run`, that computes different values.",
        parameters: &[
            Parameter {
                name: "folder",
                kind: Kind::Path,
                required: true,
                doc: "Path of a folder of dumps, as `tvm.ir.instrument.DumpIR` writes it.",
            },
            Parameter {
                name: "run",
                kind: Kind::Switch("--run"),
                required: false,
                doc: "Run every stage on the same inputs, and compare the values.",
            },
            DIMS,
            RELEASE,
        ],
        always: &["--format", "json"],
    },
    Row {
        name: "migrate",
        title: "Migrate to another release of TVM",
        doc: "The program converted to another release of TVM, newer or older, and the lines without an equivalent.",
        parameters: &[
            PROGRAM,
            Parameter {
                name: "to",
                kind: Kind::Flag("--to"),
                required: true,
                doc: "The release to convert to, such as `0.27`.",
            },
            Parameter {
                name: "from",
                kind: Kind::Flag("--from"),
                required: false,
                doc: "The release that the program is written for.",
            },
        ],
        always: &[],
    },
];

impl Row {
    /// Returns the JSON schema of a call's arguments.
    pub fn schema(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        for parameter in self.parameters {
            let kind = match parameter.kind {
                Kind::Pairs(_) | Kind::Inputs => {
                    json!({"type": "object", "additionalProperties": {"type": ["string", "integer"]}})
                }
                Kind::Switch(_) => json!({"type": "boolean"}),
                _ => json!({"type": "string"}),
            };
            properties.insert(parameter.name.to_owned(), kind);
            properties[parameter.name]["description"] = json!(parameter.doc);
            if matches!(parameter.kind, Kind::Program) {
                let text =
                    json!({"type": "string", "description": "The program, instead of `path`."});
                properties.insert(TEXT.to_owned(), text);
            }
        }
        let required = self.parameters.iter().filter(|it| it.required);
        let required: Vec<&str> = required.map(|it| it.name).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Returns the arguments of the subcommand. Writes the text of a program to `folder`.
    pub fn arguments(
        &self,
        call: &Map<String, Value>,
        folder: &Path,
        roots: &Roots,
    ) -> anyhow::Result<Vec<OsString>> {
        let known = |name: &str| {
            let takes_text = self
                .parameters
                .iter()
                .any(|it| matches!(it.kind, Kind::Program));
            takes_text && name == TEXT || self.parameters.iter().any(|it| it.name == name)
        };
        if let Some(name) = call.keys().find(|name| !known(name)) {
            bail!("`{}` has no argument `{name}`", self.name);
        }
        let mut words: Vec<OsString> = vec![self.name.into()];
        words.extend(self.always.iter().map(OsString::from));
        // Positional arguments come last, so that none is taken for a flag's value.
        let mut last = Vec::new();
        for parameter in self.parameters {
            let value = call.get(parameter.name);
            match parameter.kind {
                Kind::Program => last.push(self.program(call, folder, roots)?),
                Kind::Function => {}
                Kind::Word => last.extend(string(parameter, value)?.map(OsString::from)),
                Kind::Path => {
                    if let Some(path) = string(parameter, value)? {
                        last.push(roots.admit_program(Path::new(path))?.into());
                    }
                }
                Kind::Flag(flag) => {
                    if let Some(value) = string(parameter, value)? {
                        words.push(format!("{flag}={value}").into());
                    }
                }
                Kind::Switch(flag) => match value {
                    Some(Value::Bool(true)) => words.push(flag.into()),
                    None | Some(Value::Bool(false)) => {}
                    Some(_) => bail!("`{}` is neither true nor false", parameter.name),
                },
                Kind::Pairs(flag) => {
                    for (name, value) in pairs(value) {
                        words.push(format!("{flag}={name}={value}").into());
                    }
                }
                Kind::Inputs => {
                    for (name, value) in pairs(value) {
                        let mut word = OsString::from(format!("--input={name}="));
                        word.push(match InputSource::from(value.clone()) {
                            InputSource::Npy(path) => roots.admit(&path)?.into_os_string(),
                            _ => value.into(),
                        });
                        words.push(word);
                    }
                }
            }
        }
        words.push("--".into());
        words.extend(last);
        Ok(words)
    }

    /// Returns the file of the program, with the function appended.
    fn program(
        &self,
        call: &Map<String, Value>,
        folder: &Path,
        roots: &Roots,
    ) -> anyhow::Result<OsString> {
        let mut program = match (call.get("path"), call.get(TEXT)) {
            (Some(path), None) => {
                let path = path.as_str().context("`path` is not a string")?;
                roots.admit_program(Path::new(path))?.into_os_string()
            }
            (None, Some(text)) => {
                let path = folder.join("program.py");
                crate::scratch::write(&path, text.as_str().context("`text` is not a string")?)?;
                path.into_os_string()
            }
            _ => bail!("`{}` needs either `path` or `text`", self.name),
        };
        let function = self
            .parameters
            .iter()
            .find(|it| matches!(it.kind, Kind::Function));
        if let Some(parameter) = function
            && let Some(name) = string(parameter, call.get(parameter.name))?
        {
            program.push("::");
            program.push(name);
        }
        Ok(program)
    }
}

/// Returns the pairs of an object as text.
fn pairs(value: Option<&Value>) -> impl Iterator<Item = (&String, String)> {
    let pairs = value.and_then(Value::as_object).into_iter().flatten();
    pairs.map(|(name, value)| {
        let text = value.as_str().map(str::to_owned);
        (name, text.unwrap_or_else(|| value.to_string()))
    })
}

const TEXT: &str = "text";

fn string<'v>(parameter: &Parameter, value: Option<&'v Value>) -> anyhow::Result<Option<&'v str>> {
    match value {
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => bail!("`{}` is not a string", parameter.name),
        None if parameter.required => bail!("`{}` is missing", parameter.name),
        None => Ok(None),
    }
}
