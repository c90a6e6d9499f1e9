//! `workspace/executeCommand`: the commands' names and arguments. A run belongs to the session, which owns
//! the processes; looking at what it kept is a read, and so is drawing a graph.

use std::collections::BTreeMap;

use lsp_types::{Position, Uri};
use serde::Deserialize;
use serde_json::Value;

use crate::run::job::InputSource;

pub const RUN: &str = "relax.run";
/// As `relax.run`, and tells every binding.
pub const TRACE: &str = "relax.trace";
pub const SHOW_LOWERED: &str = "relax.showLowered";

pub const SHOW_GRAPH: &str = "relax.showGraph";

/// Looks at a tensor that a run has kept.
pub const TENSOR: &str = "relax.tensor";

pub const COMMANDS: &[&str] = &[RUN, TRACE, SHOW_LOWERED, SHOW_GRAPH, TENSOR];

/// The one argument of `relax.run` and of `relax.trace`.
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
    /// Whether the outcome is to be told in a message, for who shows no answers.
    #[serde(default)]
    pub tell: bool,
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

/// The one argument of `relax.showLowered`.
#[derive(Debug, Deserialize)]
pub struct LowerArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name; without it, every function of the file.
    #[serde(default)]
    pub function: Option<String>,
    /// The line of the `def`, from 0.
    #[serde(default)]
    pub line: Option<u32>,
    /// As `relax-lsp lower --stage` has it; without it, the bytecode.
    #[serde(default)]
    pub stage: Option<String>,
}

/// The one argument of `relax.showGraph`.
#[derive(Debug, Deserialize)]
pub struct GraphArguments {
    pub uri: Uri,
    /// `Module.forward`, or a bare name; without it, the function at the position, or the only one.
    #[serde(default)]
    pub function: Option<String>,
    /// The line of the `def`, from 0.
    #[serde(default)]
    pub line: Option<u32>,
    /// What the graph is to be centred on if not all of it is wanted.
    #[serde(default)]
    pub position: Option<Position>,
    /// The most nodes that are wanted.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Reads the argument of a command, or says what is wrong with it.
pub fn argument<A: serde::de::DeserializeOwned>(
    command: &str,
    arguments: Vec<Value>,
) -> Result<A, String> {
    let [argument] = <[Value; 1]>::try_from(arguments)
        .map_err(|given| format!("`{command}` takes one argument, not {}", given.len()))?;
    serde_json::from_value(argument)
        .map_err(|error| format!("the argument of `{command}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(argument: Value) -> Result<RunArguments, String> {
        super::argument(RUN, vec![argument])
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
    fn inputs_are_words_numbers_or_paths() {
        let arguments = read(json!({
            "uri": "file:///f.py", "function": "f", "inputs": {"x": "ones", "w": "w.npy", "b": "0.5"},
        }))
        .unwrap();
        assert_eq!(arguments.inputs["x"], InputSource::Ones);
        assert_eq!(arguments.inputs["w"], InputSource::Npy("w.npy".into()));
        assert_eq!(arguments.inputs["b"], InputSource::Constant(0.5));
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = read(json!({"uri": "file:///f.py"})).unwrap_err();
        assert!(error.contains("function"), "{error}");
        let none = super::argument::<RunArguments>(RUN, vec![]).unwrap_err();
        assert!(none.contains("one argument"));
    }
}
