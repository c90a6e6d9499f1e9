//! New texts of documents. Parsing time grows with the text, so another thread parses the next version, and the
//! session then applies it. Meanwhile events about the document wait, in order; everything else continues.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_types::Uri;
use rustc_hash::FxHashMap;

use super::{Event, Session, Subject};
use crate::documents::{Update, Updated};
use crate::tasks;

/// The updates that are being parsed, and the events that wait for them.
#[derive(Default)]
pub struct Updates {
    /// The waiting events by URI.
    waiting: FxHashMap<String, Vec<Event>>,
    /// Events that wait for all updates.
    waiting_for_all: Vec<Event>,
}

impl Updates {
    pub fn is_making(&self, uri: &str) -> bool {
        self.waiting.contains_key(uri)
    }

    /// Stores an event if it has to wait; otherwise returns it.
    pub fn defer(&mut self, event: Event) -> Option<Event> {
        let queue = match event.subject() {
            Subject::Server => None,
            Subject::Document(uri) => self.waiting.get_mut(uri.as_ref()),
            Subject::Workspace if self.waiting.is_empty() => None,
            Subject::Workspace => Some(&mut self.waiting_for_all),
        };
        let Some(queue) = queue else {
            return Some(event);
        };
        match (queue.last_mut(), event) {
            // Consecutive edits that wait become one version.
            (
                Some(Event::Change {
                    version, changes, ..
                }),
                Event::Change {
                    version: next,
                    changes: more,
                    ..
                },
            ) => {
                *version = next;
                changes.extend(more);
            }
            (_, event) => queue.push(event),
        }
        None
    }

    /// Returns the events that no longer have to wait.
    fn end(&mut self, uri: &str) -> Vec<Event> {
        let mut events = self.waiting.remove(uri).unwrap_or_default();
        if self.waiting.is_empty() {
            events.append(&mut self.waiting_for_all);
        }
        events
    }
}

impl Session {
    pub fn start_update(&mut self, uri: Uri, update: Update) {
        let waiting = &mut self.updates.waiting;
        waiting.insert(uri.as_str().to_owned(), Vec::new());
        let events = self.events.clone();
        tasks::spawn_blocking(move || {
            let updated = catch_unwind(AssertUnwindSafe(|| update.make())).ok();
            let _ = events.send(Event::Updated { uri, updated });
        });
    }

    pub fn take_in_update(&mut self, uri: &Uri, updated: Option<Updated>) {
        match updated {
            Some(updated) => {
                let before = self.documents.take_in(updated, &mut self.host);
                tasks::spawn_blocking(move || drop(before));
                self.want_diagnoses(uri);
            }
            // Parsing failed, as the log explains. The previous version is outdated, so close the document.
            None => self.close(uri),
        }
        for event in self.updates.end(uri.as_str()) {
            self.take_in(event);
        }
    }
}
