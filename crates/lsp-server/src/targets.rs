//! Determines the release of TVM that a file is written for from its project: the settings, pinned requirements, or
//! the apache-tvm in its Python environment. The result is cached per directory.

pub mod environment;
mod pins;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use relax::Release;
use rustc_hash::FxHashMap;
use tracing::warn;

use crate::config::project::Projects;

/// The release that a project is written for, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub release: Release,
    pub origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The setting `tvm` of the project.
    Settings(PathBuf),
    /// A pinned requirement in this file.
    Pin(PathBuf),
    /// The apache-tvm that is installed here.
    Installed(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Settings(path) => write!(f, "`tvm` in {}", path.display()),
            Origin::Pin(path) => write!(f, "the pin of apache-tvm in {}", path.display()),
            Origin::Installed(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Patterns of files whose changes may change a target.
pub const WATCHED: &[&str] = &[
    "**/pyproject.toml",
    "**/relax-lsp.toml",
    "**/requirements*.txt",
    "**/apache_tvm-*.dist-info",
];

/// Returns `true` if a path matches these patterns.
pub fn is_watched(path: &Path) -> bool {
    let name = path
        .file_name()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    matches!(name, "pyproject.toml" | "relax-lsp.toml")
        || pins::is_requirements(name)
        || environment::version(name).is_some()
}

/// The cached targets of projects.
#[derive(Debug, Default)]
pub struct Targets {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The environment of this process.
    active: Option<PathBuf>,
    /// The Python that the client names.
    python: Option<PathBuf>,
    /// The target of each directory.
    targets: FxHashMap<PathBuf, Option<Arc<Target>>>,
}

impl Targets {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses the environment of this process.
    pub fn of_process() -> Targets {
        let targets = Targets::default();
        targets.state().active = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
        targets
    }

    /// Clears the cache.
    pub fn forget(&self) {
        self.state().targets.clear();
    }

    pub fn set_python(&self, python: Option<PathBuf>) {
        let mut state = self.state();
        state.python = python;
        state.targets.clear();
    }

    /// Returns the target of a file.
    pub fn of_file(&self, file: &Path) -> Option<Arc<Target>> {
        let directory = std::path::absolute(file).ok()?;
        let directory = directory.parent()?;
        let (active, python) = {
            let state = self.state();
            if let Some(known) = state.targets.get(directory) {
                return known.clone();
            }
            (state.active.clone(), state.python.clone())
        };
        let elsewhere = || {
            let active = active.as_deref().and_then(environment::installed);
            active.or_else(|| environment::of_python(&python?))
        };
        let found = look(directory).or_else(elsewhere).map(Arc::new);
        self.state()
            .targets
            .insert(directory.to_owned(), found.clone());
        found
    }
}

/// Returns the release in the project's settings. Errors in them are reported by the commands.
fn of_settings(directory: &Path) -> Option<Target> {
    let project = Projects::new().of_folder(directory);
    let project = project.inspect_err(|error| warn!(%error, "settings that cannot be used"));
    let project = project.ok()?;
    Some(Target {
        release: project.config.target?,
        origin: Origin::Settings(project.file.clone()?),
    })
}

/// Searches the directories from this one up to that of the repository.
fn look(directory: &Path) -> Option<Target> {
    let mut project: Vec<&Path> = Vec::new();
    for ancestor in directory.ancestors() {
        project.push(ancestor);
        if ancestor.join(".git").exists() {
            break;
        }
    }
    let pin = || project.iter().find_map(|it| pins::pinned(it));
    let own = || project.iter().find_map(|it| environment::of_directory(it));
    of_settings(directory).or_else(pin).or_else(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(directory: &Path, name: &str, text: &str) {
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Returns the target of `src/model.py` in a project with these files.
    fn target(files: &[(&str, &str)]) -> Option<&'static str> {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), ".git/HEAD", "");
        for (name, text) in files {
            write(root.path(), name, text);
        }
        let target = Targets::default().of_file(&root.path().join("src/model.py"))?;
        Some(target.release.name())
    }

    const TOOL: (&str, &str) = ("pyproject.toml", "[tool.relax-lsp]\ntvm = \"0.24\"\n");
    const PIN: (&str, &str) = ("requirements.txt", "numpy\napache-tvm==0.25.0\n");
    const INSTALLED: (&str, &str) = (
        ".venv/lib/python3.12/site-packages/apache_tvm-0.26.0.dist-info/METADATA",
        "",
    );

    #[test]
    fn settings_precede_pins_and_installed_versions() {
        let found = |files: &[_]| target(files);
        assert_eq!(found(&[TOOL, PIN, INSTALLED]), Some("0.24"));
        assert_eq!(found(&[PIN, INSTALLED]), Some("0.25"));
        assert_eq!(found(&[INSTALLED]), Some("0.26"));
    }

    #[test]
    fn a_changed_file_counts_after_a_refresh() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), ".git/HEAD", "");
        let targets = Targets::default();
        let file = root.path().join("model.py");
        assert_eq!(targets.of_file(&file), None);
        write(root.path(), PIN.0, PIN.1);
        assert!(is_watched(&root.path().join(PIN.0)));
        targets.forget();
        assert_eq!(
            targets.of_file(&file).map(|it| it.release),
            Some(Release::V0_25)
        );
    }
}
