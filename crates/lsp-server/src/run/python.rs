//! The Python for a run: the given program, or one on the `PATH`, and the programs that it runs.

mod conversation;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::children::blocking_output;
pub use conversation::Conversation;

/// What each of our programs in Python begins with.
const BEGINNING: &str = include_str!("beginning.py");

/// The second part of a program that reads nothing from standard input.
pub const ENDS_WITH_PARENT: &str = "end_with_parent()";

const NAMES: &[&str] = &["python3", "python"];

/// Returns the Python `given`, or else the first on the `PATH` that can import `module`. An error says what to
/// install.
pub fn find(given: Option<&Path>, module: &str, package: &str) -> Result<PathBuf, String> {
    let candidates: Vec<PathBuf> = match given {
        Some(path) => vec![path.to_owned()],
        None => NAMES.iter().map(PathBuf::from).collect(),
    };
    let mut failed = None;
    for candidate in candidates {
        let mut command = command(&candidate, &[ENDS_WITH_PARENT, &format!("import {module}")]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        match blocking_output(command) {
            Ok(output) if output.status.success() => return Ok(candidate),
            Ok(output) => failed = failed.or(Some((candidate, output.stderr))),
            Err(_) => {}
        }
    }
    Err(match (failed, given) {
        (Some((python, stderr)), _) => {
            import_error(&python, module, package, &String::from_utf8_lossy(&stderr))
        }
        (None, Some(path)) => format!("`{}` does not start", path.display()),
        (None, None) => {
            format!("there is no Python on the PATH: name one that has `{package}` with `--python`")
        }
    })
}

/// Returns the command that runs a program of these parts.
pub fn command(python: &Path, parts: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.arg("-c");
    command.arg([&[BEGINNING], parts].concat().join("\n"));
    command
}

/// Describes why Python could not import a module. A module that is installed may still fail, for example because one
/// of its libraries does not fit.
fn import_error(python: &Path, module: &str, package: &str, stderr: &str) -> String {
    let python = python.display();
    let cause = stderr.trim_end().lines().next_back().unwrap_or_default();
    if cause.is_empty() || cause.contains(&format!("No module named '{module}'")) {
        return format!(
            "`{python}` has no module `{module}`: install it with `{python} -m pip install {package}`, or name another \
             Python with `--python`"
        );
    }
    format!(
        "`{python}` cannot import `{module}`; name another Python with `--python`. Python's error: {cause}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_fails_to_load_is_not_called_missing() {
        let error = |stderr| import_error(Path::new("python3"), "tvm", "apache-tvm", stderr);
        let missing = error("Traceback:\nModuleNotFoundError: No module named 'tvm'\n");
        assert!(missing.starts_with("`python3` has no module `tvm`: install it"));
        let broken = error("Traceback:\nOSError: libtvm.so: undefined symbol\n");
        assert!(broken.ends_with("Python's error: OSError: libtvm.so: undefined symbol"));
    }
}
