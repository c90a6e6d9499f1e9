//! Runs programs for the editor: starts and cancels them, and remembers outcomes for code lenses.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ide::{Language, Text};
use lsp_types::{MessageType, NumberOrString, ProgressToken, Uri};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{Event, Session};
use crate::line_index::Lines;
use crate::outbox::{Outgoing, Progress};
use crate::run::child::{self, Worker};
use crate::run::constants::ConstantFiles;
use crate::run::job::{InputSource, Job, Limits};
use crate::run::notes::{Note, notes};
use crate::run::outcome::{Outcome, RunAnswer};
use crate::run::saved_values::{Folders, SavedRuns};
use crate::sources;
use crate::tasks;
use crate::uri;

/// The only argument of `relax.run` and of `relax.trace`.
#[derive(Debug, Deserialize)]
pub struct RunArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name.
    pub function: String,
    /// The line of the `def`, starting at 0.
    #[serde(default)]
    pub line: Option<u32>,
    #[serde(default, deserialize_with = "dims")]
    pub dims: BTreeMap<String, i64>,
    #[serde(default)]
    pub seed: Option<u64>,
    #[serde(default)]
    pub inputs: BTreeMap<String, InputSource>,
    /// Files and folders with weights, for parameters that are not in `inputs`.
    #[serde(default)]
    pub weights: Vec<PathBuf>,
    /// The names of the weights of a tuple parameter, in order.
    #[serde(default, rename = "weightNames")]
    pub weight_names: Vec<String>,
    #[serde(default, rename = "allowMissing")]
    pub allow_missing: bool,
    /// Files with the elements of constants that the text names by index.
    #[serde(default)]
    pub constants: Vec<PathBuf>,
    /// `true` to show the outcome in a message, for clients that ignore the answers of commands.
    #[serde(default)]
    pub tell: bool,
}

/// Parses values by name, or, from a code lens, only names, which get the default value.
fn dims<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, i64>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null | Value::Array(_) => Ok(BTreeMap::new()),
        values => BTreeMap::deserialize(values).map_err(serde::de::Error::custom),
    }
}

/// A request to run, as a handler sends it.
pub struct RunCall {
    pub arguments: RunArguments,
    /// `true` if the trace of every binding is sent.
    pub trace: bool,
    /// The client's own progress token, if it sent one.
    pub token: Option<ProgressToken>,
    /// Cancelled when the client cancels the request.
    pub cancelled: CancellationToken,
    pub reply: oneshot::Sender<Value>,
}

/// The outcome of a function's last run, for its code lens.
#[derive(Clone, Debug)]
pub struct RunRecord {
    pub summary: String,
    /// The version of the document that ran.
    pub version: Option<i32>,
    /// The notes about each value, if the run was traced.
    pub notes: Arc<[Note]>,
}

pub struct RunFinished {
    number: u64,
    /// Its number in the cancellable work.
    work: u64,
    /// The folder with the values, if they could be kept.
    folder: Option<PathBuf>,
    call: RunCall,
    token: ProgressToken,
    lines: Option<Lines>,
    version: Option<i32>,
    answer: RunAnswer,
    /// The worker, if it keeps objects for the next run of the document.
    idle: Option<Worker>,
}

/// The maximum number of workers that keep objects. The oldest is ended first.
const IDLE: usize = 4;

/// Outcomes by URI and function, and the folders of kept values.
#[derive(Default)]
pub struct Runs {
    records: Arc<FxHashMap<(String, String), RunRecord>>,
    started: u64,
    kept: SavedRuns,
    /// The idle workers by document.
    idle: Vec<(String, Worker)>,
}

impl Runs {
    pub fn records(&self) -> Arc<FxHashMap<(String, String), RunRecord>> {
        self.records.clone()
    }

    pub fn saved_values(&self) -> Folders {
        self.kept.folders()
    }

