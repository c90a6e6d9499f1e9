//! Compares two modules or two functions.

use std::path::Path;

use anyhow::bail;
use hir::difference::{FunctionDifference, ModuleDifference};
use ide::difference::{Difference, Snapshot};

use super::bare_name;
use super::files::{Files, Read};
use crate::line_index::LineColumns;
use crate::tasks;

/// One of two modules.
pub struct Side {
    /// The path that is shown.
    pub path: String,
    pub lines: LineColumns,
    pub snapshot: Snapshot,
}

impl Side {
    pub fn new(path: String, snapshot: Snapshot) -> Side {
        Side {
            path,
            lines: LineColumns::new(&snapshot.text),
            snapshot,
        }
    }

    pub fn read(path: &Path, files: &Files) -> anyhow::Result<Side> {
        let Read { analysis, file, .. } = files.analysis(path)?;
        let snapshot = analysis.snapshot(file);
        let snapshot = snapshot.expect("nothing changes the file meanwhile");
        Ok(Side::new(path.display().to_string(), snapshot))
    }

    /// Returns the index of the function with a name, or of the only function.
    fn function(&self, name: Option<&str>) -> anyhow::Result<usize> {
        let functions = &self.snapshot.form.functions;
        let Some(name) = name else {
            bail!("name a function on both sides: FILE::FUNCTION");
        };
        match functions.iter().position(|it| it.name == bare_name(name)) {
            Some(at) => Ok(at),
            None => bail!("`{}` has no function `{name}`", self.path),
        }
    }
}

/// Runs `one` and `other` in parallel.
pub fn both<A: Send, B: Send>(
    one: impl FnOnce() -> anyhow::Result<A> + Send,
    other: impl FnOnce() -> anyhow::Result<B> + Send,
) -> anyhow::Result<(A, B)> {
    let (one, other) = tasks::join(one, other)?;
    Ok((one?, other?))
}

/// Compares two modules, or only the named functions.
pub fn compare(
    before: &Side,
    after: &Side,
    functions: (Option<&str>, Option<&str>),
) -> anyhow::Result<Difference> {
    let (old, new) = (&before.snapshot, &after.snapshot);
    let difference = match functions {
        (None, None) => ModuleDifference::of(&old.form, &new.form),
        (a, b) => {
            let (a, b) = (before.function(a)?, after.function(b)?);
            let of_functions =
                FunctionDifference::of(&old.form.functions[a], &new.form.functions[b]);
            ModuleDifference {
                functions: vec![FunctionDifference {
                    before: Some(a),
                    after: Some(b),
                    ..of_functions
                }],
            }
        }
    };
    Ok(Difference::described(&difference, old, new))
}
