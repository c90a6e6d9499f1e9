//! `relax-lsp verify`: compares an imported model with ONNX Runtime or PyTorch, node by node.

mod reduce;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::output::{self, Format, Output};
use super::progress;
use super::record::{Prints, record};
use super::target::Target;
use crate::compilation::files::Files;
use crate::compilation::json::line_and_column;
use crate::compilation::recording::origins::{BindingOrigin, Origins};
use crate::compilation::recording::{Recording, shown_path};
use crate::compilation::verify::{self, Difference, Verification};
use crate::compilation::{dumps, runs};
use crate::exit::PROBLEMS_FOUND;
use crate::line_index::LineColumns;
use crate::run::job::{InputSource, Limits};
use crate::run::limits::limit_memory_to_available;
use crate::run::tolerance::RequestedTolerance;
use crate::scratch::Scratch;
use reduce::Fault;

#[derive(Args)]
pub struct Verify {
    /// A recording that `relax-lsp record` wrote, or a Python program that imports a model, with its arguments after
    /// `--`
    #[arg(value_name = "RECORDING | SCRIPT.py")]
    pub what: PathBuf,
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<PathBuf>,
    /// The reference, if the recording has several
    #[arg(long, value_enum, value_name = "WHAT")]
    pub against: Option<Against>,
    /// Value of a shape variable; a small one if missing
    #[arg(long = "dim", value_name = "NAME=N", value_parser = super::run::dim)]
    pub dims: Vec<(String, i64)>,
    /// Value of a parameter of the module, as for `relax-lsp run`; `random` if missing
    #[arg(long = "input", value_name = "PARAM=VALUE", value_parser = super::run::input)]
    pub inputs: Vec<(String, InputSource)>,
    /// Seed for random inputs
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Elements may differ by `atol + rtol * |the reference's|`; by default by a share of the element and of the scale
    /// of the tensor
    #[arg(long, value_name = "X")]
    pub rtol: Option<f64>,
    /// See `--rtol`
    #[arg(long, value_name = "X")]
    pub atol: Option<f64>,
    /// Go on with the modules after the import: run each on the same inputs, as `relax-lsp passes --run`
    #[arg(long)]
    pub stages: bool,
    /// If the importer of ONNX refuses a node or converts it wrongly: write the smallest model that still shows it, and
    /// a program that imports it, to this folder
    #[arg(long, value_name = "DIR")]
    pub reduce: Option<PathBuf>,
    /// Exit with 1 unless every node was compared
    #[arg(long)]
    pub strict: bool,
    /// The Python that has the reference (and TVM, to run a program); by default the one on the `PATH`
    #[arg(long, value_name = "PROGRAM")]
    pub python: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Against {
    Onnxruntime,
    Torch,
}

impl Against {
    fn kind(self) -> &'static str {
        match self {
            Against::Onnxruntime => "onnx",
            Against::Torch => "torch",
        }
    }
}

pub fn execute(command: &Verify) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let (scratch, recording, is_failed) = opened(command)?;
    limit_memory_to_available();
    progress::begin("Comparing with the reference");
    let options = verify::Options {
        kind: command.against.map(Against::kind),
        python: command.python.as_deref(),
        dims: command.dims.iter().cloned().collect(),
        inputs: command.inputs.iter().cloned().collect(),
        seed: command.seed,
        tolerance: RequestedTolerance {
            rtol: command.rtol,
            atol: command.atol,
            length: 0,
        },
        limits: Limits::available(),
    };
    if is_failed && recording.references.is_empty() {
        for it in &recording.failures {
            let during = it.during.as_ref().and_then(|it| it.node.as_deref());
            if let (Some(node), Some(exception)) = (during, it.exception.as_deref())
                && let Some(model) = &it.model
            {
                let fault = Fault::Refused { node, exception };
                reduced(
                    command,
                    &recording.folder.join(model),
                    &fault,
                    &options,
                    &files,
                )?;
            }
        }
        return Ok(ExitCode::from(PROBLEMS_FOUND));
    }
    let found = verify::verify(&recording, &files, &options)?;
    let origins = Origins::read(&recording, Some(&found.module), &files).ok();
    let path = verify::module_path(&recording, &found.module);
    let report = VerificationReport {
        lines: LineColumns::new(&files.source(&path)?.0),
        is_kept: scratch.is_none(),
        path,
        found: &found,
        recording: &recording,
        origins: origins.as_ref(),
    };
    output::print(&match command.format {
        Format::Text => Output::Text(report.text()),
        Format::Json => Output::Json(report.json()),
    })?;
    if let Some(difference) = &found.first_difference {
        let node = &difference.node;
        let model = recording.folder.join(&found.file);
        reduced(command, &model, &Fault::Differs { node }, &options, &files)?;
    }
    let code = found.verdict.exit_code(command.strict);
    if !command.stages || code != 0 {
        return Ok(ExitCode::from(code));
    }
    stages(command, &recording)
}

