//! The result of a run as text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;

use text_size::TextRange;

use crate::cli::origin::By;
use crate::cli::output;
use crate::cli::report::{FileReport, text};
use crate::cli::table::{self, Column, Page, Row};
use crate::compilation::recording::origins::OriginsByLine;
use crate::run::constants;
use crate::run::outcome::{
    Failure, Finished, Number, Outcome, Output, Summary, duration, short, size,
};
use crate::run::trace::Trace;

/// Prints an outcome. The times of a traced run are added up by what the bindings came from, too, if that is wanted.
pub fn print(
    outcome: &Outcome,
    report: &FileReport,
    sums: Option<&(By, OriginsByLine)>,
) -> anyhow::Result<()> {
    if let Some(trace) = outcome.trace() {
        if let Some((by, origins)) = sums {
            output::print_text(added_up(trace, report, *by, origins))?;
        }
        output::print_text(profile(trace, report))?;
    }
    match outcome {
        Outcome::Finished(finished) => {
            output::print_text(show(finished))?;
            let mut listed = String::new();
            for it in &finished.out_of_bounds {
                let (start, end) = it.offsets;
                let line = report.span(TextRange::new(start.into(), end.into())).line;
                let _ = writeln!(listed, "line {line}, in `{}`: {}", it.function, it.message);
            }
            Ok(output::warn(listed)?)
        }
        Outcome::Failed(failure) => {
            let shown = explain(failure, report, std::io::stderr().is_terminal());
            output::warn_coloured(&output::Output::Coloured(shown))?;
            Ok(())
        }
        Outcome::Cancelled => Ok(()),
    }
}

pub fn show(finished: &Finished) -> String {
    let mut out = finished.stdout.clone();
    let dims: Vec<String> = finished
        .dims
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let _ = writeln!(
        out,
        "{}({}) · {}",
        finished.function,
        dims.join(", "),
        duration(finished.seconds)
    );
    if !finished.times.is_empty() {
        let times: Vec<String> = finished.times.iter().map(|it| duration(*it)).collect();
        let _ = writeln!(out, "  each run: {}", times.join(", "));
    }
    if !finished.unused_weights.is_empty() {
        let names = finished.unused_weights.join(", ");
        let _ = writeln!(out, "  weights that no parameter takes: {names}");
    }
    if !finished.generated_constants.is_empty() {
        let indices = constants::list(&finished.generated_constants);
        let _ = writeln!(
            out,
            "  generated, since the text lacks their elements (`--constants`): {indices}"
        );
    }
    for output in &finished.outputs {
        describe(output, &mut out);
    }
    out
}

/// The maximum number of rows of the profile.
const ROWS: usize = 12;
/// The number of digits, as in recorded results.
const DIGITS: usize = 6;

/// Adds up the time of the bindings, and the bytes of what they make.
fn added_up(trace: &Trace, report: &FileReport, by: By, origins: &OriginsByLine) -> String {
    let mut sums: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for it in &trace.bindings {
        let (start, end) = it.offsets;
        let line = report.span(TextRange::new(start.into(), end.into())).line;
        let sum = sums.entry(by.name(origins, line)).or_default();
        sum.0 += it.seconds;
        sum.1 += it.value.bytes();
    }
    let total: f64 = sums.values().map(|it| it.0).sum();
    let mut sums: Vec<(String, (f64, u64))> = sums.into_iter().collect();
    sums.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    let rows = sums.into_iter().map(|(name, (seconds, bytes))| {
        let share = format!("{:.1} %", 100.0 * seconds / total);
        Row::from([share, duration(seconds), size(bytes), name])
    });
    let columns = [
        Column::Right("share"),
        Column::Right("time"),
        Column::Right("made"),
        Column::Elastic(""),
    ];
    table::render(columns, rows, Page::of_output())
}

