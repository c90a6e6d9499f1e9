//! A session: answers some requests immediately, and forwards the others to the thread of the program.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value as Json, json};

use super::breakpoints::{Breakpoint, Breakpoints};
use super::debugger::Debugger;
use super::launch::Launch;
use super::wire::{Request, Writer};
use crate::compilation::files::Files;
use crate::connection::Frame;
use crate::memory::STACK;
use crate::run::execute::execute;
use crate::run::limits::{Deadline, limit_memory_to_available};
use crate::run::outcome::Outcome;

/// State that both threads share.
pub(super) struct Shared<W> {
    pub writer: Writer<W>,
    breakpoints: Mutex<Breakpoints>,
    /// Stop at the first value that is not finite.
    pub at_nan: AtomicBool,
    /// Interrupts the program, so that it stops or ends.
    pub pause: Arc<AtomicBool>,
    pub quit: AtomicBool,
    pub is_stopped: AtomicBool,
}

const RUNS: &str = "the program runs";

struct Session<W> {
    shared: Arc<Shared<W>>,
    launch: Option<Launch>,
    is_configured: bool,
    /// Sends requests to the thread of the program while it runs.
    program: Option<Sender<Request>>,
}

/// Answers requests until the input ends or the client disconnects.
pub fn serve(mut next: impl FnMut() -> io::Result<Frame>, output: impl Write + Send + 'static) {
    let shared = Arc::new(Shared {
        writer: Writer::new(output),
        breakpoints: Mutex::default(),
        at_nan: AtomicBool::default(),
        pause: Arc::default(),
        quit: AtomicBool::default(),
        is_stopped: AtomicBool::default(),
    });
    let mut session = Session {
        shared,
        launch: None,
        is_configured: false,
        program: None,
    };
    loop {
        let request = match next() {
            Ok(Frame::Body(body)) => Request::read(&body),
            Ok(Frame::Malformed(why)) => Err(Box::new((Request::unknown(), why))),
            Ok(Frame::End) | Err(_) => break,
        };
        match request {
            Ok(request) => {
                let ends = matches!(request.command.as_str(), "disconnect" | "terminate");
                session.request(request);
                if ends {
                    break;
                }
            }
            Err(wrong) => {
                let (request, why) = *wrong;
                session.shared.writer.answer(&request, Err(why));
            }
        }
    }
    session.quit();
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
                Ok(_) if self.program.is_some() => Err(RUNS.to_owned()),
                Ok(launch) => {
                    for breakpoint in self.shared.breakpoints().launch(&launch.program) {
                        let body = json!({"reason": "changed", "breakpoint": breakpoint});
                        self.shared.writer.event("breakpoint", &body);
                    }
                    self.launch = Some(launch);
                    self.start().map(|()| json!({}))
                }
                Err(error) => Err(format!("cannot launch: {error}")),
            },
            "configurationDone" if self.program.is_some() => Err(RUNS.to_owned()),
            "configurationDone" => {
                self.is_configured = true;
                self.start().map(|()| json!({}))
            }
            "setBreakpoints" => self.set_breakpoints(arguments),
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
                self.quit();
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
            Some(_) => RUNS,
            None => "no program runs",
        };
        self.refuse(&request, why);
    }

    fn refuse(&self, request: &Request, why: &str) {
        let message = format!("`{}` cannot be answered: {why}", request.command);
        self.shared.writer.answer(request, Err(message));
    }

    fn set_breakpoints(&self, arguments: &Json) -> Result<Json, String> {
        let release = match &self.launch {
            Some(launch) => launch.release()?,
            None => None,
        };
        self.shared.breakpoints().set(arguments, release)
    }

    /// Ends the program, whether it runs or waits for requests.
    fn quit(&mut self) {
        self.shared.quit.store(true, Ordering::Relaxed);
        self.shared.pause.store(true, Ordering::Relaxed);
        self.program = None;
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
            limit_memory_to_available();
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

    fn breakpoints(&self) -> MutexGuard<'_, Breakpoints> {
        let breakpoints = self.breakpoints.lock();
        breakpoints.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first breakpoint of the program in these lines.
    pub fn breakpoint(&self, lines: RangeInclusive<u32>) -> Option<Breakpoint> {
        let breakpoints = self.breakpoints();
        let mut all = breakpoints.of_program().iter();
        all.find(|it| lines.contains(&it.line)).cloned()
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
