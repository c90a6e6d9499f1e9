//! A snapshot that any thread may ask. Each feature adds its question to [`Analysis`] in its own file.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use hir::{Canceller, Database, Db as _, SourceFile};
use rustc_hash::FxHashMap;

use crate::types::FileId;

/// How often a question is asked whose queries fail in other threads.
const ATTEMPTS: u32 = 8;

/// A change overtook the question; ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

pub type Cancellable<T> = Result<T, Cancelled>;

/// The state at one moment. While one is alive, [`AnalysisHost::apply_change`] waits; so it should not be kept.
pub struct Analysis {
    pub(crate) db: Database,
    pub(crate) files: Arc<FxHashMap<FileId, SourceFile>>,
}

impl Analysis {
    /// Cancels the question that is being asked, which then ends as [`Cancelled`].
    pub fn canceller(&self) -> Canceller {
        self.db.canceller()
    }

    /// The database and the file in it, for commands that print or run a file that does not change.
    pub fn hir(&self, file: FileId) -> Option<(&Database, SourceFile)> {
        Some((&self.db, *self.files.get(&file)?))
    }

    /// Answers a question about a file; of a file that is not there nothing is known.
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
                // The thread that had begun on a query unwound: cancelled by the same edit that cancels this
                // question, or failed. Asked again, this thread sees for itself which.
                Err(salsa::Cancelled::PropagatedPanic) => {}
                Err(_) => return Err(Cancelled),
            }
        }
        panic!("analysis failed in another thread");
    }
}
