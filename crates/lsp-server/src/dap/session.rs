//! A session: answers some requests immediately, and forwards the others to the thread of the program.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value as Json, json};

use super::debugger::{Breakpoint, Debugger};
use super::launch::Launch;
use super::wire::{Request, Writer, read};
use crate::compilation::files::Files;
use crate::run::execute::execute;
use crate::run::limits::Deadline;
use crate::run::outcome::Outcome;

/// Generated programs are deeply nested.
const STACK: usize = 64 << 20;

/// State that both threads share.
pub(super) struct Shared<W> {
    pub writer: Writer<W>,
    pub breakpoints: Mutex<Vec<Breakpoint>>,
    /// Stop at the first value that is not finite.
    pub at_nan: AtomicBool,
    pub pause: AtomicBool,
    pub quit: AtomicBool,
    pub is_stopped: AtomicBool,
}

struct Session<W> {
    shared: Arc<Shared<W>>,
    launch: Option<Launch>,
    is_configured: bool,
    /// Sends requests to the thread of the program while it runs.
    program: Option<Sender<Request>>,
}

/// Answers requests until the input ends or the client disconnects.
pub fn serve(mut input: impl BufRead, output: impl Write + Send + 'static) -> anyhow::Result<()> {
    let shared = Arc::new(Shared {
        writer: Writer::new(output),
        breakpoints: Mutex::default(),
        at_nan: AtomicBool::default(),
        pause: AtomicBool::default(),
        quit: AtomicBool::default(),
        is_stopped: AtomicBool::default(),
    });
    let mut session = Session {
        shared,
        launch: None,
        is_configured: false,
        program: None,
    };
    while let Some(request) = read(&mut input)? {
        let ends = matches!(request.command.as_str(), "disconnect" | "terminate");
        session.request(request);
        if ends {
            break;
        }
    }
    session.shared.quit.store(true, Ordering::Relaxed);
    Ok(())
}

impl<W: Write + Send + 'static> Session<W> {
    fn request(&mut self, request: Request) {
        let arguments = &request.arguments;
        let answer = match request.command.as_str() {
            "initialize" => {
                self.shared.writer.answer(&request, Ok(capabilities()));
                self.shared.writer.event("initialized", &json!({}));
                return;
            }
            "launch" => match serde_json::from_value::<Launch>(arguments.clone()) {
                Ok(launch) => {
                    self.launch = Some(launch);
                    self.start().map(|()| json!({}))
                }
                Err(error) => Err(format!("cannot launch: {error}")),
            },
            "configurationDone" => {
                self.is_configured = true;
                self.start().map(|()| json!({}))
            }
            "setBreakpoints" => Ok(self.set_breakpoints(arguments)),
            "setExceptionBreakpoints" => {
                let filters = arguments["filters"].as_array();
                let at_nan = filters.is_some_and(|it| it.contains(&json!("nan")));
                self.shared.at_nan.store(at_nan, Ordering::Relaxed);
                Ok(json!({}))
            }
            "threads" => Ok(json!({"threads": [{"id": 1, "name": "program"}]})),
            "pause" => {
                self.shared.pause.store(true, Ordering::Relaxed);
                Ok(json!({}))
            }
            "disconnect" | "terminate" => {
                self.shared.quit.store(true, Ordering::Relaxed);
                // Wake up a thread that waits for requests.
                self.program = None;
                Ok(json!({}))
            }
            _ => return self.forward(request),
        };
        self.shared.writer.answer(&request, answer);
    }

    /// Forwards a request to the thread of the program, which answers while it is stopped.
    fn forward(&self, request: Request) {
        let why = match &self.program {
            Some(program) if self.shared.is_stopped.load(Ordering::Relaxed) => {
                match program.send(request) {
                    Ok(()) => return,
                    Err(error) => return self.refuse(&error.0, "the program has ended"),
                }
            }
            Some(_) => "the program runs",
            None => "no program runs",
        };
        self.refuse(&request, why);
    }

    fn refuse(&self, request: &Request, why: &str) {
        let message = format!("`{}` cannot be answered: {why}", request.command);
        self.shared.writer.answer(request, Err(message));
    }

    fn set_breakpoints(&self, arguments: &Json) -> Json {
        let asked = arguments["breakpoints"].as_array().cloned();
        let breakpoints: Vec<Breakpoint> = asked
            .unwrap_or_default()
            .iter()
            .filter_map(|it| {
                Some(Breakpoint {
                    line: u32::try_from(it["line"].as_u64()?).ok()?,
                    condition: it["condition"].as_str().map(str::to_owned),
                })
            })
            .collect();
        let answer: Vec<Json> = breakpoints
            .iter()
            .map(|it| json!({"verified": true, "line": it.line}))
            .collect();
        let mut held = self.shared.breakpoints.lock();
        *held.as_deref_mut().unwrap_or(&mut Vec::new()) = breakpoints;
        json!({"breakpoints": answer})
    }

    /// Starts the program once it is launched and the configuration is done.
    fn start(&mut self) -> Result<(), String> {
        let Some(launch) = self.launch.clone().filter(|_| self.is_configured) else {
            return Ok(());
        };
        let files = Files::on_disk(launch.release()?);
        let (text, config) = files
            .source(&launch.program)
            .map_err(|error| format!("{error:#}"))?;
        let job = launch.job(&text, config.target);
        let (sender, requests) = channel();
        let shared = Arc::clone(&self.shared);
        let run = move || {
            let mut debugger = Debugger::new(Arc::clone(&shared), requests, &launch, &text);
            let deadline = Deadline::after(job.limits.time_seconds);
            let (outcome, _) = execute(&job, deadline, &mut debugger);
            shared.end(&outcome);
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
        thread.map_err(|error| error.to_string())?;
        self.program = Some(sender);
        Ok(())
    }
}

impl<W: Write> Shared<W> {
    /// Reports the result of the run and its end to the client.
    fn end(&self, outcome: &Outcome) {
        if self.quit.load(Ordering::Relaxed) {
            return;
        }
        let (category, text, code) = match outcome {
            Outcome::Finished(finished) => ("console", crate::cli::result_text(finished), 0),
            Outcome::Failed(failure) => ("stderr", format!("{}\n", failure.message), 3),
            Outcome::Cancelled => ("console", String::new(), 2),
        };
        self.writer
            .event("output", &json!({"category": category, "output": text}));
        self.writer.event("exited", &json!({"exitCode": code}));
        self.writer.event("terminated", &json!({}));
    }

    pub fn breakpoint(&self, line: u32) -> Option<Breakpoint> {
        let breakpoints = self.breakpoints.lock();
        let breakpoints = breakpoints.unwrap_or_else(PoisonError::into_inner);
        breakpoints.iter().find(|it| it.line == line).cloned()
    }
}

fn capabilities() -> Json {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": [
            {"filter": "nan", "label": "The first NaN or infinity", "default": false},
        ],
    })
}
