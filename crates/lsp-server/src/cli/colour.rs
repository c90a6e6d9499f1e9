//! Colours of text for people, and `--color`: whether there are any.

use std::io::stdout;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
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

/// What a line is, which gives its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Title,
    /// Something is wrong.
    Bad,
    /// Nothing happened.
    Quiet,
    Added,
    Removed,
    /// The place of a change.
    Place,
}

impl Tone {
    /// Returns the tone of a line of a patch, or of a difference of modules.
    fn of_difference(line: &str) -> Tone {
        match line.strip_prefix("  ").unwrap_or(line).as_bytes() {
            [b'+', ..] => Tone::Added,
            [b'-', ..] => Tone::Removed,
            [b'@', b'@', ..] => Tone::Place,
            [first, ..] if !line.starts_with(' ') && !first.is_ascii_digit() => Tone::Title,
            _ => Tone::Plain,
        }
    }

    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Tone::Plain => Style::new(),
            Tone::Title => Style::new().bold(),
            Tone::Quiet => Style::new().dimmed(),
            Tone::Bad | Tone::Removed => colour(AnsiColor::Red),
            Tone::Added => colour(AnsiColor::Green),
            Tone::Place => colour(AnsiColor::Cyan),
        }
    }

    /// Colours a line without control characters.
    pub fn paint(self, line: &str, colours: bool) -> String {
        if colours && self != Tone::Plain {
            let style = self.style();
            format!("{style}{line}{style:#}")
        } else {
            line.to_owned()
        }
    }
}

/// Colours the lines of a patch or a difference, which has no control characters.
pub fn difference(text: &str) -> String {
    let lines = text.split('\n');
    let lines = lines.map(|line| Tone::of_difference(line).paint(line, true));
    lines.collect::<Vec<_>>().join("\n")
}
