//! `relax-lsp report`: writes a compilation as one HTML file, to attach to an issue.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use ide::graph::Graph;
use ide::passes::{Sequence, Stage};

use super::plan::picture;
use super::run;
use super::table::{HEADER, memory};
use crate::cli::html::{self, escape};
use crate::cli::target::Target;
use crate::compilation::dumps::{self, Dump};
use crate::compilation::runs::{Runs, Times};
use crate::compilation::{graphs, stages};
use crate::run::outcome::duration;

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
    std::fs::write(&command.output, page)
        .with_context(|| format!("cannot write `{}`", command.output.display()))?;
    let code = runs.map_or(0, |runs| command.values.exit_code(runs.verdict));
    Ok(ExitCode::from(code))
}

fn page(sequence: &Sequence, dumps: &[Dump], runs: Option<&Runs>, graphs: &[Graph]) -> String {
    let mut body = String::new();
    let verdict = super::table::ill_formed(sequence, dumps);
    let _ = writeln!(body, "<pre>{}</pre>", escape(&verdict));
    if let Some(runs) = runs {
        let _ = writeln!(body, "<pre>{}</pre>", escape(&runs.render(sequence, dumps)));
    }
    body.push_str(&timeline(sequence, runs));
    for at in 0..sequence.stages.len() {
        if !sequence.is_idle(at) {
            body.push_str(&stage(sequence, dumps, at));
        }
    }
    body.push_str(&memory_plans(sequence));
    if let Some((at, times)) = runs.and_then(|runs| runs.times.as_ref()) {
        let stage = &sequence.stages[*at];
        let title = format!("Time of a run after {}", stage.label);
        let _ = writeln!(body, "<h2>{}</h2>", escape(&title));
        body.push_str(&run_times(times));
    }
    if let (Some(stage), false) = (sequence.stages.first(), graphs.is_empty()) {
        let title = format!("Graph after {}", stage.label);
        let _ = writeln!(body, "<h2>{}</h2>", escape(&title));
        body.push_str(&html::graph::render_all(graphs));
    }
    html::page("Passes of a compilation", &body)
}

/// Returns the memory plans of the last stage that has any. Later stages allocate differently.
fn memory_plans(sequence: &Sequence) -> String {
    let mut text = String::new();
    let mut stages = sequence.stages.iter().rev();
    let Some(Stage { label, plans, .. }) = stages.find(|it| !it.plans.is_empty()) else {
        return text;
    };
    let _ = writeln!(text, "<h2>Memory plan after {}</h2>", escape(label));
    for plan in plans {
        let title = format!(
            "{}: {} storages over {} bindings{}",
            plan.function,
            plan.storages.len(),
            plan.steps,
            plan.peak()
                .map_or_else(String::new, |it| format!(", at most {it} bytes at once"))
        );
        let _ = writeln!(text, "<p class=\"quiet\">{}</p>", escape(&title));
        text.push_str(&picture(plan));
    }
    text
}

/// Returns the run time per callee of a function, largest first.
fn run_times(times: &Times) -> String {
    let mut sorted: Vec<_> = times.iter().collect();
    sorted.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let rows: Vec<Vec<String>> = sorted
        .into_iter()
        .map(|(callee, (calls, seconds))| {
            vec![escape(callee), calls.to_string(), duration(*seconds)]
        })
        .collect();
    html::table(&["what", "calls", "time"], &rows)
}

/// Returns a table with a row for each pass. Passes that changed nothing have no link.
fn timeline(sequence: &Sequence, runs: Option<&Runs>) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, stage) in sequence.stages.iter().enumerate() {
        let figures = &stage.figures;
        let mut depth = 0;
        let mut parent = sequence.parents()[at];
        while let Some(outer) = parent {
            depth += 1;
            parent = sequence.parents()[outer];
        }
        let name = escape(&stage.label);
        let name = if sequence.is_idle(at) {
            format!("<span class=\"quiet\">{name}</span>")
        } else {
            format!("<a href=\"#stage-{at}\">{name}</a>")
        };
        let mut changed = escape(&sequence.summary(at));
        if !stage.errors.is_empty() {
            changed = format!("<span class=\"bad\">✗ ill-formed</span> {changed}");
        }
        if let Some(mark) = runs.and_then(|runs| runs.mark(at)) {
            changed = format!("<span class=\"bad\">{}</span> {changed}", escape(mark));
        }
        rows.push(vec![
            format!("{}{name}", "&emsp;".repeat(depth)),
            figures.relax_functions.to_string(),
            figures.prim_funcs.to_string(),
            figures.bindings.to_string(),
            figures.operators.to_string(),
            figures.calls.to_string(),
            escape(&memory(figures)),
            changed,
        ]);
    }
    // The label contains the number, so the number needs no column here.
    html::table(&HEADER[1..], &rows)
}

/// Returns the changes of a pass, and the errors after it.
fn stage(sequence: &Sequence, dumps: &[Dump], at: usize) -> String {
    let (stage, step) = (&sequence.stages[at], &sequence.steps[at]);
    let mut text = format!("<h2 id=\"stage-{at}\">{}</h2>\n", escape(&stage.label));
    for error in &stage.errors {
        let (line, column) = dumps[at].lines.line_col(error.range.start());
        let _ = writeln!(
            text,
            "<p class=\"bad\">line {line}, column {column}: {} <code>{}</code></p>",
            escape(&error.message),
            error.code
        );
    }
    if let (Some(before), Some(place)) = (sequence.before(at), step.before) {
        let difference = sequence.difference(at);
        let _ = writeln!(
            text,
            "<p class=\"quiet\">since {}</p>",
            escape(&before.label)
        );
        text.push_str(&html::difference::render(
            &difference,
            &dumps[place].lines,
            &dumps[at].lines,
        ));
    }
    text
}
