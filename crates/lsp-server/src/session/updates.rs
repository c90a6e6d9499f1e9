//! New texts of documents. Parsing takes as long as a text is long, so another thread makes the next version, and the
//! session takes it in. What concerns the document waits meanwhile, in its order; all else goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_types::Uri;
use rustc_hash::FxHashMap;

use super::{Event, Session, Subject};
use crate::documents::{Update, Updated};
use crate::tasks;

/// The updates that are being made, with what waits for them.
#[derive(Default)]
pub struct Updates {
    /// By URI.
    waiting: FxHashMap<String, Vec<Event>>,
    /// What waits until none is being made.
    waiting_for_all: Vec<Event>,
}

impl Updates {
    pub fn is_making(&self, uri: &str) -> bool {
        self.waiting.contains_key(uri)
    }

    /// Keeps an event that has to wait, and gives back one that has not.
    pub fn hold(&mut self, event: Event) -> Option<Event> {
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
            // Edits that wait one behind another make one version.
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

    /// The events that need not wait any more.
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
            // It could not be parsed, which the log explains. The version before it is of no use.
            None => self.close(uri),
        }
        for event in self.updates.end(uri.as_str()) {
            self.take_in(event);
        }
    }
}
