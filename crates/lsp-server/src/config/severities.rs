//! The severities of diagnostic codes in the settings of a project or a user, which override those of the table.

use std::collections::BTreeMap;

use ide::{Diagnostic, Severity};
use relax::Code;
use relax::nearest_name::{did_you_mean, nearest_str};
use serde_json::Value;

/// The possible values for a code.
pub const LEVELS: [(&str, Level); 4] = [
    ("off", Level::Off),
    ("hint", Level::As(Severity::Hint)),
    ("warning", Level::As(Severity::Warning)),
    ("error", Level::As(Severity::Error)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Off,
    As(Severity),
}

/// The codes with an overridden severity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Severities(BTreeMap<&'static str, Level>);

impl Severities {
    /// Parses an object of codes and levels, or returns an error message.
    pub fn read(value: &Value) -> Result<Severities, String> {
        let expected = || "an object of codes and severities".to_owned();
        let mut severities = Severities::default();
        for (name, level) in value.as_object().ok_or_else(expected)? {
            let mut codes = Code::ALL.iter().map(|code| code.name());
            let Some(code) = codes.clone().find(|code| code == name) else {
                let near = did_you_mean(nearest_str(name, &mut codes));
                return Err(format!(
                    "by diagnostic codes, but `{name}` is not one{near}"
                ));
            };
            let level = level.as_str().unwrap_or_default();
            let Some((_, level)) = LEVELS.iter().find(|(name, _)| *name == level) else {
                let names = LEVELS.map(|(name, _)| format!("\"{name}\""));
                return Err(format!("for each code one of {}", names.join(", ")));
            };
            severities.0.insert(code, *level);
        }
        Ok(severities)
    }

    /// Sets the severity of each diagnostic, and removes those that are off.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        if self.0.is_empty() {
            return;
        }
        diagnostics.retain_mut(|diagnostic| match self.0.get(diagnostic.code) {
            Some(Level::Off) => false,
            Some(Level::As(severity)) => {
                diagnostic.severity = *severity;
                true
            }
            None => true,
        });
    }

    /// Returns an identifier of the severities, for results that depend on them.
    pub fn id(&self) -> String {
        let levels = self.0.iter().map(|(code, level)| {
            let known = LEVELS.iter().find(|(_, it)| it == level);
            format!(".{code}={}", known.map_or("", |(name, _)| name))
        });
        levels.collect()
    }
}
