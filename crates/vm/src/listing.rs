//! A program as text at a stage of its lowering, each line with the source it comes from.

use text_size::TextRange;

/// How far a program is lowered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Each call bound to a variable, its arguments variables and constants.
    Normalized,
    /// Results allocated before the calls that write them, in storages used again, killed after their last use.
    ExplicitMemory,
    /// Dimensions read from and computed in a heap, checks instead of annotations and casts.
    ShapeLowered,
    /// What the machine runs.
    #[default]
    Bytecode,
}

/// The stages in order, by the names that users give.
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
    /// Lines of the text, from 0, with their places in the source file.
    pub lines: Vec<(u32, TextRange)>,
    line: u32,
}

impl Listing {
    /// Adds a line, which ends where the text does.
    pub fn line(&mut self, text: &str, from: Option<TextRange>) {
        if let Some(range) = from {
            self.lines.push((self.line, range));
        }
        self.text.push_str(text);
        self.text.push('\n');
        self.line += 1 + text.bytes().filter(|&byte| byte == b'\n').count() as u32;
    }
}
