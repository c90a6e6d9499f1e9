//! `$/logTrace`: the duration of each request, for clients that enable it with `$/setTrace`.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use lsp_types::TraceValue;
use serde_json::{Value, json};

/// The trace level, which may change while requests are pending.
#[derive(Debug, Default)]
pub struct Trace(AtomicU8);

const MESSAGES: u8 = 1;
const VERBOSE: u8 = 2;

impl Trace {
    pub fn set(&self, value: TraceValue) {
        let level = match value {
            TraceValue::Off => 0,
            TraceValue::Messages => MESSAGES,
            TraceValue::Verbose => VERBOSE,
        };
        self.0.store(level, Ordering::Relaxed);
    }

    /// Returns the message about a request with this duration and length of the answer.
    pub fn of(&self, method: &str, took: Duration, bytes: usize) -> Option<Value> {
        let level = self.0.load(Ordering::Relaxed);
        if level == 0 {
            return None;
        }
        let milliseconds = took.as_secs_f64() * 1000.0;
        let message = format!("{method}: answered in {milliseconds:.2} ms");
        let mut params = json!({"message": message});
        if level == VERBOSE {
            params["verbose"] = json!(format!("{bytes} bytes"));
        }
        Some(json!({"jsonrpc": "2.0", "method": "$/logTrace", "params": params}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracing_is_off_by_default_and_can_be_switched_off() {
        let trace = Trace::default();
        let answered = || trace.of("textDocument/hover", Duration::from_millis(2), 10);
        assert_eq!(answered(), None);
        trace.set(TraceValue::Messages);
        let notification = answered().unwrap();
        assert_eq!(
            notification["params"],
            json!({"message": "textDocument/hover: answered in 2.00 ms"})
        );
        trace.set(TraceValue::Verbose);
        assert_eq!(answered().unwrap()["params"]["verbose"], "10 bytes");
        trace.set(TraceValue::Off);
        assert_eq!(answered(), None);
    }
}
