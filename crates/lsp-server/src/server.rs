//! The protocol's methods: each hands its message to the session before its first `.await`, and only then
//! waits for the answer. Nothing is computed here.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ide::Cancellable;
use lsp_types::notification::Notification;
use lsp_types::request::{
    GotoDeclarationParams, GotoDeclarationResponse, GotoTypeDefinitionParams,
    GotoTypeDefinitionResponse, Request,
};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    CodeAction, CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, CompletionItem,
    CompletionParams, CompletionResponse, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentDiagnosticParams, DocumentDiagnosticReportResult, DocumentFormattingParams,
    DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, DocumentSymbolResponse,
    ExecuteCommandParams, FoldingRange, FoldingRangeParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverParams, InitializeParams, InitializeResult,
    InitializedParams, InlayHint, InlayHintParams, InlineValue, InlineValueParams, Location, OneOf,
    PrepareRenameResponse, ReferenceParams, RenameParams, SelectionRange, SelectionRangeParams,
    SemanticTokensDeltaParams, SemanticTokensFullDeltaResult, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult, ServerInfo,
    SignatureHelp, SignatureHelpParams, SymbolInformation, TextDocumentPositionParams, TextEdit,
    TraceValue, WorkDoneProgressCancelParams, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDiagnosticReportResult, WorkspaceEdit, WorkspaceFolder, WorkspaceSymbol,
    WorkspaceSymbolParams,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::{LanguageServer, LspService};

use crate::capabilities::{self, Client};
use crate::client_process;
use crate::connection::{self, Lasting, Loopback, Messages, Told, Wire, Written};
use crate::from_proto;
use crate::handlers::execute_command::{RUN, SHOW_GRAPH, SHOW_LOWERED, TENSOR, TRACE, argument};
use crate::handlers::{
    call_hierarchy, code_action, code_lens, completion, declaration, definition, diagnostic,
    document_highlight, document_link, document_symbol, folding_range, formatting, hover,
    inlay_hint, inline_value, references, rename, selection_range, semantic_tokens, show_graph,
    signature_help, tensor, type_definition, workspace_diagnostic, workspace_symbol,
};
use crate::outbox::{self, Link, Outbox};
use crate::run::child::NoAnswer;
use crate::session::{self, Event, LowerCall, Refusal, RunCall, SessionHandle, Snapshot};

/// The protocol's code for a request in due form that cannot be done.
const REQUEST_FAILED: i64 = -32803;

/// The protocol's code for a request that the server gave up.
const SERVER_CANCELLED: i64 = -32802;

struct Server {
    session: SessionHandle,
    shut_down: Arc<AtomicBool>,
    told: Told,
    client_gone: CancellationToken,
}

/// How a connection ended.
pub enum Ended {
    /// The client asked for it in due form.
    AfterShutdown,
    /// `exit` without `shutdown`, or the client vanished.
    Abruptly,
}

/// Serves one client until it leaves; its `process` may be known before it says so.
pub async fn serve(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
    process: Option<u32>,
) -> Ended {
    let (outbox, outgoing) = Outbox::new();
    let told = Told {
        trace: Arc::default(),
        lasting: Arc::new(Lasting::new(outbox.clone())),
    };
    let session = session::start(tokio::runtime::Handle::current(), outbox);
    let shut_down = Arc::new(AtomicBool::new(false));
    let wire = Wire {
        input,
        output,
        gone: CancellationToken::new(),
    };
    watch(process, &wire.gone);
    let messages = Messages::new();
    let sender = messages.sender();
    let (service, socket) = LspService::build(|client| {
        let client = ToClient { client, sender };
        tokio::spawn(outbox::deliver(client, outgoing, session.clone()));
        Server {
            session: session.clone(),
            shut_down: shut_down.clone(),
            told: told.clone(),
            client_gone: wire.gone.clone(),
        }
    })
    .custom_method("window/workDoneProgress/cancel", Server::cancel_progress)
    .custom_method("$/setTrace", Server::set_trace)
    .finish();
    let (requests, replies) = socket.split();
    let loopback = Loopback { requests, replies };
    // Runs would keep their requests, and so the connection, open.
    let (stopped, gone) = oneshot::channel();
    let ended = || session.tell(Event::Stop(Some(stopped)));
    connection::drive(service, loopback, wire, messages, told, ended).await;
    // It takes its files with it.
    let _ = gone.await;
    if shut_down.load(Ordering::Relaxed) {
        Ended::AfterShutdown
    } else {
        Ended::Abruptly
    }
}

