//! Messages to and from the client: their order, and the end of the connection. Other modules transfer the bytes:
//! `framing` for pipes, `playground::socket` for a WebSocket.
//!
//! This replaces tower-lsp's own transport; `server.rs` says why. Requests and responses are only known as JSON.

#[cfg(unix)]
mod closed;
#[cfg(not(target_family = "wasm"))]
mod framing;
mod progress;
mod queue;
mod surrogates;
#[cfg(test)]
mod tests;
mod trace;

use std::fmt::Debug;
use std::future::poll_fn;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::future::abortable;
use futures::{FutureExt, Sink, SinkExt, Stream, StreamExt, poll};
use lsp_types::notification::{Exit, Notification as _};
use lsp_types::request::{Initialize, Request as _, Shutdown};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio_util::sync::CancellationToken;
use tower_service::Service;
use tracing::{debug, warn};
use web_time::Instant;

use crate::tasks;
use progress::ProgressTarget;
use queue::{QueueReceiver, QueueSender, WeakQueueSender, queue};

#[cfg(unix)]
pub use closed::wait_until_closed;
#[cfg(not(target_family = "wasm"))]
pub use framing::{FrameWriter, Frames, frame};
pub use progress::RequestProgress;
pub use trace::Trace;

/// The time that pending answers have after the client has gone.
const GRACE: Duration = Duration::from_secs(2);

/// While so many requests have no answer yet, nothing is read: each may get a long answer.
const MOST_REQUESTS: usize = 256;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL_ERROR: i64 = -32603;
const SERVER_NOT_INITIALIZED: i64 = -32002;

/// The fields that distinguish requests, notifications and responses.
#[derive(Deserialize)]
struct Envelope {
    method: Option<String>,
    id: Option<Value>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

/// The connection for the server's own requests: the requests to send, and the sink for the client's replies.
pub struct Loopback<Requests, Replies> {
    pub requests: Requests,
    pub replies: Replies,
}

/// An incoming message.
pub enum Frame {
    Body(Vec<u8>),
    /// Text that is not a header. The following text may be one again.
    Malformed(String),
    End,
}

/// The source of messages.
pub trait MessageReader: Send {
    /// Returns the next message. Dropping the future may lose a message.
    fn next(&mut self) -> impl Future<Output = io::Result<Frame>> + Send;
}

/// The sink of messages.
pub trait MessageWriter: Send + 'static {
    /// Sends queued messages, in one piece if that is cheaper.
    fn write(&mut self, bodies: Vec<Vec<u8>>) -> impl Future<Output = io::Result<()>> + Send;
}

/// The connection to the client.
pub struct Transport<Input, Output> {
    pub input: Input,
    pub output: Output,
    /// Cancelled when the client has gone, which the output need not notice.
    pub gone: CancellationToken,
}

/// The queue of messages to write.
pub struct Messages {
    outgoing: QueueSender,
    bodies: QueueReceiver,
}

impl Messages {
    pub fn new() -> Messages {
        let (outgoing, bodies) = queue();
        Messages { outgoing, bodies }
    }

    /// Returns a sender that does not keep the connection open.
    pub fn sender(&self) -> Sender {
        Sender(self.outgoing.downgrade())
    }
}

#[derive(Clone)]
pub struct Sender(WeakQueueSender);

impl Sender {
    /// Sends a notification.
    pub fn notify(&self, method: &str, params: &impl Serialize) {
        #[derive(Serialize)]
        struct Notification<'a, P> {
            jsonrpc: &'a str,
            method: &'a str,
            params: &'a P,
        }
        let message = Notification {
            jsonrpc: "2.0",
            method,
            params,
        };
        match (serde_json::to_vec(&message), self.0.upgrade()) {
            (Ok(body), Some(outgoing)) => outgoing.send(body),
            (Ok(_), None) => debug!(method, "the client has gone"),
            (Err(error), _) => warn!(%error, method, "a message that cannot be sent"),
        }
    }
}

/// What the client is told about its requests besides answers.
#[derive(Clone)]
pub struct ClientReports {
    pub trace: Arc<Trace>,
    pub progress: Arc<RequestProgress>,
}

