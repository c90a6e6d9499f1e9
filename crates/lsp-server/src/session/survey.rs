//! Answers questions about files that are not open, on a thread of their own and without a snapshot, so that edits
//! don't wait for disks. Long work shows progress and can be cancelled.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{NumberOrString, ProgressToken};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use web_time::Instant;

use super::{Event, Session};
use crate::capabilities::Client;
use crate::compilation::files::Files;
use crate::config::Config;
use crate::documents::Document;
use crate::outbox::{Outbox, Outgoing, OwnProgress, PROGRESS_DELAY};
use crate::targets::Targets;
use crate::tasks;
use crate::uri;
use crate::workspace::Workspace;

pub struct Survey {
    pub workspace: Arc<Workspace>,
    pub targets: Arc<Targets>,
    pub config: Arc<Config>,
    pub client: Client,
    /// The open documents, whose files on disk are ignored.
    pub open: FxHashSet<PathBuf>,
    pub documents: Arc<FxHashMap<String, Arc<Document>>>,
    /// Cancelled when the client cancels the request or its progress.
    pub cancelled: CancellationToken,
    outbox: Outbox,
    token: ProgressToken,
    started: Instant,
    /// The title of its progress; `None` if the client shows one.
    title: Option<&'static str>,
    announced: Option<OwnProgress>,
}

impl Survey {
    /// Updates files that may have changed.
    pub fn refresh(&mut self) {
        let workspace = self.workspace.clone();
        let encoding = self.client.encoding;
        workspace.refresh(encoding, &mut || self.go_on());
    }

    /// Returns `true` if the client still waits. Shows progress if the survey takes long.
    pub fn go_on(&mut self) -> bool {
        if let (None, Some(title)) = (&self.announced, self.title)
            && self.client.progress
            && self.started.elapsed() > PROGRESS_DELAY
        {
            let token = self.token.clone();
            self.announced = Some(OwnProgress::new(&self.outbox, token, title, true));
        }
        !self.cancelled.is_cancelled()
    }

    /// Returns the files as the editor has them.
    pub fn files(&self) -> Files {
        let texts = self.documents.values().filter_map(|it| {
            let text = it.lines.text().clone();
            Some((uri::path(&it.uri)?, text))
        });
        Files::of_editor(
            texts.collect(),
            self.targets.clone(),
            self.config.target,
            self.cancelled.clone(),
        )
    }

    /// Answers the question, after the partial results.
    pub fn answer<P, T: Send + 'static>(
        self,
        params: P,
        answer: fn(Survey, P) -> T,
        reply: oneshot::Sender<T>,
    ) {
        let outbox = self.outbox.clone();
        let answer = answer(self, params);
        outbox.put(Outgoing::Then(Box::new(move || drop(reply.send(answer)))));
    }

    /// Sends a partial result.
    pub fn send(&self, token: &ProgressToken, part: Value) {
        self.outbox.put(Outgoing::Partial(token.clone(), part));
    }
}

impl Session {
    pub fn start_survey(
        &mut self,
        title: Option<&'static str>,
        cancelled: CancellationToken,
        job: Box<dyn FnOnce(Survey) + Send>,
    ) {
        self.works += 1;
        let token = NumberOrString::String(format!("relax/survey/{}", self.works));
        let number = self.cancellations.add(token.clone(), cancelled.clone());
        let open = self.documents.all();
        let paths = open.values().filter_map(|it| uri::path(&it.uri));
        let survey = Survey {
            workspace: self.workspace.clone(),
            targets: self.targets.clone(),
            config: self.config.clone(),
            client: self.client.clone(),
            open: paths.collect(),
            documents: open.clone(),
            cancelled,
            outbox: self.outbox.clone(),
            token,
            started: Instant::now(),
            title,
            announced: None,
        };
        let events = self.events.clone();
        tasks::spawn_blocking(move || {
            job(survey);
            let _ = events.send(Event::Over(number));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::Progress;

    fn survey(started: Instant, outbox: Outbox) -> Survey {
        Survey {
            workspace: Arc::default(),
            targets: Arc::default(),
            config: Arc::default(),
            client: Client {
                progress: true,
                ..Client::default()
            },
            open: FxHashSet::default(),
            documents: Arc::default(),
            cancelled: CancellationToken::new(),
            outbox,
            token: NumberOrString::Number(1),
            started,
            title: Some("Looking"),
            announced: None,
        }
    }

    #[test]
    fn long_work_shows_its_start_and_end() {
        let (outbox, mut said) = Outbox::new();
        let long_ago = Instant::now().checked_sub(PROGRESS_DELAY * 2).unwrap();
        let mut survey = survey(long_ago, outbox);
        assert!(survey.go_on() && survey.go_on());
        let begin = said.try_recv().unwrap();
        assert!(matches!(
            begin,
            Outgoing::Progress(_, Progress::Begin { create: true, .. })
        ));
        assert!(said.try_recv().is_err(), "it begins once");
        drop(survey);
        let end = said.try_recv().unwrap();
        assert!(matches!(end, Outgoing::Progress(_, Progress::End { .. })));
    }

    #[test]
    fn quick_work_shows_nothing() {
        let (outbox, mut said) = Outbox::new();
        let mut survey = survey(Instant::now() + PROGRESS_DELAY, outbox);
        assert!(survey.go_on());
        drop(survey);
        assert!(said.try_recv().is_err());
    }

    #[test]
    fn a_cancelled_survey_stops() {
        let (outbox, _said) = Outbox::new();
        let mut survey = survey(Instant::now(), outbox);
        survey.cancelled.cancel();
        assert!(!survey.go_on());
    }
}
