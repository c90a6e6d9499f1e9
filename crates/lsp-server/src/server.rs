//! The server of one client: tower-lsp's service with our table of methods inside, and our transport around it.
//!
//! tower-lsp does
//! - the life of a server: `initialize`, `shutdown` and `exit`, and which requests are allowed when;
//! - requests that the client cancels (`$/cancelRequest`);
//! - ids of the server's own requests, and their replies;
//! - the types and the errors of JSON-RPC.
//!
//! Our own are
//! - the transport (`connection`): tower-lsp's ends the server at the first message that is not JSON, leaves unknown `$/`
//!   requests without an answer, and polls so few requests at once that waiting ones keep a cancellation from being read;
//! - the routing (`handlers`): tower-lsp's trait has an async method for each method of the protocol. Our table has a row,
//!   from which capabilities and documentation come too. [`Service`] hands a message of the table to tower-lsp as one of
//!   its custom methods, [`REQUEST`] or [`NOTIFICATION`], with the row's number;
//! - the text of answers: tower-lsp converts an answer to a `Value`, which costs more than computing a list of
//!   completions. So a row serializes its result itself, and tower-lsp passes it on as one string;
//! - notifications to the client, which may be long, for the same reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use lsp_types::notification::{Notification, SetTrace};
use lsp_types::{InitializeParams, InitializeResult, ServerInfo, SetTraceParams};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tower_lsp::jsonrpc::{Error, ErrorCode, Request, Response, Result};
use tower_lsp::{ExitedError, LanguageServer, LspService};
use tracing::debug;

use crate::capabilities::Client;
#[cfg(not(target_family = "wasm"))]
use crate::client_process;
use crate::connection::{
    self, ClientReports, Loopback, MessageReader, MessageWriter, Messages, RequestProgress,
    Transport,
};
use crate::handlers::{self, METHODS};
use crate::methods::Route;
use crate::outbox::{self, Link, Outbox, Reply};
use crate::session::{self, Event, Refusal, SessionHandle};
use crate::tasks;
use crate::uri;

/// The custom methods of tower-lsp's service, which stand for all rows.
const REQUEST: &str = "relax/request";
const NOTIFICATION: &str = "relax/notification";

/// The protocol's error code for a valid request that failed.
const REQUEST_FAILED: i64 = -32803;

/// The protocol's error code for a request that the server cancelled.
const SERVER_CANCELLED: i64 = -32802;

struct Server {
    session: SessionHandle,
    shut_down: Arc<AtomicBool>,
    reports: ClientReports,
    client_gone: CancellationToken,
}

/// How a connection ended.
pub enum Ended {
    /// After `shutdown` and `exit`.
    AfterShutdown,
    /// `exit` without `shutdown`, or the client disappeared.
    Abruptly,
}

/// Serves one client until it leaves, or until `gone` is cancelled because somebody has noticed that. `process` is its
/// process id, if it is known before `initialize`.
pub async fn serve(
    input: impl MessageReader,
    output: impl MessageWriter,
    process: Option<u32>,
    gone: CancellationToken,
) -> Ended {
    let (outbox, outgoing) = Outbox::new();
    let reports = ClientReports {
        trace: Arc::default(),
        progress: Arc::new(RequestProgress::new(outbox.clone(), handlers::progress)),
    };
    let session = session::start(outbox);
    let shut_down = Arc::new(AtomicBool::new(false));
    let transport = Transport {
        input,
        output,
        gone,
    };
    watch(process, &transport.gone);
    let messages = Messages::new();
    let sender = messages.sender();
    let (service, socket) = LspService::build(|client| {
        let client = ToClient { client, sender };
        let heard = session.clone();
        let heard = move |reply: Reply| heard.send(reply.into());
        tasks::spawn(outbox::deliver(client, outgoing, heard));
        Server {
            session: session.clone(),
            shut_down: shut_down.clone(),
            reports: reports.clone(),
            client_gone: transport.gone.clone(),
        }
    })
    .custom_method(REQUEST, Server::request)
    .custom_method(NOTIFICATION, Server::notification)
    .custom_method(SetTrace::METHOD, Server::set_trace)
    .finish();
    let service = Service { inner: service };
    let (requests, replies) = socket.split();
    let loopback = Loopback { requests, replies };
    // Running programs would keep their requests, and so the connection, open.
    let (stopped, gone) = oneshot::channel();
    let ended = || session.send(Event::Stop(Some(stopped)));
    connection::drive(service, loopback, transport, messages, reports, ended).await;
    // Wait until the session has deleted its files.
    let _ = gone.await;
    if shut_down.load(Ordering::Relaxed) {
        Ended::AfterShutdown
    } else {
        Ended::Abruptly
    }
}

/// Treats the end of the client's process as a disconnect.
#[cfg(not(target_family = "wasm"))]
fn watch(process: Option<u32>, gone: &CancellationToken) {
    let Some(process) = process else { return };
    let gone = gone.clone();
    tasks::spawn(async move {
        client_process::ended(process).await;
        gone.cancel();
    });
}

