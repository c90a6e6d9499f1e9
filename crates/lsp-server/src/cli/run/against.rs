//! `--against`: repeats a run in another implementation.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use ide::Language;
use serde_json::json;
use text_size::TextRange;

use super::{Run, exit_code, refusal, text};
use crate::cli::output::{self, Format};
use crate::cli::report::FileReport;
use crate::cli::verify::{self, Verify};
use crate::memory::say_if_refused;
use crate::run::against;
use crate::run::execute::execute as execute_job;
use crate::run::job::Job;
use crate::run::limits::{Deadline, lift_memory_limit, limit_memory};
use crate::run::observed::Observed;
use crate::run::outcome::Outcome;
use crate::run::tolerance::{RequestedTolerance, Tolerance};
use crate::sources;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Against {
    /// Apache TVM, from the Python that is found
    Tvm,
    /// ONNX Runtime, for a module of a recording, as `relax-lsp verify`
    Onnxruntime,
    /// PyTorch, for a module of a recording, as `relax-lsp verify`
    Torch,
}

impl Run {
    /// Returns the same as a request to verify the recording of the module.
    pub fn as_verification(&self, against: Against) -> Verify {
        let folder = self.target.file.parent().unwrap_or(Path::new(""));
        Verify {
            what: if self.target.file.is_dir() {
                self.target.file.clone()
            } else {
                folder.to_owned()
            },
            arguments: Vec::new(),
            against: Some(match against {
                Against::Torch => verify::Against::Torch,
                _ => verify::Against::Onnxruntime,
            }),
            dims: self.dims.clone(),
            inputs: self.inputs.clone(),
            seed: self.seed,
            rtol: self.rtol,
            atol: self.atol,
            stages: false,
            reduce: None,
            strict: false,
            python: self.python.clone(),
            format: self.format.of_messages(),
            target: self.tvm,
        }
    }
}

/// Runs here and in TVM, and compares the results.
pub fn compare(
    command: &Run,
    job: &Job,
    deadline: Deadline,
    report: &FileReport,
) -> anyhow::Result<ExitCode> {
    let mut values = Observed::default();
    say_if_refused(refusal(job.limits.memory_mb, command.format.of_messages()));
    limit_memory(job.limits.memory_mb);
    let (outcome, leaves) = execute_job(job, deadline, &mut values);
    lift_memory_limit();
    if !matches!(outcome, Outcome::Finished(_)) {
        text::print(&outcome, report, None)?;
        return Ok(exit_code(&outcome));
    }
    let asked = RequestedTolerance {
        rtol: command.rtol,
        atol: command.atol,
        length: 0,
    };
    let tvm = against::Tvm {
        python: command.python.as_deref(),
        target: &command.tvm_target,
        executes: command.execute,
    };
    let found = against::compare(&job.text, &values, &leaves, asked, &tvm);
    let found = found.map_err(anyhow::Error::msg)?;
    let line = found.differs.as_ref().and_then(|it| {
        let (start, end) = it.range?;
        Some(report.span(TextRange::new(start.into(), end.into())).line)
    });
    // The comment in a translation that gives the position in the Relay text.
    let is_relay = sources::language(&command.target.file) == Language::Relay;
    let origin = line.filter(|_| is_relay).and_then(|line| {
        let line = report.text.lines().nth(line as usize - 1)?;
        Some(line.rsplit_once("  # ")?.1.to_owned())
    });
    match command.format.of_messages() {
        Format::Json => {
            let mut json = json!(found);
            if let Some(line) = line {
                json["differs"]["line"] = json!(line);
            }
            if let Some(origin) = &origin {
                json["differs"]["relay"] = json!(origin);
            }
            output::print_json(json)?;
        }
        Format::Text => {
            let text = match &found.differs {
                None => format!(
                    "{} values agree with TVM {} ({})\n",
                    found.compared,
                    found.tvm,
                    tolerances(&found.tolerance)
                ),
                Some(it) => format!(
                    "the first value that differs from TVM {} is {}{}: {}\n",
                    found.tvm,
                    it.name,
                    place(line, is_relay, origin.as_deref()),
                    it.what
                ),
            };
            output::print_text(text)?;
        }
    }
    Ok(if found.differs.is_some() {
        ExitCode::from(crate::exit::PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    })
}

/// Formats the place of a difference: ` in line 8`, ` in line 8 of its translation to Relax (%1, line 4)`.
fn place(line: Option<u32>, is_relay: bool, origin: Option<&str>) -> String {
    let Some(line) = line else {
        return String::new();
    };
    let of = if is_relay {
        " of its translation to Relax"
    } else {
        ""
    };
    let from = origin.map_or_else(String::new, |it| format!(" ({it})"));
    format!(" in line {line}{of}{from}")
}

/// Formats the tolerances: `float32 within 1e-4 of TVM's and of the tensor's scale, int64 equal`.
fn tolerances(by_dtype: &BTreeMap<String, Tolerance>) -> String {
    let parts: Vec<String> = by_dtype
        .iter()
        .map(|(dtype, it)| match (it.rtol, it.atol) {
            (0.0, Some(0.0)) => format!("{dtype} equal"),
            (rtol, Some(atol)) => format!("{dtype} within {atol} + {rtol} * |TVM's|"),
            (rtol, None) => {
                format!("{dtype} within {rtol:e} of TVM's and of the scale of the tensor")
            }
        })
        .collect();
    parts.join(", ")
}
