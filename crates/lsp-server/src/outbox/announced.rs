//! A progress of which the server speaks first.

use std::pin::pin;
use std::time::Duration;

use lsp_types::ProgressToken;
use tokio::time::timeout;

use super::{Outbox, Outgoing, Progress};

/// What takes longer shows its progress.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Waits for work, of which the client is told once it has taken long, if there is an outbox to tell it by.
pub async fn while_it_lasts<T>(
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
    if let Ok(done) = timeout(PATIENCE, &mut work).await {
        return done;
    }
    let _shown = Announced::new(&outbox, token, title, cancellable);
    work.await
}

/// The progress ends with this.
pub struct Announced {
    outbox: Outbox,
    token: ProgressToken,
}

impl Announced {
    pub fn new(outbox: &Outbox, token: ProgressToken, title: &str, cancellable: bool) -> Announced {
        let begin = Progress::Begin {
            create: true,
            title: title.to_owned(),
            cancellable,
        };
        outbox.put(Outgoing::Progress(token.clone(), begin));
        let outbox = outbox.clone();
        Announced { outbox, token }
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        let message = String::new();
        let end = Progress::End { message };
        self.outbox.put(Outgoing::Progress(self.token.clone(), end));
    }
}
