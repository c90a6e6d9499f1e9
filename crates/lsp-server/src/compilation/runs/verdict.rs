//! The verdict of a comparison, in four words with an exit code each.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything was compared, and nothing differs.
    Equal,
    Differs,
    /// A stage raises an error, and the stage before ran.
    Stops,
    /// What was compared is equal, but not everything could be.
    Incomplete,
    NothingCompared,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Differs => "differs",
            Verdict::Stops => "stops",
            Verdict::Incomplete => "incomplete",
            Verdict::NothingCompared => "nothing compared",
        }
    }

    /// Returns the exit code. `strict` requires that everything was compared.
    pub fn exit_code(self, strict: bool) -> u8 {
        match self {
            Verdict::Equal => 0,
            Verdict::Incomplete => u8::from(strict),
            Verdict::Differs | Verdict::Stops => crate::exit::PROBLEMS_FOUND,
            Verdict::NothingCompared => crate::exit::COULD_NOT_RUN,
        }
    }
}
