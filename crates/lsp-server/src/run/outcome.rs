//! The outcome of a run, as the child reports it to its parent, and as an editor receives it.

use std::collections::BTreeMap;

use lsp_types::Uri;
use relax::dtype::DType;
use relax::sinfo::short;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text_size::{TextRange, TextSize};

use super::trace::Trace;
use crate::line_index::Lines;

/// The answer of a worker about a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunAnswer {
    pub outcome: Outcome,
    /// The names of all objects that the worker keeps for its next run.
    pub objects: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "ended")]
pub enum Outcome {
    Finished(Finished),
    Failed(Failure),
    Cancelled,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finished {
    pub function: String,
    pub dims: BTreeMap<String, i64>,
    pub seconds: f64,
    /// The time from the text to the compiled program.
    pub compile_seconds: f64,
    /// The time of each run if there were several; `seconds` is the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// The outputs. Tuples are flattened: `out.0`, `out.1.0`.
    pub outputs: Vec<Output>,
    /// The places at which an index was out of range, if the run went on. Its positions depend on the reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out_of_bounds: Vec<OutOfBounds>,
    /// Weights that no parameter takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused_weights: Vec<String>,
    /// The indices of constants that no source has, so that they were generated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated_constants: Vec<u32>,
    /// The text that the program printed.
    pub stdout: String,
    /// Serialized separately, since its positions depend on the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<Trace>>,
}

/// A place at which an index was out of range.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OutOfBounds {
    pub function: String,
    pub message: String,
    pub offsets: (u32, u32),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    pub message: String,
    pub code: Option<String>,
    /// Byte offsets in the text that ran.
    pub range: Option<(u32, u32)>,
    pub cause: Cause,
    /// `true` if a limit of the run or of this machine was exceeded.
    #[serde(default)]
    pub is_limit: bool,
    /// The trace of what was bound before the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<Trace>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The program raised an error, or exceeded a limit.
    Program,
    /// The program never started: the function or an input does not exist.
    Request,
    /// A bug of this program.
    Internal,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Output {
    pub name: String,
    #[serde(flatten)]
    pub value: Summary,
}

/// The summary of a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Summary {
    #[serde(rename_all = "camelCase")]
    Tensor {
        shape: Vec<u64>,
        dtype: String,
        /// Statistics of the finite elements; null if there are none.
        min: Option<f64>,
        max: Option<f64>,
        mean: Option<f64>,
        sum: f64,
        abs_sum: f64,
        nan: u64,
        inf: u64,
        first: Vec<Number>,
    },
    Shape {
        values: Vec<i64>,
    },
    Prim {
        value: Number,
        dtype: String,
    },
    String {
        value: String,
    },
    /// A tuple inside a value of a constructor. Elsewhere, fields are listed separately.
    Tuple {
        fields: Vec<Summary>,
    },
    /// A value of a Relay constructor.
    Adt {
        constructor: String,
        fields: Vec<Summary>,
    },
    Ref {
        value: Box<Summary>,
    },
    /// A value without contents to show: a closure, an opaque object.
    Object {
        what: String,
    },
}

/// A number in JSON. The three values that JSON lacks are strings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    Bool(bool),
    Int(i64),
    Float(f64),
    Word(String),
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        if value.is_nan() {
            Number::Word("nan".to_owned())
        } else if value.is_infinite() {
            Number::Word(if value > 0.0 { "inf" } else { "-inf" }.to_owned())
        } else {
            Number::Float(value)
        }
    }
}

impl Failure {
    pub fn text_range(&self) -> Option<TextRange> {
        let (start, end) = self.range?;
        Some(TextRange::new(
            TextSize::new(start),
            TextSize::new(end.max(start)),
        ))
    }
}

impl Outcome {
    pub fn could_not_run(message: impl Into<String>) -> Outcome {
        Outcome::failed(Cause::Request, message)
    }

    pub fn failed(cause: Cause, message: impl Into<String>) -> Outcome {
        Outcome::Failed(Failure {
            message: message.into(),
            code: None,
            range: None,
            cause,
            is_limit: false,
            trace: None,
        })
    }

    /// Returns the outcome of a program that needs more than a run may have.
    pub fn at_limit(message: impl Into<String>) -> Outcome {
        let mut outcome = Outcome::failed(Cause::Program, message);
        if let Outcome::Failed(failure) = &mut outcome {
            failure.is_limit = true;
        }
        outcome
    }

