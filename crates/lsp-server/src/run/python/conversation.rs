//! A conversation with a program in Python: a line of JSON for each request, and one for each answer.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value as Json;

use crate::children::BlockingChild;
use crate::run::limits::{Alarm, Deadline};

/// The process ends when this is dropped.
pub struct Conversation {
    child: Arc<Mutex<BlockingChild>>,
    pub requests: ChildStdin,
    pub answers: BufReader<ChildStdout>,
}

impl Conversation {
    pub fn start(mut command: Command) -> Result<Conversation, String> {
        command.stdout(Stdio::piped());
        let (mut child, requests) = BlockingChild::start(command)
            .map_err(|error| format!("the Python process does not start: {error}"))?;
        let answers = child.output();
        let answers = answers.ok_or_else(|| "the Python process has no output".to_owned())?;
        Ok(Conversation {
            child: Arc::new(Mutex::new(child)),
            requests,
            answers: BufReader::new(answers),
        })
    }

    /// Ends the process at the deadline, unless the alarm is dropped before.
    pub fn ends_at(&self, deadline: Deadline) -> Option<Alarm> {
        let child = Arc::clone(&self.child);
        Alarm::at(deadline, Duration::ZERO, move || end(&child))
    }

    pub fn send(&mut self, request: &Json) -> std::io::Result<()> {
        writeln!(self.requests, "{request}")
    }

    /// Reads the next line of JSON. Returns `None` after the end of the process.
    pub fn read(&mut self) -> Result<Option<Json>, String> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        if read.map_err(|error| error.to_string())? == 0 {
            return Ok(None);
        }
        let answer = serde_json::from_str(&line);
        answer.map(Some).map_err(|error| error.to_string())
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        end(&self.child);
    }
}

fn end(child: &Mutex<BlockingChild>) {
    child.lock().unwrap_or_else(PoisonError::into_inner).end();
}
