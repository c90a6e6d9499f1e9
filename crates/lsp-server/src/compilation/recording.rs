//! A recording: what `relax-lsp record` wrote about a Python program. `docs/recordings.md` describes the format.

pub mod origins;
pub mod program;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::{path_inside, regular_file};

/// The file that says what the others are.
pub const ABOUT: &str = "recording.json";
/// Where each binding came from.
pub const ORIGINS: &str = "origins.json";
/// The folder of the graphs that were imported.
pub const REFERENCES: &str = "reference";

const FORMAT: u32 = 1;

#[derive(Debug, Deserialize)]
pub struct Recording {
    #[serde(skip)]
    pub folder: PathBuf,
    format: u32,
    /// The version of TVM, if the program imported it.
    pub tvm: Option<String>,
    #[serde(default)]
    pub modules: Vec<Module>,
    #[serde(default)]
    pub failures: Vec<Failure>,
    #[serde(default)]
    pub references: Vec<Reference>,
    /// For each file of the program, a hash of each line.
    #[serde(default)]
    pub lines: FxHashMap<String, Vec<String>>,
}

/// A module, in the order in which they arose.
#[derive(Debug, Deserialize)]
pub struct Module {
    pub label: String,
    pub file: String,
    /// What made it: `import`, `export`, `builder`, `pass`; `input` for what a pass was given.
    pub kind: String,
    /// The number of enclosing passes.
    #[serde(default)]
    pub depth: usize,
    #[serde(default)]
    pub seconds: f64,
}

/// What ended the program, or what TVM refused.
#[derive(Debug, Deserialize)]
pub struct Failure {
    /// The class of the exception, if there was one.
    pub exception: Option<String>,
    pub message: String,
    pub during: Option<During>,
    /// The frames of the program, innermost first.
    #[serde(default)]
    pub frames: Vec<FrameEntry>,
    /// The last module before it.
    pub module: Option<String>,
    /// The file of the model that an importer refused.
    #[serde(default)]
    pub model: Option<String>,
}

/// What was under way: a pass, or the import of a node.
#[derive(Debug, Deserialize)]
pub struct During {
    pub pass: Option<String>,
    pub node: Option<String>,
    /// The operator of the node.
    pub op: Option<String>,
    /// The inputs of the node with their types.
    #[serde(default)]
    pub inputs: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
pub struct FrameEntry {
    pub file: String,
    pub line: u32,
}

/// An imported graph.
#[derive(Debug, Deserialize)]
pub struct Reference {
    /// `onnx` or `torch`.
    pub kind: String,
    pub file: String,
    /// The label of the module that the importer made of it.
    pub module: String,
    pub function: String,
    /// The file that says what each value of the graph is in the module.
    pub values: String,
    /// The modules of Python that define the types of the graph.
    #[serde(default)]
    pub imports: Vec<String>,
}

impl Recording {
    /// Reads a recording. Returns `None` if the folder is not one.
    pub fn open(folder: &Path) -> anyhow::Result<Option<Recording>> {
        let path = folder.join(ABOUT);
        let Ok(text) = regular_file::read(&path) else {
            return Ok(None);
        };
        let recording: Recording = serde_json::from_slice(&text)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        if recording.format > FORMAT {
            bail!(
                "`{}` has format {}, and this program knows {FORMAT}: it needs a newer relax-lsp",
                path.display(),
                recording.format
            );
        }
        for file in recording.files() {
            path_inside::join(folder, file)?;
        }
        Ok(Some(Recording {
            folder: folder.to_owned(),
            ..recording
        }))
    }

    /// Returns the files that it names.
    fn files(&self) -> impl Iterator<Item = &str> {
        let modules = self.modules.iter().map(|it| &it.file);
        let references = self.references.iter();
        let references = references.flat_map(|it| [&it.file, &it.values]);
        let models = self.failures.iter().filter_map(|it| it.model.as_ref());
        let all = modules.chain(references).chain(models);
        all.map(String::as_str)
    }

    pub fn module(&self, label: &str) -> Option<&Module> {
        self.modules.iter().find(|it| it.label == label)
    }

    /// Returns the path of a file of the recording, relative to the current directory where it is below it.
    pub fn path_of(&self, file: &str) -> String {
        shown_path(&self.folder, file)
    }

    /// Describes a failure in sentences, with its place.
    pub fn describe(&self, failure: &Failure) -> String {
        let frame = failure.frames.first();
        let place = frame.map(|it| format!(" at {}:{}", self.path_of(&it.file), it.line));
        let mut text = failure.sentence(&place.unwrap_or_default());
        if let Some(module) = failure.module.as_ref().and_then(|it| self.module(it)) {
            let _ = writeln!(
                text,
                "  the last module before it: {}",
                self.path_of(&module.file)
            );
        }
        text
    }
}

impl Failure {
    /// Describes a failure in sentences, for a reader who sees its place.
    pub fn described(&self) -> String {
        self.sentence("").trim_end().to_owned()
    }

    fn sentence(&self, place: &str) -> String {
        let during = self.during.as_ref();
        let node = during.and_then(|it| it.node.as_ref().map(|node| (node, &it.op)));
        let pass = during.and_then(|it| it.pass.as_ref());
        let raised = match &self.exception {
            Some(exception) => format!("raised {exception}"),
            None => "failed".to_owned(),
        };
        let mut text = match (node, pass) {
            (Some((node, op)), _) => {
                let op = op.as_deref().unwrap_or("unknown operator");
                format!("the import of the node `{node}` ({op}) {raised}")
            }
            (None, Some(pass)) => format!("the pass `{pass}` {raised}"),
            (None, None) => match &self.exception {
                Some(exception) => format!("the program raised {exception}"),
                None => self.message.clone(),
            },
        };
        text.push_str(place);
        if self.exception.is_some() {
            let _ = write!(text, ": {}", self.message);
        }
        text.push('\n');
        for (name, ty) in during.into_iter().flat_map(|it| &it.inputs) {
            let _ = writeln!(text, "  its input `{name}`: {ty}");
        }
        text
    }
}

/// Returns a path that starts in a folder, relative to the current directory where it is below it.
pub fn shown_path(folder: &Path, file: &str) -> String {
    let parts = absolute_path(folder, file);
    let here = std::env::current_dir().unwrap_or_default();
    let path = parts.strip_prefix(&here).unwrap_or(&parts);
    path.display().to_string().replace('\\', "/")
}

/// Returns a path that starts in a folder, without `..`.
pub fn absolute_path(folder: &Path, file: &str) -> PathBuf {
    let path = folder.join(file);
    let path = std::path::absolute(&path).unwrap_or(path);
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir if parts.file_name().is_some() => {
                parts.pop();
            }
            std::path::Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}
