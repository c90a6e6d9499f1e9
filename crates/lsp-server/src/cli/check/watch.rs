//! `--watch`: checks again whenever a file of the paths changes. Knows nothing about checks.
//!
//! A system watches files and folders themselves, not their names. So the folder above each path is watched too, which
//! sees when a path is deleted, replaced, or made again; where that is missing, the nearest folder above.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, bail};
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::config::project::plain;
use crate::targets;

/// The time without changes before a check: editors write a file in several steps, and a checkout changes many files.
const REST: Duration = Duration::from_millis(50);

/// Folders may be made and deleted while the watches are set.
const MOST_TRIES: usize = 10;

pub struct Watch {
    roots: Vec<PathBuf>,
    changes: Receiver<notify::Result<Event>>,
    watcher: RecommendedWatcher,
    watched: BTreeMap<PathBuf, RecursiveMode>,
}

impl Watch {
    /// Watches files, and folders recursively.
    pub fn start(paths: &[PathBuf]) -> anyhow::Result<Watch> {
        if let Some(missing) = paths.iter().find(|it| !it.exists()) {
            bail!("cannot watch `{}`: it does not exist", missing.display());
        }
        let (sender, changes) = channel();
        let mut watch = Watch {
            roots: paths.iter().map(|it| plain(it)).collect(),
            changes,
            watcher: notify::recommended_watcher(sender).context("cannot watch files")?,
            watched: BTreeMap::new(),
        };
        watch.follow()?;
        Ok(watch)
    }

    /// Waits for a change, and until changes pause. Returns `false` if there will be no more changes.
    pub fn wait(&mut self) -> bool {
        let mut changed = false;
        loop {
            let change = if changed {
                self.changes.recv_timeout(REST).ok()
            } else {
                self.changes.recv().ok()
            };
            let Some(change) = change else {
                return changed;
            };
            if change
                .as_ref()
                .is_ok_and(|it| moves_a_root(it, &self.roots))
            {
                changed = true;
                if let Err(error) = self.follow() {
                    crate::cli::complain(&error);
                }
            }
            changed |= is_change(&change, &self.roots);
        }
    }

    /// Watches what exists of the paths now.
    fn follow(&mut self) -> anyhow::Result<()> {
        for _ in 0..MOST_TRIES {
            let wanted = paths_to_watch(&self.roots);
            for path in self.watched.keys().filter(|it| !wanted.contains_key(*it)) {
                // It need not exist any more.
                let _ = self.watcher.unwatch(path);
            }
            let mut failed = None;
            for (path, mode) in &wanted {
                // A folder that was made again is another one.
                if let Err(error) = self.watcher.watch(path, *mode) {
                    failed = Some((error, path.clone()));
                }
            }
            self.watched = wanted;
            match failed {
                Some((error, path)) if path.exists() => {
                    let cannot = format!("cannot watch `{}`", path.display());
                    return Err(anyhow::Error::new(error).context(cannot));
                }
                None if paths_to_watch(&self.roots) == self.watched => break,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns the paths to watch: folders that exist, and the nearest existing folder above each root.
fn paths_to_watch(roots: &[PathBuf]) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut wanted = BTreeMap::new();
    for root in roots {
        let above = root.ancestors().skip(1).find(|it| it.is_dir());
        if let Some(above) = above {
            wanted
                .entry(above.to_owned())
                .or_insert(RecursiveMode::NonRecursive);
        }
        if root.is_dir() {
            wanted.insert(root.clone(), RecursiveMode::Recursive);
        }
    }
    wanted
}

/// Returns `true` if a root or a folder above one was made, deleted, or renamed.
fn moves_a_root(event: &Event, roots: &[PathBuf]) -> bool {
    let moves = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
    );
    let is_above = |path: &PathBuf| roots.iter().any(|root| root.starts_with(path));
    moves && event.paths.iter().any(is_above)
}

/// Returns `true` if a change may affect the check. Reading a file, as a check does, is not a change.
fn is_change(change: &notify::Result<Event>, roots: &[PathBuf]) -> bool {
    let Ok(event) = change else {
        return true;
    };
    let is_below = |path: &PathBuf| roots.iter().any(|root| path.starts_with(root));
    !matches!(event.kind, EventKind::Access(_))
        && event.paths.iter().any(|it| is_below(it) && is_read(it))
}

fn is_read(path: &Path) -> bool {
    let is_source = match path.extension().and_then(|it| it.to_str()) {
        Some("py" | "relay" | "rly") => true,
        // A moved folder brings its files along.
        None => path.is_dir(),
        Some(_) => false,
    };
    is_source || targets::is_watched(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for a change that `act` makes.
    fn sees_change(watch: &mut Watch, act: impl FnOnce()) {
        act();
        assert!(watch.wait());
    }

    #[test]
    fn a_folder_that_is_deleted_and_made_again_is_still_watched() {
        let place = tempfile::tempdir().unwrap();
        let above = place.path().join("above");
        let root = above.join("models");
        std::fs::create_dir_all(&root).unwrap();
        let mut watch = Watch::start(std::slice::from_ref(&root)).unwrap();
        for gone in [&root, &above] {
            sees_change(&mut watch, || std::fs::remove_dir_all(gone).unwrap());
            sees_change(&mut watch, || std::fs::create_dir_all(&root).unwrap());
            sees_change(&mut watch, || {
                std::fs::write(root.join("a.py"), "").unwrap();
            });
        }
    }

    #[test]
    fn a_file_that_is_replaced_is_still_watched() {
        let place = tempfile::tempdir().unwrap();
        let [file, new] = ["a.py", "new"].map(|it| place.path().join(it));
        std::fs::write(&file, "").unwrap();
        let mut watch = Watch::start(std::slice::from_ref(&file)).unwrap();
        for _ in 0..2 {
            std::fs::write(&new, "").unwrap();
            sees_change(&mut watch, || std::fs::rename(&new, &file).unwrap());
        }
        sees_change(&mut watch, || std::fs::write(&file, "x").unwrap());
    }
}
