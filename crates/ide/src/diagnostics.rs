//! Diagnostics as an editor shows them, and the page about each code.
//!
//! What is wrong, hir says; this adds what a person should know of the rule. One file for each code.

use hir::{Code, Database, SourceFile};

use crate::types::{Diagnostic, RelatedInformation, Severity, Tag};

pub fn diagnostics(db: &Database, file: SourceFile) -> Vec<Diagnostic> {
    hir::file_diagnostics(db, file)
        .into_iter()
        .map(|diagnostic| Diagnostic {
            code: diagnostic.code.name(),
            severity: match diagnostic.severity {
                hir::Severity::Error => Severity::Error,
                hir::Severity::Warning => Severity::Warning,
                hir::Severity::Hint => Severity::Hint,
            },
            range: diagnostic.range,
            message: diagnostic.message,
            related: diagnostic
                .related
                .into_iter()
                .map(|(range, message)| RelatedInformation { range, message })
                .collect(),
            tags: tags(diagnostic.code),
        })
        .collect()
}

fn tags(code: Code) -> Vec<Tag> {
    match code {
        Code::UnusedBinding => vec![Tag::Unnecessary],
        _ => Vec::new(),
    }
}
