//! The session is the only writer of the server's state: documents, configuration, runs. Messages arrive in the order
//! in which the client sent them. Reads get a snapshot and are answered by other threads. Outgoing messages go to the
//! outbox.
//!
//! The session has its own thread, because applying an edit waits briefly until the readers of the previous text
//! notice that they are cancelled. It never waits for the client.

mod cancellations;
mod diagnose;
mod event;
mod idle;
mod lowering;
mod origins;
mod programs;
mod recordings;
mod runs;
mod survey;
mod tokens;
mod updates;

use std::sync::Arc;

use ide::{AnalysisHost, FilePosition};
use lsp_types::{MessageType, Uri};
use rustc_hash::FxHashMap;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tracing::warn;

use crate::capabilities::Client;
use crate::config::Config;
use crate::documents::{Document, Documents, TextChange};
use crate::memory;
use crate::outbox::{Outbox, Outgoing};
use crate::run::saved_values::Folders;
use crate::targets::{self, Targets};
use crate::tasks;
use crate::uri;
use crate::workspace::Workspace;
use cancellations::Cancellations;
use diagnose::Diagnoses;
pub use event::{Event, Refusal, SessionHandle, Subject};
use idle::Idle;
pub use lowering::{LowerArguments, LowerCall};
use origins::OriginCache;
pub use programs::Programs;
pub use recordings::RecordCall;
use recordings::RecordingFolders;
use runs::Runs;
pub use runs::{RunCall, RunRecord};
pub use survey::Survey;
use tokens::TokenCache;
use updates::Updates;

/// The state that a request sees, as it was when the request arrived.
pub struct Snapshot {
    pub analysis: ide::Analysis,
    pub documents: Arc<FxHashMap<String, Arc<Document>>>,
    pub config: Arc<Config>,
    pub client: Client,
    pub runs: Arc<FxHashMap<(String, String), RunRecord>>,
    pub tokens: Arc<TokenCache>,
    pub kept: Folders,
    pub origins: Arc<OriginCache>,
    pub programs: Arc<Programs>,
}

impl Snapshot {
    /// Returns the document if it is open and contains TVMScript. For others, see `python_document`.
    pub fn document(&self, uri: &lsp_types::Uri) -> Option<&Arc<Document>> {
        self.documents
            .get(uri.as_str())
            .filter(|document| document.relevant)
    }

    /// Returns the document if it is open, also a Python file without TVMScript: a recording may know its lines.
    pub fn python_document(&self, uri: &lsp_types::Uri) -> Option<&Arc<Document>> {
        self.documents.get(uri.as_str())
    }

    /// Like `document`, but returns an error message if there is no such document.
    pub fn required_document(&self, uri: &lsp_types::Uri) -> Result<&Arc<Document>, String> {
        let missing = || {
            let uri = uri.as_str();
            format!("`{uri}` is not open, or contains no TVMScript")
        };
        self.document(uri).ok_or_else(missing)
    }

    /// Returns the document, and a position as an offset.
    pub fn place(
        &self,
        at: &lsp_types::TextDocumentPositionParams,
    ) -> Option<(&Arc<Document>, FilePosition)> {
        let document = self.document(&at.text_document.uri)?;
        let position = FilePosition {
            file: document.file,
            offset: document.lines.offset(at.position),
        };
        Some((document, position))
    }
}

struct Session {
    host: AnalysisHost,
    documents: Documents,
    updates: Updates,
    idle: Idle,
    config: Arc<Config>,
    client: Client,
    /// Nothing may be sent before the handshake is complete.
    initialized: bool,
    problems: Vec<String>,
    diagnoses: Diagnoses,
    runs: Runs,
    cancellations: Cancellations,
    /// The number of surveys and lowerings so far, for their progress tokens.
    works: u64,
    tokens: Arc<TokenCache>,
    origins: Arc<OriginCache>,
    programs: Arc<Programs>,
    recordings: RecordingFolders,
    workspace: Arc<Workspace>,
    targets: Arc<Targets>,
    outbox: Outbox,
    events: UnboundedSender<Event>,
}

