//! The dumps of a compilation's passes, in their order, each read on its own.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ide::difference::Snapshot;
use ide::follow::Direction;
use ide::passes::{Stage, StageReader, is_part};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use relax::Release;
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::files::{Files, Read};
use crate::config::project::Projects;
use crate::line_index::LineColumns;
use crate::memory::STACK;
use crate::sources;

/// The file of a stage.
pub struct Dump {
    pub path: PathBuf,
    pub lines: LineColumns,
    /// The release that it is written for, where the command or the project names one.
    pub release: Option<Release>,
    /// How long the pass took, where that was recorded.
    pub seconds: Option<f64>,
}

/// Beside dumps that were recorded: what is known of each pass, by the name of the dump.
pub const RECORDS: &str = "passes.json";

#[derive(Clone, Copy, Deserialize)]
struct Record {
    seconds: f64,
    /// How many passes it ran in.
    depth: usize,
}

/// Whether a file has the name of a dump: `003_FuseOps.py`.
pub fn is_dump(name: &str) -> bool {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let stem = name.strip_suffix(".py").unwrap_or_default();
    digits > 0 && stem.get(digits..).is_some_and(|it| it.starts_with('_'))
}

/// The dumps that `paths` name, with their stages.
pub fn read(paths: &[PathBuf], files: &Files) -> anyhow::Result<(Vec<Dump>, Vec<Stage>)> {
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
    let sources = all.iter().map(|it| files.source(it));
    let sources = sources.collect::<anyhow::Result<Vec<_>>>()?;
    // Many passes change nothing: each text is read once.
    let mut first: FxHashMap<(&str, Option<Release>), usize> = FxHashMap::default();
    let mut same: Vec<usize> = Vec::new();
    for (at, (text, config)) in sources.iter().enumerate() {
        same.push(*first.entry((text, config.target)).or_insert(at));
    }
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build()?;
    let mut distinct: Vec<usize> = first.into_values().collect();
    distinct.sort_unstable();
    // Each thread reads dumps that follow one another: most functions of a dump are those of the one before it.
    let run = distinct.len().div_ceil(pool.current_num_threads()).max(1);
    let stages = |run: &[usize]| {
        let mut reader = StageReader::default();
        let stage = |&at: &usize| {
            files.go_on()?;
            let (text, config) = sources[at].clone();
            Ok((at, reader.read(text, config, &label(&all[at]))))
        };
        run.iter().map(stage).collect::<anyhow::Result<Vec<_>>>()
    };
    let stages = pool.install(|| {
        let runs = distinct.par_chunks(run).map(stages);
        runs.collect::<anyhow::Result<Vec<_>>>()
    })?;
    let stages: FxHashMap<usize, Stage> = stages.into_iter().flatten().collect();
    let mut read: Vec<(Dump, Stage)> = Vec::new();
    for (at, path) in all.iter().enumerate() {
        let dump = Dump {
            path: path.clone(),
            lines: LineColumns::new(&sources[at].0),
            release: sources[at].1.target,
            seconds: None,
        };
        read.push((dump, stages[&same[at]].named(&label(path))));
    }
    let mut known: BTreeMap<PathBuf, BTreeMap<String, Record>> = BTreeMap::new();
    for (dump, stage) in &mut read {
        let folder = dump.path.parent().unwrap_or(Path::new(""));
        let records = known
            .entry(folder.to_owned())
            .or_insert_with(|| records(folder));
        if let Some(record) = records.get(&stage.label) {
            dump.seconds = Some(record.seconds);
            stage.depth = Some(record.depth);
        }
    }
    Ok(read.into_iter().unzip())
}

/// What was recorded of a folder's passes; nothing where that cannot be read.
fn records(folder: &Path) -> BTreeMap<String, Record> {
    let text = std::fs::read(folder.join(RECORDS)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// The dumps of a folder. Those below it belong to other compilations.
fn in_order(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let found = sources::collect(&[folder.to_owned()], &Projects::new())?;
    let mut found: Vec<PathBuf> = found.into_iter().map(|it| it.path).collect();
    found.retain(|it| it.parent() == Some(folder));
    found.sort_by(|a, b| natural(&label(a), &label(b)));
    Ok(found)
}

fn snapshot(path: &Path, files: &Files) -> anyhow::Result<Snapshot> {
    let Read { analysis, file, .. } = files.analysis(path)?;
    let snapshot = analysis.snapshot(file);
    Ok(snapshot.expect("nothing changes the file meanwhile"))
}

/// A dump with the one after it or before it that is of the whole module.
pub struct Neighbours {
    pub own: Snapshot,
    pub path: PathBuf,
    pub other: Snapshot,
}

/// The dumps at `path` and at `to`; without that, the next one in a direction.
pub fn neighbours(
    path: &Path,
    to: Option<&Path>,
    direction: Direction,
    files: &Files,
) -> anyhow::Result<Neighbours> {
    if let Some(to) = to {
        let (own, other) = super::sides::both(|| snapshot(path, files), || snapshot(to, files))?;
        let path = to.to_owned();
        return Ok(Neighbours { own, path, other });
    }
    let all = in_order(path.parent().unwrap_or(path))?;
    let Some(at) = all.iter().position(|it| it == path) else {
        bail!("`{}` is no dump", path.display());
    };
    let others: Vec<&PathBuf> = match direction {
        Direction::Forward => all[at + 1..].iter().collect(),
        Direction::Back => all[..at].iter().rev().collect(),
    };
    let own = snapshot(path, files)?;
    let mut others = others.into_iter().peekable();
    while let Some(path) = others.next() {
        let other = snapshot(path, files)?;
        let lacks_some = other.form.functions.len() < own.form.functions.len();
        if let Some(beyond) = others.peek().filter(|_| lacks_some) {
            let beyond = snapshot(beyond, files)?;
            if is_part(&own.form, &other.form, &beyond.form) {
                continue;
            }
        }
        let path = path.clone();
        return Ok(Neighbours { own, path, other });
    }
    let end = match direction {
        Direction::Forward => "last",
        Direction::Back => "first",
    };
    bail!("`{}` is the {end} stage", label(path))
}

fn label(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Numbers in names by their value: `phase2` before `phase10`.
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
