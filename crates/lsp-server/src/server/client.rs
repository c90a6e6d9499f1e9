//! Sends what is in the outbox. The only code that waits for the client.

use lsp_types::notification::Progress as ProgressNotification;
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::{
    ConfigurationItem, ProgressParams, ProgressParamsValue, ProgressToken, Registration,
    WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tracing::warn;

use crate::outbox::{Outgoing, Progress};
use crate::session::{Event, SessionHandle};

/// Sends notifications in order. What waits for a reply does so in a task of its own: a client that never
/// replies delays nothing else.
pub async fn deliver(
    client: Client,
    mut outgoing: UnboundedReceiver<Outgoing>,
    session: SessionHandle,
) {
    let mut progresses: Vec<(ProgressToken, UnboundedSender<Progress>)> = Vec::new();
    while let Some(message) = outgoing.recv().await {
        let client = client.clone();
        match message {
            Outgoing::Diagnostics(params) => {
                client
                    .publish_diagnostics(params.uri, params.diagnostics, params.version)
                    .await;
            }
            Outgoing::Message(kind, text) => client.show_message(kind, text).await,
            Outgoing::RefreshLenses => {
                tokio::spawn(async move { report(client.code_lens_refresh().await) });
            }
            Outgoing::RefreshHints => {
                tokio::spawn(async move { report(client.inlay_hint_refresh().await) });
            }
            Outgoing::AskConfiguration => {
                tokio::spawn(ask_configuration(client, session.clone()));
            }
            Outgoing::RegisterConfiguration => {
                let registration = Registration {
                    id: "relax-settings".to_owned(),
                    method: "workspace/didChangeConfiguration".to_owned(),
                    register_options: Some(serde_json::json!({"section": "relax"})),
                };
                tokio::spawn(async move {
                    report(client.register_capability(vec![registration]).await);
                });
            }
            Outgoing::Progress(token, step) => {
                progresses.retain(|(_, steps)| !steps.is_closed());
                let known = progresses.iter().find(|(of, _)| *of == token);
                let steps = known.map(|(_, steps)| steps.clone()).unwrap_or_else(|| {
                    let (steps, receiver) = unbounded_channel();
                    progresses.push((token.clone(), steps.clone()));
                    tokio::spawn(progress(client, token, receiver));
                    steps
                });
                let _ = steps.send(step);
            }
        }
    }
}

fn report(result: tower_lsp::jsonrpc::Result<()>) {
    if let Err(error) = result {
        warn!(%error, "the client refused a request");
    }
}

async fn ask_configuration(client: Client, session: SessionHandle) {
    let items = vec![ConfigurationItem {
        scope_uri: None,
        section: Some("relax".to_owned()),
    }];
    match client.configuration(items).await {
        Ok(values) => {
            // An editor without such settings answers null: the defaults, which are in force, stay.
            if let Some(settings) = values.into_iter().find(Value::is_object) {
                session.tell(Event::Configure(settings));
            }
        }
        Err(error) => warn!(%error, "the client gave no settings"),
    }
}

/// One progress from its beginning to its end. If the client does not want it, the steps are dropped.
async fn progress(client: Client, token: ProgressToken, mut steps: UnboundedReceiver<Progress>) {
    while let Some(step) = steps.recv().await {
        let (value, last) = match step {
            Progress::Begin { create, title } => {
                let params = WorkDoneProgressCreateParams {
                    token: token.clone(),
                };
                if create
                    && let Err(error) = client.send_request::<WorkDoneProgressCreate>(params).await
                {
                    warn!(%error, "the client wants no progress");
                    return;
                }
                let begin = WorkDoneProgressBegin {
                    title,
                    cancellable: Some(true),
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
            .send_notification::<ProgressNotification>(ProgressParams {
                token: token.clone(),
                value: ProgressParamsValue::WorkDone(value),
            })
            .await;
        if last {
            return;
        }
    }
}