fn profile(trace: &Trace, report: &FileReport) -> String {
    let mut out = String::new();
    for (first, what) in [(&trace.first_nan, "NaN"), (&trace.first_inf, "infinity")] {
        if let Some(first) = first {
            let (start, end) = first.offsets;
            let line = report
                .span(TextRange::new(start.into(), end.max(start).into()))
                .line;
            let _ = writeln!(
                out,
                "first {what}: {} of {} in line {line}, by {}, {} elements",
                first.name, first.function, first.callee, first.count
            );
        }
    }
    for row in trace.profile.iter().take(ROWS) {
        let _ = writeln!(
            out,
            "{:>10} {:>6}x {}",
            duration(row.seconds),
            row.calls,
            row.callee
        );
    }
    if trace.profile.len() > ROWS {
        let _ = writeln!(out, "{:>10} more callees", trace.profile.len() - ROWS);
    }
    let memory = &trace.memory;
    let _ = writeln!(
        out,
        "memory: {} at most, {} of them inputs, {} planned",
        size(memory.peak),
        size(memory.inputs),
        size(memory.planned)
    );
    out
}

fn describe(output: &Output, out: &mut String) {
    let name = &output.name;
    let _ = match &output.value {
        Summary::Tensor {
            shape,
            min,
            max,
            mean,
            nan,
            inf,
            first,
            ..
        } => {
            let mut line = format!("  {name}: {}", output.value.brief());
            if let (Some(min), Some(max), Some(mean)) = (min, max, mean) {
                let _ = write!(
                    line,
                    " · min {} · max {} · mean {}",
                    short(*min, DIGITS),
                    short(*max, DIGITS),
                    short(*mean, DIGITS)
                );
            }
            for (count, what) in [(nan, "NaN"), (inf, "infinite")] {
                if *count > 0 {
                    let _ = write!(line, " · {count} {what}");
                }
            }
            let total: u64 = shape.iter().product();
            let mut values: Vec<String> = first.iter().map(value).collect();
            if total > first.len() as u64 {
                values.push("...".to_owned());
            }
            writeln!(out, "{line}\n    [{}]", values.join(", "))
        }
        Summary::Shape { .. } => writeln!(out, "  {name}: {}", output.value.brief()),
        Summary::Prim { value: prim, dtype } => writeln!(out, "  {name}: {} {dtype}", value(prim)),
        Summary::String { value } => writeln!(out, "  {name}: {value:?}"),
        Summary::Object { what } => writeln!(out, "  {name}: {what}"),
        tree @ (Summary::Tuple { .. } | Summary::Adt { .. } | Summary::Ref { .. }) => {
            self::tree(&format!("{name}: "), tree, 1, out);
            Ok(())
        }
    };
}

/// The maximum width of a constructor value on one line.
const WIDTH: usize = 80;

/// Formats a constructor value: on one line if it fits, otherwise with each field on separate lines.
fn tree(name: &str, value: &Summary, indent: usize, out: &mut String) {
    let (head, fields) = match value {
        Summary::Adt {
            constructor,
            fields,
        } => (constructor.as_str(), &fields[..]),
        Summary::Tuple { fields } => ("tuple", &fields[..]),
        Summary::Ref { value } => ("ref", std::slice::from_ref(&**value)),
        _ => ("", &[][..]),
    };
    let line = value.brief();
    let indentation = "  ".repeat(indent);
    if fields.is_empty() || line.len() <= WIDTH {
        let _ = writeln!(out, "{indentation}{name}{line}");
        return;
    }
    let _ = writeln!(out, "{indentation}{name}{head}");
    for field in fields {
        tree("", field, indent + 1, out);
    }
}

fn value(number: &Number) -> String {
    match number {
        Number::Float(value) => short(*value, DIGITS),
        other => other.to_string(),
    }
}

/// Formats an error message, with its source lines if it has a range.
fn explain(failure: &Failure, report: &FileReport, colour: bool) -> String {
    match failure.text_range() {
        Some(range) if !range.is_empty() => text::error_at(report, range, &failure.message, colour),
        _ => format!("error: {}\n", failure.message),
    }
}
