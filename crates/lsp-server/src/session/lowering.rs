//! Lowers functions for an editor, in a child process, since a small program may become a large one.

use ide::Language;
use lsp_types::{NumberOrString, Uri};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use vm::listing::Stage;

use super::{Event, Session, Snapshot};
use crate::line_index::Lines;
use crate::outbox::with_progress;
use crate::run::child::{self, WorkerError};
use crate::run::constants::ConstantFiles;
use crate::run::job::{Limits, LowerJob};
use crate::run::lowered::{Lowered, stage_named};
use crate::tasks;
use crate::uri;

/// The only argument of `relax.showLowered`.
#[derive(Debug, Deserialize)]
pub struct LowerArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name. If missing, every function of the file.
    #[serde(default)]
    pub function: Option<String>,
    /// The line of the `def`, starting at 0.
    #[serde(default)]
    pub line: Option<u32>,
    /// A stage as in `relax-lsp lower --stage`. If missing, the bytecode.
    #[serde(default)]
    pub stage: Option<String>,
}

/// A request to lower, as a handler sends it.
pub struct LowerCall {
    pub arguments: LowerArguments,
    /// The title of its progress; `None` if the client shows one.
    pub title: Option<&'static str>,
    /// Cancelled when the client cancels the request.
    pub cancelled: CancellationToken,
    pub reply: oneshot::Sender<Result<Value, WorkerError>>,
}

impl Session {
    pub fn start_lowering(&mut self, call: LowerCall) {
        let asked = question(&self.snapshot(), call.arguments);
        let Question { job, stage, lines } = match asked {
            Ok(question) => question,
            Err(why) => {
                let _ = call.reply.send(Err(WorkerError::Refused(why)));
                return;
            }
        };
        self.works += 1;
        let token = NumberOrString::String(format!("relax-lsp/lowering/{}", self.works));
        let number = self
            .cancellations
            .add(token.clone(), call.cancelled.clone());
        let title = call.title.filter(|_| self.client.progress);
        let outbox = title.map(|_| self.outbox.clone());
        let events = self.events.clone();
        tasks::spawn(async move {
            let lowered = child::lower(job, &call.cancelled);
            let lowered =
                with_progress(outbox, token, title.unwrap_or_default(), true, lowered).await;
            let answer = lowered.map(|it| to_json(&it, stage, &lines));
            let _ = call.reply.send(answer);
            let _ = events.send(Event::Over(number));
        });
    }
}

/// The job of a worker, and what is needed to convert its answer.
struct Question {
    job: LowerJob,
    stage: Stage,
    lines: Lines,
}

fn question(snapshot: &Snapshot, params: LowerArguments) -> Result<Question, String> {
    let document = snapshot.required_document(&params.uri)?;
    let stage = match params.stage.as_deref() {
        None => Stage::default(),
        Some(name) => stage_named(name)?,
    };
    let config = &snapshot.config;
    Ok(Question {
        job: LowerJob {
            text: (&**document.lines.text()).into(),
            relay: document.language == Language::Relay,
            target: document
                .release(config)
                .map(|release| release.name().to_owned()),
            function: params.function,
            line: params.line,
            stage: stage.name().to_owned(),
            constants: ConstantFiles {
                files: Vec::new(),
                beside: uri::path(&params.uri),
            },
            limits: Limits::of(&config.run),
        },
        stage,
        lines: document.lines.clone(),
    })
}

/// Returns the text of a stage with its language, and the source range of each line.
fn to_json(lowered: &Lowered, stage: Stage, lines: &Lines) -> Value {
    let links: Vec<Value> = lowered
        .lines()
        .map(|(line, range)| json!({"line": line, "range": lines.to_range(range)}))
        .collect();
    let language = match stage {
        Stage::Bytecode => "relax-bytecode",
        Stage::Normalized | Stage::ExplicitMemory | Stage::ShapeLowered => "python",
    };
    json!({
        "text": lowered.text,
        "language": language,
        "stage": stage.name(),
        "links": links,
    })
}
