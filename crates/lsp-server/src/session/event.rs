//! The events of the session, and the handle that other tasks use to send them.

use std::borrow::Cow;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use futures::FutureExt;
use ide::{Cancelled, Canceller, Language};
use lsp_types::{ProgressToken, Uri};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::Snapshot;
use super::diagnose::DiagnosisResult;
use super::lowering::LowerCall;
use super::recordings::{RecordCall, RecordFinished};
use super::runs::{RunCall, RunFinished};
use super::survey::Survey;
use crate::capabilities::Client;
use crate::documents::{NewTargets, TextChange, Updated};
use crate::outbox::Reply;
use crate::run::child::WorkerError;

pub enum Event {
    Initialize {
        client: Client,
        options: Option<Value>,
        folders: Vec<PathBuf>,
    },
    Initialized,
    Configure(Value),
    Open {
        uri: Uri,
        version: i32,
        text: String,
        language: Language,
    },
    Change {
        uri: Uri,
        version: i32,
        changes: Vec<TextChange>,
    },
    /// The next version of a document; `None` if parsing failed.
    Updated {
        uri: Uri,
        updated: Option<Updated>,
    },
    Close {
        uri: Uri,
    },
    Read {
        subject: Subject<'static>,
        job: Box<dyn FnOnce(Snapshot) + Send>,
    },
    DiagnosisResult(DiagnosisResult),
    Run(RunCall),
    Lower(LowerCall),
    Record(RecordCall),
    RecordFinished(Box<RecordFinished>),
    RunFinished(Box<RunFinished>),
    CancelProgress(ProgressToken),
    /// Stops the session, and notifies the sender when it has ended.
    Stop(Option<oneshot::Sender<()>>),
    /// Workspace folders were added or removed.
    Folders {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    /// The client now watches files.
    Watched,
    FilesChanged(Vec<PathBuf>),
    /// The targets of documents' projects were determined again.
    Targets(NewTargets),
    Survey {
        title: Option<&'static str>,
        cancelled: CancellationToken,
        job: Box<dyn FnOnce(Survey) + Send>,
    },
    /// Work that could be cancelled has ended.
    Over(u64),
}

/// What an event reads or changes. The event waits while its next version is being parsed.
#[derive(Clone, Debug)]
pub enum Subject<'a> {
    /// A document, by URI.
    Document(Cow<'a, str>),
    /// All documents.
    Workspace,
    /// No documents.
    Server,
}

impl Event {
    pub fn subject(&self) -> Subject<'_> {
        match self {
            Event::Open { uri, .. } | Event::Change { uri, .. } | Event::Close { uri } => {
                Subject::of(uri)
            }
            Event::DiagnosisResult(diagnosed) => Subject::of(diagnosed.uri()),
            Event::Run(call) => Subject::of(&call.arguments.uri),
            Event::Lower(call) => Subject::of(&call.arguments.uri),
            Event::Read { subject, .. } => subject.clone(),
            Event::Survey { .. } => Subject::Workspace,
            Event::Updated { .. }
            | Event::Initialize { .. }
            | Event::Initialized
            | Event::Configure(_)
            | Event::RunFinished(_)
            | Event::Record(_)
            | Event::RecordFinished(_)
            | Event::CancelProgress(_)
            | Event::Stop(_)
            | Event::Folders { .. }
            | Event::Watched
            | Event::FilesChanged(_)
            | Event::Targets(_)
            | Event::Over(_) => Subject::Server,
        }
    }
}

