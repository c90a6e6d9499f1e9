//! The passes of a compilation as one HTML page: a table, then what each pass changed.

mod plan;

use ide::passes::{Sequence, Stage};

use super::dumps::Dump;
use super::runs::{Runs, Times};
use super::stages::text::{TITLES, figures, ill_formed};
use crate::html::difference::{LineNumbers, MOST_CHANGES};
use crate::html::{self, Html, difference, html};
use crate::run::outcome::duration;

/// Hides the changes of functions whose names do not contain what is typed.
const SCRIPT: &str = include_str!("page/filter.js");

/// The number of changes of each function that are shown of a pass that is not suspect.
const SAMPLE: usize = 3;

pub struct PassPage<'a> {
    pub sequence: &'a Sequence,
    pub dumps: &'a [Dump],
    pub runs: Option<&'a Runs>,
    /// Whether a reader can open stages. The lines of stage 3 then lead to `#after-3-LINE`, and those of
    /// the stage before it to `#before-3-LINE`.
    pub links: bool,
}

impl PassPage<'_> {
    pub fn render(&self) -> Html {
        let count = self.sequence.stages.len();
        let verdict = ill_formed(self.sequence, self.dumps);
        let mut body = html!("<pre>{}</pre>\n", verdict);
        if let Some(runs) = self.runs {
            let runs = runs.render(self.sequence, self.dumps);
            body.push(html!("<pre>{}</pre>\n", runs));
        }
        body.push(self.table());
        let sections = (0..count).filter(|it| self.is_told(*it));
        body.push(sections.map(|at| self.stage(at)).collect());
        body.push(self.memory_plans());
        if let Some((at, times)) = self.runs.and_then(|runs| runs.times.as_ref()) {
            let stage = &self.sequence.stages[*at];
            body.push(html!("<h2>Time of a run after {}</h2>\n", stage.label));
            body.push(run_times(times));
        }
        body.push(html!("<script>\n{}</script>\n", Html::literal(SCRIPT)));
        html::page("Passes of a compilation", &body)
    }

    /// Whether a pass has a section. What an outer pass did is told at the passes inside.
    fn is_told(&self, at: usize) -> bool {
        let sequence = self.sequence;
        let runs_others = || sequence.inner_passes(Some(at)).next().is_some();
        self.is_suspect(at)
            || sequence.steps[at].before.is_some() && !runs_others() && !sequence.is_idle(at)
    }

    /// Whether a reader wants to see all that a pass did.
    fn is_suspect(&self, at: usize) -> bool {
        self.sequence.first_ill_formed() == Some(at)
            || self.sequence.first_warned() == Some(at)
            || self.runs.is_some_and(|runs| runs.is_first_wrong(at))
    }

    /// Returns a row for each pass. Passes that changed nothing have no link.
    fn table(&self) -> Html {
        let sequence = self.sequence;
        let depth = |at| {
            std::iter::successors(sequence.parents()[at], |it| sequence.parents()[*it]).count()
        };
        let row = |(at, stage): (usize, &Stage)| {
            let name = if self.is_told(at) {
                html!("<a href=\"#stage-{}\">{}</a>", at, stage.label)
            } else {
                html!("<span class=\"quiet\">{}</span>", stage.label)
            };
            let mut changed = match sequence.inner_passes(Some(at)).next() {
                Some(_) => Html::default(),
                None => html!("{}", sequence.summary(at)),
            };
            if !stage.errors.is_empty() {
                changed = html!("<span class=\"bad\">✗ ill-formed</span> {}", changed);
            }
            if let Some(mark) = self.runs.and_then(|runs| runs.mark(at)) {
                changed = html!("<span class=\"bad\">{}</span> {}", mark, changed);
            }
            let mut row = vec![html!(
                "<div style=\"padding-left: {}em\">{}</div>",
                depth(at),
                name
            )];
            let figures = figures(sequence, self.dumps, self.runs, at);
            row.extend(figures.iter().map(|it| html!("{}", it)));
            row.push(changed);
            row
        };
        let rows: Vec<Vec<Html>> = sequence.stages.iter().enumerate().map(row).collect();
        // The label contains the number, so the number needs no column here.
        let titles = [&["pass"], &TITLES[..], &["what changed"]].concat();
        html::table(&titles, &rows)
    }

    /// Returns the changes of a pass, and the errors after it.
    fn stage(&self, at: usize) -> Html {
        let (stage, step) = (&self.sequence.stages[at], &self.sequence.steps[at]);
        let lines = self.lines(at, at);
        let mut text = html!("<section>\n<h2 id=\"stage-{}\">{}</h2>\n", at, stage.label);
        for error in stage.errors.iter().chain(&stage.warnings) {
            let (_, column) = self.dumps[at].lines.line_col(error.range.start());
            text.push(html!(
                "<p class=\"bad\">line {}, column {}: {} <code>{}</code></p>\n",
                lines.link(error.range.start()),
                column,
                error.message,
                error.code
            ));
        }
        if let (Some(before), Some(place)) = (self.sequence.before(at), step.before)
            && !step.difference.is_empty()
        {
            let is_suspect = self.is_suspect(at);
            let most = if is_suspect { MOST_CHANGES } else { SAMPLE };
            let changes = self.sequence.difference(at);
            let changes = difference::render(&changes, &self.lines(place, at), &lines, most);
            text.push(html!(
                "<p>{}</p>\n<details{}><summary>since {}</summary>\n{}</details>\n",
                self.sequence.summary(at),
                if is_suspect { " open" } else { "" },
                before.label,
                changes
            ));
        }
        text.push(html!("</section>\n"));
        text
    }

    /// Returns the lines of a dump that stand in the section of a stage.
    fn lines(&self, dump: usize, section: usize) -> LineNumbers<'_> {
        let side = if dump == section { "after" } else { "before" };
        LineNumbers {
            lines: &self.dumps[dump].lines,
            link: self.links.then(|| format!("{side}-{section}")),
        }
    }

    /// Returns the memory plans of the last stage that has any. Later stages allocate differently.
    fn memory_plans(&self) -> Html {
        let mut stages = self.sequence.stages.iter().rev();
        let Some(Stage { label, plans, .. }) = stages.find(|it| !it.plans.is_empty()) else {
            return Html::default();
        };
        let mut text = html!("<h2>Memory plan after {}</h2>\n", label);
        for plan in plans {
            let peak = plan.peak();
            let peak = peak.map_or_else(String::new, |it| format!(", at most {it} bytes at once"));
            text.push(html!(
                "<p class=\"quiet\">{}: {} storages over {} bindings{}</p>\n{}",
                plan.function.to_string(),
                plan.storages.len(),
                plan.steps,
                peak,
                plan::picture(plan)
            ));
        }
        text
    }
}

/// Returns the run time per callee of a function, largest first.
fn run_times(times: &Times) -> Html {
    let mut sorted: Vec<_> = times.iter().collect();
    sorted.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let rows: Vec<Vec<Html>> = sorted
        .into_iter()
        .map(|(callee, (calls, seconds))| {
            let cells = [callee.clone(), calls.to_string(), duration(*seconds)];
            cells.iter().map(|it| html!("{}", it)).collect()
        })
        .collect();
    html::table(&["what", "calls", "time"], &rows)
}
