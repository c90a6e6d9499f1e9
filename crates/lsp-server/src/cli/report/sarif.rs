//! `--format sarif`: SARIF 2.1.0.

use std::collections::BTreeSet;

use ide::{Diagnostic, Severity};
use serde_json::{Value, json};

use super::FileReport;
use crate::uri;

pub fn render(reports: &[FileReport]) -> Value {
    let diagnostics = || reports.iter().flat_map(|report| &report.diagnostics);
    let codes: BTreeSet<&str> = diagnostics().map(|it| it.code).collect();
    let results = reports.iter().flat_map(|report| {
        let results = report.diagnostics.iter();
        results.map(|diagnostic| result(report, diagnostic))
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "relax-lsp",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.into_iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn rule(code: &str) -> Value {
    match ide::diagnostics::page(code) {
        Some(page) => json!({
            "id": code,
            "fullDescription": {"text": page.rule()},
            "help": {"text": page.fix()},
        }),
        None => json!({"id": code}),
    }
}

fn result(report: &FileReport, diagnostic: &Diagnostic) -> Value {
    let span = report.span(diagnostic.range);
    json!({
        "ruleId": diagnostic.code,
        "level": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "note",
        },
        "message": {"text": diagnostic.message},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri::reference(&report.path)},
            "region": {
                "startLine": span.line,
                "startColumn": span.col,
                "endLine": span.end_line,
                "endColumn": span.end_col,
            },
        }}],
    })
}
