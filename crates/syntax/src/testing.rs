//! What the tests of both languages share: the sources in `test_data`, and random numbers.

use std::path::{Path, PathBuf};

/// Returns the sources with this extension in a folder of `test_data`, in the order of their paths.
pub fn sources(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let test_data = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(test_data.join(folder))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == extension));
    paths.sort();
    assert!(!paths.is_empty());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// Random numbers that are the same on every machine.
pub struct Random(u64);

impl Random {
    /// `seed` must not be 0.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
