//! The kinds of expectations, and how an answer is compared with one.

mod actions;
mod completions;
mod graphs;
mod inlay_hints;
mod navigation;
mod run;
mod structure;
mod texts;
mod types;

use std::ops::RangeInclusive;

use super::program::{MARK, Program};
use super::reader::Block;

/// What the product says about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Text(String),
    /// The whole file after a change, and remarks about it.
    File(String, Vec<String>),
}

/// The words of an answer that is empty, and of a file that stays as it is.
const NOTHING: &str = "nothing\n";
const UNCHANGED: &str = "unchanged\n";

type Ask = fn(&Program, &[String]) -> Result<Answer, String>;

/// A kind of expectation.
pub struct Kind {
    name: &'static str,
    /// How many words follow the name.
    args: RangeInclusive<usize>,
    ask: Ask,
}

const fn row(name: &'static str, args: RangeInclusive<usize>, ask: Ask) -> Kind {
    Kind { name, args, ask }
}

/// The kinds by name, which follows the language of the block.
static KINDS: &[Kind] = &[
    // The fix ID of the only diagnostic CODE; the ids of all of its fixes; the fix of all diagnostics of the CODE.
    row("fix", 2..=2, actions::fix),
    row("fixes", 1..=1, actions::fixes),
    row("fix-everywhere", 1..=1, actions::fix_everywhere),
    // `source.fixAll`, or with `likely` what `--fix` applies on request.
    row("fix-all", 0..=1, actions::fix_all),
    // Comments that silence all diagnostics.
    row("silence", 0..=0, actions::silence),
    // The assist ID at the cursor or of the selection; the ids of all assists there.
    row("assist", 1..=1, actions::assist),
    row("assists", 0..=0, actions::assists),
    // To a name, which may be a wrong one.
    row("rename", 0..=2, actions::rename),
    // From a release to another.
    row("migrate", 2..=2, texts::migrate),
    row("translate", 0..=0, texts::translate),
    // With lines of that length at most.
    row("format", 0..=1, texts::format),
    row("hover", 0..=0, texts::hover),
    row("signature", 0..=0, texts::signature),
    // The first items; lines with the name of one that is offered, or `not` and one that is not; names in their order; the
    // line of the cursor after one is taken.
    row("completion", 0..=1, completions::first),
    row("offers", 0..=0, completions::offers),
    row("order", 0..=0, completions::order),
    row("taken", 1..=9, completions::taken),
    // The file after an item is taken that needs an import.
    row("imported", 1..=9, completions::imported),
    // Diagnostics with their notes; in each of these releases, the diagnostics, and what the first function returns.
    row("related", 0..=0, types::related),
    row("reports", 1..=9, types::reports),
    row("results", 1..=9, types::results),
    // Places with their texts; who calls a function and whom it calls; how often each function is named.
    row("definition", 0..=0, navigation::definition),
    row("declaration", 0..=0, navigation::declaration),
    row("type-definition", 0..=0, navigation::type_definition),
    row("references", 0..=0, navigation::references),
    row("highlights", 0..=0, navigation::highlights),
    row("calls", 0..=0, navigation::calls),
    row("counts", 0..=0, navigation::counts),
    // The outline, folds by lines, tokens, runnable functions, links, and texts of a growing selection.
    row("symbols", 0..=0, structure::symbols),
    row("folds", 0..=0, structure::folds),
    row("tokens", 0..=0, structure::tokens),
    row("runnables", 0..=0, structure::runnables),
    row("links", 0..=0, structure::links),
    row("selections", 0..=0, structure::selections),
    // The graph of a function, perhaps with a number of nodes at most, and as text of Graphviz.
    row("graph", 0..=1, graphs::graph),
    row("dot", 0..=0, graphs::dot),
    // What a PrimFunc writes, given its operands.
    row("run", 0..=16, run::run),
    // Lines with their hints between «»; the file with all of them inserted.
    row("hints", 0..=0, inlay_hints::shown),
    row("inserted-hints", 0..=0, inlay_hints::inserted),
];

pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|it| it.name == name)
}

/// An expectation.
#[derive(Clone, Debug)]
pub struct Check {
    name: &'static str,
    args: Vec<String>,
    /// A text of the program with the cursor in it.
    place: Option<String>,
    pub block: Block,
}

impl Check {
    pub fn new(name: &str, args: &[&str], block: &Block) -> Result<Check, String> {
        let kind = kind(name).expect("the name was looked up");
        if !["text", "markdown", "diff", "python", "tvm-relay"].contains(&block.info[0].as_str()) {
            return Err(format!("`{}` shows no answer", block.info[0]));
        }
        let (args, place) = match args.iter().position(|it| *it == "at") {
            Some(at) => (&args[..at], Some(args[at + 1..].join(" "))),
            None => (args, None),
        };
        if place
            .as_ref()
            .is_some_and(|it| it.matches(MARK).count() != 1)
        {
            return Err(format!("`at` needs a text with one mark `{MARK}`"));
        }
        if !kind.args.contains(&args.len()) {
            let (least, most) = (kind.args.start(), kind.args.end());
            let given = args.len();
            return Err(format!(
                "`{name}` takes {least} to {most} words, but {given} are given"
            ));
        }
        Ok(Check {
            name: kind.name,
            args: args.iter().map(|&it| it.to_owned()).collect(),
            place,
            block: block.clone(),
        })
    }

    /// Returns what the block should say, which is its text if all is as expected.
    pub fn answer(&self, program: &Program) -> Result<String, String> {
        let kind = kind(self.name).expect("the name was looked up");
        let args = match self.name {
            // What is offered depends on what is asked.
            "offers" | "order" => self.block.text.lines().map(str::to_owned).collect(),
            _ => self.args.clone(),
        };
        let at_place = match &self.place {
            Some(place) => {
                let text = place.replace(MARK, "");
                if program.marked.contains(MARK) || !program.marked.contains(&text) {
                    return Err(format!(
                        "the program must have `{text}`, and no mark `{MARK}`"
                    ));
                }
                &program.with(program.marked.replacen(&text, place, 1))
            }
            None => program,
        };
        let answer = (kind.ask)(at_place, &args)?;
        shown(at_place, answer, &self.block.info[0])
    }
}

/// Writes an answer in the language of a block.
fn shown(program: &Program, answer: Answer, language: &str) -> Result<String, String> {
    let refused = |it: &str| Err(format!("a `{language}` cannot show this answer:\n{it}"));
    match (answer, language) {
        (Answer::Text(text), "text" | "markdown" | "python") => Ok(match text.trim_end() {
            "" => NOTHING.to_owned(),
            text => format!("{text}\n"),
        }),
        (Answer::Text(text), _) => refused(&text),
        (Answer::File(text, remarks), "diff" | "python" | "tvm-relay") => {
            let before = program.text();
            let mut shown = if text == before && remarks.is_empty() {
                UNCHANGED.to_owned()
            } else if language == "diff" {
                changed_lines(&before, &text)
            } else {
                let hidden = &before[..program.hidden];
                text.strip_prefix(hidden).unwrap_or(&text).to_owned()
            };
            shown.extend(remarks.into_iter().map(|it| it + "\n"));
            Ok(shown)
        }
        (Answer::File(text, _), _) => refused(&text),
    }
}

/// Returns the lines that an edit changes, each change with the lines around it.
fn changed_lines(before: &str, after: &str) -> String {
    let lines = similar::TextDiff::from_lines(before, after);
    let mut diff = lines.unified_diff();
    let hunks = diff.context_radius(1).missing_newline_hint(false);
    let hunks = hunks.iter_hunks().map(|hunk| {
        let lines = hunk.to_string();
        let lines = lines.lines().skip(1).map(str::trim_end); // without the range
        lines.collect::<Vec<_>>().join("\n") + "\n"
    });
    hunks.collect::<Vec<_>>().join("...\n")
}
