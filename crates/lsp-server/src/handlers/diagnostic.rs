//! `textDocument/diagnostic`: the diagnostics of a document, for clients that request them.

use ide::Cancelled;
use lsp_types::{
    Diagnostic, DiagnosticOptions, DiagnosticServerCapabilities, DocumentDiagnosticParams,
    DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    ServerCapabilities, UnchangedDocumentDiagnosticReport,
};

use super::work_done;
use crate::capabilities::Client;
use crate::documents::Document;
use crate::session::{Refusal, Snapshot};
use crate::to_proto;

pub fn offer(capabilities: &mut ServerCapabilities, client: &Client) {
    // A client to which diagnostics are published must not also request them.
    capabilities.diagnostic_provider = client.pull_diagnostics.then(|| {
        DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: None,
            inter_file_dependencies: false,
            workspace_diagnostics: true,
            work_done_progress_options: work_done(),
        })
    });
}

pub fn answer(
    snapshot: &Snapshot,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult, Refusal> {
    let document = snapshot.python_document(&params.text_document.uri);
    let id = document.map(|document| result_id(document, snapshot));
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

/// Returns an id of the text, and of the settings and recordings that affect diagnostics.
pub fn result_id(document: &Document, snapshot: &Snapshot) -> String {
    let config = &snapshot.config;
    let release = document.release(config);
    let release = release.map_or("auto", |release| release.name());
    let (severities, dims) = (config.severities.id(), config.dims.id());
    format!(
        "{}.{}.{}.{release}{severities}{dims}",
        document.file.0,
        document.version,
        snapshot.programs.revision()
    )
}

pub fn items(snapshot: &Snapshot, document: &Document) -> Result<Vec<Diagnostic>, Refusal> {
    let mut items = snapshot.programs.diagnostics(document);
    let found = document.diagnostics(&snapshot.analysis, &snapshot.config);
    // This is how the protocol says that an edit interrupted the request.
    let found = found.map_err(|Cancelled| Refusal::AskAgain)?;
    let show = |it| to_proto::diagnostic(&document.lines, &document.uri, &snapshot.client, it);
    items.extend(found.iter().map(show));
    Ok(items)
}