/// Starts the session's thread, which ends when every handle is dropped or after [`Event::Stop`].
pub fn start(outbox: Outbox) -> SessionHandle {
    let (events, receiver) = unbounded_channel();
    let targets = Arc::new(Targets::of_process());
    let session = Session {
        host: AnalysisHost::default(),
        documents: Documents::new(targets.clone()),
        updates: Updates::default(),
        idle: Idle::default(),
        config: Arc::default(),
        client: Client::default(),
        initialized: false,
        problems: Vec::new(),
        diagnoses: Diagnoses::default(),
        runs: Runs::default(),
        cancellations: Cancellations::default(),
        works: 0,
        tokens: Arc::default(),
        origins: Arc::default(),
        programs: Arc::default(),
        recordings: RecordingFolders::default(),
        workspace: Arc::default(),
        targets,
        outbox,
        events: events.clone(),
    };
    tasks::spawn_thread("session", async move {
        if let Some(done) = session.work(receiver).await {
            let _ = done.send(());
        }
    });
    SessionHandle::new(events)
}

impl Drop for Session {
    fn drop(&mut self) {
        // Threads that still compute an answer also hold the pages.
        self.client.pages.close();
    }
}

impl Session {
    /// Handles events until the session is stopped. Returns the sender to notify once the session and its files are
    /// dropped.
    async fn work(mut self, mut receiver: UnboundedReceiver<Event>) -> Option<oneshot::Sender<()>> {
        let give_back = || tasks::spawn_blocking(memory::give_back);
        while let Some(event) = self.idle.next(&mut receiver, give_back).await {
            let mut next = Some(event);
            while let Some(event) = next {
                if let Event::Stop(done) = event {
                    self.cancellations.cancel_all();
                    return done;
                }
                self.take_in(event);
                next = receiver.try_recv().ok();
            }
            // No more events have arrived, so diagnose the newest texts. The next edit cancels this.
            self.start_diagnosing();
        }
        None
    }

    fn take_in(&mut self, event: Event) {
        let Some(event) = self.updates.defer(event) else {
            return;
        };
        match event {
            Event::Initialize {
                client,
                options,
                folders,
            } => {
                self.client = client;
                self.workspace.add_folders(folders);
                if let Some(options) = options {
                    self.configure(&options);
                }
            }
            Event::Initialized => {
                for problem in std::mem::take(&mut self.problems) {
                    self.warn(problem);
                }
                self.initialized = true;
                if self.client.configuration {
                    self.outbox.put(Outgoing::AskConfiguration);
                }
                if self.client.watch_files && self.workspace.has_folders() {
                    self.outbox.put(Outgoing::Watch);
                }
            }
            Event::Configure(settings) if settings.is_null() => {
                if self.client.configuration {
                    self.outbox.put(Outgoing::AskConfiguration);
                }
            }
            Event::Configure(settings) => self.configure(&settings),
            Event::Open {
                uri,
                version,
                text,
                language,
            } => {
                let encoding = self.client.encoding;
                let documents = &mut self.documents;
                let update =
                    documents.open(uri.clone(), version, text, language, encoding, &self.host);
                self.start_update(uri, update);
            }
            Event::Change {
                uri,
                version,
                changes,
            } => self.change(uri, version, changes),
            Event::Updated { uri, updated } => self.take_in_update(&uri, updated),
            Event::Close { uri } => self.close(&uri),
            Event::Read { job, .. } => {
                let snapshot = self.snapshot();
                tasks::spawn_blocking(move || job(snapshot));
            }
            Event::DiagnosisResult(diagnosed) => self.take_in_diagnoses(diagnosed),
            Event::Run(call) => self.start_run(call),
            Event::Lower(call) => self.start_lowering(call),
            Event::Record(call) => self.start_recording(call),
            Event::RecordFinished(finished) => self.finish_recording(*finished),
            Event::RunFinished(finished) => self.finish_run(*finished),
            Event::CancelProgress(token) => self.cancellations.cancel(&token),
            Event::Folders { added, removed } => {
                self.workspace.remove_folders(&removed);
                self.workspace.add_folders(added);
            }
            Event::Watched => self.workspace.is_watched(),
            Event::FilesChanged(paths) => {
                let (project, files) = paths.into_iter().partition(|it| targets::is_watched(it));
                self.workspace.changed(files);
                if !Vec::is_empty(&project) {
                    self.look_at_targets();
                }
            }
            Event::Targets(targets) => {
                if self.documents.set_targets(targets, &mut self.host) {
                    self.refresh_answers();
                }
            }
            Event::Survey {
                title,
                cancelled,
                job,
            } => self.start_survey(title, cancelled, job),
            Event::Over(number) => self.cancellations.remove(number),
            Event::Stop(_) => {}
        }
    }

