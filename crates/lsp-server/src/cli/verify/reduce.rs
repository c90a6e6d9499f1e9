//! `--reduce`: the smallest ONNX model that an importer still refuses, or still converts wrongly.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};

use crate::children::blocking_output;
use crate::cli::record::{Prints, Recorded, record};
use crate::compilation::files::Files;
use crate::compilation::verify::{self, Options};
use crate::run::python;
use crate::scratch::Scratch;

const EXTRACT: &str = include_str!("extract.py");

/// The number of nodes before the node, in a row, that are tried.
const DISTANCES: [u32; 6] = [0, 1, 2, 4, 8, 16];

/// What a smaller model has to show.
pub enum Fault<'f> {
    /// The importer raises this exception at the node.
    Refused { node: &'f str, exception: &'f str },
    /// The node differs from the reference.
    Differs { node: &'f str },
}

/// Writes the smallest model with the fault, and a program that imports it, to a folder. Returns the number of nodes
/// before the node that it needs, or `None` if no part of the model shows the fault.
pub fn reduce(
    model: &Path,
    fault: &Fault<'_>,
    folder: &Path,
    options: &Options<'_>,
    files: &Files,
) -> anyhow::Result<Option<u32>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let python = match options.python {
        Some(python) => python.to_owned(),
        None => python::find(None, "tvm", "apache-tvm").map_err(anyhow::Error::msg)?,
    };
    let (Fault::Refused { node, .. } | Fault::Differs { node }) = fault;
    for distance in DISTANCES {
        let mut extract = python::command(&python, &[python::ENDS_WITH_PARENT, EXTRACT]);
        extract
            .arg(model)
            .arg(node)
            .arg(distance.to_string())
            .arg(folder);
        extract.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = blocking_output(extract)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or_default();
            bail!("cannot take the model apart: {last}");
        }
        let scratch = Scratch::new()?;
        let program: [PathBuf; 1] = [folder.join("import.py")];
        let into = scratch.path().join("recording");
        let recorded = record(&program, &into, Some(&python), Prints::Nothing)?;
        if has(&recorded, fault, options, files) {
            return Ok(Some(distance));
        }
        if output.stdout.starts_with(b"whole") {
            break;
        }
    }
    Ok(None)
}

/// Returns `true` if a program shows the fault.
fn has(recorded: &Recorded, fault: &Fault<'_>, options: &Options<'_>, files: &Files) -> bool {
    let Recorded { recording, .. } = recorded;
    match fault {
        Fault::Refused { node, exception } => recording.failures.iter().any(|it| {
            let at = it.during.as_ref().and_then(|it| it.node.as_deref());
            at == Some(node) && it.exception.as_deref() == Some(exception)
        }),
        Fault::Differs { node } => {
            let options = Options {
                inputs: std::collections::BTreeMap::new(),
                dims: options.dims.clone(),
                ..*options
            };
            let found = verify::verify(recording, files, &options);
            let first = found.ok().and_then(|it| it.first_difference);
            first.is_some_and(|it| it.node == *node)
        }
    }
}
