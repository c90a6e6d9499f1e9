//! `workspace/executeCommand`: the commands' names and arguments. A run belongs to the session, which owns
//! the processes.

use std::collections::BTreeMap;

use lsp_types::Uri;
use serde::Deserialize;
use serde_json::Value;

use crate::run::job::InputSource;

pub const RUN: &str = "relax.run";

pub const COMMANDS: &[&str] = &[RUN];

/// The one argument of `relax.run`.
#[derive(Debug, Deserialize)]
pub struct RunArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name.
    pub function: String,
    /// The line of the `def`, from 0.
    #[serde(default)]
    pub line: Option<u32>,
    #[serde(default, deserialize_with = "dims")]
    pub dims: BTreeMap<String, i64>,
    #[serde(default)]
    pub seed: Option<u64>,
    #[serde(default)]
    pub inputs: BTreeMap<String, InputSource>,
}

/// Values by name; or, as the code lens has it, names alone, whose values are then the default.
fn dims<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, i64>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null | Value::Array(_) => Ok(BTreeMap::new()),
        values => BTreeMap::deserialize(values).map_err(serde::de::Error::custom),
    }
}

/// Reads the arguments of `relax.run`, or says what is wrong with them.
pub fn run_arguments(arguments: Vec<Value>) -> Result<RunArguments, String> {
    let [argument] = <[Value; 1]>::try_from(arguments)
        .map_err(|given| format!("`{RUN}` takes one argument, not {}", given.len()))?;
    serde_json::from_value(argument).map_err(|error| format!("the argument of `{RUN}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(argument: Value) -> Result<RunArguments, String> {
        run_arguments(vec![argument])
    }

    #[test]
    fn dims_are_values_by_name() {
        let arguments = read(json!({"uri": "file:///f.py", "function": "f", "dims": {"n": 2}}));
        assert_eq!(arguments.unwrap().dims["n"], 2);
    }

    #[test]
    fn names_alone_leave_values_to_the_default() {
        let arguments = read(json!({"uri": "file:///f.py", "function": "f", "dims": ["n"]}));
        assert!(arguments.unwrap().dims.is_empty());
    }

    #[test]
    fn inputs_are_words_or_paths() {
        let arguments = read(json!({
            "uri": "file:///f.py", "function": "f", "inputs": {"x": "ones", "w": "w.npy"},
        }))
        .unwrap();
        assert_eq!(arguments.inputs["x"], InputSource::Ones);
        assert_eq!(arguments.inputs["w"], InputSource::Npy("w.npy".into()));
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = read(json!({"uri": "file:///f.py"})).unwrap_err();
        assert!(error.contains("function"), "{error}");
        assert!(run_arguments(vec![]).unwrap_err().contains("one argument"));
    }
}
