//! A trace as events of the Trace Event Format, which Perfetto and Chrome open as a timeline.

use serde_json::{Value, json};

use super::trace::Trace;

const MICROSECONDS: f64 = 1e6;

/// Returns the file: a slice for each binding, named after what computed it, and a counter of the bytes that all
/// tensors hold. `place_of` says where a binding is, and where it came from.
pub fn timeline(trace: &Trace, name: &str, place_of: impl Fn(u32) -> String) -> Value {
    let mut events = vec![
        json!({"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "relax-lsp"}}),
        json!({"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": name}}),
    ];
    for binding in &trace.bindings {
        let (start, length) = (binding.start * MICROSECONDS, binding.seconds * MICROSECONDS);
        let memory = json!({"bytes": binding.memory});
        events.push(json!({
            "ph": "X", "pid": 1, "tid": 1, "ts": start, "dur": length,
            "name": binding.callee,
            "cat": binding.function,
            "args": {
                "binding": binding.name,
                "value": binding.value.brief(),
                "place": place_of(binding.offsets.0),
                "bytes": binding.memory,
            },
        }));
        events.push(json!({
            "ph": "C", "pid": 1, "ts": start + length, "name": "tensors", "args": memory,
        }));
    }
    json!({"traceEvents": events, "displayTimeUnit": "ns"})
}
