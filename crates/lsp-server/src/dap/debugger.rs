//! The thread of the program: where it stops, and its answers while it is stopped.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;

use serde_json::{Value as Json, json};
use text_size::TextRange;
use vm::value::Value;
use vm::{Binding, Observer, Paused};

use super::breakpoints::Breakpoint;
use super::evaluate::{self, Got};
use super::launch::Launch;
use super::session::Shared;
use super::show;
use super::wire::Request;
use crate::line_index::LineColumns;
use crate::run::execute::Listener;

/// How a run continues.
#[derive(Clone, Copy)]
enum Mode {
    Run,
    /// To the next line in any function.
    Into,
    /// To the next line of a call at this depth or further out.
    Over(usize),
    /// Until the call at this depth returns.
    Out(usize),
}

/// Something that a client can expand.
enum Handle {
    Frame(usize),
    Value(Value),
}

pub(super) struct Debugger<W> {
    shared: Arc<Shared<W>>,
    requests: Receiver<Request>,
    lines: LineColumns,
    source: Json,
    mode: Mode,
    /// The depth and line of the last instruction.
    last: (usize, u32),
    /// The reason to stop at the next instruction.
    found: Option<String>,
    seen_nan: bool,
    /// Stop as soon as there is a place.
    is_pausing: bool,
    handles: Vec<Handle>,
    is_idle: bool,
}

impl<W: Write> Debugger<W> {
    pub fn new(
        shared: Arc<Shared<W>>,
        requests: Receiver<Request>,
        launch: &Launch,
        text: &str,
    ) -> Debugger<W> {
        let name = launch
            .program
            .file_name()
            .map(|it| it.to_string_lossy().into_owned());
        Debugger {
            shared,
            requests,
            lines: LineColumns::new(text),
            source: json!({"name": name, "path": launch.program}),
            mode: if launch.stop_on_entry {
                Mode::Into
            } else {
                Mode::Run
            },
            last: (0, 0),
            found: None,
            seen_nan: false,
            is_pausing: false,
            handles: Vec::new(),
            is_idle: launch.no_debug,
        }
    }

    /// Returns the reason to stop here, with a message.
    fn reason(&mut self, paused: &dyn Paused) -> Option<(&'static str, String)> {
        self.is_pausing |= self.shared.pause.swap(false, Ordering::Relaxed);
        let (_, range) = paused.place(0).filter(|(_, range)| !range.is_empty())?;
        let here = (paused.depth(), self.lines.line_col(range.start()).0);
        let moved = here != self.last;
        let came_back = self.last.0 > here.0;
        self.last = here;
        if let Some(text) = self.found.take() {
            return Some(("exception", text));
        }
        if std::mem::take(&mut self.is_pausing) {
            return Some(("pause", String::new()));
        }
        if !moved {
            return None;
        }
        let is_hit = |it: &Breakpoint| match &it.condition {
            Some(condition) => evaluate::truth(condition, &paused.variables(0)).unwrap_or(true),
            None => true,
        };
        // A statement has several instructions, with those of other statements between them.
        let lines = &self.lines;
        let is_first = || {
            let before = paused.places_before(0);
            !before
                .iter()
                .any(|range| lines.line_col(range.start()).0 == here.1)
        };
        if self
            .shared
            .breakpoint(here.1..=here.1)
            .as_ref()
            .is_some_and(is_hit)
            && is_first()
        {
            return Some(("breakpoint", String::new()));
        }
        let steps = match self.mode {
            Mode::Run => false,
            Mode::Into => true,
            Mode::Over(depth) => here.0 <= depth,
            Mode::Out(depth) => here.0 < depth,
        };
        let steps = steps && (came_back || is_first());
        steps.then(|| ("step", String::new()))
    }

