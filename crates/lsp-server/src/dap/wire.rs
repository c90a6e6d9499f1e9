//! Messages of the protocol: a header with the length, followed by JSON.

use std::io::{self, BufRead, Write};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value as Json, json};

/// The maximum length of a message.
const MOST: usize = 64 << 20;

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    pub seq: u64,
    pub command: String,
    #[serde(default)]
    pub arguments: Json,
}

/// Returns the next request, or `None` at the end of the input.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let length = length.filter(|&length| length <= MOST);
    let mut bytes = vec![0; length.ok_or_else(|| wrong("a message without its length"))?];
    input.read_exact(&mut bytes)?;
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| wrong(&error.to_string()))
}

/// Writes numbered events and answers.
pub(super) struct Writer<W> {
    output: Mutex<(W, u64)>,
}

impl<W: Write> Writer<W> {
    pub fn new(output: W) -> Writer<W> {
        Writer {
            output: Mutex::new((output, 0)),
        }
    }

    fn send(&self, mut message: Json) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.1 += 1;
        message["seq"] = json!(output.1);
        let text = message.to_string();
        // Ignore errors: if the client has gone, the end of its input ends the session.
        let _ = write!(output.0, "Content-Length: {}\r\n\r\n{text}", text.len());
        let _ = output.0.flush();
    }

    pub fn event(&self, event: &str, body: &Json) {
        self.send(json!({"type": "event", "event": event, "body": body}));
    }

    pub fn answer(&self, request: &Request, answer: Result<Json, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(body) => message["body"] = body,
            Err(why) => message["message"] = json!(why),
        }
        self.send(message);
    }
}
