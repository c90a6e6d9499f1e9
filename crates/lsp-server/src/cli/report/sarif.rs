//! `--format sarif`: SARIF 2.1.0.

use std::collections::BTreeSet;

use ide::Severity;
use serde_json::Value;
use serde_sarif::sarif::{
    ArtifactLocation, Location, Message, MultiformatMessageString, PhysicalLocation, Region,
    ReportingDescriptor, Result, ResultColumnKind, ResultLevel, Run, Sarif, Tool, ToolComponent,
    Version,
};

use super::FileReport;
use crate::uri;

pub fn render(reports: &[FileReport]) -> Value {
    let codes: BTreeSet<&str> = reports
        .iter()
        .flat_map(|report| &report.diagnostics)
        .map(|diagnostic| diagnostic.code)
        .collect();
    let rules: Vec<ReportingDescriptor> = codes.into_iter().map(rule).collect();
    let driver = ToolComponent::builder()
        .name("relax-lsp")
        .version(env!("CARGO_PKG_VERSION"))
        .rules(rules)
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .column_kind(serde_json::json!(ResultColumnKind::UnicodeCodePoints))
        .results(reports.iter().flat_map(results).collect::<Vec<_>>())
        .build();
    let sarif = Sarif::builder()
        .version(Version::V2_1_0.to_string())
        .schema("https://json.schemastore.org/sarif-2.1.0.json")
        .runs(vec![run])
        .build();
    serde_json::json!(sarif)
}

fn rule(code: &str) -> ReportingDescriptor {
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    match ide::diagnostics::page(code) {
        Some(page) => ReportingDescriptor::builder()
            .id(code)
            .full_description(text(page.rule()))
            .help(text(page.fix()))
            .build(),
        None => ReportingDescriptor::builder().id(code).build(),
    }
}

fn results(report: &FileReport) -> impl Iterator<Item = Result> + '_ {
    report.diagnostics.iter().map(|diagnostic| {
        let span = report.span(diagnostic.range);
        let region = Region::builder()
            .start_line(i64::from(span.line))
            .start_column(i64::from(span.col))
            .end_line(i64::from(span.end_line))
            .end_column(i64::from(span.end_col))
            .build();
        let place = PhysicalLocation::builder()
            .artifact_location(
                ArtifactLocation::builder()
                    .uri(uri::reference(&report.path))
                    .build(),
            )
            .region(region)
            .build();
        Result::builder()
            .rule_id(diagnostic.code)
            .level(match diagnostic.severity {
                Severity::Error => ResultLevel::Error,
                Severity::Warning => ResultLevel::Warning,
                Severity::Hint => ResultLevel::Note,
            })
            .message(Message::builder().text(&diagnostic.message).build())
            .locations(vec![Location::builder().physical_location(place).build()])
            .build()
    })
}
