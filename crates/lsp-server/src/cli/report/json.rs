//! `--format json`: an array with one object per file.

use serde_json::{Value, json};

use super::FileReport;

pub fn render(reports: &[FileReport]) -> String {
    let files: Vec<Value> = reports
        .iter()
        .map(|report| {
            json!({
                "path": report.slash_path(),
                "diagnostics": diagnostics(report),
            })
        })
        .collect();
    format!("{:#}\n", Value::from(files))
}

/// Returns the `diagnostics` of a file, which `facts` prints too.
pub fn diagnostics(report: &FileReport) -> Vec<Value> {
    report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let span = report.span(diagnostic.range);
            let related = diagnostic.related.iter().map(|it| {
                let span = report.span(it.range);
                json!({
                    "line": span.line,
                    "col": span.col,
                    "end_line": span.end_line,
                    "end_col": span.end_col,
                    "message": it.message,
                })
            });
            let related: Vec<Value> = related.collect();
            json!({
                "code": diagnostic.code,
                "severity": diagnostic.severity.name(),
                "line": span.line,
                "col": span.col,
                "end_line": span.end_line,
                "end_col": span.end_col,
                "message": diagnostic.message,
                "related": related,
            })
        })
        .collect()
}