    /// Notifies the client, and answers requests until the run continues. Returns `false` if the run has to end.
    fn stop(&mut self, reason: &str, text: &str, paused: &mut dyn Paused) -> bool {
        self.handles.clear();
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        let mut body = json!({"reason": reason, "threadId": 1, "allThreadsStopped": true});
        if !text.is_empty() {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        self.shared.writer.event("stopped", &body);
        loop {
            // Without a client, end the run.
            let Ok(request) = self.requests.recv() else {
                return false;
            };
            let depth = paused.depth();
            let mode = match request.command.as_str() {
                "continue" => Mode::Run,
                "next" => Mode::Over(depth),
                "stepIn" => Mode::Into,
                "stepOut" => Mode::Out(depth),
                _ => {
                    let answer = self.answer(&request, paused);
                    self.shared.writer.answer(&request, answer);
                    continue;
                }
            };
            self.mode = mode;
            self.shared.is_stopped.store(false, Ordering::Relaxed);
            let body = json!({"allThreadsContinued": true});
            self.shared.writer.answer(&request, Ok(body));
            return true;
        }
    }

    fn answer(&mut self, request: &Request, paused: &mut dyn Paused) -> Result<Json, String> {
        let arguments = &request.arguments;
        let number = |name: &str| {
            arguments[name]
                .as_u64()
                .and_then(|it| usize::try_from(it).ok())
        };
        let frame = number("frameId")
            .and_then(|it| it.checked_sub(1))
            .unwrap_or(0);
        match request.command.as_str() {
            "stackTrace" => Ok(self.stack(paused)),
            "scopes" => {
                let reference = self.open(Handle::Frame(frame));
                let scope = json!({
                    "name": "Variables",
                    "variablesReference": reference,
                    "expensive": false,
                });
                Ok(json!({"scopes": [scope]}))
            }
            "variables" => {
                let reference = number("variablesReference").unwrap_or(0);
                self.variables(reference, paused)
            }
            "evaluate" => {
                let text = arguments["expression"].as_str().unwrap_or_default();
                let got = evaluate::evaluate(text, &paused.variables(frame))?;
                let shown = match got {
                    Got::Value(value) => self.variable_json("result", &value),
                    other => json!({"result": other.to_string(), "variablesReference": 0}),
                };
                let mut body = shown;
                if let Some(value) = body.get("value").cloned() {
                    body["result"] = value;
                }
                Ok(body)
            }
            "setVariable" => {
                let reference = number("variablesReference").unwrap_or(0);
                let Some(Handle::Frame(frame)) = self.handle(reference) else {
                    return Err("only variables of a call can be changed".to_owned());
                };
                let frame = *frame;
                let name = arguments["name"].as_str().unwrap_or_default();
                let text = arguments["value"].as_str().unwrap_or_default();
                let value = evaluate::replacement(name, text, &paused.variables(frame))?;
                let shown = self.variable_json(name, &value);
                let is_set = paused.set(frame, name, value);
                let missing = || format!("`{name}` cannot be changed here");
                is_set.then_some(shown).ok_or_else(missing)
            }
            command => Err(format!("`{command}` is not known here")),
        }
    }

    fn stack(&self, paused: &dyn Paused) -> Json {
        let frames: Vec<Json> = (0..paused.depth())
            .filter_map(|at| {
                let (name, range) = paused.place(at)?;
                let (line, column) = self.lines.line_col(range.start());
                Some(json!({
                    "id": at + 1,
                    "name": name.as_str(),
                    "line": line,
                    "column": column,
                    "source": self.source,
                }))
            })
            .collect();
        json!({"totalFrames": frames.len(), "stackFrames": frames})
    }

    fn open(&mut self, handle: Handle) -> usize {
        self.handles.push(handle);
        self.handles.len()
    }

    fn handle(&self, reference: usize) -> Option<&Handle> {
        self.handles.get(reference.checked_sub(1)?)
    }

    fn variables(&mut self, reference: usize, paused: &dyn Paused) -> Result<Json, String> {
        let fields: Vec<(String, Value)> = match self.handle(reference) {
            Some(Handle::Frame(frame)) => paused
                .variables(*frame)
                .into_iter()
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect(),
            Some(Handle::Value(value)) => show::fields(value),
            None => {
                return Err(
                    "this value is not available any more, since the run has continued".to_owned(),
                );
            }
        };
        let shown = fields
            .iter()
            .map(|(name, value)| self.variable_json(name, value));
        let shown: Vec<Json> = shown.collect();
        Ok(json!({"variables": shown}))
    }

    /// Returns a value as a client shows it. Its fields can be expanded.
    fn variable_json(&mut self, name: &str, value: &Value) -> Json {
        let reference = if show::is_open(value) {
            self.open(Handle::Value(value.clone()))
        } else {
            0
        };
        json!({
            "name": name,
            "value": show::text(value),
            "type": value.describe(),
            "variablesReference": reference,
        })
    }
}

impl<W: Write> Observer for Debugger<W> {
    fn print(&mut self, text: &str) {
        let body = json!({"category": "stdout", "output": format!("{text}\n")});
        self.shared.writer.event("output", &body);
    }

    fn wants_bindings(&self) -> bool {
        !self.is_idle
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        if self.seen_nan || !self.shared.at_nan.load(Ordering::Relaxed) {
            return;
        }
        if let Some(what) = show::not_finite(binding.value) {
            self.seen_nan = true;
            self.found = Some(format!("`{}` holds {what}", binding.name));
        }
    }

    fn wants_steps(&self) -> bool {
        !self.is_idle
    }

    fn interrupt(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.shared.pause))
    }

    fn step(&mut self, paused: &mut dyn Paused) -> bool {
        if self.shared.quit.load(Ordering::Relaxed) {
            return false;
        }
        match self.reason(paused) {
            Some((reason, text)) => self.stop(reason, &text, paused),
            None => true,
        }
    }

    fn enters(&mut self, range: TextRange) -> bool {
        let [first, last] = [range.start(), range.end()].map(|at| self.lines.line_col(at).0);
        matches!(self.mode, Mode::Into) || self.shared.breakpoint(first..=last).is_some()
    }

    fn failed(&mut self, paused: &mut dyn Paused, message: &str) {
        if !self.shared.quit.load(Ordering::Relaxed) {
            self.stop("exception", message, paused);
        }
    }
}

impl<W: Write> Listener for Debugger<W> {
    fn printed(&self) -> String {
        String::new()
    }
}