/// Has the end of the client's process be its departure.
fn watch(process: Option<u32>, gone: &CancellationToken) {
    let Some(process) = process else { return };
    let gone = gone.clone();
    tokio::spawn(async move {
        client_process::ended(process).await;
        gone.cancel();
    });
}

/// The way to the client: requests through tower-lsp, which knows their replies; notifications, which may be long,
/// without the detour through `Value` that it takes.
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

    async fn request<R: Request>(&self, params: R::Params) -> std::result::Result<R::Result, String>
    where
        R::Params: Send,
        R::Result: Send,
    {
        let reply = self.client.send_request::<R>(params).await;
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
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: message.into(),
        data: None,
    }
}

/// The protocol's way to say that diagnostics were overtaken by an edit.
fn ask_again(refusal: Refusal) -> Error {
    match refusal {
        Refusal::ContentModified => Error {
            code: ErrorCode::ServerError(SERVER_CANCELLED),
            message: "the text has changed".into(),
            data: Some(json!({"retriggerRequest": true})),
        },
        Refusal::Failed => refuse(refusal),
    }
}

/// Of `$/setTrace`.
#[derive(Deserialize)]
struct SetTraceParams {
    value: String,
}

type Symbols = OneOf<Vec<SymbolInformation>, Vec<WorkspaceSymbol>>;

/// Methods that the trait below lacks.
impl Server {
    #[expect(clippy::unused_async, reason = "methods are async functions")]
    async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.session.tell(Event::CancelProgress(params.token));
    }

    #[expect(clippy::unused_async, reason = "methods are async functions")]
    async fn set_trace(&self, params: SetTraceParams) {
        self.told.trace.set(&params.value);
    }
}

impl Server {
    /// Hands a question over, before it returns, and waits for its answer.
    fn ask<P, T>(
        &self,
        params: P,
        answer: fn(&Snapshot, P) -> Cancellable<T>,
    ) -> impl Future<Output = Result<T>> + Send + use<P, T>
    where
        P: Send + 'static,
        T: Send + 'static,
    {
        let answer = self.session.read(params, answer);
        async move { answer.await.map_err(refuse) }
    }

    /// The same for a question with a long answer, which is [written](Written) where it is made.
    fn ask_written<P, T, R>(
        &self,
        params: P,
        answer: fn(&Snapshot, P) -> Cancellable<Option<T>>,
    ) -> impl Future<Output = Result<Option<R>>> + Send + use<P, T, R>
    where
        P: Send + 'static,
        T: Serialize + Send + 'static,
    {
        let written = self.session.read(params, move |snapshot, params| {
            answer(snapshot, params).map(|answer| Written::of(&answer))
        });
        async move {
            let written = written.await.map_err(refuse)?;
            written.map_err(|_| Error::internal_error())?.send();
            Ok(None)
        }
    }

