//! The sequence of passes as a table.

use std::fmt::Write;

use ide::Diagnostic;
use ide::passes::{Figures, Sequence, Stage};
use ide::visible;

use crate::cli::colour::Tone;
use crate::cli::table::{self, Column, Page, Row};
use crate::compilation::costs;
use crate::compilation::dumps::Dump;
use crate::compilation::runs::Runs;
use crate::run::outcome::duration;

/// The columns. The first is the number of a pass; `time` is only there if it was recorded, and `values` if several
/// functions ran, with a sign for each.
pub const COLUMNS: [Column; 11] = [
    Column::Left(""),
    Column::Left("pass"),
    Column::Optional("Relax"),
    Column::Optional("PrimFuncs"),
    Column::Right("bindings"),
    Column::Optional("operators"),
    Column::Optional("calls"),
    Column::Optional("planned"),
    Column::Optional("time"),
    Column::Optional("values"),
    Column::Wrapped("what changed"),
];

type PassRow = Row<{ COLUMNS.len() }>;

pub fn render(
    sequence: &Sequence,
    dumps: &[Dump],
    runs: Option<&Runs>,
    all: bool,
    page: Page,
) -> String {
    let mut table = Table {
        sequence,
        dumps,
        runs,
        all,
        rows: Vec::new(),
    };
    table.passes(None, 0);
    let mut text = table::render(COLUMNS, table.rows, page);
    text.push('\n');
    text.push_str(&ill_formed(sequence, dumps));
    text.push_str(&unlowered(sequence, dumps));
    if let Some(runs) = runs {
        text.push_str(&runs.render(sequence, dumps));
    }
    text
}

struct Table<'a> {
    sequence: &'a Sequence,
    dumps: &'a [Dump],
    runs: Option<&'a Runs>,
    all: bool,
    rows: Vec<PassRow>,
}

impl Table<'_> {
    fn passes(&mut self, parent: Option<usize>, depth: usize) {
        let mut idle: Vec<usize> = Vec::new();
        let mut inner_builds = 0;
        for at in self.sequence.inner_passes(parent) {
            if !self.all && self.sequence.is_in_build(at) {
                inner_builds += 1 + self.count_inside(at);
                continue;
            }
            let is_broken = self.sequence.first_ill_formed() == Some(at)
                || self.runs.is_some_and(|runs| runs.is_first_wrong(at));
            if !self.all && !is_broken && self.sequence.is_idle(at) {
                idle.push(at);
                continue;
            }
            self.fold(&mut idle, depth);
            self.write_pass(at, depth);
            self.passes(Some(at), depth + 1);
        }
        self.fold(&mut idle, depth);
        if inner_builds > 0 {
            let indent = "  ".repeat(depth);
            let passes = format!("{inner_builds} passes");
            let note = format!("{indent}{passes} of builds inside");
            self.rows.push(Row::Note(note));
        }
    }

    /// Returns the number of passes that a pass runs.
    fn count_inside(&self, at: usize) -> usize {
        let inner = self.sequence.inner_passes(Some(at));
        inner.map(|it| 1 + self.count_inside(it)).sum()
    }

    /// Combines passes that changed nothing into one line.
    fn fold(&mut self, idle: &mut Vec<usize>, depth: usize) {
        let names: Vec<&str> = idle
            .iter()
            .map(|at| self.sequence.stages[*at].pass.as_str())
            .collect();
        if !names.is_empty() {
            let indent = "  ".repeat(depth);
            let names = names.join(", ");
            self.rows
                .push(Row::Note(format!("{indent}unchanged by {names}")));
        }
        idle.clear();
    }

    fn write_pass(&mut self, at: usize, depth: usize) {
        let (stage, step) = (&self.sequence.stages[at], &self.sequence.steps[at]);
        let figures = &stage.figures;
        let mut changed = match step.before {
            None => String::new(),
            _ if step.is_partial => "not the whole module".to_owned(),
            _ if step.difference.is_empty() => "nothing".to_owned(),
            _ => self.sequence.summary(at),
        };
        if !stage.errors.is_empty() {
            let errors = count(stage.errors.len(), "error");
            changed = format!("✗ {errors}; {changed}");
        }
        if let Some(run) = self.runs.and_then(|runs| runs.mark(at)) {
            changed = format!("{run} {changed}");
        }
        let is_broken =
            !stage.errors.is_empty() || self.runs.is_some_and(|it| it.is_first_wrong(at));
        let number = stage.label.strip_suffix(&stage.pass).unwrap_or_default();
        let cells = [
            number.trim_end_matches(['_', '-', '.']).to_owned(),
            format!("{}{}", "  ".repeat(depth), stage.pass),
            figures.relax_functions.to_string(),
            figures.prim_funcs.to_string(),
            figures.bindings.to_string(),
            figures.operators.to_string(),
            figures.calls.to_string(),
            memory(figures),
            self.dumps[at].seconds.map(duration).unwrap_or_default(),
            self.runs
                .filter(|runs| runs.functions.len() > 1)
                .and_then(|it| it.signs(at))
                .unwrap_or_default(),
            changed.trim_end_matches("; ").to_owned(),
        ];
        let tone = if is_broken { Tone::Bad } else { Tone::Plain };
        self.rows.push(Row::Cells(cells, tone));
    }
}

/// Summarizes the memory plan.
pub fn memory(figures: &Figures) -> String {
    match (figures.storages, &figures.planned) {
        (0, _) => String::new(),
        (count, Some(bytes)) if bytes.to_string().len() < 28 => {
            format!("{} in {count}", costs::memory(bytes, &[]))
        }
        (count, _) => format!("{count} storages"),
    }
}

fn count(number: usize, noun: &str) -> String {
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
