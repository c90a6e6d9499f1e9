//! How serious each code is taken: what a project or a user says, in the place of the table of codes.

use std::collections::BTreeMap;

use ide::{Diagnostic, Severity};
use relax::Code;
use relax::near::{did_you_mean, nearest_str};
use serde_json::Value;

/// What a setting may say of a code.
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

/// The codes that are not taken as the table of codes says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Severities(BTreeMap<&'static str, Level>);

impl Severities {
    /// Reads an object of codes and levels; or says what is wrong with it.
    pub fn read(value: &Value) -> Result<Severities, String> {
        let expected = || "an object of codes and severities".to_owned();
        let mut severities = Severities::default();
        for (name, level) in value.as_object().ok_or_else(expected)? {
            let mut codes = Code::ALL.iter().map(|code| code.name());
            let Some(code) = codes.clone().find(|code| code == name) else {
                let near = did_you_mean(nearest_str(name, &mut codes));
                return Err(format!(
                    "by codes of diagnostics, and `{name}` is none{near}"
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

    /// Gives each diagnostic the severity that is wanted, and leaves out what is off.
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

    /// Names what is wanted, for results that depend on it.
    pub fn id(&self) -> String {
        let levels = self.0.iter().map(|(code, level)| {
            let known = LEVELS.iter().find(|(_, it)| it == level);
            format!(".{code}={}", known.map_or("", |(name, _)| name))
        });
        levels.collect()
    }
}