impl<'a> Subject<'a> {
    fn of(uri: &'a Uri) -> Subject<'a> {
        Subject::Document(Cow::Borrowed(uri.as_str()))
    }
}

impl From<Reply> for Event {
    fn from(reply: Reply) -> Event {
        match reply {
            Reply::Settings(settings) => Event::Configure(settings),
            Reply::Watches => Event::Watched,
        }
    }
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text changed before the answer was complete.
    ContentModified,
    /// The text changed, and the client should retry.
    AskAgain,
    /// The client or its user cancelled the request.
    Cancelled,
    /// The parameters are invalid for the method.
    Invalid(String),
    /// The request is valid but cannot be fulfilled.
    Impossible(String),
    /// The answering thread failed. The log has the reason.
    Failed,
}

impl From<Cancelled> for Refusal {
    fn from(Cancelled: Cancelled) -> Refusal {
        Refusal::ContentModified
    }
}

impl From<WorkerError> for Refusal {
    fn from(error: WorkerError) -> Refusal {
        match error {
            WorkerError::Cancelled => Refusal::Cancelled,
            WorkerError::Refused(why) | WorkerError::Broken(why) => Refusal::Impossible(why),
        }
    }
}

#[derive(Clone, Debug)]
pub struct SessionHandle {
    events: UnboundedSender<Event>,
    /// What requests of this handle read.
    subject: Subject<'static>,
}

impl SessionHandle {
    pub fn new(events: UnboundedSender<Event>) -> SessionHandle {
        SessionHandle {
            events,
            subject: Subject::Server,
        }
    }

    /// Returns a handle for requests about a subject.
    #[must_use]
    pub fn about(&self, subject: Subject<'static>) -> SessionHandle {
        let events = self.events.clone();
        SessionHandle { events, subject }
    }

    /// Sends an event. It is queued before this returns.
    pub fn send(&self, event: Event) {
        // Sending fails only after the connection has ended, when no effect is needed.
        let _ = self.events.send(event);
    }

    /// Sends a request, which is queued before this returns; the future waits for the answer. `answer` runs on another
    /// thread, with a snapshot of the time at which the session handles the request.
    pub fn read<P, T, A>(
        &self,
        params: P,
        answer: A,
    ) -> impl Future<Output = Result<T, Refusal>> + Send + use<P, T, A>
    where
        P: Send + 'static,
        T: Send + 'static,
        A: FnOnce(&Snapshot, P) -> Result<T, Refusal> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let canceller = Arc::new(OnceLock::new());
        let waiting = PendingAnswer {
            receiver,
            canceller: canceller.clone(),
        };
        let job = move |snapshot: Snapshot| {
            let _ = canceller.set(snapshot.analysis.canceller());
            // If the client has already cancelled the request, don't start.
            if !sender.is_closed() {
                let result = answer(&snapshot, params);
                // Drop the snapshot before sending the answer, so that an edit that follows the answer does not wait
                // for it.
                drop(snapshot);
                let _ = sender.send(result);
            }
        };
        self.send(Event::Read {
            subject: self.subject.clone(),
            job: Box::new(job),
        });
        waiting
    }

    /// Sends a question about the files of the workspace, which is queued before this returns. The future waits for
    /// the answer; dropping it cancels the question. `title` is the title of its progress, if the client does not show
    /// one.
    pub fn survey<P, T>(
        &self,
        title: Option<&'static str>,
        params: P,
        answer: fn(Survey, P) -> T,
    ) -> impl Future<Output = Result<T, Refusal>> + Send + use<P, T>
    where
        P: Send + 'static,
        T: Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let cancelled = CancellationToken::new();
        let guard = cancelled.clone().drop_guard();
        self.send(Event::Survey {
            title,
            cancelled,
            job: Box::new(move |survey| survey.answer(params, answer, sender)),
        });
        async move {
            let _guard = guard;
            receiver.await.map_err(|_| Refusal::Failed)
        }
    }
}

/// A pending answer. Dropping it cancels the work.
struct PendingAnswer<T> {
    receiver: oneshot::Receiver<Result<T, Refusal>>,
    /// The canceller of the snapshot, set when the work begins.
    canceller: Arc<OnceLock<Canceller>>,
}

impl<T> Future for PendingAnswer<T> {
    type Output = Result<T, Refusal>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.receiver
            .poll_unpin(context)
            .map(|answer| answer.unwrap_or(Err(Refusal::Failed)))
    }
}

impl<T> Drop for PendingAnswer<T> {
    fn drop(&mut self) {
        // Close the receiver first: the work sets the canceller when it begins, and then checks whether the receiver
        // is open.
        self.receiver.close();
        if let Some(canceller) = self.canceller.get() {
            canceller.cancel();
        }
    }
}
