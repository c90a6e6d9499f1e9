//! The protocol's methods: each hands its message to the session before its first `.await`, and only then
//! waits for the answer. Nothing is computed here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_types::notification::Notification;
use lsp_types::request::Request;
use lsp_types::{
    CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, DocumentSymbolParams, DocumentSymbolResponse, ExecuteCommandParams,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams, InitializeParams,
    InitializeResult, InitializedParams, InlayHint, InlayHintParams, ServerInfo,
    WorkDoneProgressCancelParams,
};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::{LanguageServer, LspService};

use crate::capabilities::{self, Client};
use crate::connection::{self, Loopback};
use crate::handlers::execute_command::{RUN, SHOW_LOWERED, TRACE, argument};
use crate::handlers::{
    code_action, code_lens, definition, document_symbol, hover, inlay_hint, show_lowered,
};
use crate::outbox::{self, Link, Outbox};
use crate::session::{self, Event, Refusal, RunCall, SessionHandle};

struct Server {
    session: SessionHandle,
    shut_down: Arc<AtomicBool>,
}

/// How a connection ended.
pub enum Ended {
    /// The client asked for it in due form.
    AfterShutdown,
    /// `exit` without `shutdown`, or the client vanished.
    Abruptly,
}

/// Serves one client until it leaves.
pub async fn serve(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> Ended {
    let (outbox, outgoing) = Outbox::new();
    let session = session::start(tokio::runtime::Handle::current(), outbox);
    let shut_down = Arc::new(AtomicBool::new(false));
    let (service, socket) = LspService::build(|client| {
        tokio::spawn(outbox::deliver(client, outgoing, session.clone()));
        Server {
            session: session.clone(),
            shut_down: shut_down.clone(),
        }
    })
    .custom_method("window/workDoneProgress/cancel", Server::cancel_progress)
    .finish();
    let (requests, replies) = socket.split();
    let loopback = Loopback { requests, replies };
    // Runs would keep their requests, and so the connection, open.
    let ended = || session.tell(Event::Stop);
    connection::drive(service, loopback, input, output, ended).await;
    if shut_down.load(Ordering::Relaxed) {
        Ended::AfterShutdown
    } else {
        Ended::Abruptly
    }
}

impl Link for tower_lsp::Client {
    async fn notify<N: Notification>(&self, params: N::Params)
    where
        N::Params: Send,
    {
        self.send_notification::<N>(params).await;
    }

    async fn request<R: Request>(&self, params: R::Params) -> std::result::Result<R::Result, String>
    where
        R::Params: Send,
        R::Result: Send,
    {
        let reply = self.send_request::<R>(params).await;
        reply.map_err(|error| error.to_string())
    }
}

fn refuse(refusal: Refusal) -> Error {
    match refusal {
        Refusal::ContentModified => Error::content_modified(),
        Refusal::Failed => Error::internal_error(),
    }
}

/// A request that is in order and cannot be fulfilled (`RequestFailed` of the protocol).
fn fail(message: String) -> Error {
    Error {
        code: ErrorCode::ServerError(-32803),
        message: message.into(),
        data: None,
    }
}

/// Methods that the trait below lacks.
impl Server {
    #[expect(clippy::unused_async, reason = "methods are async functions")]
    async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.session.tell(Event::CancelProgress(params.token));
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let client = Client::new(&params.capabilities);
        self.session.tell(Event::Initialize {
            client,
            options: params.initialization_options,
        });
        Ok(InitializeResult {
            capabilities: capabilities::server(client.encoding),
            server_info: Some(ServerInfo {
                name: "relax-lsp".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        self.session.tell(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.shut_down.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.session.tell(Event::Open {
            uri: params.text_document.uri,
            version: params.text_document.version,
            text: params.text_document.text,
        });
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.session.tell(Event::Change {
            uri: params.text_document.uri,
            version: params.text_document.version,
            changes: params
                .content_changes
                .into_iter()
                .map(|change| (change.range, change.text))
                .collect(),
        });
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        // Saving changes no text; the editor's is the one that counts.
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.session.tell(Event::Close {
            uri: params.text_document.uri,
        });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.session.tell(Event::Configure(params.settings));
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.session
            .read(params, hover::answer)
            .await
            .map_err(refuse)
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.session
            .read(params, definition::answer)
            .await
            .map_err(refuse)
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        self.session
            .read(params, document_symbol::answer)
            .await
            .map_err(refuse)
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.session
            .read(params, inlay_hint::answer)
            .await
            .map_err(refuse)
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.session
            .read(params, code_action::answer)
            .await
            .map_err(refuse)
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.session
            .read(params, code_lens::answer)
            .await
            .map_err(refuse)
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let command = params.command.as_str();
        match command {
            RUN | TRACE => {}
            SHOW_LOWERED => {
                let arguments =
                    argument(command, params.arguments).map_err(Error::invalid_params)?;
                let question = self
                    .session
                    .read(arguments, show_lowered::question)
                    .await
                    .map_err(refuse)?
                    .map_err(fail)?;
                let shown = tokio::task::spawn_blocking(move || show_lowered::answer(&question));
                let shown = shown.await.map_err(|_| Error::internal_error())?;
                return shown.map(Some).map_err(fail);
            }
            _ => {
                let message = format!("there is no command `{command}`");
                return Err(Error::invalid_params(message));
            }
        }
        let arguments = argument(command, params.arguments).map_err(Error::invalid_params)?;
        let (reply, answer) = oneshot::channel();
        let cancelled = CancellationToken::new();
        // Dropped with this future, which is what `$/cancelRequest` does.
        let _guard = cancelled.clone().drop_guard();
        self.session.tell(Event::Run(RunCall {
            arguments,
            trace: command == TRACE,
            token: params.work_done_progress_params.work_done_token,
            cancelled,
            reply,
        }));
        answer.await.map(Some).map_err(|_| Error::internal_error())
    }
}
