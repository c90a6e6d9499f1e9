//! What the session is told, and how handlers tell it.

use std::future::Future;

use ide::Cancellable;
use lsp_types::{ProgressToken, Range, Uri};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::Snapshot;
use super::diagnose::Diagnosed;
use super::runs::{RunCall, RunFinished};
use crate::capabilities::Client;

pub enum Event {
    Initialize {
        client: Client,
        options: Option<Value>,
    },
    Initialized,
    Configure(Value),
    Open {
        uri: Uri,
        version: i32,
        text: String,
    },
    Change {
        uri: Uri,
        version: i32,
        /// A range and what replaces it, or no range and the whole text.
        changes: Vec<(Option<Range>, String)>,
    },
    Close {
        uri: Uri,
    },
    Read(Box<dyn FnOnce(Snapshot) + Send>),
    Diagnosed(Diagnosed),
    Run(RunCall),
    RunFinished(RunFinished),
    CancelProgress(ProgressToken),
    /// The sender hears when the session is over.
    Stop(Option<oneshot::Sender<()>>),
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text changed before the answer was there.
    ContentModified,
    /// The thread that should answer has failed; the log says how.
    Failed,
}

#[derive(Clone, Debug)]
pub struct SessionHandle {
    events: UnboundedSender<Event>,
}

impl SessionHandle {
    pub fn new(events: UnboundedSender<Event>) -> SessionHandle {
        SessionHandle { events }
    }

    /// Hands an event over, before it returns.
    pub fn tell(&self, event: Event) {
        // The session is gone only after the connection is; nobody waits for an effect.
        let _ = self.events.send(event);
    }

    /// Hands a request over, before it returns; the future waits for the answer. `answer` runs on another
    /// thread, on a snapshot of the moment at which the session comes to this request.
    pub fn read<P, T>(
        &self,
        params: P,
        answer: fn(&Snapshot, P) -> Cancellable<T>,
    ) -> impl Future<Output = Result<T, Refusal>> + Send + use<P, T>
    where
        P: Send + 'static,
        T: Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        self.tell(Event::Read(Box::new(move |snapshot| {
            // A client that has cancelled the request no longer waits: do not even begin.
            if !sender.is_closed() {
                let result = answer(&snapshot, params);
                // Before the answer is on its way: an edit that follows it must not find this snapshot.
                drop(snapshot);
                let _ = sender.send(result);
            }
        })));
        async move {
            match receiver.await {
                Ok(Ok(value)) => Ok(value),
                Ok(Err(ide::Cancelled)) => Err(Refusal::ContentModified),
                Err(_) => Err(Refusal::Failed),
            }
        }
    }
}
