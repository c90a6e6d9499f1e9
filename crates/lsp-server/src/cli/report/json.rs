//! `--format json`: an array with one object per file.

use serde_json::{Map, Value, json};
use text_size::TextRange;

use super::FileReport;

pub fn render(reports: &[FileReport]) -> Value {
    reports
        .iter()
        .map(|report| {
            json!({
                "path": report.slash_path(),
                "diagnostics": diagnostics(report),
            })
        })
        .collect()
}

/// Returns the `diagnostics` of a file, which `facts` prints too.
pub fn diagnostics(report: &FileReport) -> Vec<Value> {
    report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let related = diagnostic.related.iter();
            let related: Vec<Value> = related
                .map(|it| Value::Object(placed(report, it.range, &it.message)))
                .collect();
            let mut object = Map::new();
            object.insert("code".to_owned(), json!(diagnostic.code));
            object.insert("severity".to_owned(), json!(diagnostic.severity.name()));
            object.extend(placed(report, diagnostic.range, &diagnostic.message));
            object.insert("related".to_owned(), related.into());
            Value::Object(object)
        })
        .collect()
}

fn placed(report: &FileReport, range: TextRange, message: &str) -> Map<String, Value> {
    let span = report.span(range);
    let keys = [
        ("line", json!(span.line)),
        ("col", json!(span.col)),
        ("end_line", json!(span.end_line)),
        ("end_col", json!(span.end_col)),
        ("message", json!(message)),
    ];
    keys.map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
}
