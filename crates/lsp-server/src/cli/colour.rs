//! `--color`: whether text output is colored.

use std::io::stdout;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// In a terminal with colors, unless `NO_COLOR` is set; elsewhere only with `CLICOLOR_FORCE`
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Returns `true` if standard output should be colored.
    pub fn is_wanted(self) -> bool {
        match self {
            Colour::Auto => AutoStream::choice(&stdout()) != ColorChoice::Never,
            Colour::Always => true,
            Colour::Never => false,
        }
    }
}