    /// Drops the outcomes of a closed document.
    pub fn forget(&mut self, uri: &str) {
        Arc::make_mut(&mut self.records).retain(|(of, _), _| of != uri);
        self.idle.retain(|(of, _)| of != uri);
    }

    fn take_idle(&mut self, uri: &str) -> Option<Worker> {
        let at = self.idle.iter().position(|(of, _)| of == uri)?;
        Some(self.idle.remove(at).1)
    }

    /// Keeps a worker for the next run of a document, replacing an earlier one.
    fn put_idle(&mut self, uri: &str, worker: Worker) {
        self.idle.retain(|(of, _)| of != uri);
        self.idle.push((uri.to_owned(), worker));
        let surplus = self.idle.len().saturating_sub(IDLE);
        self.idle.drain(..surplus);
    }
}

impl Session {
    pub fn start_run(&mut self, call: RunCall) {
        self.runs.started += 1;
        let number = self.runs.started;
        let folder = self.runs.kept.folder(number);
        let of_client = call.token.clone();
        let token = of_client
            .clone()
            .unwrap_or_else(|| NumberOrString::String(format!("relax-lsp/run/{number}")));
        // Runs with the same token share one progress, from the beginning of the first to the end of the last.
        let first = !self.cancellations.has(&token);
        let work = self
            .cancellations
            .add(token.clone(), call.cancelled.clone());
        if first && (self.client.progress || of_client.is_some()) {
            self.outbox.put(Outgoing::Progress(
                token.clone(),
                Progress::Begin {
                    create: of_client.is_none(),
                    cancellable: true,
                    title: format!("Run {}", call.arguments.function),
                },
            ));
        }
        let document = self.documents.get(call.arguments.uri.as_str()).cloned();
        let is_relay = document
            .as_ref()
            .is_some_and(|it| it.language == Language::Relay);
        let config = self.config.run.clone();
        let target = document.as_ref().and_then(|it| it.release(&self.config));
        let events = self.events.clone();
        let idle = self.runs.take_idle(call.arguments.uri.as_str());
        tasks::spawn(async move {
            let lines = document.as_ref().map(|document| document.lines.clone());
            let (answer, idle) = match text_of(&call, lines.as_ref()).await {
                Ok(text) => {
                    let arguments = &call.arguments;
                    let job = Job {
                        text: (&*text).into(),
                        relay: is_relay,
                        directory: uri::path(&arguments.uri)
                            .and_then(|path| path.parent().map(Into::into)),
                        target: target.map(|release| release.name().to_owned()),
                        function: arguments.function.clone(),
                        line: arguments.line,
                        dims: arguments.dims.clone(),
                        default_dim: Some(config.default_dim),
                        inputs: arguments.inputs.clone(),
                        weights: arguments.weights.clone(),
                        weight_names: arguments.weight_names.clone(),
                        allow_missing: arguments.allow_missing,
                        constants: ConstantFiles {
                            files: arguments.constants.clone(),
                            beside: uri::path(&arguments.uri),
                        },
                        seed: arguments.seed.unwrap_or(config.seed),
                        repeat: 1,
                        trace: call.trace,
                        goes_on: false,
                        limits: Limits::of(&config),
                        keep: folder.clone(),
                    };
                    child::run(job, idle, &call.cancelled).await
                }
                Err(outcome) => {
                    let objects = Vec::new();
                    (RunAnswer { outcome, objects }, None)
                }
            };
            let _ = events.send(Event::RunFinished(Box::new(RunFinished {
                version: document.map(|document| document.version),
                number,
                work,
                folder,
                call,
                token,
                lines,
                answer,
                idle,
            })));
        });
    }

