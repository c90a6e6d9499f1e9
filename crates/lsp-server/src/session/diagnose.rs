//! Publishes diagnostics: always for the newest text, with its version, and never for an outdated text.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ide::Cancelled;
use lsp_types::{Diagnostic, NumberOrString, ProgressToken, PublishDiagnosticsParams, Uri};
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::oneshot;

use super::{Event, Session};
use crate::documents::Document;
use crate::outbox::{Outbox, Outgoing, with_progress};
use crate::tasks;
use crate::to_proto;

/// The result of diagnosing one version of a document.
///
/// Does not hold the document, since the next version needs the only reference to its text.
pub struct DiagnosisResult {
    uri: Uri,
    revision: u64,
    ended: Ended,
}

impl DiagnosisResult {
    pub fn uri(&self) -> &Uri {
        &self.uri
    }
}

enum Ended {
    Found(Vec<Diagnostic>),
    /// An edit of this or another document came first.
    Cancelled,
    /// The analysis failed, and would fail again. The log has the reason.
    Failed,
}

/// The number of documents that are diagnosed at a time. Each edit cancels them all and waits for that, so it must not
/// grow with the number of open documents.
const MOST_AT_ONCE: usize = 8;

/// The documents that wait for diagnostics, are being diagnosed, or have published ones. Keys are URIs.
#[derive(Default)]
pub struct Diagnoses {
    wanted: DiagnosisQueue,
    running: FxHashSet<String>,
    shown: FxHashSet<String>,
}

/// The documents that wait, in order.
#[derive(Default)]
struct DiagnosisQueue {
    places: FxHashMap<String, i64>,
    in_order: BTreeMap<i64, String>,
    first: i64,
    last: i64,
}

impl DiagnosisQueue {
    /// Puts a document first: somebody has just edited it.
    fn put_first(&mut self, uri: &str) {
        self.remove(uri);
        self.first -= 1;
        self.put(uri, self.first);
    }

    /// Puts a document last, unless it waits already: an edit of another one has cancelled its diagnosis.
    fn put_last(&mut self, uri: &str) {
        if !self.places.contains_key(uri) {
            self.last += 1;
            self.put(uri, self.last);
        }
    }

    fn put(&mut self, uri: &str, place: i64) {
        self.places.insert(uri.to_owned(), place);
        self.in_order.insert(place, uri.to_owned());
    }

    fn remove(&mut self, uri: &str) {
        if let Some(place) = self.places.remove(uri) {
            self.in_order.remove(&place);
        }
    }

    /// Takes the first document that is ready.
    fn take(&mut self, is_ready: impl Fn(&str) -> bool) -> Option<String> {
        let uri = self.in_order.values().find(|it| is_ready(it))?.clone();
        self.remove(&uri);
        Some(uri)
    }
}

impl Diagnoses {
    pub fn want(&mut self, uri: &Uri) {
        self.wanted.put_first(uri.as_str());
    }

    /// Removes the published diagnostics of a closed document.
    pub fn clear(&mut self, document: &Document, outbox: &Outbox) {
        self.wanted.remove(document.uri.as_str());
        if self.shown.remove(document.uri.as_str()) {
            publish(outbox, document.uri.clone(), Vec::new(), None);
        }
    }
}

fn publish(outbox: &Outbox, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
    outbox.put(Outgoing::Diagnostics(PublishDiagnosticsParams::new(
        uri,
        diagnostics,
        version,
    )));
}

/// If checking a document takes long, shows progress until it is done.
async fn show_if_lasting(outbox: Outbox, token: ProgressToken, over: oneshot::Receiver<()>) {
    let _ = with_progress(Some(outbox), token, "Checking", false, over).await;
}