    fn change(&mut self, uri: Uri, version: i32, changes: Vec<TextChange>) {
        self.idle.edited();
        let Session {
            documents, host, ..
        } = self;
        if documents.change_nearby(&uri, version, &changes, host) {
            self.want_diagnoses(&uri);
        } else if let Some(update) = documents.change(&uri, version, changes, host) {
            self.start_update(uri, update);
        } else {
            let uri = uri.as_str();
            warn!(uri, "a document that is not open was changed");
        }
    }

    fn close(&mut self, uri: &Uri) {
        let Some(document) = self.documents.close(uri) else {
            return;
        };
        let text = self.host.apply_parsed(document.file, None);
        self.diagnoses.clear(&document, &self.outbox);
        self.runs.forget(uri.as_str());
        self.tokens.forget(uri.as_str());
        let gives_back = self.idle.closed(document.lines.text().len());
        tasks::spawn_blocking(move || {
            // This is the last reference, unless a snapshot still reads it.
            drop((document, text));
            if gives_back {
                memory::give_back();
            }
        });
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            analysis: self.host.analysis(),
            documents: self.documents.all(),
            config: self.config.clone(),
            client: self.client.clone(),
            runs: self.runs.records(),
            tokens: self.tokens.clone(),
            kept: self.runs.saved_values(),
            origins: self.origins.clone(),
            programs: self.programs.clone(),
        }
    }

    fn want_diagnoses(&mut self, uri: &Uri) {
        if !self.client.pull_diagnostics {
            self.diagnoses.want(uri);
        }
    }

    fn warn(&self, message: String) {
        self.outbox
            .put(Outgoing::Message(MessageType::WARNING, message));
    }

    fn configure(&mut self, settings: &Value) {
        let (config, problems) = Config::read(settings);
        for problem in problems {
            if self.initialized {
                self.warn(problem);
            } else {
                self.problems.push(problem);
            }
        }
        if config == *self.config {
            return;
        }
        let before = std::mem::replace(&mut self.config, Arc::new(config));
        if before.python != self.config.python {
            self.targets.set_python(self.config.python.clone());
            self.look_at_targets();
        }
        let (old, new) = (&before, &self.config);
        if old.target != new.target {
            self.host.set_config(ide::Config { target: new.target });
        }
        if old.dims != new.dims {
            self.host.set_dims(new.dims.values());
        }
        let is_same = old.target == new.target && old.dims == new.dims;
        if !is_same || old.severities != new.severities {
            self.refresh_answers();
        } else {
            self.refresh_shown();
        }
    }

    /// Determines, on another thread, the releases that open documents are written for.
    fn look_at_targets(&self) {
        let (targets, events) = (self.targets.clone(), self.events.clone());
        let documents = self.documents.all();
        tasks::spawn_blocking(move || {
            targets.forget();
            let target = |document: &Document| {
                let path = uri::path(&document.uri)?;
                targets.of_file(&path)
            };
            let documents = documents.iter();
            let targets = documents.map(|(uri, it)| (uri.clone(), target(it)));
            let _ = events.send(Event::Targets(targets.collect()));
        });
    }

    /// Asks the client to request everything again that depends on the release of files.
    fn refresh_answers(&mut self) {
        // `lsp-types` misspells this capability, so send the request always; a client without support refuses it.
        if self.client.pull_diagnostics {
            self.outbox.put(Outgoing::RefreshDiagnostics);
        }
        if self.client.refresh_tokens {
            self.outbox.put(Outgoing::RefreshTokens);
        }
        if !self.client.pull_diagnostics {
            for document in self.documents.all().values() {
                self.diagnoses.want(&document.uri);
            }
        }
        self.refresh_shown();
    }

    fn refresh_shown(&self) {
        if self.client.refresh_lenses {
            self.outbox.put(Outgoing::RefreshLenses);
        }
        if self.client.refresh_hints {
            self.outbox.put(Outgoing::RefreshHints);
        }
    }
}
