//! Sends the messages of the outbox. This is the only code that waits for the client.

use std::future::Future;

use lsp_types::notification::{self, Notification};
use lsp_types::request::{self, Request};
use lsp_types::{
    ConfigurationItem, ConfigurationParams, ProgressParams, ProgressParamsValue, ProgressToken,
    Registration, RegistrationParams, ShowMessageParams, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tracing::warn;

use super::{Outgoing, Progress, Reply};
use crate::targets;
use crate::tasks;

/// The connection to the client.
pub trait Link: Clone + Send + Sync + 'static {
    fn notify<N: Notification>(&self, params: N::Params) -> impl Future<Output = ()> + Send
    where
        N::Params: Send;

    /// Returns the client's reply, or why there is none.
    fn request<R: Request>(
        &self,
        params: R::Params,
    ) -> impl Future<Output = Result<R::Result, String>> + Send
    where
        R::Params: Send,
        R::Result: Send;
}

/// Sends notifications in order. Waiting for a reply happens in a separate task, so that a client that never replies
/// delays nothing else. `heard` receives replies for the session.
pub async fn deliver(
    client: impl Link,
    mut outgoing: UnboundedReceiver<Outgoing>,
    heard: impl Fn(Reply) + Clone + Send + 'static,
) {
    let mut progresses: Vec<(ProgressToken, UnboundedSender<Progress>)> = Vec::new();
    while let Some(message) = outgoing.recv().await {
        let client = client.clone();
        match message {
            Outgoing::Diagnostics(params) => {
                client
                    .notify::<notification::PublishDiagnostics>(params)
                    .await;
            }
            Outgoing::Message(typ, message) => {
                let params = ShowMessageParams { typ, message };
                client.notify::<notification::ShowMessage>(params).await;
            }
            Outgoing::RefreshLenses => {
                tasks::spawn(async move {
                    report(client.request::<request::CodeLensRefresh>(()).await);
                });
            }
            Outgoing::RefreshHints => {
                tasks::spawn(async move {
                    report(client.request::<request::InlayHintRefreshRequest>(()).await);
                });
            }
            Outgoing::RefreshDiagnostics => {
                tasks::spawn(async move {
                    report(
                        client
                            .request::<request::WorkspaceDiagnosticRefresh>(())
                            .await,
                    );
                });
            }
            Outgoing::RefreshTokens => {
                tasks::spawn(async move {
                    report(client.request::<request::SemanticTokensRefresh>(()).await);
                });
            }
            Outgoing::Watch => {
                tasks::spawn(watch(client, heard.clone()));
            }
            Outgoing::Partial(token, value) => {
                client
                    .notify::<Partial>(json!({"token": token, "value": value}))
                    .await;
            }
            Outgoing::Then(go_on) => go_on(),
            Outgoing::AskConfiguration => {
                tasks::spawn(ask_configuration(client, heard.clone()));
            }
            Outgoing::Progress(token, step) => {
                progresses.retain(|(_, steps)| !steps.is_closed());
                let known = progresses
                    .iter()
                    .find(|(of, _)| *of == token)
                    .map(|(_, steps)| steps.clone());
                let steps = known.unwrap_or_else(|| {
                    let (steps, receiver) = unbounded_channel();
                    progresses.push((token.clone(), steps.clone()));
                    tasks::spawn(progress(client, token, receiver));
                    steps
                });
                let _ = steps.send(step);
            }
        }
    }
}

fn report(result: Result<(), String>) {
    if let Err(error) = result {
        warn!(%error, "the client refused a request");
    }
}

/// `$/progress` with a partial result, whose type depends on the request.
enum Partial {}

impl Notification for Partial {
    type Params = Value;
    const METHOD: &'static str = "$/progress";
}

async fn watch(client: impl Link, heard: impl Fn(Reply)) {
    let patterns = targets::WATCHED.iter().chain(["**/*.py"].iter());
    let watchers: Vec<Value> = patterns.map(|it| json!({"globPattern": it})).collect();
    let watcher = json!({"watchers": watchers});
    let registration = Registration {
        id: "relax/watch".to_owned(),
        method: notification::DidChangeWatchedFiles::METHOD.to_owned(),
        register_options: Some(watcher),
    };
    let params = RegistrationParams {
        registrations: vec![registration],
    };
    match client.request::<request::RegisterCapability>(params).await {
        Ok(()) => heard(Reply::Watches),
        Err(error) => warn!(%error, "the client does not watch files"),
    }
}

async fn ask_configuration(client: impl Link, heard: impl Fn(Reply)) {
    let items = vec![ConfigurationItem {
        scope_uri: None,
        section: Some("relax".to_owned()),
    }];
    let params = ConfigurationParams { items };
    match client
        .request::<request::WorkspaceConfiguration>(params)
        .await
    {
        Ok(values) => {
            // An editor without such settings answers null, which keeps the defaults.
            if let Some(settings) = values.into_iter().find(Value::is_object) {
                heard(Reply::Settings(settings));
            }
        }
        Err(error) => warn!(%error, "the client gave no settings"),
    }
}

/// Sends one progress from its beginning to its end. If the client rejects it, its steps are dropped.
async fn progress(client: impl Link, token: ProgressToken, mut steps: UnboundedReceiver<Progress>) {
    while let Some(step) = steps.recv().await {
        let (value, last) = match step {
            Progress::Begin {
                create,
                cancellable,
                title,
            } => {
                let params = WorkDoneProgressCreateParams {
                    token: token.clone(),
                };
                if create
                    && let Err(error) = client
                        .request::<request::WorkDoneProgressCreate>(params)
                        .await
                {
                    warn!(%error, "the client wants no progress");
                    return;
                }
                let begin = WorkDoneProgressBegin {
                    title,
                    cancellable: Some(cancellable),
                    ..WorkDoneProgressBegin::default()
                };
                (WorkDoneProgress::Begin(begin), false)
            }
            Progress::End { message } => {
                let end = WorkDoneProgressEnd {
                    message: Some(message),
                };
                (WorkDoneProgress::End(end), true)
            }
        };
        client
            .notify::<notification::Progress>(ProgressParams {
                token: token.clone(),
                value: ProgressParamsValue::WorkDone(value),
            })
            .await;
        if last {
            return;
        }
    }
}
