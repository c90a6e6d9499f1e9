//! `--format text`: each diagnostic with its source lines.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use ide::{Diagnostic, RelatedInformation, Severity, visible};
use text_size::{TextRange, TextSize};

use super::FileReport;
use crate::line_index::with_line_feeds;

/// The maximum number of bytes of source shown with a diagnostic.
const LONGEST: u32 = 1 << 14;

/// The number of source lines shown before and after those of a diagnostic.
const CONTEXT: u32 = 1;

pub fn render(reports: &[FileReport], colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let _ = writeln!(out, "{}\n", show(report, diagnostic, &renderer));
        }
    }
    out + &summary(reports)
}

/// Formats one error with its source lines.
pub fn error_at(report: &FileReport, range: TextRange, message: &str, colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let (window, first_line) = window_of(report, range, &[]);
    let path = report.path.display().to_string();
    let path = visible::line(&path);
    let start = usize::from(range.start() - window.start());
    let source = with_line_feeds(&report.text[window]);
    let snippet = Snippet::source(&*source)
        .line_start(first_line as usize)
        .path(&*path)
        .annotation(AnnotationKind::Primary.span(start..start + usize::from(range.len())));
    let group = Level::ERROR
        .primary_title(visible::lines(message))
        .element(snippet);
    format!("{}\n", renderer.render(&[group]))
}

fn show(report: &FileReport, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::HELP,
    };
    let message = visible::lines(&diagnostic.message);
    let (window, first_line) = window_of(report, diagnostic.range, &diagnostic.related);
    let path = report.path.display().to_string();
    let path = visible::line(&path);
    if window.len() > TextSize::new(LONGEST) {
        let span = report.span(diagnostic.range);
        let place = Origin::path(&*path).line(span.line as usize);
        let place = place.char_column(span.col as usize);
        let title = level.primary_title(message).id(diagnostic.code);
        return renderer.render(&[title.element(place)]);
    }
    let source = with_line_feeds(&report.text[window]);
    let place = |range: TextRange| {
        let start = usize::from(range.start() - window.start());
        start..usize::from(range.end() - window.start()).max(start)
    };
    let snippet = Snippet::source(&*source)
        .line_start(first_line as usize)
        .path(&*path)
        .annotation(AnnotationKind::Primary.span(place(diagnostic.range)))
        .annotations(
            diagnostic
                .related
                .iter()
                .filter(|related| window.contains_range(related.range))
                .map(|related| {
                    AnnotationKind::Context
                        .span(place(related.range))
                        .label(visible::lines(&related.message))
                }),
        );
    let elsewhere = diagnostic
        .related
        .iter()
        .filter(|related| !window.contains_range(related.range))
        .map(|related| {
            let span = report.span(related.range);
            let message = visible::lines(&related.message);
            Level::NOTE.message(format!("{}:{}: {message}", path, span.line))
        });
    let group = level
        .primary_title(message)
        .id(diagnostic.code)
        .element(snippet)
        .elements(elsewhere);
    renderer.render(&[group])
}

/// A related location within this many lines is shown with the diagnostic; others become notes.
const NEAR: u32 = 30;

/// Returns the part of the text to show and the number of its first line, so that the cost does not depend on the size
/// of the file.
fn window_of(
    report: &FileReport,
    range: TextRange,
    related: &[RelatedInformation],
) -> (TextRange, u32) {
    let own = report.span(range);
    let (mut first, mut last) = (own.line, own.end_line);
    for related in related {
        let span = report.span(related.range);
        if span.line + NEAR >= own.line && span.end_line <= own.end_line + NEAR {
            first = first.min(span.line);
            last = last.max(span.end_line);
        }
    }
    let first = first.saturating_sub(CONTEXT).max(1);
    let start = report.lines.line_start(first).unwrap_or_default();
    let end = report
        .lines
        .line_start(last + CONTEXT + 1)
        .unwrap_or(TextSize::of(&*report.text));
    (TextRange::new(start, end), first)
}

fn summary(reports: &[FileReport]) -> String {
    let count = |severity| {
        reports
            .iter()
            .flat_map(|report| &report.diagnostics)
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let files = plural(reports.len(), "file");
    match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => format!("No problems in {files}.\n"),
        (errors, 0) => format!("{} in {files}.\n", plural(errors, "error")),
        (0, warnings) => format!("{} in {files}.\n", plural(warnings, "warning")),
        (errors, warnings) => format!(
            "{} and {} in {files}.\n",
            plural(errors, "error"),
            plural(warnings, "warning")
        ),
    }
}
