//! The calls of a script, as its JSON writes them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

/// The maximum number of calls, with repetitions.
const MOST: usize = 1_000_000;

/// One call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A function of the file, or a packed function by its symbol.
    pub call: String,
    #[serde(default)]
    pub args: Args,
    /// The name of the result for later calls: `"$name"`, or a field of it, `"$name.0"`.
    #[serde(default, rename = "as")]
    pub name: Option<String>,
    /// What the result must be.
    #[serde(default)]
    pub expect: Option<Expected>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Args {
    ByPosition(Vec<Json>),
    ByName(serde_json::Map<String, Json>),
}

impl Default for Args {
    fn default() -> Args {
        Args::ByPosition(Vec::new())
    }
}

/// Files with the expected result: of a tensor, or of some fields of a tuple: `{"0": "logits.npy"}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Expected {
    Whole(String),
    Fields(BTreeMap<String, String>),
}

/// `{"repeat": 8, "calls": [...]}`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeat {
    repeat: usize,
    calls: Vec<Json>,
}

/// Reads a list of calls, with repeated ones as often as they are made.
pub fn read(text: &[u8]) -> Result<Vec<Step>, String> {
    let calls: Vec<Json> = serde_json::from_slice(text)
        .map_err(|error| format!("it is not a list of calls: {error}"))?;
    let mut steps = Vec::new();
    add(calls, "", &mut steps)?;
    Ok(steps)
}

fn add(calls: Vec<Json>, around: &str, steps: &mut Vec<Step>) -> Result<(), String> {
    for (at, call) in calls.into_iter().enumerate() {
        let place = format!("{around}{}", at + 1);
        let wrong = |error: serde_json::Error| format!("call {place}: {error}");
        if call.get("repeat").is_none() {
            steps.push(serde_json::from_value(call).map_err(wrong)?);
            continue;
        }
        let Repeat { repeat, calls } = serde_json::from_value(call).map_err(wrong)?;
        let mut once = Vec::new();
        add(calls, &format!("{place}."), &mut once)?;
        if once
            .len()
            .saturating_mul(repeat)
            .saturating_add(steps.len())
            > MOST
        {
            return Err(format!("call {place}: more than {MOST} calls"));
        }
        for _ in 0..repeat {
            steps.extend(once.iter().cloned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::read;

    fn calls(text: &str) -> Result<Vec<String>, String> {
        let steps = read(text.as_bytes())?;
        Ok(steps.into_iter().map(|it| it.call).collect())
    }

    #[test]
    fn repeated_calls_are_made_in_turn() {
        let text = r#"[{"call": "a"}, {"repeat": 2, "calls": [{"call": "b"}, {"repeat": 2, "calls": [{"call": "c"}]}]}]"#;
        assert_eq!(calls(text).unwrap().join(""), "abccbcc");
    }

    #[test]
    fn mistakes_have_their_place() {
        let of = |text| calls(text).unwrap_err();
        assert!(of("{}").starts_with("it is not a list of calls"));
        let inner = of(r#"[{"call": "a"}, {"repeat": 2, "calls": [{"cal": "b"}]}]"#);
        assert!(
            inner.starts_with("call 2.1: unknown field `cal`"),
            "{inner}"
        );
        let many = of(r#"[{"repeat": 99999999999, "calls": [{"call": "b"}]}]"#);
        assert_eq!(many, "call 1: more than 1000000 calls");
    }
}
