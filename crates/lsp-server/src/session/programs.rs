//! The recordings of programs, which editors show on the lines of the program: those of this session, and the folder
//! `recording` beside a program or above it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustc_hash::FxHashMap;
use tracing::warn;

use crate::compilation::recording::ABOUT;
use crate::compilation::recording::program::{self, ProgramLines};

/// The folder that `relax-lsp record` writes by default.
const DEFAULT: &str = "recording";
/// How many folders above a program are looked at.
const ABOVE: usize = 3;

#[derive(Default)]
pub struct Programs(Mutex<KnownPrograms>);

#[derive(Default)]
struct KnownPrograms {
    /// Counts the recordings of this session.
    revision: u64,
    /// The recordings of this session, the newest last.
    recorded: Vec<PathBuf>,
    read: FxHashMap<PathBuf, (SystemTime, Arc<ProgramLines>)>,
}

impl Programs {
    /// Adds a recording of this session, which comes before earlier ones.
    pub fn add(&self, folder: PathBuf) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.recorded.retain(|it| *it != folder);
        known.recorded.push(folder);
        known.revision += 1;
    }

    /// Returns a number that is another one after each recording.
    pub fn revision(&self) -> u64 {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.revision
    }

    /// Returns the newest recording whose program ran through a file.
    pub fn of_source(&self, path: &Path) -> Option<Arc<ProgramLines>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let recorded = known.recorded.iter().rev().cloned();
        let beside = path.ancestors().skip(1).take(ABOVE);
        let folders: Vec<PathBuf> = recorded.chain(beside.map(|it| it.join(DEFAULT))).collect();
        let mut found = folders.iter().filter_map(|folder| known.read(folder));
        found.find(|it| it.of_file(path).is_some())
    }
}

impl KnownPrograms {
    fn read(&mut self, folder: &Path) -> Option<Arc<ProgramLines>> {
        let time = folder.join(ABOUT).metadata().ok()?.modified().ok()?;
        if let Some((of_time, lines)) = self.read.get(folder)
            && *of_time == time
        {
            return Some(lines.clone());
        }
        // A recording that cannot be read is not read again.
        let lines = program::read(folder).unwrap_or_else(|error| {
            let folder = folder.display();
            warn!(%folder, "a recording cannot be read: {error:#}");
            ProgramLines::default()
        });
        let lines = Arc::new(lines);
        self.read.insert(folder.to_owned(), (time, lines.clone()));
        Some(lines)
    }
}
