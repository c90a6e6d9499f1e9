//! Progress that the server starts, without a token of the client.

use std::pin::pin;
use std::time::Duration;

use lsp_types::ProgressToken;

use super::{Outbox, Outgoing, Progress};
use crate::tasks::timeout;

/// Work that takes longer shows progress.
pub const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// Waits for work, and shows progress once it takes long. Without an outbox, nothing is shown.
pub async fn with_progress<T>(
    outbox: Option<Outbox>,
    token: ProgressToken,
    title: &str,
    cancellable: bool,
    work: impl Future<Output = T>,
) -> T {
    let Some(outbox) = outbox else {
        return work.await;
    };
    let mut work = pin!(work);
    if let Some(done) = timeout(PROGRESS_DELAY, &mut work).await {
        return done;
    }
    let _shown = OwnProgress::new(&outbox, token, title, cancellable);
    work.await
}

/// A visible progress, which ends when this is dropped.
pub struct OwnProgress {
    outbox: Outbox,
    token: ProgressToken,
}

impl OwnProgress {
    pub fn new(
        outbox: &Outbox,
        token: ProgressToken,
        title: &str,
        cancellable: bool,
    ) -> OwnProgress {
        let begin = Progress::Begin {
            create: true,
            title: title.to_owned(),
            cancellable,
        };
        outbox.put(Outgoing::Progress(token.clone(), begin));
        let outbox = outbox.clone();
        OwnProgress { outbox, token }
    }
}

impl Drop for OwnProgress {
    fn drop(&mut self) {
        let message = String::new();
        let end = Progress::End { message };
        self.outbox.put(Outgoing::Progress(self.token.clone(), end));
    }
}
