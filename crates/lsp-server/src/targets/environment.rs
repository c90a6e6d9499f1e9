//! The apache-tvm that a Python environment has installed, by its folder of metadata. Nothing is started.

use std::fs;
use std::path::{Path, PathBuf};

use relax::Release;

use super::{Origin, Target};

/// What a virtual environment is called in a project.
const FOLDERS: &[&str] = &[".venv", "venv"];

/// The TVM of the virtual environment in a directory.
pub fn of_directory(directory: &Path) -> Option<Target> {
    FOLDERS.iter().find_map(|it| installed(&directory.join(it)))
}

/// The TVM of the environment of an interpreter: `bin/python`, `Scripts/python.exe`.
pub fn of_python(python: &Path) -> Option<Target> {
    installed(python.parent()?.parent()?)
}

/// The version in the name of a folder of metadata.
pub fn version(folder: &str) -> Option<&str> {
    folder
        .strip_prefix("apache_tvm-")?
        .strip_suffix(".dist-info")
}

/// The TVM of an environment.
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