    /// The same for a question whose answer may be a reason why there is none.
    fn ask_or_refuse<P, T>(
        &self,
        params: P,
        answer: fn(&Snapshot, P) -> Cancellable<std::result::Result<T, String>>,
    ) -> impl Future<Output = Result<T>> + Send + use<P, T>
    where
        P: Send + 'static,
        T: Send + 'static,
    {
        let answer = self.ask(params, answer);
        async move {
            answer.await?.map_err(|reason| Error {
                code: ErrorCode::ServerError(REQUEST_FAILED),
                message: reason.into(),
                data: None,
            })
        }
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        watch(params.process_id, &self.client_gone);
        let client = Client::new(&params.capabilities);
        let capabilities = capabilities::server(&client);
        self.told.lasting.show(client.progress);
        self.told.trace.set(match params.trace {
            Some(TraceValue::Messages) => "messages",
            Some(TraceValue::Verbose) => "verbose",
            Some(TraceValue::Off) | None => "off",
        });
        self.session.tell(Event::Initialize {
            client,
            folders: from_proto::folders(&params),
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

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: &[WorkspaceFolder]| {
            let paths = folders.iter().filter_map(|it| from_proto::path(&it.uri));
            paths.collect()
        };
        self.session.tell(Event::Folders {
            added: paths(&params.event.added),
            removed: paths(&params.event.removed),
        });
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let paths = params.changes.iter();
        let paths = paths.filter_map(|it| from_proto::path(&it.uri)).collect();
        self.session.tell(Event::FilesChanged(paths));
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<Symbols>> {
        let query = params.query.clone();
        let open = self.ask(query.clone(), workspace_symbol::of_open);
        let shown = params.work_done_progress_params.work_done_token.is_some();
        let title = (!shown).then_some("Looking for TVMScript");
        let files = self
            .session
            .survey(title, params, workspace_symbol::of_files);
        let (open, files) = (open.await?, files.await.map_err(refuse)?);
        Ok(Some(workspace_symbol::together(&query, open, files)))
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let answer = self.session.read(params, diagnostic::answer).await;
        answer.map_err(ask_again)
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        let previous = params.previous_result_ids.clone();
        let open = self.session.read(previous, workspace_diagnostic::of_open);
        let shown = params.work_done_progress_params.work_done_token.is_some();
        let title = (!shown).then_some("Checking the workspace");
        let files = self
            .session
            .survey(title, params, workspace_diagnostic::of_files);
        let mut items = open.await.map_err(ask_again)?;
        items.extend(files.await.map_err(refuse)?);
        Ok(WorkspaceDiagnosticReport { items }.into())
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.ask_written(params, hover::answer).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.ask_written(params, completion::answer).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        self.ask(item, completion::resolve).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        self.ask_written(params, signature_help::answer).await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.ask_written(params, definition::answer).await
    }

    async fn goto_declaration(
        &self,
        params: GotoDeclarationParams,
    ) -> Result<Option<GotoDeclarationResponse>> {
        self.ask_written(params, declaration::answer).await
    }

    async fn goto_type_definition(
        &self,
        params: GotoTypeDefinitionParams,
    ) -> Result<Option<GotoTypeDefinitionResponse>> {
        self.ask_written(params, type_definition::answer).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.ask_written(params, references::answer).await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        self.ask_written(params, document_highlight::answer).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.ask_written(params, call_hierarchy::prepare).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.ask_written(params, call_hierarchy::incoming).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.ask_written(params, call_hierarchy::outgoing).await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        self.ask_written(params, semantic_tokens::full).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        self.ask_written(params, semantic_tokens::delta).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        self.ask_written(params, semantic_tokens::range).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.ask_written(params, folding_range::answer).await
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        self.ask_written(params, selection_range::answer).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.ask_written(params, document_link::answer).await
    }

    async fn inline_value(&self, params: InlineValueParams) -> Result<Option<Vec<InlineValue>>> {
        self.ask_written(params, inline_value::answer).await
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        self.ask_or_refuse(params, rename::prepare).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        self.ask_or_refuse(params, rename::answer).await
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        self.ask_written(params, document_symbol::answer).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        self.ask(hint, inlay_hint::resolve).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.ask_written(params, inlay_hint::answer).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.ask_written(params, code_action::answer).await
    }

    async fn code_action_resolve(&self, params: CodeAction) -> Result<CodeAction> {
        self.ask(params, code_action::resolve).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.ask_written(params, formatting::document).await
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        self.ask_written(params, formatting::range).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.ask_written(params, code_lens::answer).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let command = params.command.as_str();
        match command {
            RUN | TRACE => self.run(params).await,
            SHOW_LOWERED => self.show_lowered(params).await,
            SHOW_GRAPH => self.show_graph(params).await,
            TENSOR => self.look(params).await,
            _ => {
                let message = format!("there is no command `{command}`");
                Err(Error::invalid_params(message))
            }
        }
    }
}

/// The commands.
impl Server {
    async fn run(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let command = params.command.as_str();
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

    async fn show_lowered(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let arguments = argument(SHOW_LOWERED, params.arguments).map_err(Error::invalid_params)?;
        let (reply, answer) = oneshot::channel();
        let cancelled = CancellationToken::new();
        let _guard = cancelled.clone().drop_guard();
        self.session.tell(Event::Lower(LowerCall {
            arguments,
            shown: params.work_done_progress_params.work_done_token.is_some(),
            cancelled,
            reply,
        }));
        let lowered = answer.await.map_err(|_| Error::internal_error())?;
        lowered.map(Some).map_err(|why| match why {
            NoAnswer::Cancelled => Error::request_cancelled(),
            NoAnswer::Refused(why) | NoAnswer::Broken(why) => fail(why),
        })
    }

    async fn show_graph(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let arguments = argument(SHOW_GRAPH, params.arguments).map_err(Error::invalid_params)?;
        let drawn = self.session.read(arguments, show_graph::answer);
        drawn.await.map_err(refuse)?.map(Some).map_err(fail)
    }

    async fn look(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let arguments = argument(TENSOR, params.arguments).map_err(Error::invalid_params)?;
        let seen = self.session.read(arguments, tensor::answer);
        seen.await.map_err(refuse)?.map(Some).map_err(fail)
    }
}