    /// Returns the trace if the run got that far.
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Outcome::Finished(finished) => finished.trace.as_deref(),
            Outcome::Failed(failure) => failure.trace.as_deref(),
            Outcome::Cancelled => None,
        }
    }

    pub fn cancelled(&self) -> bool {
        matches!(self, Outcome::Cancelled)
    }

    /// Returns the message if the failure is a bug of this program.
    pub fn internal_problem(&self) -> Option<&str> {
        match self {
            Outcome::Failed(failure) if failure.cause == Cause::Internal => Some(&failure.message),
            _ => None,
        }
    }

    /// Returns a summary in one line, for a code lens or the end of a progress report.
    pub fn summary(&self) -> String {
        match self {
            Outcome::Cancelled => "cancelled".to_owned(),
            Outcome::Failed(failure) => {
                let line = failure.message.lines().next().unwrap_or_default();
                format!("✗ {line}")
            }
            Outcome::Finished(finished) => {
                let outputs: Vec<String> =
                    finished.outputs.iter().map(|it| it.value.brief()).collect();
                format!("✓ {} · {}", outputs.join(", "), duration(finished.seconds))
            }
        }
    }

    /// Returns the answer to `workspace/executeCommand`.
    pub fn to_answer(&self, uri: &Uri, lines: Option<&Lines>) -> Value {
        let mut answer = self.answer(uri, lines);
        if let Some(trace) = self.trace() {
            answer["trace"] = trace.to_json(&(uri, lines));
        }
        answer
    }

    fn answer(&self, uri: &Uri, lines: Option<&Lines>) -> Value {
        match self {
            Outcome::Cancelled => json!({
                "ok": false, "cancelled": true, "error": {"message": "The run was cancelled."},
            }),
            Outcome::Failed(failure) => {
                let mut error = json!({"message": failure.message});
                if let Some(code) = &failure.code {
                    error["code"] = json!(code);
                }
                if let (Some(range), Some(lines)) = (failure.text_range(), lines) {
                    error["uri"] = json!(uri);
                    error["range"] = json!(lines.to_range(range));
                }
                json!({"ok": false, "cancelled": false, "error": error})
            }
            Outcome::Finished(finished) => {
                let mut answer = json!(finished);
                answer["ok"] = json!(true);
                answer
            }
        }
    }
}

impl Summary {
    /// Returns a tensor's type such as `f32[1, 10]`, or the value of anything else.
    pub fn brief(&self) -> String {
        match self {
            Summary::Tensor { shape, dtype, .. } => short::tensor(shape, short_dtype(dtype)),
            Summary::Shape { values } => short::tensor(values, "shape"),
            Summary::Prim { value, .. } => value.to_string(),
            Summary::String { value } => format!("{value:?}"),
            Summary::Object { what } => what.clone(),
            Summary::Tuple { fields } => format!("({})", briefs(fields)),
            Summary::Adt {
                constructor,
                fields,
            } if fields.is_empty() => constructor.clone(),
            Summary::Adt {
                constructor,
                fields,
            } => format!("{constructor}({})", briefs(fields)),
            Summary::Ref { value } => format!("ref({})", value.part()),
        }
    }
}

impl Summary {
    /// Returns the number of bytes of a tensor's elements, or 0 for anything else.
    pub fn bytes(&self) -> u64 {
        let Summary::Tensor { shape, dtype, .. } = self else {
            return 0;
        };
        let width = DType::parse(dtype).map_or(0, DType::bytes);
        shape.iter().product::<u64>() * width as u64
    }

    /// Like `brief` inside another value: shows a tensor with a single number as the number.
    fn part(&self) -> String {
        match self {
            Summary::Tensor { shape, first, .. } if shape.is_empty() && first.len() == 1 => {
                first[0].to_string()
            }
            other => other.brief(),
        }
    }
}

/// Returns a dtype in short notation.
fn short_dtype(dtype: &str) -> String {
    DType::parse(dtype).map_or_else(|| dtype.to_owned(), DType::short)
}

fn briefs(values: &[Summary]) -> String {
    let parts: Vec<String> = values.iter().map(Summary::part).collect();
    parts.join(", ")
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Bool(true) => f.write_str("True"),
            Number::Bool(false) => f.write_str("False"),
            Number::Int(value) => value.fmt(f),
            Number::Float(value) => value.fmt(f),
            Number::Word(word) => f.write_str(word),
        }
    }
}

/// Formats a size as `64 KiB` or `12 B`.
pub fn size(bytes: u64) -> String {
    humansize::format_size(bytes, humansize::BINARY)
}

pub fn duration(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// Formats a number with the given number of significant digits.
pub fn short(value: f64, digits: usize) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        return format!("{value:.*e}", digits - 1);
    }
    let before_point = if magnitude >= 1.0 {
        magnitude.log10().floor() as usize + 1
    } else {
        0
    };
    let text = format!("{value:.*}", digits.saturating_sub(before_point));
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn overlong_numbers_are_refused() {
        let values = [0.0, 1.0, -0.5, 0.330_265_2, 123_456.7, 1e7, 2.5e-5];
        assert_eq!(
            values.map(|value| short(value, 6)),
            [
                "0",
                "1",
                "-0.5",
                "0.330265",
                "123457",
                "1.00000e7",
                "2.50000e-5"
            ]
        );
        assert_eq!(short(14.256, 3), "14.3");
        assert_eq!(short(123_456.7, 3), "123457");
    }
}
