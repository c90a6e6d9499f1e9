//! This program, Python, and the files that this program stores.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Section;
use crate::scratch::leftovers;

/// Returns the path of the program that a shell would start.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    let mut places = env::split_paths(&folders).map(|it| it.join(&name));
    places.find(|it| it.is_file())
}

pub fn this() -> Section {
    let mut section = Section::new("relax-lsp");
    section.row("version", env!("CARGO_PKG_VERSION"));
    section.row(
        "platform",
        format!("{} {}", env::consts::OS, env::consts::ARCH),
    );
    let this = env::current_exe().ok();
    section.row("program", path_json(this.as_deref()));
    let first = on_path("relax-lsp");
    let whole = |path: &Path| path.canonicalize().ok();
    let is_first = this.as_deref().and_then(whole) == first.as_deref().and_then(whole);
    match first {
        None => section.row(
            "on the PATH",
            "no: name the program to an editor by its whole path",
        ),
        Some(_) if is_first => section.row("on the PATH", "yes"),
        Some(other) => {
            section.row("on the PATH", other.display().to_string());
            section.problem(format!(
                "`relax-lsp` starts {}, which is not this program: editors may start that one too",
                other.display()
            ));
        }
    }
    section
}

pub fn python() -> Section {
    let mut section = Section::new("Python");
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter();
    let active = active.filter_map(env::var_os).find(|it| !it.is_empty());
    section.row("active environment", path_json(active.as_deref()));
    let python = ["python3", "python"].into_iter().find_map(on_path);
    section.row("on the PATH", path_json(python.as_deref()));
    section
}

/// Returns the files that sessions keep until they end: values of runs, pages of diagnostics.
pub fn files() -> Section {
    let mut section = Section::new("files of sessions");
    let place = env::temp_dir();
    section.row("folder", path_json(Some(&place)));
    section.row("sessions", leftovers(&place).count());
    section
}

pub fn path_json(path: Option<&(impl AsRef<OsStr> + ?Sized)>) -> Value {
    path.map_or(Value::Null, |it| json!(Path::new(it).display().to_string()))
}
