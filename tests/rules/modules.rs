//! Rule: every Rust file belongs to a module tree, so no unused file remains.

use std::collections::{BTreeMap, BTreeSet};

use super::{assert_none, rust_files, texts};

/// Returns the files of the modules that this file declares with `mod name;`, also in inline modules and behind `cfg`.
fn declared(file: &str, text: &str, is_root: bool) -> Vec<String> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let stem = name.trim_end_matches(".rs");
    let folder = if is_root || stem == "mod" {
        folder.to_owned()
    } else {
        format!("{folder}/{stem}")
    };
    let parsed = syn::parse_file(text).expect("a file of the workspace is Rust");
    let mut found = Vec::new();
    collect(&parsed.items, &folder, &mut found);
    found
}

fn collect(items: &[syn::Item], folder: &str, found: &mut Vec<String>) {
    for item in items {
        if let syn::Item::Mod(module) = item {
            let path = format!("{folder}/{}", module.ident);
            match &module.content {
                Some((_, items)) => collect(items, &path, found),
                None => found.extend([format!("{path}.rs"), format!("{path}/mod.rs")]),
            }
        }
    }
}

/// Returns the root file of every target: those that Cargo finds, and those that a manifest names.
fn roots(files: &BTreeMap<String, String>) -> BTreeSet<String> {
    const FOUND_BY_CARGO: &[&str] = &["src/lib.rs", "src/main.rs", "build.rs"];
    let by_itself = |file: &&String| {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let conventional = FOUND_BY_CARGO.iter().any(|it| file.ends_with(it));
        conventional || folder.starts_with("crates/") && folder.ends_with("/benches")
    };
    let mut roots: BTreeSet<String> = files.keys().filter(by_itself).cloned().collect();
    for (manifest, text) in texts(|name| name == "Cargo.toml") {
        let package = manifest.trim_end_matches("Cargo.toml");
        let paths = text.lines().filter_map(|line| line.strip_prefix("path = "));
        roots.extend(paths.map(|path| format!("{package}{}", path.trim_matches('"'))));
    }
    roots
}

fn unused(files: &BTreeMap<String, String>) -> Vec<String> {
    let roots = roots(files);
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<String> = roots.iter().cloned().collect();
    while let Some(file) = open.pop() {
        if let Some((name, text)) = files.get_key_value(&file)
            && reached.insert(name)
        {
            open.extend(declared(name, text, roots.contains(name)));
        }
    }
    let unused = files.keys().filter(|file| !reached.contains(file.as_str()));
    unused.cloned().collect()
}

#[test]
fn every_rust_file_belongs_to_a_module_tree() {
    let files: BTreeMap<String, String> = rust_files().into_iter().collect();

    assert_none("no `mod` names these files", &unused(&files));
}

#[test]
fn a_file_without_a_mod_line_is_found() {
    let files = [
        ("crates/a/src/lib.rs", "mod b; #[cfg(test)] mod tests;"),
        ("crates/a/src/b.rs", "mod inner { mod c; }"),
        ("crates/a/src/b/inner/c.rs", ""),
        ("crates/a/src/tests.rs", ""),
        ("crates/a/src/left.rs", ""),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(unused(&files.into()), ["crates/a/src/left.rs"]);
}
