//! `--statistics`: counts how often each code is reported.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use super::FileReport;
use crate::cli::output::Output;

pub fn render(reports: &[FileReport], json: bool) -> Output {
    let mut counts = BTreeMap::<(&str, &str), usize>::new();
    for diagnostic in reports.iter().flat_map(|report| &report.diagnostics) {
        let severity = diagnostic.severity.name();
        *counts.entry((diagnostic.code, severity)).or_default() += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if json {
        let rows = rows.iter().map(
            |((code, severity), count)| json!({"code": code, "severity": severity, "count": count}),
        );
        return Output::Json(rows.collect());
    }
    let mut out = String::new();
    for ((code, severity), count) in rows {
        let _ = writeln!(out, "{count:>6}  {severity:<8} {code}");
    }
    Output::Text(out)
}