/// In a browser, the page ends with its server.
#[cfg(target_family = "wasm")]
fn watch(_process: Option<u32>, _gone: &CancellationToken) {}

/// tower-lsp's service, whose custom methods stand for the rows of the table. Its responses are text.
struct Service {
    inner: LspService<Server>,
}

impl Service {
    /// Returns the request for tower-lsp, and whether its result will be text.
    fn route(request: Request) -> (Request, bool) {
        let mut methods = METHODS.iter();
        let (row, name) = match methods.position(|it| it.name == request.method()) {
            Some(row) => match METHODS[row].route {
                Route::Request(_) => (row, REQUEST),
                Route::Notification(_) => (row, NOTIFICATION),
                Route::Service => return (request, false),
            },
            None => return (request, false),
        };
        let (_, id, params) = request.into_parts();
        let params = Value::Array(vec![row.into(), params.unwrap_or_default()]);
        let routed = Request::build(name).params(params);
        let routed = match id {
            Some(id) => routed.id(id),
            None => routed,
        };
        (routed.finish(), true)
    }
}

impl tower_service::Service<Request> for Service {
    type Response = Option<Vec<u8>>;
    type Error = ExitedError;
    type Future = BoxFuture<'static, std::result::Result<Self::Response, ExitedError>>;

    fn poll_ready(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<std::result::Result<(), ExitedError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (request, is_text) = Service::route(request);
        let response = self.inner.call(request);
        async move { Ok(response.await?.map(|response| message(response, is_text))) }.boxed()
    }
}

/// Serializes a response for the client.
fn message(response: Response, is_text: bool) -> Vec<u8> {
    let (id, result) = response.into_parts();
    match result {
        Ok(Value::String(result)) if is_text => format!(
            "{{\"jsonrpc\":\"2.0\",\"result\":{result},\"id\":{}}}",
            json!(id)
        )
        .into_bytes(),
        result => json!(Response::from_parts(id, result))
            .to_string()
            .into_bytes(),
    }
}

/// The custom methods.
impl Server {
    async fn request(&self, (row, params): (usize, Value)) -> Result<String> {
        match &METHODS[row].route {
            Route::Request(answer) => Ok(answer(&self.session, params).await?),
            Route::Service | Route::Notification(_) => Err(Error::method_not_found()),
        }
    }

    #[expect(clippy::unused_async, reason = "methods are async functions")]
    async fn notification(&self, (row, params): (usize, Value)) {
        let method = &METHODS[row];
        if let Route::Notification(event) = &method.route {
            match event(params) {
                Ok(Some(event)) => self.session.send(event),
                Ok(None) => {}
                Err(refusal) => debug!(?refusal, method = method.name, "a notification is ignored"),
            }
        }
    }

    #[expect(clippy::unused_async, reason = "methods are async functions")]
    async fn set_trace(&self, params: SetTraceParams) {
        self.reports.trace.set(params.value);
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        watch(params.process_id, &self.client_gone);
        let client = Client::new(&params.capabilities);
        let capabilities = handlers::capabilities(&client);
        self.reports.progress.show(client.progress);
        self.reports.trace.set(params.trace.unwrap_or_default());
        self.session.send(Event::Initialize {
            client,
            folders: uri::folders(&params),
            options: params.initialization_options,
        });
        Ok(InitializeResult {
            capabilities,
            server_info: Some(ServerInfo {
                name: "relax-lsp".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn shutdown(&self) -> Result<()> {
        self.shut_down.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        let error = |code, message: String, data| Error {
            code: ErrorCode::ServerError(code),
            message: message.into(),
            data,
        };
        match refusal {
            Refusal::ContentModified => Error::content_modified(),
            Refusal::AskAgain => {
                let data = json!({"retriggerRequest": true});
                error(
                    SERVER_CANCELLED,
                    "the text has changed".to_owned(),
                    Some(data),
                )
            }
            Refusal::Cancelled => Error::request_cancelled(),
            Refusal::Invalid(why) => Error::invalid_params(why),
            Refusal::Impossible(why) => error(REQUEST_FAILED, why, None),
            Refusal::Failed => Error::internal_error(),
        }
    }
}

/// The connection to the client: requests go through tower-lsp, which matches the replies; notifications do not.
#[derive(Clone)]
struct ToClient {
    client: tower_lsp::Client,
    sender: connection::Sender,
}

impl Link for ToClient {
    async fn notify<N: Notification>(&self, params: N::Params)
    where
        N::Params: Send,
    {
        self.sender.notify(N::METHOD, &params);
    }

    async fn request<R: lsp_types::request::Request>(
        &self,
        params: R::Params,
    ) -> std::result::Result<R::Result, String>
    where
        R::Params: Send,
        R::Result: Send,
    {
        let reply = self.client.send_request::<R>(params).await;
        reply.map_err(|error| error.to_string())
    }
}
