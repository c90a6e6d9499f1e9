//! Rules of the workspace: dependencies between crates, forbidden dependencies, and the contents of source files. Reads
//! manifests and sources as text.

mod actions;
mod circles;
pub(crate) mod licences;
mod manifests;
mod modules;
mod printing;
mod sizes;
mod sources;
mod tracked;
mod type_names;
mod unused;
mod vague_names;
mod workflows;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the workspace.
fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests package lies in the workspace")
        .to_path_buf()
}

/// Folders with third-party or generated files.
const NOT_OURS: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "out",
    "server",
    "__pycache__",
];

/// Returns the files of the workspace whose name satisfies `wanted`. Their path from the root uses `/`.
fn files(wanted: impl Fn(&str) -> bool) -> Vec<(String, PathBuf)> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("a folder of the workspace is readable");
        for entry in entries {
            let entry = entry.expect("an entry of the workspace is readable");
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().expect("a file has a type");
            if kind.is_dir() {
                let hidden = name.starts_with('.') && name != ".ci" && name != ".github";
                if !hidden && !NOT_OURS.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if kind.is_file() && wanted(&name) {
                let relative = path.strip_prefix(&root).expect("found below the root");
                found.push((relative.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    found.sort();
    found
}

/// Whether the name has one of these extensions.
fn ends_in(name: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(name).extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| extensions.contains(&it))
}

fn rust_files() -> Vec<(String, String)> {
    texts(|name| ends_in(name, &["rs"]))
}

fn texts(wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let read = |(name, path): (String, PathBuf)| {
        let bytes = fs::read(path).expect("a file of the workspace is readable");
        (name, String::from_utf8_lossy(&bytes).into_owned())
    };
    files(wanted).into_iter().map(read).collect()
}

fn assert_none(rule: &str, violations: &[String]) {
    assert!(
        violations.is_empty(),
        "{rule}:\n  {}",
        violations.join("\n  ")
    );
}

#[test]
fn the_scan_sees_the_workspace() {
    let names: Vec<String> = rust_files().into_iter().map(|(name, _)| name).collect();
    for known in [
        "crates/hir/src/lib.rs",
        "crates/lsp-server/src/main.rs",
        "tests/rules.rs",
    ] {
        assert!(
            names.iter().any(|name| name == known),
            "{known} is not among {names:?}"
        );
    }
}
