//! `relax-lsp report`: writes a compilation as one HTML file, to attach to an issue.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use ide::passes::{Sequence, Stage};

use super::plan::picture;
use super::run;
use super::table::{COLUMNS, memory};
use crate::cli::html::difference::MOST_CHANGES;
use crate::cli::html::{self, Html, html};
use crate::cli::target::Target;
use crate::compilation::dumps::{self, Dump};
use crate::compilation::runs::{Runs, Times};
use crate::compilation::stages;
use crate::run::outcome::duration;
use crate::whole_file;

#[derive(Args)]
pub struct Report {
    /// A folder of dumps, as `tvm.ir.instrument.DumpIR` writes it, or the dumps in order
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
    /// Run every stage on the same inputs, and report the values that differ
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    values: run::Values,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &Report) -> anyhow::Result<ExitCode> {
    let files = command.target.files();
    let dumps = dumps::find(&command.paths, &files)?;
    let sequence = stages::read(&dumps, &files, &mut |_, _| ())?;
    let run_all = || run::run(&sequence, &dumps, &command.values);
    let runs = command.run.then(run_all).transpose()?;
    let page = page(&sequence, &dumps, runs.as_ref());
    whole_file::write(&command.output, page.as_str().as_bytes())?;
    let code = runs.map_or(0, |runs| command.values.exit_code(runs.verdict));
    Ok(ExitCode::from(code))
}

fn page(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>) -> Html {
    let mut body = Html::default();
    let verdict = super::table::ill_formed(sequence, dumps);
    body.push(html!("<pre>{}</pre>\n", verdict));
    if let Some(runs) = runs {
        body.push(html!("<pre>{}</pre>\n", runs.render(sequence, dumps)));
    }
    body.push(timeline(sequence, dumps, runs));
    for at in 0..sequence.stages.len() {
        if is_told(sequence, runs, at) {
            let is_suspect = is_suspect(sequence, runs, at);
            body.push(stage(sequence, dumps, at, is_suspect));
        }
    }
    body.push(memory_plans(sequence));
    if let Some((at, times)) = runs.and_then(|runs| runs.times.as_ref()) {
        let stage = &sequence.stages[*at];
        body.push(html!("<h2>Time of a run after {}</h2>\n", stage.label));
        body.push(run_times(times));
    }
    html::page("Passes of a compilation", &body)
}

/// Whether a pass has a section. What an outer pass did is told at the passes inside.
fn is_told(sequence: &Sequence, runs: Option<&Runs>, at: usize) -> bool {
    let runs_others = || sequence.inner_passes(Some(at)).next().is_some();
    is_suspect(sequence, runs, at)
        || sequence.steps[at].before.is_some() && !runs_others() && !sequence.is_idle(at)
}

/// Whether a reader wants to see all that a pass did.
fn is_suspect(sequence: &Sequence, runs: Option<&Runs>, at: usize) -> bool {
    sequence.first_ill_formed() == Some(at)
        || sequence.first_warned() == Some(at)
        || runs.is_some_and(|runs| runs.is_first_wrong(at))
}

/// Returns the memory plans of the last stage that has any. Later stages allocate differently.
fn memory_plans(sequence: &Sequence) -> Html {
    let mut text = Html::default();
    let mut stages = sequence.stages.iter().rev();
    let Some(Stage { label, plans, .. }) = stages.find(|it| !it.plans.is_empty()) else {
        return text;
    };
    text.push(html!("<h2>Memory plan after {}</h2>\n", label));
    for plan in plans {
        let title = format!(
            "{}: {} storages over {} bindings{}",
            plan.function,
            plan.storages.len(),
            plan.steps,
            plan.peak()
                .map_or_else(String::new, |it| format!(", at most {it} bytes at once"))
        );
        text.push(html!("<p class=\"quiet\">{}</p>\n", title));
        text.push(picture(plan));
    }
    text
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

/// Returns a table with a row for each pass. Passes that changed nothing have no link.
fn timeline(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>) -> Html {
    let mut rows: Vec<Vec<Html>> = Vec::new();
    for (at, stage) in sequence.stages.iter().enumerate() {
        let figures = &stage.figures;
        let mut depth = 0_usize;
        let mut parent = sequence.parents()[at];
        while let Some(outer) = parent {
            depth += 1;
            parent = sequence.parents()[outer];
        }
        let name = if is_told(sequence, runs, at) {
            html!("<a href=\"#stage-{}\">{}</a>", at, stage.label)
        } else {
            html!("<span class=\"quiet\">{}</span>", stage.label)
        };
        let name = html!("<div style=\"padding-left: {}em\">{}</div>", depth, name);
        let mut changed = match sequence.inner_passes(Some(at)).next() {
            Some(_) => html!(""),
            None => html!("{}", sequence.summary(at)),
        };
        if !stage.errors.is_empty() {
            changed = html!("<span class=\"bad\">✗ ill-formed</span> {}", changed);
        }
        if let Some(mark) = runs.and_then(|runs| runs.mark(at)) {
            changed = html!("<span class=\"bad\">{}</span> {}", mark, changed);
        }
        rows.push(vec![
            name,
            html!("{}", figures.relax_functions),
            html!("{}", figures.prim_funcs),
            html!("{}", figures.bindings),
            html!("{}", figures.operators),
            html!("{}", figures.calls),
            html!("{}", memory(figures)),
            html!("{}", dumps[at].seconds.map(duration).unwrap_or_default()),
            html!(
                "{}",
                runs.and_then(|runs| runs.signs(at)).unwrap_or_default()
            ),
            changed,
        ]);
    }
    // The label contains the number, so the number needs no column here.
    let titles: Vec<&str> = COLUMNS[1..].iter().map(|it| it.title()).collect();
    html::table(&titles, &rows)
}

/// The number of changes of each function that are shown of a pass that is not suspect.
const SAMPLE: usize = 3;

/// Returns the changes of a pass, and the errors after it.
fn stage(sequence: &Sequence, dumps: &[Dump], at: usize, is_suspect: bool) -> Html {
    let (stage, step) = (&sequence.stages[at], &sequence.steps[at]);
    let mut text = html!("<h2 id=\"stage-{}\">{}</h2>\n", at, stage.label);
    for error in stage.errors.iter().chain(&stage.warnings) {
        let (line, column) = dumps[at].lines.line_col(error.range.start());
        text.push(html!(
            "<p class=\"bad\">line {}, column {}: {} <code>{}</code></p>\n",
            line,
            column,
            error.message,
            error.code
        ));
    }
    let (Some(before), Some(place)) = (sequence.before(at), step.before) else {
        return text;
    };
    if step.difference.is_empty() {
        return text;
    }
    text.push(html!("<p>{}</p>\n", sequence.summary(at)));
    let difference = sequence.difference(at);
    let (old, new) = (&dumps[place], &dumps[at]);
    let most = if is_suspect { MOST_CHANGES } else { SAMPLE };
    let changes = html::difference::render(&difference, &old.lines, &new.lines, most);
    let open = if is_suspect { " open" } else { "" };
    text.push(html!(
        "<details{}><summary>since {}</summary>\n{}</details>\n",
        open,
        before.label,
        changes
    ));
    text
}
