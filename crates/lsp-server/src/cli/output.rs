//! What the subcommands print. A text leaves the program only as one of the kinds of [`Output`], each escaped for its
//! medium: programs and names of files come from anyone, and must not steer a terminal, a page or a service.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

use clap::ValueEnum;
use ide::graph::Dot;
use ide::visible;
use indicatif::ProgressDrawTarget;
use serde_json::Value;

use super::colour::{self, Colour};
use super::progress;
use super::report::github::Commands;
use super::report::junit::Xml;
use crate::html::Html;
use crate::line_difference::LineDifference;

/// How an answer is printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Readable text
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// What can be printed.
pub enum Output {
    /// For people. Control characters become pictures.
    Text(String),
    /// For people, with the colours of `annotate-snippets`.
    Coloured(String),
    /// A program. Only in a terminal, control characters become pictures: a file or a pipe gets it as it is.
    Program(String),
    /// For people: a difference of two modules.
    Difference(String),
    /// A patch, which has its place in a terminal and in a log. Control characters become pictures.
    Patch(String),
    Json(Value),
    /// JSON in one line, between processes of this program.
    Answer(String),
    Html(Html),
    Xml(Xml),
    GitHub(Commands),
    Dot(Dot),
}

/// Prints to standard output. A closed pipe (`| head`) is not an error.
pub fn print(output: &Output) -> anyhow::Result<()> {
    progress::end();
    let mut out = std::io::stdout().lock();
    let text = output.escaped(out.is_terminal());
    if let Output::Patch(patch) = output
        && patch_text(patch) != *patch
    {
        let _ = warn("the patch shows control characters as pictures, and does not apply there\n");
    }
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Returns where the progress of a command is drawn.
pub fn for_progress() -> ProgressDrawTarget {
    ProgressDrawTarget::stderr()
}

pub fn print_text(text: impl Into<String>) -> anyhow::Result<()> {
    print(&Output::Text(text.into()))
}

pub fn print_json(value: Value) -> anyhow::Result<()> {
    print(&Output::Json(value))
}

/// Prints a text for people to standard error.
pub fn warn(text: impl Into<String>) -> std::io::Result<()> {
    warn_coloured(&Output::Text(text.into()))
}

pub fn warn_coloured(output: &Output) -> std::io::Result<()> {
    let text = output.escaped(std::io::stderr().is_terminal());
    progress::aside(|| std::io::stderr().write_all(text.as_bytes()))
}

/// Prints an error to standard error. Ignores a failure to do so.
pub fn complain(error: &anyhow::Error) {
    progress::end();
    let _ = warn(format!("error: {error:#}\n"));
}

/// Clears the screen, if there is one.
pub fn clear() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if out.is_terminal() {
        out.write_all(b"\x1b[2J\x1b[H")?;
    }
    Ok(())
}

impl Output {
    fn escaped(&self, is_terminal: bool) -> Cow<'_, str> {
        match self {
            Output::Text(text) => IN_TEXT.without_commands(visible::lines(text)),
            Output::Coloured(text) => IN_TEXT.without_commands(coloured(text).into()),
            Output::Difference(text) => {
                painted(IN_TEXT.without_commands(visible::lines(text)), is_terminal)
            }
            Output::Program(text) if is_terminal => visible::lines(text),
            Output::Program(text) | Output::Answer(text) => text.into(),
            Output::Patch(text) => painted(
                IN_TEXT.without_commands(patch_text(text).into()),
                is_terminal,
            ),
            Output::Json(value) => IN_JSON.without_commands(json(value).into()),
            Output::Html(html) => IN_MARKUP.without_commands(html.as_str().into()),
            Output::Xml(xml) => IN_MARKUP.without_commands(xml.as_str().into()),
            Output::GitHub(commands) => commands.as_str().into(),
            Output::Dot(dot) => IN_MARKUP.without_commands(dot.as_str().into()),
        }
    }
}