/// Serves until the client sends `exit` or disconnects. Calls `ended` as soon as that happens, while answers may still
/// be pending.
pub async fn drive<S, Q, A, Requests, Replies>(
    mut service: S,
    loopback: Loopback<Requests, Replies>,
    transport: Transport<impl MessageReader, impl MessageWriter>,
    messages: Messages,
    reports: ClientReports,
    ended: impl FnOnce(),
) where
    S: Service<Q, Response = Option<Vec<u8>>>,
    S::Future: Send + 'static,
    S::Error: Debug + Send + 'static,
    Q: DeserializeOwned + Serialize + 'static,
    A: DeserializeOwned,
    Requests: Stream<Item = Q> + Unpin + Send + 'static,
    Replies: Sink<A> + Unpin,
{
    let Messages { outgoing, bodies } = messages;
    let (mut input, gone) = (transport.input, transport.gone);
    let writer = start_writing(bodies, transport.output, gone.clone());
    let (own_requests, over) = abortable(forward(loopback.requests, outgoing.clone()));
    tasks::spawn(own_requests.map(drop));
    let mut replies = loopback.replies;
    let mut handshaken = false;
    let unanswered = Arc::new(Semaphore::new(MOST_REQUESTS));
    while let Some(body) = next_body(&mut input, &gone, &outgoing, &unanswered).await {
        let Some(envelope) = open_envelope(&body, &outgoing) else {
            continue;
        };
        let Some(method) = envelope.method else {
            match parse(&body) {
                Ok(reply) => drop(replies.send(reply).await),
                Err(error) => warn!(%error, "an invalid reply"),
            }
            continue;
        };
        handshaken |= method == Initialize::METHOD;
        if !handshaken && method != Exit::METHOD {
            if let Some(id) = envelope.id {
                let why = "expected the handshake first";
                respond_error(&outgoing, &id, SERVER_NOT_INITIALIZED, why);
            }
            continue;
        }
        // Some clients do not wait for the answer to `shutdown`.
        let unasked = envelope.id.is_none() && method == Shutdown::METHOD;
        let request = if unasked {
            serde_json::from_value(json!({"jsonrpc": "2.0", "id": 0, "method": method}))
        } else {
            parse(&body)
        };
        let request = match request {
            Ok(request) => request,
            Err(error) => {
                let id = envelope.id.unwrap_or_default();
                respond_error(&outgoing, &id, INVALID_REQUEST, &error.to_string());
                continue;
            }
        };
        let shown = reports.progress.target_of(&method, &body);
        drop(body);
        let ready = poll_fn(|context| service.poll_ready(context)).await;
        if ready.is_err() {
            break;
        }
        if unasked {
            drop(service.call(request).await);
            continue;
        }
        let handler = AssertUnwindSafe(service.call(request)).catch_unwind();
        let mut answer = Box::pin(handler);
        // Poll the future for the first time here, in the order of arrival, since this is when a handler sends its
        // message to the session. Later polls run in a separate task, so that no request delays another.
        let last = method == Exit::METHOD;
        let responder = Responder {
            outgoing: outgoing.clone(),
            method,
            id: envelope.id,
            began: Instant::now(),
            trace: reports.trace.clone(),
        };
        match poll!(&mut answer) {
            std::task::Poll::Ready(answer) => responder.with(answer),
            std::task::Poll::Pending => {
                let permit = unanswered.clone().try_acquire_owned();
                let progress = reports.progress.clone();
                tasks::spawn(responder.wait(answer, shown, progress, permit.ok()));
            }
        }
        if last {
            break;
        }
    }
    ended();
    over.abort();
    drop(outgoing);
    if tasks::timeout(GRACE, writer).await.is_none() {
        warn!("answers were still under way when the client had gone");
    }
}

/// Returns the next message, or `None` once the client has gone. Waits while the client reads too little: what it is
/// sent waits in memory.
async fn next_body(
    input: &mut impl MessageReader,
    gone: &CancellationToken,
    outgoing: &QueueSender,
    unanswered: &Semaphore,
) -> Option<Vec<u8>> {
    loop {
        let next = async {
            outgoing.has_room().await;
            // The semaphore is never closed.
            drop(unanswered.acquire().await);
            input.next().await
        };
        let frame = tokio::select! {
            frame = next => frame,
            () = gone.cancelled() => return None,
        };
        match frame {
            Ok(Frame::Body(body)) => return Some(body),
            Ok(Frame::Malformed(why)) => {
                warn!(why, "a message without a proper header");
                respond_error(outgoing, &Value::Null, PARSE_ERROR, &why);
            }
            Ok(Frame::End) => return None,
            Err(error) => {
                debug!(%error, "the client's output broke");
                return None;
            }
        }
    }
}