impl Session {
    /// Starts diagnosing documents that wait, unless they are already being diagnosed or their next version is being
    /// parsed.
    pub fn start_diagnosing(&mut self) {
        while let Some(uri) = self.next_to_diagnose() {
            let Some(document) = self.documents.get(&uri).cloned() else {
                continue;
            };
            if !document.relevant && !self.programs.may_know(&document) {
                // It may have contained TVMScript before the last edit.
                if self.diagnoses.shown.remove(&uri) {
                    let version = Some(document.version);
                    publish(&self.outbox, document.uri.clone(), Vec::new(), version);
                }
                continue;
            }
            self.diagnoses.running.insert(uri);
            let analysis = self.host.analysis();
            let events = self.events.clone();
            let client = self.client.clone();
            let config = Arc::clone(&self.config);
            let programs = Arc::clone(&self.programs);
            let (at_work, over) = oneshot::channel();
            if client.progress {
                let token = format!("relax/checking/{}", document.revision);
                let token = NumberOrString::String(token);
                tasks::spawn(show_if_lasting(self.outbox.clone(), token, over));
            }
            tasks::spawn_blocking(move || {
                let _at_work: oneshot::Sender<()> = at_work;
                let diagnose = || match document.diagnostics(&analysis, &config) {
                    Ok(found) => {
                        let show =
                            |it| to_proto::diagnostic(&document.lines, &document.uri, &client, it);
                        let mut all = programs.diagnostics(&document);
                        all.extend(found.iter().map(show));
                        Ended::Found(all)
                    }
                    Err(Cancelled) => Ended::Cancelled,
                };
                let ended = catch_unwind(AssertUnwindSafe(diagnose)).unwrap_or(Ended::Failed);
                drop(analysis);
                let diagnosed = DiagnosisResult {
                    uri: document.uri.clone(),
                    revision: document.revision,
                    ended,
                };
                drop(document);
                let _ = events.send(Event::DiagnosisResult(diagnosed));
            });
        }
    }

    fn next_to_diagnose(&mut self) -> Option<String> {
        let Diagnoses {
            wanted, running, ..
        } = &mut self.diagnoses;
        if running.len() >= MOST_AT_ONCE {
            return None;
        }
        wanted.take(|uri| !running.contains(uri) && !self.updates.is_making(uri))
    }

    pub fn take_in_diagnoses(&mut self, diagnosed: DiagnosisResult) {
        let DiagnosisResult {
            uri,
            revision,
            ended,
        } = diagnosed;
        self.diagnoses.running.remove(uri.as_str());
        let newest = self.documents.get(uri.as_str());
        let Some(document) = newest.filter(|open| open.revision == revision) else {
            return;
        };
        match ended {
            Ended::Found(diagnostics) => {
                let version = Some(document.version);
                self.diagnoses.shown.insert(uri.as_str().to_owned());
                publish(&self.outbox, uri, diagnostics, version);
            }
            Ended::Cancelled => self.diagnoses.wanted.put_last(uri.as_str()),
            Ended::Failed => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::Progress;

    #[test]
    fn the_document_that_was_edited_last_is_diagnosed_first() {
        let mut wanted = DiagnosisQueue::default();
        for uri in ["a", "b", "c"] {
            wanted.put_first(uri);
        }
        wanted.put_first("a");
        wanted.put_last("d");
        wanted.put_last("c");
        let mut take = |but: &str| wanted.take(|it| it != but).unwrap();
        assert_eq!([take("c"), take("c"), take("c")], ["a", "b", "d"]);
        wanted.put_last("e");
        wanted.remove("c");
        assert_eq!(wanted.take(|_| true).as_deref(), Some("e"));
        assert!(wanted.take(|_| true).is_none() && wanted.places.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_check_shows_progress_until_it_ends() {
        let (outbox, mut said) = Outbox::new();
        let (at_work, over) = oneshot::channel();
        let showing = tokio::spawn(show_if_lasting(outbox, NumberOrString::Number(1), over));
        let began = said.recv().await;
        assert!(matches!(
            began,
            Some(Outgoing::Progress(_, Progress::Begin { create: true, .. }))
        ));
        drop(at_work);
        showing.await.unwrap();
        let ended = said.recv().await;
        assert!(matches!(
            ended,
            Some(Outgoing::Progress(_, Progress::End { .. }))
        ));
    }

    #[tokio::test(start_paused = true)]
    async fn a_quick_check_is_not_shown() {
        let (outbox, mut said) = Outbox::new();
        let (at_work, over) = oneshot::channel();
        drop(at_work);
        show_if_lasting(outbox, NumberOrString::Number(1), over).await;
        assert!(said.try_recv().is_err());
    }
}
