//! Progress of long requests: the client is notified after half a second, and at the end.
//!
//! The table of methods says which requests may be long.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::future::{Either, select};
use lsp_types::NumberOrString;
use lsp_types::request::{ExecuteCommand, Request as _};
use serde::Deserialize;
use serde_json::{Value, json};

use super::queue::QueueSender;
use crate::methods::Progress;
use crate::outbox::{Outbox, OwnProgress, PROGRESS_DELAY};
use crate::tasks;

/// How the progress of a request is shown.
pub struct ProgressTarget {
    title: &'static str,
    /// The token, if the client shows the progress.
    token: Option<Value>,
}

/// Returns the progress of a method or a command that may take long.
pub type Titles = fn(&str) -> Option<Progress>;

impl ProgressTarget {
    fn of(titles: Titles, method: &str, body: &[u8]) -> Option<ProgressTarget> {
        #[derive(Deserialize)]
        struct Request {
            params: Params,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            work_done_token: Option<Value>,
            /// The command of `workspace/executeCommand`.
            command: Option<String>,
        }
        if method != ExecuteCommand::METHOD {
            titles(method)?;
        }
        let Request { params } = serde_json::from_slice(body).ok()?;
        let progress = titles(params.command.as_deref().unwrap_or(method))?;
        if progress.own && params.work_done_token.is_none() {
            return None;
        }
        Some(ProgressTarget {
            title: progress.title,
            token: params.work_done_token,
        })
    }
}

pub struct RequestProgress {
    titles: Titles,
    outbox: Outbox,
    /// `true` if the client supports progress that the server starts.
    shown: AtomicBool,
    last: AtomicU64,
}

impl RequestProgress {
    pub fn new(outbox: Outbox, titles: Titles) -> RequestProgress {
        RequestProgress {
            titles,
            outbox,
            shown: AtomicBool::new(false),
            last: AtomicU64::new(0),
        }
    }

    /// Returns how the progress of a request is shown, if it may take long.
    pub fn target_of(&self, method: &str, body: &[u8]) -> Option<ProgressTarget> {
        ProgressTarget::of(self.titles, method, body)
    }

    pub fn show(&self, shown: bool) {
        self.shown.store(shown, Ordering::Relaxed);
    }

    /// Waits for an answer. All progress messages are sent before it.
    pub async fn wait<T>(
        &self,
        shown: ProgressTarget,
        outgoing: &QueueSender,
        answer: impl Future<Output = T> + Unpin,
    ) -> T {
        let patience = pin!(tasks::sleep(PROGRESS_DELAY));
        match select(answer, patience).await {
            Either::Left((answer, _)) => answer,
            Either::Right(((), answer)) => self.send(shown, outgoing, answer).await,
        }
    }

    async fn send<T>(
        &self,
        ProgressTarget { title, token }: ProgressTarget,
        outgoing: &QueueSender,
        answer: impl Future<Output = T>,
    ) -> T {
        if let Some(token) = token {
            let say = |value: Value| {
                let params = json!({"token": token, "value": value});
                let message = json!({"jsonrpc": "2.0", "method": "$/progress", "params": params});
                outgoing.send(message.to_string().into_bytes());
            };
            say(json!({"kind": "begin", "title": title, "cancellable": false}));
            let answer = answer.await;
            say(json!({"kind": "end"}));
            return answer;
        }
        if !self.shown.load(Ordering::Relaxed) {
            return answer.await;
        }
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let token = NumberOrString::String(format!("relax/request/{number}"));
        // Such progress cannot be cancelled, only the request.
        let _end = OwnProgress::new(&self.outbox, token, title, false);
        answer.await
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::queue;
    use super::*;

    fn titles(name: &str) -> Option<Progress> {
        let (title, own) = match name {
            "textDocument/references" => ("Looking for references", false),
            "workspace/symbol" => ("Looking for TVMScript", true),
            "relax.showGraph" => ("Drawing the graph", false),
            "relax.showLowered" => ("Lowering", true),
            _ => return None,
        };
        Some(Progress { title, own })
    }

    fn target_of(method: &str, params: Value) -> Option<ProgressTarget> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        ProgressTarget::of(titles, method, request.to_string().as_bytes())
    }

    /// Returns the messages about a long request, and the number of requests from the server.
    async fn messages_of(params: Value, may_ask: bool) -> (Vec<Value>, usize) {
        let (outbox, mut asked) = Outbox::new();
        let (outgoing, mut messages) = queue();
        let progress = RequestProgress::new(outbox, titles);
        progress.show(may_ask);
        let shown = target_of("textDocument/references", params).unwrap();
        let answer = progress.send(shown, &outgoing, async { 7 });
        assert_eq!(answer.await, 7);
        drop(outgoing);
        let messages = messages.take().await.unwrap_or_default().into_iter();
        let messages = messages.map(|body| serde_json::from_slice(&body).unwrap());
        let asked = std::iter::from_fn(|| asked.try_recv().ok());
        (messages.collect(), asked.count())
    }

    #[tokio::test]
    async fn a_token_of_the_client_s_begins_and_ends_before_the_answer() {
        let (messages, asked) = messages_of(json!({"workDoneToken": "t"}), true).await;
        let kinds: Vec<_> = messages
            .iter()
            .map(|it| &it["params"]["value"]["kind"])
            .collect();
        assert_eq!(kinds, ["begin", "end"]);
        assert!(messages.iter().all(|it| it["params"]["token"] == "t"));
        assert_eq!(asked, 0);
    }

    #[tokio::test]
    async fn without_a_token_the_server_asks_for_one_where_it_may() {
        assert_eq!(messages_of(json!({}), true).await, (Vec::new(), 2));
        assert_eq!(messages_of(json!({}), false).await, (Vec::new(), 0));
    }

    #[tokio::test]
    async fn quick_requests_show_no_progress() {
        let (outbox, mut asked) = Outbox::new();
        let (outgoing, mut messages) = queue();
        let progress = RequestProgress::new(outbox, titles);
        let shown = target_of("textDocument/references", json!({"workDoneToken": 1})).unwrap();
        let answer = std::future::ready(7);
        assert_eq!(progress.wait(shown, &outgoing, answer).await, 7);
        drop(outgoing);
        assert!(messages.take().await.is_none() && asked.try_recv().is_err());
    }

    #[test]
    fn progress_depends_on_the_command() {
        let command = |name: &str| target_of("workspace/executeCommand", json!({"command": name}));
        assert_eq!(
            command("relax.showGraph").unwrap().title,
            "Drawing the graph"
        );
        assert!(command("relax.run").is_none());
        assert!(command("relax.showLowered").is_none());
        let symbols = |token: Value| json!({"query": "", "workDoneToken": token});
        assert!(target_of("workspace/symbol", symbols(Value::Null)).is_none());
        assert!(target_of("workspace/symbol", symbols(json!(1))).is_some());
        assert!(target_of("textDocument/references", json!([])).is_none());
    }
}
