//! The sequence of passes as a table.

use ide::passes::Sequence;

use crate::cli::colour::Tone;
use crate::cli::table::{self, Column, Page, Row};
use crate::compilation::dumps::Dump;
use crate::compilation::runs::Runs;
use crate::compilation::stages::text::{TITLES, count, figures, ill_formed, unlowered};

/// The columns. The first is the number of a pass.
const COLUMNS: [Column; 11] = [
    Column::Left(""),
    Column::Left("pass"),
    Column::Optional(TITLES[0]),
    Column::Optional(TITLES[1]),
    Column::Right(TITLES[2]),
    Column::Optional(TITLES[3]),
    Column::Optional(TITLES[4]),
    Column::Optional(TITLES[5]),
    Column::Optional(TITLES[6]),
    Column::Optional(TITLES[7]),
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
        let number = number.trim_end_matches(['_', '-', '.']).to_owned();
        let name = format!("{}{}", "  ".repeat(depth), stage.pass);
        let figures = figures(self.sequence, self.dumps, self.runs, at);
        let changed = changed.trim_end_matches("; ").to_owned();
        let cells: Vec<String> = [number, name]
            .into_iter()
            .chain(figures)
            .chain([changed])
            .collect();
        let cells = cells.try_into().expect("a cell for each column");
        let tone = if is_broken { Tone::Bad } else { Tone::Plain };
        self.rows.push(Row::Cells(cells, tone));
    }
}
