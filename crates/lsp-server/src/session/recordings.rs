//! Records programs for the editor, in a child process, and shows on their lines what they made.

use std::path::{Path, PathBuf};

use lsp_types::{MessageType, NumberOrString, Uri};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{Event, Refusal, Session};
use crate::compilation::recording::{Failure, Recording};
use crate::outbox::{Outgoing, with_progress};
use crate::scratch::Scratch;
use crate::tasks;
use crate::uri;

/// The only argument of `relax.record`.
#[derive(Debug, Deserialize)]
pub struct RecordArguments {
    /// The program, as it is saved.
    pub uri: Uri,
    #[serde(default)]
    pub arguments: Vec<String>,
}

/// A request to record, as a handler sends it.
pub struct RecordCall {
    pub arguments: RecordArguments,
    /// Cancelled when the client cancels the request.
    pub cancelled: CancellationToken,
    pub reply: oneshot::Sender<Result<Value, Refusal>>,
}

pub struct RecordFinished {
    /// Its number in the cancellable work.
    work: u64,
    name: String,
    folder: PathBuf,
    ended: Result<(), Refusal>,
    reply: oneshot::Sender<Result<Value, Refusal>>,
}

/// The folder of the recordings of this session, which is deleted when this is dropped.
#[derive(Default)]
pub struct RecordingFolders {
    root: Option<Scratch>,
    /// The programs, each with a folder.
    programs: Vec<PathBuf>,
    /// The folders that are being written.
    busy: Vec<PathBuf>,
}

impl RecordingFolders {
    /// Returns the folder for the next recording of a program. It replaces the earlier one.
    fn of(&mut self, program: &Path) -> std::io::Result<PathBuf> {
        let root = match self.root.take() {
            Some(root) => root,
            None => Scratch::new()?,
        };
        let known = self.programs.iter().position(|it| it == program);
        let number = known.unwrap_or_else(|| {
            self.programs.push(program.to_owned());
            self.programs.len() - 1
        });
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        let folder = root.path().join(format!("{name}-{number}"));
        self.root = Some(root);
        if self.busy.contains(&folder) {
            return Err(std::io::Error::other("it is being recorded"));
        }
        self.busy.push(folder.clone());
        Ok(folder)
    }
}

impl Session {
    pub fn start_recording(&mut self, call: RecordCall) {
        let Some(program) = uri::path(&call.arguments.uri) else {
            let why = format!("`{}` is not a file", call.arguments.uri.as_str());
            let _ = call.reply.send(Err(Refusal::Impossible(why)));
            return;
        };
        let folder = match self.recordings.of(&program) {
            Ok(folder) => folder,
            Err(error) => {
                let why = format!("`{}`: {error}", program.display());
                let _ = call.reply.send(Err(Refusal::Impossible(why)));
                return;
            }
        };
        self.works += 1;
        let token = NumberOrString::String(format!("relax-lsp/recording/{}", self.works));
        let work = self
            .cancellations
            .add(token.clone(), call.cancelled.clone());
        let outbox = self.client.progress.then(|| self.outbox.clone());
        let events = self.events.clone();
        let python = self.config.python.clone();
        tasks::spawn(async move {
            let name = program.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            let recorded = process::record(
                &program,
                &call.arguments.arguments,
                &folder,
                python.as_deref(),
                &call.cancelled,
            );
            let title = format!("Recording {name}");
            let ended = with_progress(outbox, token, &title, true, recorded).await;
            let _ = events.send(Event::RecordFinished(Box::new(RecordFinished {
                work,
                name,
                folder,
                ended,
                reply: call.reply,
            })));
        });
    }

    pub fn finish_recording(&mut self, finished: RecordFinished) {
        self.cancellations.remove(finished.work);
        self.recordings.busy.retain(|it| *it != finished.folder);
        let answer = finished.ended.and_then(|()| {
            let opened = Recording::open(&finished.folder);
            match opened.map_err(|error| Refusal::Impossible(format!("{error:#}")))? {
                Some(recording) => Ok(recording),
                None => Err(Refusal::Impossible("nothing was recorded".to_owned())),
            }
        });
        let answer = answer.map(|recording| {
            self.programs.add(finished.folder);
            self.refresh_answers();
            let (kind, line) = summary(&finished.name, &recording);
            self.outbox.put(Outgoing::Message(kind, line));
            to_json(&recording)
        });
        let _ = finished.reply.send(answer);
    }
}

/// Returns a sentence about a recording.
fn summary(name: &str, recording: &Recording) -> (MessageType, String) {
    let count = recording.modules.len();
    let modules = match count {
        0 => "no Relax module".to_owned(),
        1 => "1 module".to_owned(),
        _ => format!("{count} modules"),
    };
    match recording.failures.first() {
        Some(failure) => {
            let told = failure.described();
            let first = told.lines().next().unwrap_or_default();
            (
                MessageType::ERROR,
                format!("{name}: {modules} recorded; {first}"),
            )
        }
        None => (MessageType::INFO, format!("{name}: {modules} recorded")),
    }
}

fn to_json(recording: &Recording) -> Value {
    let modules = recording.modules.iter().map(|it| {
        let uri = uri::of_path(&recording.folder.join(&it.file));
        json!({"label": it.label, "kind": it.kind, "uri": uri, "seconds": it.seconds})
    });
    let failures = recording.failures.iter().map(Failure::described);
    json!({
        "uri": uri::of_path(&recording.folder),
        "modules": modules.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
    })
}

#[cfg(not(target_family = "wasm"))]
mod process {
    use std::path::Path;

    use tokio_util::sync::CancellationToken;

    use crate::children;
    use crate::exit::PROBLEMS_FOUND;
    use crate::session::Refusal;

    /// Runs `relax-lsp record` in the folder of the program.
    pub async fn record(
        program: &Path,
        arguments: &[String],
        folder: &Path,
        python: Option<&Path>,
        cancelled: &CancellationToken,
    ) -> Result<(), Refusal> {
        let impossible = |error: std::io::Error| Refusal::Impossible(error.to_string());
        let mut command = children::this_program().map_err(impossible)?;
        command.arg("record").arg("--output").arg(folder);
        if let Some(python) = python {
            command.arg("--python").arg(python);
        }
        command.arg(program).args(arguments);
        command.current_dir(program.parent().unwrap_or(program));
        let output = tokio::select! {
            biased;
            () = cancelled.cancelled() => return Err(Refusal::Cancelled),
            output = children::output(command) => output.map_err(impossible)?,
        };
        let code = output.status.code();
        // A program that fails is recorded as far as it got.
        if output.status.success() || code == Some(PROBLEMS_FOUND.into()) {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said
            .trim_end()
            .lines()
            .next_back()
            .unwrap_or("it was stopped");
        let why = last.trim_start_matches("error: ").to_owned();
        Err(Refusal::Impossible(why))
    }
}

#[cfg(target_family = "wasm")]
mod process {
    use std::path::Path;

    use tokio_util::sync::CancellationToken;

    use crate::session::Refusal;

    pub fn record(
        _: &Path,
        _: &[String],
        _: &Path,
        _: Option<&Path>,
        _: &CancellationToken,
    ) -> impl Future<Output = Result<(), Refusal>> {
        std::future::ready(Err(Refusal::Impossible(
            "a browser has no Python".to_owned(),
        )))
    }
}
