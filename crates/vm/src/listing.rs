//! A program printed at a stage of its lowering, with the source range of each line.

use text_size::TextRange;

/// How far a program is lowered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Each call is bound to a variable, and its arguments are variables and constants.
    Normalized,
    /// Results are allocated before the calls that write them, in reused storages, and killed after their last use.
    ExplicitMemory,
    /// Dimensions are read from and computed in a heap, and checks replace annotations and casts.
    ShapeLowered,
    /// The code that the machine runs.
    #[default]
    Bytecode,
}

/// The stages in order, with the names that users give.
pub const STAGES: &[(&str, Stage)] = &[
    ("normalized", Stage::Normalized),
    ("explicit-memory", Stage::ExplicitMemory),
    ("shape-lowered", Stage::ShapeLowered),
    ("bytecode", Stage::Bytecode),
];

impl Stage {
    pub fn named(name: &str) -> Option<Stage> {
        let (_, stage) = STAGES.iter().find(|(known, _)| *known == name)?;
        Some(*stage)
    }

    pub fn name(self) -> &'static str {
        STAGES
            .iter()
            .find(|(_, stage)| *stage == self)
            .map_or("", |(name, _)| name)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub text: String,
    /// The lines of the text, starting at 0, with their ranges in the source file.
    pub lines: Vec<(u32, TextRange)>,
    line: u32,
}

impl Listing {
    /// Adds a line at the end of the text.
    pub fn line(&mut self, text: &str, from: Option<TextRange>) {
        if let Some(range) = from {
            self.lines.push((self.line, range));
        }
        self.text.push_str(text);
        self.text.push('\n');
        self.line += 1 + text.bytes().filter(|&byte| byte == b'\n').count() as u32;
    }
}
