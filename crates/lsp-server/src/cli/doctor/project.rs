//! The release of TVM and the settings of a project.

use std::path::{Path, PathBuf};

use super::Section;
use super::programs::path_json;
use crate::config::project::Projects;
use crate::targets::{Origin, Targets, environment};

/// The releases of apache-tvm-ffi that cannot save tensors as JSON.
const CANNOT_PRINT: &[&str] = &["0.1.15"];

/// Returns a file in the folder of `path`. The file need not exist.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() {
        path.join("model.py")
    } else {
        path.to_owned()
    }
}

pub fn release(path: &Path) -> Section {
    let mut section = Section::new("TVM");
    match Targets::of_process().of_file(&file(path)) {
        Some(target) => {
            section.row("release", target.release.name());
            section.row("said by", target.origin.to_string());
            if let Origin::Installed(folder) = &target.origin
                && let Some(version) = environment::version_beside(folder, "apache_tvm_ffi")
            {
                if CANNOT_PRINT.contains(&version.as_str()) {
                    section.problem(format!(
                        "with apache-tvm-ffi {version}, TVM crashes where it prints constants (`show_meta=True`): \
                         install apache-tvm-ffi==0.1.14.post1"
                    ));
                }
                section.row("apache-tvm-ffi", version);
            }
        }
        None => section.row(
            "release",
            "detected for each file: no setting, no pin of apache-tvm, none installed",
        ),
    }
    section
}

pub fn settings(path: &Path) -> Section {
    let mut section = Section::new("settings");
    match Projects::new().of_file(&file(path)) {
        Ok(project) => {
            section.row("file", path_json(project.file.as_deref()));
            for (name, value) in &project.given {
                section.row(name, value.clone());
            }
        }
        Err(error) => section.problem(format!("{error:#}")),
    }
    section
}
