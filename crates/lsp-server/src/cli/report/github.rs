//! `--format github`: workflow commands, one line per diagnostic.

use std::fmt::Write;

use ide::{Severity, visible};

use super::FileReport;

/// Commands of a workflow, one on each line.
pub struct Commands(String);

impl Commands {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub fn render(reports: &[FileReport]) -> Commands {
    let mut out = String::new();
    for report in reports {
        for diagnostic in &report.diagnostics {
            let command = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "notice",
            };
            let span = report.span(diagnostic.range);
            // GitHub only uses an end column if the range is on one line.
            let end_col = if span.line == span.end_line {
                format!(",endColumn={}", span.end_col)
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "::{command} file={},line={},endLine={},col={}{end_col},title={}::{}",
                property(&report.repository_path()),
                span.line,
                span.end_line,
                span.col,
                property(diagnostic.code),
                data(&diagnostic.message),
            );
        }
    }
    Commands(out)
}

fn data(text: &str) -> String {
    visible::lines(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
