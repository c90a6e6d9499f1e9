//! `--color`: whether text for people is coloured.

use std::io::stdout;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// In a terminal that has colours, unless `NO_COLOR` is set; elsewhere with `CLICOLOR_FORCE`
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// For standard output.
    pub fn is_wanted(self) -> bool {
        match self {
            Colour::Auto => AutoStream::choice(&stdout()) != ColorChoice::Never,
            Colour::Always => true,
            Colour::Never => false,
        }
    }
}