/// Writes the smallest model with a fault, if the user asks for it.
fn reduced(
    command: &Verify,
    model: &Path,
    fault: &Fault<'_>,
    options: &verify::Options<'_>,
    files: &Files,
) -> anyhow::Result<()> {
    let Some(folder) = &command.reduce else {
        return Ok(());
    };
    if model.extension().is_none_or(|it| it != "onnx") {
        bail!("`--reduce` takes ONNX models apart, and no other");
    }
    let shown = folder.display();
    let text = match reduce::reduce(model, fault, folder, options, files)? {
        Some(0) => format!("`{shown}/import.py` shows it with that node alone\n"),
        Some(count) => {
            format!("`{shown}/import.py` shows it with the {count} nodes before that node\n")
        }
        None => format!(
            "no part of the model shows it alone; `{shown}` has the largest that was tried\n"
        ),
    };
    Ok(output::warn(text)?)
}

/// Runs the modules of the recording on the same inputs.
fn stages(command: &Verify, recording: &Recording) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let dumps = dumps::find(std::slice::from_ref(&recording.folder), &files)?;
    if dumps.len() < 2 {
        return Ok(ExitCode::SUCCESS);
    }
    let sequence = super::passes::read(&dumps, &files)?;
    let options = runs::Options {
        dims: command.dims.iter().cloned().collect(),
        inputs: command.inputs.iter().cloned().collect(),
        seed: command.seed,
        rtol: command.rtol,
        atol: command.atol,
        ..runs::Options::default()
    };
    progress::begin("Running stages");
    let found = runs::run(
        &sequence,
        &dumps,
        &options,
        Limits::available(),
        &mut progress::step,
    )?;
    output::print(&match command.format {
        Format::Text => Output::Text(found.render(&sequence, &dumps)),
        Format::Json => {
            let locate = |range, at: usize| line_and_column(&dumps[at].lines, range);
            Output::Json(json!({"run": found.to_json(&locate)}))
        }
    })?;
    Ok(ExitCode::from(found.verdict.exit_code(command.strict)))
}

/// Opens the recording, or makes a temporary one of the program. The last value is `true` if the program failed.
fn opened(command: &Verify) -> anyhow::Result<(Option<Scratch>, Recording, bool)> {
    let what = &command.what;
    if let Some(recording) = Recording::open(what)? {
        if !command.arguments.is_empty() {
            bail!(
                "`{}` is a recording, and takes no arguments",
                what.display()
            );
        }
        let is_failed = !recording.failures.is_empty();
        if is_failed && recording.references.is_empty() {
            for it in &recording.failures {
                output::warn(recording.describe(it))?;
            }
        }
        return Ok((None, recording, is_failed));
    }
    if what.is_dir() {
        bail!(
            "`{}` is not a recording: `relax-lsp record` writes them",
            what.display()
        );
    }
    let scratch = Scratch::new()?;
    let folder = scratch.path().join("recording");
    let program = [std::slice::from_ref(what), &command.arguments].concat();
    let python = command.python.as_deref();
    let ended = record(&program, &folder, python, Prints::ToError)?;
    if let Some(failure) = &ended.failure {
        output::warn(failure.clone())?;
    }
    Ok((Some(scratch), ended.recording, ended.failure.is_some()))
}

struct VerificationReport<'r> {
    found: &'r Verification,
    recording: &'r Recording,
    origins: Option<&'r Origins>,
    path: PathBuf,
    /// `false` if the module is gone at the end.
    is_kept: bool,
    lines: LineColumns,
}

/// Reasons are listed for this many nodes each.
const NODES: usize = 3;