fn painted(text: Cow<'_, str>, is_terminal: bool) -> Cow<'_, str> {
    if is_terminal && Colour::Auto.is_wanted() {
        colour::difference(&text).into()
    } else {
        text
    }
}

/// How a medium writes what begins a command to GitHub's runner, which may print other people's text: `::` at the
/// beginning of a line, and `##[` anywhere.
struct Signs {
    colons: &'static str,
    bracket: &'static str,
}

const IN_TEXT: Signs = Signs {
    colons: "␊::",
    bracket: "##␊[",
};

/// No line of JSON begins with a text.
const IN_JSON: Signs = Signs {
    colons: "::",
    bracket: "##\\u005b",
};

/// Graphviz reads the entities of HTML too.
const IN_MARKUP: Signs = Signs {
    colons: "&#58;:",
    bracket: "##&#91;",
};

impl Signs {
    fn without_commands<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        let is_command = |line: &str| line.trim_start().starts_with("::");
        if !text.contains("##[") && !text.lines().any(is_command) {
            return text;
        }
        let lines = text.split_inclusive('\n').map(|line| {
            if is_command(line) {
                line.replacen("::", self.colons, 1)
            } else {
                line.to_owned()
            }
        });
        let text: String = lines.collect();
        Cow::Owned(text.replace("##[", self.bracket))
    }
}

/// Keeps the sequences `ESC [ numbers m`. The renderer makes pictures of those in its inputs.
fn coloured(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut shown = visible::lines(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let numbers = part.strip_prefix('[').and_then(|it| it.split_once('m'));
        let is_number = |c: char| c.is_ascii_digit() || c == ';';
        let is_colour = numbers.is_some_and(|(numbers, _)| numbers.chars().all(is_number));
        shown.push(if is_colour { '\x1b' } else { '␛' });
        shown.push_str(&visible::lines(part));
    }
    shown
}

/// Keeps form feeds too, which separate the parts of some Python files.
fn patch_text(text: &str) -> String {
    let parts = text.split('\x0c').map(visible::lines);
    parts.collect::<Vec<_>>().join("\x0c")
}

fn json(value: &Value) -> String {
    let text = format!("{value:#}\n");
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !visible::is_unsafe(c) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

/// Returns the change of a file as a patch for `git apply` and `patch -p1`; empty if nothing changes.
pub fn patch(path: &Path, before: &str, after: &str) -> String {
    let path = path.display().to_string();
    let path = visible::line(&path);
    let hunks = LineDifference::of(before, after).hunks();
    if hunks.is_empty() {
        return hunks;
    }
    format!("--- a/{path}\n+++ b/{path}\n{hunks}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Output;

    fn every_char() -> String {
        (0..=u32::from(char::MAX))
            .filter_map(char::from_u32)
            .collect()
    }

    fn is_control(c: char) -> bool {
        c.is_control() && !matches!(c, '\n' | '\t')
    }

    #[test]
    fn text_for_people_has_no_control_characters() {
        let all = every_char();
        for output in [Output::Text(all.clone()), Output::Coloured(all.clone())] {
            let text = output.escaped(false);
            assert!(!text.contains(is_control));
            assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\u{2028}']));
        }
        let patch = Output::Patch(all);
        assert!(
            !patch
                .escaped(false)
                .contains(|c| is_control(c) && c != '\x0c')
        );
    }

    #[test]
    fn only_colours_are_sequences() {
        let text = "\x1b[1m\x1b[38;5;9merror\x1b[0m \x1b[2J\x1b]0;x\x07\x1b";
        let shown = Output::Coloured(text.to_owned());
        assert_eq!(
            shown.escaped(true),
            "\x1b[1m\x1b[38;5;9merror\x1b[0m ␛[2J␛]0;x␇␛"
        );
    }

    #[test]
    fn json_is_escaped_and_says_the_same() {
        let value = json!({"text": every_char()});
        let text = Output::Json(value.clone());
        let text = text.escaped(true);
        assert!(!text.contains(is_control));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn programs_and_patches_keep_what_files_have() {
        let sane = " a\r\n-\tb\n+\x0c\n";
        assert_eq!(Output::Patch(sane.to_owned()).escaped(true), sane);
        let odd = "x = '\x1b\x00'\r";
        assert_eq!(Output::Program(odd.to_owned()).escaped(false), odd);
        assert_eq!(Output::Program(odd.to_owned()).escaped(true), "x = '␛␀'␍");
    }

    #[test]
    fn no_text_is_a_command_of_github() {
        let text = "a `x\n  ::add-mask::e`\nstd::y ##[group]z\n".to_owned();
        let shown = "a `x\n  ␊::add-mask::e`\nstd::y ##␊[group]z\n";
        for output in [Output::Text, Output::Coloured, Output::Patch] {
            assert_eq!(output(text.clone()).escaped(false), shown);
        }
        let json = Output::Json(json!({"text": text}));
        let json = json.escaped(false);
        assert!(!json.contains("##["), "{json}");
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["text"], text);
    }
}
