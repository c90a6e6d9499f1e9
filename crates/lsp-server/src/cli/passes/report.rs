//! `relax-lsp report`: writes a compilation as one HTML file, to attach to an issue.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use ide::graph::Graph;
use ide::passes::{Sequence, Stage};

use super::plan::picture;
use super::run;
use super::table::{HEADER, memory};
use crate::cli::html::{self, Html, html};
use crate::cli::target::Target;
use crate::compilation::dumps::{self, Dump};
use crate::compilation::runs::{Runs, Times};
use crate::compilation::{graphs, stages};
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
    let first = dumps.first().map(|it| files.analysis(&it.path));
    let graphs = first.transpose()?.map(|it| graphs::of_uncalled(&it));
    let sequence = stages::read(&dumps, &files, &mut |_, _| ())?;
    let run_all = || run::run(&sequence, &dumps, &command.values);
    let runs = command.run.then(run_all).transpose()?;
    let graphs = graphs.unwrap_or_default();
    let page = page(&sequence, &dumps, runs.as_ref(), &graphs);
    whole_file::write(&command.output, page.as_str().as_bytes())?;
    let code = runs.map_or(0, |runs| command.values.exit_code(runs.verdict));
    Ok(ExitCode::from(code))
}

fn page(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>, graphs: &[Graph]) -> Html {
    let mut body = Html::default();
    let verdict = super::table::ill_formed(sequence, dumps);
    body.push(html!("<pre>{}</pre>\n", verdict));
    if let Some(runs) = runs {
        body.push(html!("<pre>{}</pre>\n", runs.render(sequence, dumps)));
    }
    body.push(timeline(sequence, runs));
    for at in 0..sequence.stages.len() {
        if !sequence.is_idle(at) {
            body.push(stage(sequence, dumps, at));
        }
    }
    body.push(memory_plans(sequence));
    if let Some((at, times)) = runs.and_then(|runs| runs.times.as_ref()) {
        let stage = &sequence.stages[*at];
        body.push(html!("<h2>Time of a run after {}</h2>\n", stage.label));
        body.push(run_times(times));
    }
    if let (Some(stage), false) = (sequence.stages.first(), graphs.is_empty()) {
        body.push(html!("<h2>Graph after {}</h2>\n", stage.label));
        body.push(html::graph::render_all(graphs));
    }
    html::page("Passes of a compilation", &body)
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
fn timeline(sequence: &Sequence, runs: Option<&Runs>) -> Html {
    let mut rows: Vec<Vec<Html>> = Vec::new();
    for (at, stage) in sequence.stages.iter().enumerate() {
        let figures = &stage.figures;
        let mut depth = 0;
        let mut parent = sequence.parents()[at];
        while let Some(outer) = parent {
            depth += 1;
            parent = sequence.parents()[outer];
        }
        let mut name: Html = (0..depth).map(|_| html!("&emsp;")).collect();
        name.push(if sequence.is_idle(at) {
            html!("<span class=\"quiet\">{}</span>", stage.label)
        } else {
            html!("<a href=\"#stage-{}\">{}</a>", at, stage.label)
        });
        let mut changed = html!("{}", sequence.summary(at));
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
            changed,
        ]);
    }
    // The label contains the number, so the number needs no column here.
    html::table(&HEADER[1..], &rows)
}

/// Returns the changes of a pass, and the errors after it.
fn stage(sequence: &Sequence, dumps: &[Dump], at: usize) -> Html {
    let (stage, step) = (&sequence.stages[at], &sequence.steps[at]);
    let mut text = html!("<h2 id=\"stage-{}\">{}</h2>\n", at, stage.label);
    for error in &stage.errors {
        let (line, column) = dumps[at].lines.line_col(error.range.start());
        text.push(html!(
            "<p class=\"bad\">line {}, column {}: {} <code>{}</code></p>\n",
            line,
            column,
            error.message,
            error.code
        ));
    }
    if let (Some(before), Some(place)) = (sequence.before(at), step.before) {
        let difference = sequence.difference(at);
        text.push(html!("<p class=\"quiet\">since {}</p>\n", before.label));
        text.push(html::difference::render(
            &difference,
            &dumps[place].lines,
            &dumps[at].lines,
        ));
    }
    text
}
