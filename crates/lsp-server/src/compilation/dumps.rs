//! Finds the dumps of a compilation's passes and their order.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ide::Text;
use relax::Release;

use super::files::Files;
use super::recording::Recording;
use crate::config::project::Projects;
use crate::line_index::LineColumns;
use crate::sources;

/// The dump of a stage.
pub struct Dump {
    pub path: PathBuf,
    pub text: Text,
    pub lines: LineColumns,
    /// The release that it is written for, if the command or the project says it.
    pub release: Option<Release>,
    /// The duration of the pass, if it was recorded.
    pub seconds: Option<f64>,
    /// The nesting depth of the pass, if it was recorded.
    pub depth: Option<usize>,
}

impl Dump {
    pub fn new(path: PathBuf, text: Text, release: Option<Release>, depth: Option<usize>) -> Dump {
        Dump {
            lines: LineColumns::new(&text),
            path,
            text,
            release,
            seconds: None,
            depth,
        }
    }

    /// Returns the file name without its extension: `003_FuseOps`.
    pub fn label(&self) -> String {
        label(&self.path)
    }
}

/// Returns `true` if a file is named like a dump: `003_FuseOps.py`.
pub fn is_dump(name: &str) -> bool {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let stem = name.strip_suffix(".py").unwrap_or_default();
    digits > 0 && stem.get(digits..).is_some_and(|it| it.starts_with('_'))
}

/// Returns the dumps that `paths` name.
pub fn find(paths: &[PathBuf], files: &Files) -> anyhow::Result<Vec<Dump>> {
    let mut all: Vec<PathBuf> = Vec::new();
    for path in paths {
        all.extend(if path.is_dir() {
            in_order(path)?
        } else {
            vec![path.clone()]
        });
    }
    if all.is_empty() {
        bail!("there are no dumps: no Python file is in the folder");
    }
    let mut recordings: BTreeMap<PathBuf, Option<Recording>> = BTreeMap::new();
    let mut dump = |path: PathBuf| {
        let (text, config) = files.source(&path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let recording = match recordings.entry(folder.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Recording::open(folder)?),
        };
        let record = recording.as_ref().and_then(|it| it.module(&label(&path)));
        let depth = record.map(|it| it.depth);
        Ok(Dump {
            seconds: record.map(|it| it.seconds),
            ..Dump::new(path, text, config.target, depth)
        })
    };
    all.into_iter().map(&mut dump).collect()
}

/// Returns the dumps in a folder. Those in subfolders belong to other compilations.
pub fn in_order(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let found = sources::collect(&[folder.to_owned()], &Projects::new())?;
    let folder = sources::below_here(folder);
    let mut found: Vec<PathBuf> = found.into_iter().map(|it| it.path).collect();
    found.retain(|it| it.parent() == Some(folder));
    found.sort_by(|a, b| by_label(a, b));
    Ok(found)
}

/// Compares dumps by their names.
pub fn by_label(a: &Path, b: &Path) -> Ordering {
    natural(&label(a), &label(b))
}

pub fn label(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Compares names with numbers by value: `phase2` comes before `phase10`.
fn natural(a: &str, b: &str) -> Ordering {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut a, mut b) = (a, b);
    loop {
        let (m, n) = (digits(a), digits(b));
        let order = if m > 0 && n > 0 {
            let (x, y) = (
                a[..m].trim_start_matches('0'),
                b[..n].trim_start_matches('0'),
            );
            (a, b) = (&a[m..], &b[n..]);
            x.len().cmp(&y.len()).then(x.cmp(y))
        } else {
            let (mut p, mut q) = (a.chars(), b.chars());
            let (x, y) = (p.next(), q.next());
            (a, b) = (p.as_str(), q.as_str());
            match (x, y) {
                (None, None) => return Ordering::Equal,
                (x, y) => x.cmp(&y),
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_names_are_in_the_order_of_their_values() {
        let mut names = ["debug-phase10", "debug-phase2", "debug-phase1", "debug"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["debug", "debug-phase1", "debug-phase2", "debug-phase10"]
        );
    }
}
