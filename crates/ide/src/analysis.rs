//! A snapshot that any thread may query. Each feature adds its method to [`Analysis`] in its own file.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use hir::{Canceller, Database, Db as _, SourceFile};
use rustc_hash::FxHashMap;

use crate::types::FileId;

/// How often a question is retried when a query that it shares with another thread fails there.
const ATTEMPTS: u32 = 8;

/// An edit arrived while the question was being answered; ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

pub type Cancellable<T> = Result<T, Cancelled>;

/// An immutable snapshot of all files. [`AnalysisHost::apply_change`] waits while any snapshot is alive, so don't keep
/// it.
pub struct Analysis {
    pub(crate) db: Database,
    pub(crate) files: Arc<FxHashMap<FileId, SourceFile>>,
}

impl Analysis {
    /// Returns a handle that cancels the running question, which then returns [`Cancelled`].
    pub fn canceller(&self) -> Canceller {
        self.db.canceller()
    }

    /// Returns the database and a file in it, for commands that print or run a file that does not change.
    pub fn hir(&self, file: FileId) -> Option<(&Database, SourceFile)> {
        Some((&self.db, *self.files.get(&file)?))
    }

    /// Answers a question about a file. Returns the default if the file does not exist.
    pub(crate) fn with_file<T: Default>(
        &self,
        file: FileId,
        question: impl Fn(&Database, SourceFile) -> T,
    ) -> Cancellable<T> {
        self.ask_or(file, T::default(), question)
    }

    pub(crate) fn ask_or<T>(
        &self,
        file: FileId,
        otherwise: T,
        question: impl Fn(&Database, SourceFile) -> T,
    ) -> Cancellable<T> {
        let Some(&file) = self.files.get(&file) else {
            return Ok(otherwise);
        };
        for _ in 0..ATTEMPTS {
            let ask = || {
                self.db.give_way();
                question(&self.db, file)
            };
            match salsa::Cancelled::catch(AssertUnwindSafe(ask)) {
                Ok(answer) => return Ok(answer),
                // Another thread had started a query that this one waited for, and unwound: it was cancelled by the
                // same edit, or it failed. Retrying shows which.
                Err(salsa::Cancelled::PropagatedPanic) => {}
                Err(_) => return Err(Cancelled),
            }
        }
        panic!("analysis failed in another thread");
    }
}