/// The response of a handler, unless it panics.
type Handled<E> = std::thread::Result<Result<Option<Vec<u8>>, E>>;

/// Turns a handler's answer into the response.
struct Responder {
    outgoing: QueueSender,
    method: String,
    id: Option<Value>,
    began: Instant,
    trace: Arc<Trace>,
}

impl Responder {
    /// Waits for the answer, and shows progress if the request may take long.
    async fn wait<E: Debug>(
        self,
        answer: impl Future<Output = Handled<E>> + Unpin,
        shown: Option<ProgressTarget>,
        progress: Arc<RequestProgress>,
        _unanswered: Option<OwnedSemaphorePermit>,
    ) {
        let answer = match shown {
            Some(shown) => progress.wait(shown, &self.outgoing, answer).await,
            None => answer.await,
        };
        self.with(answer);
    }

    fn with<E: Debug>(self, answer: Handled<E>) {
        match (answer, &self.id) {
            (Ok(Ok(Some(response))), _) => self.send(response),
            (Ok(Ok(None)), Some(_)) => self.fail(METHOD_NOT_FOUND, "Method not found"),
            (Ok(Ok(None)), None) => {}
            (Ok(Err(error)), _) => debug!(?error, method = self.method, "no answer"),
            (Err(_), _) => self.fail(INTERNAL_ERROR, "the server failed; its log says how"),
        }
    }

    fn send(&self, response: Vec<u8>) {
        let took = self.began.elapsed();
        let notification = self.trace.of(&self.method, took, response.len());
        let notification = notification.map(|notification| notification.to_string().into_bytes());
        for message in [Some(response), notification].into_iter().flatten() {
            self.outgoing.send(message);
        }
    }

    fn fail(&self, code: i64, message: &str) {
        warn!(method = self.method, message, "a request failed");
        if let Some(id) = &self.id {
            respond_error(&self.outgoing, id, code, message);
        }
    }
}

fn respond_error(outgoing: &QueueSender, id: &Value, code: i64, message: &str) {
    let error = json!({"code": code, "message": message});
    let response = json!({"jsonrpc": "2.0", "id": id, "error": error});
    outgoing.send(response.to_string().into_bytes());
}

/// Parses a message. If that fails, tries again without unpaired surrogates.
fn parse<T: DeserializeOwned>(body: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(body).or_else(|error| {
        let whole = surrogates::replaced(body).ok_or(error)?;
        serde_json::from_slice(&whole)
    })
}

fn open_envelope(body: &[u8], outgoing: &QueueSender) -> Option<Envelope> {
    match parse::<Envelope>(body) {
        Ok(envelope)
            if envelope.method.is_some()
                || envelope.result.is_some()
                || envelope.error.is_some() =>
        {
            Some(envelope)
        }
        // A reply with a null result looks like one without a result.
        Ok(envelope) if envelope.id.is_some() => Some(envelope),
        Ok(_) => {
            let why = "neither a request nor a response";
            respond_error(outgoing, &Value::Null, INVALID_REQUEST, why);
            None
        }
        Err(error) => {
            let code = if error.is_data() {
                INVALID_REQUEST
            } else {
                PARSE_ERROR
            };
            warn!(%error, "a message that cannot be read");
            respond_error(outgoing, &Value::Null, code, &error.to_string());
            None
        }
    }
}

async fn forward<Q: Serialize>(mut requests: impl Stream<Item = Q> + Unpin, outgoing: QueueSender) {
    while let Some(request) = requests.next().await {
        match serde_json::to_vec(&request) {
            Ok(body) => outgoing.send(body),
            Err(error) => warn!(%error, "a message that cannot be sent"),
        }
    }
}

/// Writes messages on another task. Returns what ends with it.
fn start_writing(
    bodies: QueueReceiver,
    output: impl MessageWriter,
    gone: CancellationToken,
) -> oneshot::Receiver<()> {
    let (written, writer) = oneshot::channel();
    tasks::spawn(async move {
        write_all(bodies, output).await;
        // A client that cannot be answered has gone, even if it still sends.
        gone.cancel();
        let _ = written.send(());
    });
    writer
}

async fn write_all(mut waiting: QueueReceiver, mut output: impl MessageWriter) {
    while let Some(bodies) = waiting.take().await {
        let bytes = bodies.iter().map(Vec::len).sum();
        if let Err(error) = output.write(bodies).await {
            debug!(%error, "the client's input broke");
            return;
        }
        waiting.written(bytes);
    }
}
