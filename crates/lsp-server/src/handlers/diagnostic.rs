//! `textDocument/diagnostic`: the diagnostics of a document for clients that ask for them.

use ide::Cancellable;
use lsp_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
};

use crate::config::Config;
use crate::session::{Document, Snapshot};
use crate::to_proto;

pub fn answer(
    snapshot: &Snapshot,
    params: DocumentDiagnosticParams,
) -> Cancellable<DocumentDiagnosticReportResult> {
    let document = snapshot.document(&params.text_document.uri);
    let id = document.map(|document| result_id(document, &snapshot.config));
    if let Some(result_id) = id.clone().filter(|_| id == params.previous_result_id) {
        let report = RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        };
        return Ok(DocumentDiagnosticReport::from(report).into());
    }
    let items = match document {
        Some(document) => items(snapshot, document)?,
        None => Vec::new(),
    };
    let report = RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: id,
            items,
        },
    };
    Ok(DocumentDiagnosticReport::from(report).into())
}

/// Names the text and the settings that diagnostics depend on.
pub fn result_id(document: &Document, config: &Config) -> String {
    let dialect = config.dialect.map_or("auto", |dialect| dialect.name());
    format!("{}.{}.{dialect}", document.file.0, document.version)
}

pub fn items(snapshot: &Snapshot, document: &Document) -> Cancellable<Vec<Diagnostic>> {
    let found = snapshot.analysis.diagnostics(document.file)?;
    let show = |it| to_proto::diagnostic(&document.lines, &document.uri, &snapshot.client, it);
    Ok(found.iter().map(show).collect())
}
