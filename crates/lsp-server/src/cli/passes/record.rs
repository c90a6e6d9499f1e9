//! `--record`: runs a build with the user's Python, and dumps the module after each pass.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::children::blocking_output;
use crate::compilation::dumps::{RECORDS, is_dump};
use crate::run::{constants, python};

const SCRIPT: &str = include_str!("record.py");

/// What ended the script, if it was an exception.
const RAISED: &str = "raised.json";

/// The files beside the dumps.
const OWN: [&str; 4] = [RECORDS, constants::INDEX, constants::TENSORS, RAISED];

/// An exception that ended a script.
#[derive(Deserialize)]
struct Raised {
    /// The pass that was under way.
    pass: Option<String>,
    error: String,
    message: String,
}

/// Runs a script with its arguments, given by `command`, and writes the dumps to `folder`. Returns what was wrong if the
/// script failed: the dumps so far show how far it got.
pub fn record(
    command: &[PathBuf],
    folder: &Path,
    given: Option<&Path>,
) -> anyhow::Result<Option<String>> {
    let Some((script, arguments)) = command.split_first() else {
        bail!("name the script that builds the module");
    };
    let python = python::find(given, "tvm", "apache-tvm").map_err(anyhow::Error::msg)?;
    empty(folder)?;
    let cannot = || format!("cannot start `{}`", python.display());
    // The script's output goes to standard error, so that it does not mix with the table.
    let mut build = python::command(&python, &[python::ENDS_WITH_PARENT, SCRIPT]);
    build.arg(folder).arg(script).args(arguments);
    build.stdout(std::io::stderr()).stderr(Stdio::inherit());
    let status = blocking_output(build).with_context(cannot)?.status;
    if status.success() {
        return Ok(None);
    }
    let script = script.display();
    let raised = std::fs::read(folder.join(RAISED)).ok();
    let raised = raised.and_then(|it| serde_json::from_slice::<Raised>(&it).ok());
    Ok(Some(match raised {
        Some(Raised {
            pass: Some(pass),
            error,
            message,
        }) => format!("the pass `{pass}` raised {error} in `{script}`: {message}\n"),
        Some(Raised { error, message, .. }) => {
            format!("`{script}` raised {error} outside of passes: {message}\n")
        }
        None => format!("`{script}` failed ({status})\n"),
    }))
}

/// Empties a folder for dumps. Removes earlier dumps, and fails if the folder contains anything else.
fn empty(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write into `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let mut earlier = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let name = entry.with_context(cannot)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if !OWN.contains(&name.as_str()) && !is_dump(&name) {
            bail!(
                "`{}` holds `{name}`, which is not a dump: choose another folder with `--output`",
                folder.display()
            );
        }
        earlier.push(folder.join(name));
    }
    for path in earlier {
        std::fs::remove_file(&path).with_context(cannot)?;
    }
    Ok(())
}
