//! Finds the Python files in a folder, within limits.

use std::path::PathBuf;

use crate::sources;

/// Larger files are dumps, which are not searched.
pub const LARGEST: u64 = 4 << 20;

/// The maximum number of files. A folder with more is not a project of models.
const MOST_FILES: usize = 20_000;

/// Folders of generated files.
const GENERATED: [&str; 3] = ["build", "dist", "target"];

/// Returns the Python files in folders, skipping hidden ones and symbolic links. Calls `go_on` before each folder.
pub fn python_files(folders: &[PathBuf], go_on: &mut dyn FnMut() -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        if !go_on() || found.len() >= MOST_FILES {
            break;
        }
        // Skip folders that cannot be read.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                continue;
            };
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                if !GENERATED.contains(&name) && !sources::is_installed(&entry.path()) {
                    open.push(entry.path());
                }
            } else if kind.is_file() && entry.path().extension().is_some_and(|it| it == "py") {
                found.push(entry.path());
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_FILES);
    found
}
