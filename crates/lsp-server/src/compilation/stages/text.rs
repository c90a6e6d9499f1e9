//! The stages of a sequence as text: figures, first ill-formed stage, operators that are left.

use std::fmt::Write;

use ide::Diagnostic;
use ide::passes::{Figures, Sequence, Stage};
use ide::visible;

use crate::compilation::costs;
use crate::compilation::dumps::Dump;
use crate::compilation::runs::Runs;
use crate::run::outcome::duration;

/// The titles of the columns of [`figures`].
pub const TITLES: [&str; 8] = [
    "Relax",
    "PrimFuncs",
    "bindings",
    "operators",
    "calls",
    "planned",
    "time",
    "values",
];

/// Returns the figures of a pass as texts. Its time is empty unless it was recorded, and its values unless several
/// functions ran.
pub fn figures(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>, at: usize) -> [String; 8] {
    let figures = &sequence.stages[at].figures;
    [
        figures.relax_functions.to_string(),
        figures.prim_funcs.to_string(),
        figures.bindings.to_string(),
        figures.operators.to_string(),
        figures.calls.to_string(),
        memory(figures),
        dumps[at].seconds.map(duration).unwrap_or_default(),
        runs.and_then(|it| it.signs(at)).unwrap_or_default(),
    ]
}

/// Summarizes the memory plan.
fn memory(figures: &Figures) -> String {
    match (figures.storages, &figures.planned) {
        (0, _) => String::new(),
        (count, Some(bytes)) if bytes.to_string().len() < 28 => {
            format!("{} in {count}", costs::memory(bytes, &[]))
        }
        (count, _) => format!("{count} storages"),
    }
}

pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns the first ill-formed stage with its errors, and the first one with warnings.
pub fn ill_formed(sequence: &Sequence, dumps: &[Dump]) -> String {
    let passes = count(sequence.stages.len(), "stage");
    let warned = sequence.first_warned().map_or_else(String::new, |at| {
        let stage = &sequence.stages[at];
        let mut text = format!("{} is the first stage with warnings\n", stage.label);
        list(&stage.warnings, &dumps[at], &mut text);
        text
    });
    let Some(at) = sequence.first_ill_formed() else {
        return format!("{passes}, each well-formed\n{warned}");
    };
    let stage = &sequence.stages[at];
    let mut text = match sequence.before(at) {
        Some(before) => format!(
            "{} is the first ill-formed stage; {} before it is well-formed\n",
            stage.label, before.label
        ),
        None => format!("{} is ill-formed, and the first stage\n", stage.label),
    };
    list(&stage.errors, &dumps[at], &mut text);
    text + &warned
}

/// Lists the operators that are left when all passes are done.
pub fn unlowered(sequence: &Sequence, dumps: &[Dump]) -> String {
    let Some(at) = sequence.last_legalized() else {
        return String::new();
    };
    let found = &sequence.stages[at].unlowered;
    if found.is_empty() {
        return String::new();
    }
    let operators = count(found.len(), "operator");
    let label = &sequence.stages[at].label;
    let mut text = format!("{operators} left after {label} that the build cannot lower\n");
    list(found, &dumps[at], &mut text);
    text
}

/// Lists diagnostics of a stage, one a line.
fn list(diagnostics: &[Diagnostic], dump: &Dump, text: &mut String) {
    for it in diagnostics.iter().take(MOST_ERRORS) {
        let (line, column) = dump.lines.line_col(it.range.start());
        let path = dump.path.display().to_string();
        let path = visible::line(&path);
        let message = it.message.lines().next().unwrap_or_default();
        let _ = writeln!(text, "  {path}:{line}:{column}: {message} [{}]", it.code);
    }
    if diagnostics.len() > MOST_ERRORS {
        let more = diagnostics.len() - MOST_ERRORS;
        let _ = writeln!(text, "  and {more} more");
    }
}

const MOST_ERRORS: usize = 5;

/// Formats a position in a stage: its label and the line.
pub fn place(stage: &Stage, dump: &Dump, range: (u32, u32)) -> String {
    let (line, _) = dump.lines.line_col(range.0.into());
    format!("{}, line {line}", stage.label)
}
