//! IR that TVM printed: five models, at four stages, in two dialects.

use std::path::PathBuf;

/// A printed file.
pub struct Printed {
    pub name: String,
    pub text: String,
}

pub fn directory() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/models"))
}

/// Returns the printed files whose names satisfy `wanted`.
pub fn printed(wanted: impl Fn(&str) -> bool) -> Vec<Printed> {
    let mut files: Vec<Printed> = std::fs::read_dir(directory())
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
