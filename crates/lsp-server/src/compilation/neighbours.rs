//! Finds the dump before or after a dump.

use std::path::{Path, PathBuf};

use anyhow::bail;
use ide::difference::Snapshot;
use ide::follow::Direction;
use ide::passes::is_part;

use super::dumps::{in_order, label};
use super::files::{Files, Read};
use super::sides::both;

fn snapshot(path: &Path, files: &Files) -> anyhow::Result<Snapshot> {
    let Read { analysis, file, .. } = files.analysis(path)?;
    let snapshot = analysis.snapshot(file);
    Ok(snapshot.expect("nothing changes the file meanwhile"))
}

/// A dump, and the next or previous dump that contains the whole module.
pub struct Neighbours {
    pub own: Snapshot,
    pub path: PathBuf,
    pub other: Snapshot,
}

/// Returns the dumps at `path` and at `to`. Without `to`, uses the next dump in a direction.
pub fn neighbours(
    path: &Path,
    to: Option<&Path>,
    direction: Direction,
    files: &Files,
) -> anyhow::Result<Neighbours> {
    if let Some(to) = to {
        let (own, other) = both(|| snapshot(path, files), || snapshot(to, files))?;
        let path = to.to_owned();
        return Ok(Neighbours { own, path, other });
    }
    let all = in_order(path.parent().unwrap_or(path))?;
    let Some(at) = all.iter().position(|it| it == path) else {
        bail!("`{}` is not a dump", path.display());
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
