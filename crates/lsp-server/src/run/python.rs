//! Finds the Python for a run: the given program, or one on the `PATH`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NAMES: &[&str] = &["python3", "python"];

/// Returns the Python `given`, or else the first on the `PATH` that can import `module`. An error says what to
/// install.
pub fn find(given: Option<&Path>, module: &str, package: &str) -> Result<PathBuf, String> {
    let candidates: Vec<PathBuf> = match given {
        Some(path) => vec![path.to_owned()],
        None => NAMES.iter().map(PathBuf::from).collect(),
    };
    let mut started = None;
    for candidate in candidates {
        let imported = Command::new(&candidate)
            .args(["-c", &format!("import {module}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match imported {
            Ok(status) if status.success() => return Ok(candidate),
            Ok(_) => started = started.or(Some(candidate)),
            Err(_) => {}
        }
    }
    Err(match (started, given) {
        (Some(python), _) => format!(
            "`{0}` has no module `{module}`: install it with `{0} -m pip install {package}`, or name another \
             Python with `--python`",
            python.display()
        ),
        (None, Some(path)) => format!("`{}` does not start", path.display()),
        (None, None) => {
            format!("there is no Python on the PATH: name one that has `{package}` with `--python`")
        }
    })
}
