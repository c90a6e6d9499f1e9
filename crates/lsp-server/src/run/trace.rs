//! The bindings of a traced run as plain data, sent between processes and printed as JSON.
//!
//! `docs/trace.md` documents the JSON, which editors rely on.

use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text_size::{TextRange, TextSize};

use super::outcome::Summary;
use crate::line_index::Lines;

/// The maximum number of bindings that are listed. The profile counts all.
pub const MOST_BINDINGS: usize = 10_000;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The bindings in the order in which they got their values.
    pub bindings: Vec<TracedBinding>,
    /// The number of bindings beyond [`MOST_BINDINGS`].
    pub dropped: u64,
    pub first_nan: Option<Origin>,
    pub first_inf: Option<Origin>,
    /// The time per callee, largest first.
    pub profile: Vec<ProfileRow>,
    pub memory: Memory,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TracedBinding {
    pub function: String,
    pub name: String,
    /// The operator or function that computed it.
    pub callee: String,
    /// The byte offsets of the value in the text that ran.
    #[serde(rename = "range")]
    pub offsets: (u32, u32),
    /// When it began, in seconds since the run did. Between two bindings, tracing itself takes time.
    pub start: f64,
    pub seconds: f64,
    /// The number of bytes that all tensors hold afterwards.
    pub memory: u64,
    pub value: Summary,
    /// The name by which `relax.tensor` finds the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// The first value with numbers that are not finite.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    pub function: String,
    pub name: String,
    /// The callee; `input` if it is a parameter.
    pub callee: String,
    #[serde(rename = "range")]
    pub offsets: (u32, u32),
    pub count: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileRow {
    pub callee: String,
    pub calls: u64,
    pub seconds: f64,
}

/// Memory use in bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// The maximum that all tensors held, including inputs and constants.
    pub peak: u64,
    /// The bytes of all tensors when the run began.
    pub inputs: u64,
    /// The maximum that planned storages held. Each counts until it and all tensors in it are dropped.
    pub planned: u64,
}

/// Converts offsets to the position format of a reader.
pub trait ShowRange {
    /// Returns the JSON members for `offsets`: `line`, `col` and so on.
    fn members(&self, offsets: (u32, u32)) -> Vec<(&'static str, Value)>;
}

impl ShowRange for (&Uri, Option<&Lines>) {
    fn members(&self, (start, end): (u32, u32)) -> Vec<(&'static str, Value)> {
        let Some(lines) = self.1 else {
            return Vec::new();
        };
        let range = TextRange::new(TextSize::new(start), TextSize::new(end.max(start)));
        vec![
            ("uri", json!(self.0)),
            ("range", json!(lines.to_range(range))),
        ]
    }
}

impl Trace {
    /// Returns the trace as JSON, with positions in the reader's format.
    pub fn to_json(&self, place: &dyn ShowRange) -> Value {
        let mut json = json!(self);
        for (at, binding) in self.bindings.iter().enumerate() {
            put(&mut json["bindings"][at], binding.offsets, place);
        }
        for (key, origin) in [("firstNan", &self.first_nan), ("firstInf", &self.first_inf)] {
            if let Some(origin) = origin {
                put(&mut json[key], origin.offsets, place);
            }
        }
        json
    }
}

fn put(json: &mut Value, offsets: (u32, u32), place: &dyn ShowRange) {
    if let Some(object) = json.as_object_mut() {
        object.remove("range");
        for (key, value) in place.members(offsets) {
            object.insert(key.to_owned(), value);
        }
    }
}
