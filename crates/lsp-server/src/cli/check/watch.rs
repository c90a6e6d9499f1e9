//! `--watch`: checks again whenever a file of the paths changes. Knows nothing about checks.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::Context;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::targets;

/// The time without changes before a check: editors write a file in several steps, and a checkout changes many files.
const REST: Duration = Duration::from_millis(50);

pub struct Watch {
    changes: Receiver<notify::Result<notify::Event>>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches files, and folders recursively.
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

    /// Waits for a change, and until changes pause. Returns `false` if there will be no more changes.
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

/// Returns `true` if a change may affect the check. Reading a file, as a check does, is not a change.
fn is_change(change: &notify::Result<notify::Event>) -> bool {
    let Ok(event) = change else {
        return true;
    };
    !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|it| is_read(it))
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
