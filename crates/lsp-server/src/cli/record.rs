//! `relax-lsp record`: runs a program with the user's Python, and records what it does with TVM.

use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::Args;

use super::output;
use crate::children::blocking_output;
use crate::compilation::dumps::is_dump;
use crate::compilation::recording::{ABOUT, ORIGINS, REFERENCES, Recording};
use crate::exit::PROBLEMS_FOUND;
use crate::run::{constants, python};

pub const RECORDER: &str = include_str!("../../../../packaging/python/relax_lsp/recorder.py");

/// The files beside the modules.
const OWN: [&str; 5] = [
    ABOUT,
    ORIGINS,
    REFERENCES,
    constants::INDEX,
    constants::TENSORS,
];

#[derive(Args)]
pub struct Record {
    /// The program and its arguments: `SCRIPT.py ARGUMENTS...`, or `-m MODULE ARGUMENTS...`
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "SCRIPT.py | -m MODULE"
    )]
    program: Vec<PathBuf>,
    /// The folder of the recording
    #[arg(short, long, value_name = "DIR", default_value = "recording")]
    output: PathBuf,
    /// The Python that runs the program; by default the one on the `PATH` that has TVM
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
}

pub fn execute(command: &Record) -> anyhow::Result<ExitCode> {
    let python = command.python.as_deref();
    let ended = record(&command.program, &command.output, python, Prints::ToOutput)?;
    output::warn(ended.summary())?;
    Ok(match ended.failure {
        Some(_) => ExitCode::from(PROBLEMS_FOUND),
        None => ExitCode::SUCCESS,
    })
}

/// A program that was recorded.
pub struct Recorded {
    pub recording: Recording,
    /// How the program failed, if it did.
    pub failure: Option<String>,
}

impl Recorded {
    fn summary(&self) -> String {
        let Recording {
            modules,
            references,
            folder,
            ..
        } = &self.recording;
        let folder = folder.display();
        let count = modules.len();
        let mut text = match count {
            0 => format!("`{folder}`: the program made no Relax module\n"),
            1 => format!("`{folder}`: 1 module\n"),
            _ => format!("`{folder}`: {count} modules\n"),
        };
        if !references.is_empty() {
            text.push_str("  `relax-lsp verify` compares the import with its model\n");
        }
        if modules.iter().any(|it| it.kind == "pass") {
            text.push_str("  `relax-lsp passes --run` compares what the passes made\n");
        }
        if let Some(failure) = &self.failure {
            text.push_str(failure);
        }
        text
    }
}

/// Where the standard output of a program goes.
#[derive(Clone, Copy)]
pub enum Prints {
    ToOutput,
    /// So that it does not mix with an answer.
    ToError,
    Nothing,
}

/// Runs a program, and writes a recording to `folder`. The recording of a program that fails shows how far it got.
pub fn record(
    program: &[PathBuf],
    folder: &Path,
    given: Option<&Path>,
    prints: Prints,
) -> anyhow::Result<Recorded> {
    let Some(first) = program.first() else {
        bail!("name the program that builds the module");
    };
    let is_module = first.as_os_str() == "-m";
    if is_module && program.len() < 2 {
        bail!("`-m` needs the name of a module");
    }
    if !is_module && !first.is_file() {
        bail!("there is no file `{}`", first.display());
    }
    let python = match given {
        Some(python) => python.to_owned(),
        None => python::find(None, "tvm", "apache-tvm").map_err(anyhow::Error::msg)?,
    };
    empty(folder)?;
    let cannot = || format!("cannot start `{}`", python.display());
    let mut child = python::command(&python, &[python::ENDS_WITH_PARENT, RECORDER]);
    child.arg(folder).args(program);
    child.stdout(match prints {
        Prints::ToOutput => Stdio::inherit(),
        Prints::ToError => std::io::stderr().into(),
        Prints::Nothing => Stdio::null(),
    });
    child.stderr(match prints {
        Prints::Nothing => Stdio::null(),
        _ => Stdio::inherit(),
    });
    let status = blocking_output(child).with_context(cannot)?.status;
    let Some(recording) = Recording::open(folder)? else {
        bail!("`{}` recorded nothing ({status})", python.display());
    };
    let mut failures: Vec<String> = recording
        .failures
        .iter()
        .map(|it| recording.describe(it))
        .collect();
    if !status.success() && failures.is_empty() {
        failures.push(format!("the program failed ({status})\n"));
    }
    let failure = (!failures.is_empty()).then(|| failures.concat());
    Ok(Recorded { recording, failure })
}

/// Empties a folder for a recording. Removes an earlier one, and fails if the folder contains anything else.
fn empty(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write into `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let mut earlier = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let name = entry.with_context(cannot)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if !OWN.contains(&name.as_str()) && !is_dump(&name) {
            bail!(
                "`{}` holds `{name}`, which is not of a recording: choose another folder with `--output`",
                folder.display()
            );
        }
        earlier.push(folder.join(name));
    }
    for path in earlier {
        if path.is_dir() {
            std::fs::remove_dir_all(&path).with_context(cannot)?;
        } else {
            std::fs::remove_file(&path).with_context(cannot)?;
        }
    }
    Ok(())
}
