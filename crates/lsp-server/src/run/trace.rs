//! Bindings of a traced run as plain data, sent between processes and printed as JSON.
//!
//! `docs/trace.md` describes its JSON, on which editors rely.

use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text_size::{TextRange, TextSize};

use super::outcome::Summary;
use crate::line_index::Lines;

/// Bindings that are told in full; the profile counts all.
pub const MOST_BINDINGS: usize = 10_000;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// In the order in which they got their values.
    pub bindings: Vec<TracedBinding>,
    /// Bindings beyond [`MOST_BINDINGS`].
    pub dropped: u64,
    pub first_nan: Option<Origin>,
    pub first_inf: Option<Origin>,
    /// By what computed them, most time first.
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
    /// Byte offsets of the value in the text that ran.
    #[serde(rename = "range")]
    pub offsets: (u32, u32),
    pub seconds: f64,
    /// Bytes that all tensors hold after it.
    pub memory: u64,
    pub value: Summary,
    /// The name under which `relax.tensor` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// Where a number that is not finite came from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    pub function: String,
    pub name: String,
    /// `input` for a parameter that was given so.
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

/// In bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// The most that all tensors held at once, inputs and constants included.
    pub peak: u64,
    /// What they held when the run began.
    pub inputs: u64,
    /// The most that storages of the plan held at once, each until it and all tensors in it are gone.
    pub planned: u64,
}

/// How a reader says where something is.
pub trait ShowRange {
    /// The members that say where `offsets` are: `line`, `col` and so on.
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
    /// The trace with each offset in the reader's own terms.
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
