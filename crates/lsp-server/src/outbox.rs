//! Messages that the server sends unasked. One task sends them, in the order they were put here, so that no other code
//! waits for the client.

mod deliver;
mod progress;

pub use deliver::{Link, deliver};
pub use progress::{OwnProgress, PROGRESS_DELAY, with_progress};

use lsp_types::{MessageType, ProgressToken, PublishDiagnosticsParams};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub enum Outgoing {
    Diagnostics(PublishDiagnosticsParams),
    RefreshLenses,
    RefreshHints,
    /// Ask for the settings; the answer comes back to the session.
    AskConfiguration,
    Message(MessageType, String),
    Progress(ProgressToken, Progress),
    RefreshDiagnostics,
    RefreshTokens,
    /// Ask the client to watch Python files; its consent comes back to the session.
    Watch,
    /// A part of an answer that is still being made.
    Partial(ProgressToken, Value),
    /// Called when all that was put here before is on its way: an answer must not overtake its parts.
    Then(Box<dyn FnOnce() + Send>),
}

pub enum Progress {
    /// `create`: the token is ours, so the client must be asked for its consent first.
    Begin {
        create: bool,
        /// Whether the user may end it where it is shown.
        cancellable: bool,
        title: String,
    },
    End {
        message: String,
    },
}

/// What the client replies that the session should know.
pub enum Reply {
    Settings(Value),
    /// The client watches files from now on.
    Watches,
}

#[derive(Clone)]
pub struct Outbox {
    sender: UnboundedSender<Outgoing>,
}

impl Outbox {
    pub fn new() -> (Outbox, UnboundedReceiver<Outgoing>) {
        let (sender, receiver) = unbounded_channel();
        (Outbox { sender }, receiver)
    }

    pub fn put(&self, message: Outgoing) {
        // The receiver is gone only when the connection is; then the message has no reader.
        let _ = self.sender.send(message);
    }
}