    pub fn finish_run(&mut self, finished: RunFinished) {
        let RunFinished {
            number,
            work,
            folder,
            call,
            token,
            lines,
            version,
            answer: RunAnswer { outcome, objects },
            idle,
        } = finished;
        self.cancellations.remove(work);
        let last = !self.cancellations.has(&token);
        if last && (self.client.progress || call.token.is_some()) {
            self.outbox.put(Outgoing::Progress(
                token,
                Progress::End {
                    message: outcome.summary(),
                },
            ));
        }
        let uri = call.arguments.uri.as_str();
        let is_open = self.documents.get(uri).is_some();
        if let Some(worker) = idle.filter(|_| is_open) {
            self.runs.put_idle(uri, worker);
        }
        if !outcome.cancelled() && is_open {
            let name = (uri.to_owned(), call.arguments.function.clone());
            let record = RunRecord {
                summary: outcome.summary(),
                version,
                notes: outcome
                    .trace()
                    .map_or_else(Arc::default, |it| notes(it).into()),
            };
            let noted = !record.notes.is_empty();
            let before = Arc::make_mut(&mut self.runs.records).insert(name, record);
            if self.client.refresh_lenses {
                self.outbox.put(Outgoing::RefreshLenses);
            }
            let were_noted = before.is_some_and(|it| !it.notes.is_empty());
            if (noted || were_noted) && self.client.refresh_hints && !self.client.shows_traces {
                self.outbox.put(Outgoing::RefreshHints);
            }
        }
        if call.arguments.tell && !outcome.cancelled() {
            let line = format!("{}: {}", call.arguments.function, outcome.summary());
            self.outbox.put(Outgoing::Message(MessageType::INFO, line));
        }
        if let Some(problem) = outcome.internal_problem() {
            self.outbox
                .put(Outgoing::Message(MessageType::ERROR, problem.to_owned()));
        }
        let mut answer = outcome.to_answer(&call.arguments.uri, lines.as_ref());
        answer["run"] = json!(number);
        if let Some(folder) = folder {
            answer["folder"] = json!(folder);
        }
        if is_open && !objects.is_empty() {
            answer["objects"] = json!(objects);
        }
        let _ = call.reply.send(answer);
    }
}

/// Returns the text to run: the editor's text, saved or not, or the file if it is not open.
async fn text_of(call: &RunCall, lines: Option<&Lines>) -> Result<Text, Outcome> {
    if let Some(lines) = lines {
        return Ok(lines.text().clone());
    }
    let uri = &call.arguments.uri;
    let Some(path) = uri::path(uri) else {
        return Err(Outcome::could_not_run(format!(
            "`{}` is not open",
            uri.as_str()
        )));
    };
    match tasks::blocking(move || sources::read(&path)).await {
        Some(Ok(text)) => Ok(text),
        Some(Err(error)) => Err(Outcome::could_not_run(format!("{error:#}"))),
        None => Err(Outcome::could_not_run("the file was not read".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(argument: Value) -> serde_json::Result<RunArguments> {
        serde_json::from_value(argument)
    }

    #[test]
    fn dims_are_values_by_name() {
        let arguments = read(json!({"uri": "file:///f.py", "function": "f", "dims": {"n": 2}}));
        assert_eq!(arguments.unwrap().dims["n"], 2);
    }

    #[test]
    fn names_without_values_take_the_default() {
        let arguments = read(json!({"uri": "file:///f.py", "function": "f", "dims": ["n"]}));
        assert!(arguments.unwrap().dims.is_empty());
    }

    #[test]
    fn inputs_are_words_numbers_or_paths() {
        let arguments = read(json!({
            "uri": "file:///f.py", "function": "f", "inputs": {"x": "ones", "w": "w.npy", "b": "0.5"},
        }))
        .unwrap();
        assert_eq!(arguments.inputs["x"], InputSource::Ones);
        assert_eq!(arguments.inputs["w"], InputSource::Npy("w.npy".into()));
        assert_eq!(arguments.inputs["b"], InputSource::Constant(0.5));
        let arguments =
            read(json!({"uri": "file:///f.py", "function": "f", "inputs": {"c": "$make"}}));
        let inputs = arguments.unwrap().inputs;
        assert_eq!(inputs["c"], InputSource::Result("make".to_owned()));
    }
}
