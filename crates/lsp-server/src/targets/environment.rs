//! Finds the apache-tvm that is installed in a Python environment, by its metadata folder. Starts no process.

use std::fs;
use std::path::{Path, PathBuf};

use relax::Release;

use super::{Origin, Target};

/// The usual names of a project's virtual environment.
const FOLDERS: &[&str] = &[".venv", "venv"];

/// Returns the TVM of the virtual environment in a directory.
pub fn of_directory(directory: &Path) -> Option<Target> {
    FOLDERS.iter().find_map(|it| installed(&directory.join(it)))
}

/// Returns the TVM of the environment of an interpreter: `bin/python`, `Scripts/python.exe`.
pub fn of_python(python: &Path) -> Option<Target> {
    installed(python.parent()?.parent()?)
}

/// Returns the version in the name of a metadata folder.
pub fn version(folder: &str) -> Option<&str> {
    folder
        .strip_prefix("apache_tvm-")?
        .strip_suffix(".dist-info")
}

/// Returns the version of a package that is installed beside one, whose metadata folder is `folder`.
pub fn version_beside(folder: &Path, package: &str) -> Option<String> {
    folders(folder.parent()?).find_map(|it| {
        let name = it.file_name()?.to_str()?;
        let version = name.strip_prefix(package)?.strip_prefix('-')?;
        version.strip_suffix(".dist-info").map(str::to_owned)
    })
}

/// Returns the TVM of an environment.
pub fn installed(environment: &Path) -> Option<Target> {
    let mut packages = vec![environment.join("Lib/site-packages")];
    packages.extend(folders(&environment.join("lib")).map(|it| it.join("site-packages")));
    packages.iter().flat_map(|it| folders(it)).find_map(|path| {
        let release = Release::from_version(version(path.file_name()?.to_str()?)?)?;
        let origin = Origin::Installed(path);
        Some(Target { release, origin })
    })
}

fn folders(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(directory).ok().into_iter().flatten();
    entries.filter_map(|it| Some(it.ok()?.path()))
}
