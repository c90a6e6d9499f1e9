//! Assumed values of shape variables: what a program would cost and where it would fail for these numbers.

use std::fmt;

use ide::Diagnostic;
use serde_json::Value;

/// The names of shape variables with their values, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dims(Vec<(String, i64)>);

impl Dims {
    /// Parses an object of names and values, or returns an error message.
    pub fn read(value: &Value) -> Result<Dims, String> {
        let expected = || "an object of shape variables and values: `{\"n\": 2048}`".to_owned();
        let mut dims = Dims::default();
        for (name, value) in value.as_object().ok_or_else(expected)? {
            let value = value.as_i64().filter(|it| *it >= 0).ok_or_else(expected)?;
            dims.0.push((name.clone(), value));
        }
        Ok(dims)
    }

    pub fn values(&self) -> &[(String, i64)] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the values to messages that mention the variables.
    pub fn explain(&self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics.iter_mut().filter(|_| !self.is_empty()) {
            let message = &diagnostic.message;
            let named = self.0.iter().filter(|(name, _)| names(message, name));
            let named: Vec<_> = named.cloned().collect();
            if !named.is_empty() {
                let assumed = Dims(named);
                diagnostic.message = format!("{message} (assuming {assumed})");
            }
        }
    }

    /// Returns an identifier of the values, for results that depend on them.
    pub fn id(&self) -> String {
        if self.is_empty() {
            String::new()
        } else {
            format!(".{self}")
        }
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{name} = {value}")?;
        }
        Ok(())
    }
}

/// Returns `true` if a message contains a name as a word.
fn names(message: &str, name: &str) -> bool {
    let mut words = message.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name)
}
