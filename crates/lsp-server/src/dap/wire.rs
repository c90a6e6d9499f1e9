//! Messages of the protocol, as JSON. `connection::framing` puts a header before each.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value as Json, json};

use crate::connection::frame;

#[derive(Debug)]
pub(super) struct Request {
    pub seq: i64,
    pub command: String,
    pub arguments: Json,
}

impl Request {
    /// Reads a request. An error comes with what is known of the message, to answer it.
    pub fn read(body: &[u8]) -> Result<Request, Box<(Request, String)>> {
        let (mut json, mut why) = (Json::Null, None);
        match serde_json::from_slice(body) {
            Ok(read) => json = read,
            Err(error) => why = Some(format!("not a message in JSON: {error}")),
        }
        let seq = json["seq"].as_i64();
        let command = json["command"].as_str();
        let request = Request {
            seq: seq.unwrap_or(0),
            command: command.unwrap_or_default().to_owned(),
            arguments: json["arguments"].clone(),
        };
        let is_request = json.get("type").is_none_or(|it| it == "request");
        let wrong = match (command, seq) {
            _ if why.is_some() => why,
            (Some(_), Some(1..)) if is_request => None,
            (Some(_), _) if is_request => Some("`seq` is not a positive number".to_owned()),
            _ => Some("not a request".to_owned()),
        };
        match wrong {
            Some(why) => Err(Box::new((request, why))),
            None => Ok(request),
        }
    }

    /// The request that text without a proper header stands for.
    pub fn unknown() -> Request {
        Request {
            seq: 0,
            command: String::new(),
            arguments: Json::Null,
        }
    }
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
        // Ignore errors: if the client has gone, the end of its input ends the session.
        let _ = output.0.write_all(&frame(message.to_string().as_bytes()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_message_is_said() {
        let wrong = |text: &str| {
            let (request, why) = *Request::read(text.as_bytes()).unwrap_err();
            (request.seq, request.command, why)
        };
        let said = |seq, command: &str, why: &str| (seq, command.to_owned(), why.to_owned());
        assert_eq!(
            wrong(r#"{"seq": -1, "type": "request", "command": "threads"}"#),
            said(-1, "threads", "`seq` is not a positive number")
        );
        assert_eq!(
            wrong(r#"{"command": "threads"}"#),
            said(0, "threads", "`seq` is not a positive number")
        );
        assert_eq!(
            wrong(r#"{"seq": 3, "type": "event"}"#),
            said(3, "", "not a request")
        );
        assert_eq!(wrong("[]"), said(0, "", "not a request"));
        for text in ["{x}".to_owned(), "[".repeat(100_000), "\u{fffd}".to_owned()] {
            assert!(wrong(&text).2.starts_with("not a message in JSON"));
        }
        assert!(Request::read(br#"{"seq": 1, "type": "request", "command": "a"}"#).is_ok());
    }
}
