//! Messages that the server sends on its own. One task sends them in order, so that no other code waits for the
//! client.

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
    /// Ask for the settings. The answer is sent to the session.
    AskConfiguration,
    Message(MessageType, String),
    Progress(ProgressToken, Progress),
    RefreshDiagnostics,
    RefreshTokens,
    /// Ask the client to watch Python files. Its consent is sent to the session.
    Watch,
    /// A partial result of a pending request.
    Partial(ProgressToken, Value),
    /// Called when all earlier messages have been sent, so that an answer does not overtake its partial results.
    Then(Box<dyn FnOnce() + Send>),
}

pub enum Progress {
    /// Begins a progress. With `create`, the token is ours, so the client's consent is required first.
    Begin {
        create: bool,
        /// `true` if the user may cancel it.
        cancellable: bool,
        title: String,
    },
    End {
        message: String,
    },
}

/// Replies of the client for the session.
pub enum Reply {
    Settings(Value),
    /// The client now watches files.
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
        // The receiver is dropped only with the connection, and the message is not needed then.
        let _ = self.sender.send(message);
    }
}
