//! The recordings of programs, which editors show on the lines of the program: those of this session, and the folder
//! `recording` beside a program or above it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use lsp_types::{Diagnostic, DiagnosticSeverity};
use rustc_hash::FxHashMap;
use tracing::warn;

use crate::compilation::recording::ABOUT;
use crate::compilation::recording::program::{self, FileLines, ProgramLines};
use crate::documents::Document;
use crate::uri;

/// The folder that `relax-lsp record` writes by default.
const DEFAULT: &str = "recording";
/// It may be beside a program, or in one of the two folders above.
const FOLDERS: usize = 3;
/// The source of diagnostics about what a program did when it was recorded.
const SOURCE: &str = "relax-lsp record";

#[derive(Default)]
pub struct Programs(Mutex<KnownPrograms>);

#[derive(Default)]
struct KnownPrograms {
    /// Counts the recordings of this session.
    revision: u64,
    /// The recordings of this session, the newest last.
    recorded: Vec<PathBuf>,
    read: FxHashMap<PathBuf, (SystemTime, Arc<ReadOnce>)>,
}

/// The lines of a recording, which the first reader reads while others wait for it, and not for the lock.
type ReadOnce = OnceLock<ProgramLines>;

impl Programs {
    /// Adds a recording of this session, which comes before earlier ones.
    pub fn add(&self, folder: PathBuf) {
        let mut known = self.lock();
        known.recorded.retain(|it| *it != folder);
        known.recorded.push(folder);
        known.revision += 1;
    }

    /// Returns a number that is another one after each recording.
    pub fn revision(&self) -> u64 {
        self.lock().revision
    }

    /// Returns `true` if there is a recording of this or a program beside it. Reads nothing.
    pub fn may_know(&self, document: &Document) -> bool {
        uri::path(&document.uri).is_some_and(|it| self.recordings(&it).next().is_some())
    }

    /// Calls a function with the lines of a document, if a recorded program ran through it: those of the newest
    /// recording. Reading one may take a second.
    pub fn with_lines<T>(
        &self,
        document: &Document,
        then: impl FnOnce(&FileLines) -> T,
    ) -> Option<T> {
        let path = uri::path(&document.uri)?;
        let mut recordings = self.recordings(&path);
        let found = recordings.find(|(folder, lines)| read(folder, lines).of_file(&path).is_some());
        let (folder, lines) = found?;
        Some(then(read(&folder, &lines).of_file(&path)?))
    }

    /// Returns what failed on a line that has not changed since.
    pub fn diagnostics(&self, document: &Document) -> Vec<Diagnostic> {
        let show = |(line, told): (u32, &str)| Diagnostic {
            range: document.lines.line_range(line),
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some(SOURCE.to_owned()),
            message: told.to_owned(),
            ..Diagnostic::default()
        };
        let of_file = |lines: &FileLines| {
            let failures = lines.failures_in(document.lines.text());
            failures.into_iter().map(show).collect()
        };
        self.with_lines(document, of_file).unwrap_or_default()
    }

    /// Returns the recordings that may know a file, the newest first.
    fn recordings(&self, path: &Path) -> impl Iterator<Item = (PathBuf, Arc<ReadOnce>)> {
        let recorded = self.lock().recorded.clone();
        let beside = path.ancestors().skip(1).take(FOLDERS);
        let beside: Vec<PathBuf> = beside.map(|it| it.join(DEFAULT)).collect();
        let folders = recorded.into_iter().rev().chain(beside);
        folders.filter_map(|folder| {
            let time = folder.join(ABOUT).metadata().ok()?.modified().ok()?;
            let mut known = self.lock();
            let (of_time, lines) = known
                .read
                .entry(folder.clone())
                .or_insert_with(|| (time, Arc::default()));
            if *of_time != time {
                (*of_time, *lines) = (time, Arc::default());
            }
            let lines = lines.clone();
            Some((folder, lines))
        })
    }

    fn lock(&self) -> MutexGuard<'_, KnownPrograms> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read<'l>(folder: &Path, lines: &'l ReadOnce) -> &'l ProgramLines {
    lines.get_or_init(|| {
        // A recording that cannot be read is not read again.
        program::read(folder).unwrap_or_else(|error| {
            let folder = folder.display();
            warn!(%folder, "a recording cannot be read: {error:#}");
            ProgramLines::default()
        })
    })
}