impl VerificationReport<'_> {
    fn text(&self) -> String {
        let found = self.found;
        let mut text = format!(
            "{}: {} of {} nodes compared with {}",
            found.verdict.word(),
            found.compared,
            found.nodes,
            found.program
        );
        if found.folded > 0 {
            let _ = write!(text, ", {} of them folded by the importer", found.folded);
        }
        text.push('\n');
        if let Some(it) = &found.first_difference {
            let _ = writeln!(
                text,
                "the first node that differs is `{}` ({})",
                it.node, it.op
            );
            if let Some((name, offset)) = &it.binding {
                let _ = writeln!(text, "  `{name}`{}", self.place(*offset));
            }
            if let Some(origin) = self.origin(it) {
                let _ = writeln!(text, "  from {}", origin.brief(&self.recording.folder));
            }
            let _ = writeln!(text, "  {}", it.what);
        }
        if let Some(it) = &found.stopped {
            let at = it.offset.map(|it| self.place(it));
            let _ = writeln!(
                text,
                "the module stops{}: {}",
                at.unwrap_or_default(),
                it.message
            );
        }
        let mut by_reason: Vec<(&str, Vec<String>)> = Vec::new();
        for it in &found.not_compared {
            let node = format!("{} ({})", it.node, it.op);
            match by_reason
                .iter_mut()
                .find(|(reason, _)| *reason == it.reason)
            {
                Some((_, nodes)) => nodes.push(node),
                None => by_reason.push((&it.reason, vec![node])),
            }
        }
        for (reason, nodes) in by_reason {
            let shown = nodes[..nodes.len().min(NODES)].join(", ");
            let _ = match nodes.len().saturating_sub(NODES) {
                0 => writeln!(text, "  not compared: {shown}: {reason}"),
                more => writeln!(text, "  not compared: {shown} and {more} more: {reason}"),
            };
        }
        text
    }

    fn json(&self) -> Value {
        let found = self.found;
        let difference = found.first_difference.as_ref().map(|it| {
            let binding = it.binding.as_ref();
            let origin = self.origin(it);
            let source = origin.and_then(|it| it.frames.first()).map(|(file, line, _)| {
                json!({"file": shown_path(&self.recording.folder, file), "line": line})
            });
            let worst = it.worst.as_ref();
            json!({
                "node": it.node, "op": it.op, "output": it.output,
                "binding": binding.map(|it| &it.0),
                "line": binding.map(|it| self.line(it.1)),
                "source": source,
                "module_path": origin.and_then(|it| it.module.clone()),
                "expected": worst.map(|it| it.theirs),
                "actual": worst.map(|it| it.ours),
                "index": worst.map(|it| it.index.clone()),
                "what": it.what,
            })
        });
        let not_compared = found.not_compared.iter();
        let not_compared =
            not_compared.map(|it| json!({"node": it.node, "op": it.op, "reason": it.reason}));
        json!({
            "verdict": found.verdict,
            "reference": found.reference,
            "version": found.program,
            "module": found.module,
            "function": found.function,
            "nodes": found.nodes,
            "compared": found.compared,
            "folded": found.folded,
            "not_compared": not_compared.collect::<Vec<_>>(),
            "first_difference": difference,
            "stopped": found.stopped.as_ref().map(|it| {
                json!({"message": it.message, "line": it.offset.map(|it| self.line(it))})
            }),
        })
    }

    /// Returns where the binding of a difference came from.
    fn origin(&self, difference: &Difference) -> Option<&BindingOrigin> {
        let origins = self.origins?;
        let binding = difference.binding.as_ref().map(|it| it.0.as_str());
        let bindings = origins.bindings();
        let of_binding = bindings.iter().find(|it| Some(it.name) == binding);
        let of_node = || {
            let mut all = origins.all.iter();
            all.find(|it| it.node().is_some_and(|(name, _)| name == difference.node))
        };
        of_binding
            .and_then(|it| it.origins.first().copied())
            .or_else(of_node)
    }

    fn line(&self, offset: u32) -> u32 {
        self.lines.line_col(offset.into()).0
    }

    /// Returns the words for a place in the module.
    fn place(&self, offset: u32) -> String {
        let line = self.line(offset);
        if self.is_kept {
            let path = shown_path(Path::new(""), &self.path.to_string_lossy());
            format!(" at {path}:{line}")
        } else {
            format!(" in line {line} of the module, which `relax-lsp record` keeps")
        }
    }
}
