//! Which files of a folder are worth a look, within a budget.

use std::path::PathBuf;

/// Files beyond this length are dumps that people open rather than search.
pub const LARGEST: u64 = 4 << 20;

/// Files that one walk gives at most; a folder with more is not a project of models.
const MOST_FILES: usize = 20_000;

/// Folders of installed packages and of what tools make.
const PASSED_BY: &[&str] = &[
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "target",
    "venv",
];

/// The Python files in folders, hidden ones and symbolic links passed by; `go_on` is asked before each folder.
pub fn python_files(folders: &[PathBuf], go_on: &mut dyn FnMut() -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        if !go_on() || found.len() >= MOST_FILES {
            break;
        }
        // What cannot be read is nothing that a user searches.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                continue;
            };
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() && !PASSED_BY.contains(&name) {
                open.push(entry.path());
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
