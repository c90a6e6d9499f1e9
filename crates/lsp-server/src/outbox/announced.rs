//! A progress of which the server speaks first.

use std::time::Duration;

use lsp_types::ProgressToken;

use super::{Outbox, Outgoing, Progress};

/// What takes longer shows its progress.
pub const PATIENCE: Duration = Duration::from_millis(500);

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
