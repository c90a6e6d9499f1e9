//! A simulated editor with one file, which measures the server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::Client;

use crate::places::{Edit, is_relay};
use crate::requests::Request;

pub const URI: &str = "file:///bench.py";
const RELAY_URI: &str = "file:///bench.relay";

pub struct Editor {
    client: Client,
    uri: &'static str,
    version: i32,
}

/// A measured duration.
#[derive(Clone, Copy)]
pub struct Took {
    pub time: Duration,
    /// The CPU time of the server's threads, if the system provides it. On a busy machine this is more reliable than
    /// the elapsed time.
    pub computed: Option<Duration>,
}

impl Editor {
    /// Creates an editor that has just opened a file.
    pub fn open(text: &str) -> (Editor, Took) {
        let mut editor = Editor {
            client: Client::plain(),
            uri: if is_relay(text) { RELAY_URI } else { URI },
            version: 1,
        };
        let took = editor.measure(|editor| {
            editor.client.open(editor.uri, 1, text);
            editor.wait_for_diagnostics();
        });
        (editor, took)
    }

    /// Measures from the start of `act` to the last message that it waits for.
    pub fn measure(&mut self, act: impl FnOnce(&mut Editor)) -> Took {
        let computed = self.client.computed();
        let start = Instant::now();
        act(self);
        Took {
            time: self.client.arrived().saturating_duration_since(start),
            computed: computed.and_then(|before| self.client.computed()?.checked_sub(before)),
        }
    }

    pub fn edit(&mut self, edit: &Edit) {
        let (line, column) = edit.end();
        let range = json!({
            "start": {"line": edit.line, "character": edit.column},
            "end": {"line": line, "character": column},
        });
        self.version += 1;
        let change = json!([{"range": range, "text": edit.typed}]);
        self.client.change(self.uri, self.version, change);
    }

    pub fn wait_for_diagnostics(&mut self) {
        self.client.diagnostics(self.uri, self.version);
    }

    /// Whether there is an answer.
    pub fn ask(&mut self, request: &Request) -> bool {
        let answer: Value = self.client.call(request.method, request.params.clone());
        !answer.is_null()
    }

    /// Returns the megabytes that the server uses, and the peak since the last call.
    pub fn memory(&self) -> Option<(f64, f64)> {
        let megabytes = |kilobytes: u64| kilobytes as f64 / 1024.0;
        let held = megabytes(self.client.memory_kb()?);
        let peak = megabytes(self.client.peak_memory_kb()?);
        self.client.forget_peak_memory();
        Some((held, peak))
    }
}
