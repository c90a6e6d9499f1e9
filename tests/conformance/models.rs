//! The IR that the tests hold themselves against: printed by TVM for four models, at four stages, in two dialects.
//!
//! The smaller graph-level files are fixtures; a directory with all of them is used where there is one.

use std::path::PathBuf;

/// A printed file.
pub struct Printed {
    pub name: String,
    pub text: String,
}

/// The directory with every stage: what `RELAX_CORPUS` names, else `shared/corpus` beside the checkout.
pub fn corpus() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    let path =
        std::env::var_os("RELAX_CORPUS").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    path.is_dir().then_some(path)
}

/// The printed files whose names satisfy `wanted`, from the corpus if it is there, else from the fixtures.
pub fn printed(wanted: impl Fn(&str) -> bool) -> Vec<Printed> {
    let fixtures = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/models"));
    let directory = corpus().unwrap_or(fixtures);
    let mut files: Vec<Printed> = std::fs::read_dir(directory)
        .expect("the directory of printed files can be read")
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let text = std::fs::read_to_string(&path).ok()?;
            wanted(&name).then_some(Printed { name, text })
        })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!files.is_empty(), "no printed file is there");
    files
}
