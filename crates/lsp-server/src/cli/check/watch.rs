//! `--watch`: checks again whenever a file of the paths changes. Knows not what a check is.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::Context;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::targets;

/// Editors write a file in several steps, and a branch that is checked out has many files.
const REST: Duration = Duration::from_millis(50);

pub struct Watch {
    changes: Receiver<notify::Result<notify::Event>>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches files, and all that is below folders.
    pub fn start(paths: &[PathBuf]) -> anyhow::Result<Watch> {
        let (sender, changes) = channel();
        let mut watcher = notify::recommended_watcher(sender).context("cannot watch files")?;
        for path in paths {
            let watched = watcher.watch(path, RecursiveMode::Recursive);
            watched.with_context(|| format!("cannot watch `{}`", path.display()))?;
        }
        Ok(Watch {
            changes,
            _watcher: watcher,
        })
    }

    /// Waits until something has changed, and a moment longer; `false`: nothing ever will.
    pub fn wait(&self) -> bool {
        loop {
            let Ok(change) = self.changes.recv() else {
                return false;
            };
            if !is_change(&change) {
                continue;
            }
            while self.changes.recv_timeout(REST).is_ok() {}
            return true;
        }
    }
}

/// Whether another check may find something else. Reading a file, as a check does, is no change; what a check writes is
/// none of the files that it reads.
fn is_change(change: &notify::Result<notify::Event>) -> bool {
    let Ok(event) = change else {
        return true;
    };
    !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|it| is_read(it))
}

fn is_read(path: &Path) -> bool {
    let is_source = match path.extension().and_then(|it| it.to_str()) {
        Some("py" | "relay" | "rly") => true,
        // A folder that is moved brings its files along.
        None => path.is_dir(),
        Some(_) => false,
    };
    is_source || targets::is_watched(path)
}
