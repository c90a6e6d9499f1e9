//! Rule: every public function is used. The compiler reports unused ones only inside a crate.

use std::collections::HashMap;

use super::vague_names::declared;
use super::{assert_none, rust_files};

/// Marks files whose functions are called from another language.
const EXPORTED: &str = "#[wasm_bindgen";

fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let code = line.split("//").next().unwrap_or_default();
    code.split(move |it| !is_word(it))
        .filter(|it| !it.is_empty())
}

fn unused(files: &[(String, String)]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    for word in lines.flat_map(words) {
        *counts.entry(word).or_default() += 1;
    }
    let in_crates = files
        .iter()
        .filter(|(path, text)| path.starts_with("crates/") && !text.contains(EXPORTED));
    let found = in_crates.flat_map(|(path, text)| {
        let public = text.lines().enumerate();
        let public = public.filter(|(_, line)| line.trim_start().starts_with("pub"));
        let named = public.filter_map(|(at, line)| Some((at + 1, declared(line)?)));
        let unused = named.filter(|(_, name)| counts.get(name) == Some(&1));
        unused.map(move |(line, name)| format!("{path}:{line}: `{name}`"))
    });
    found.collect()
}

#[test]
fn every_public_item_is_used() {
    assert_none("use it or delete it", &unused(&rust_files()));
}

#[test]
fn a_comment_is_no_use() {
    let text = "pub fn lonely() {}\n// lonely\npub fn called() {}\nfn other() { called() }\n";
    let file = ("crates/vm/src/a.rs".to_owned(), text.to_owned());
    assert_eq!(unused(&[file]), ["crates/vm/src/a.rs:1: `lonely`"]);
}
