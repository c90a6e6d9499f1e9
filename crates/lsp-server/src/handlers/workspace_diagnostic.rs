//! `workspace/diagnostic`: the diagnostics of open documents and of the other files of the workspace with TVMScript.
//! Files that have not changed since the client's last request are not analysed again.

use ide::{Analysis, Config};
use lsp_types::{
    FullDocumentDiagnosticReport, PreviousResultId, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};
use serde_json::json;

use super::diagnostic::{items, result_id};
use crate::line_index::Lines;
use crate::methods::text;
use crate::session::{Refusal, SessionHandle, Snapshot, Subject, Survey};
use crate::to_proto;
use crate::workspace::File;

/// The title of its progress.
pub const TITLE: &str = "Checking the workspace";

type Reports = Vec<WorkspaceDocumentDiagnosticReport>;

pub fn answer(
    session: &SessionHandle,
    params: WorkspaceDiagnosticParams,
) -> impl Future<Output = Result<String, Refusal>> + Send + use<> {
    let session = session.about(Subject::Workspace);
    let open = session.read(params.previous_result_ids.clone(), of_open);
    let shown = params.work_done_progress_params.work_done_token.is_some();
    let files = session.survey((!shown).then_some(TITLE), params, of_files);
    async move {
        let mut items = open.await?;
        items.extend(files.await?);
        text(&WorkspaceDiagnosticReport { items })
    }
}

/// Returns the reports of open documents.
fn of_open(snapshot: &Snapshot, previous: Vec<PreviousResultId>) -> Result<Reports, Refusal> {
    let mut reports = Vec::new();
    for document in snapshot.documents.values().filter(|it| it.relevant) {
        let id = result_id(document, snapshot);
        let version = Some(i64::from(document.version));
        reports.push(if has(&previous, &document.uri, &id) {
            unchanged(&document.uri, version, id)
        } else {
            full(&document.uri, version, id, items(snapshot, document)?)
        });
    }
    Ok(reports)
}

/// Returns the reports of other files. Sends each as a partial result if the client supports that.
fn of_files(mut survey: Survey, params: WorkspaceDiagnosticParams) -> Reports {
    survey.refresh();
    let mut reports = Vec::new();
    for file in survey.workspace.files() {
        if !survey.go_on() {
            break;
        }
        if survey.open.contains(&file.path) {
            continue;
        }
        let Some(report) = report(&survey, &file, &params.previous_result_ids) else {
            continue;
        };
        match &params.partial_result_params.partial_result_token {
            Some(token) => survey.send(token, json!({"items": [report]})),
            None => reports.push(report),
        }
    }
    reports
}

fn report(
    survey: &Survey,
    file: &File,
    previous: &[PreviousResultId],
) -> Option<WorkspaceDocumentDiagnosticReport> {
    let of_project = || survey.targets.of_file(&file.path).map(|it| it.release);
    let target = survey.config.target.or_else(of_project);
    let (severities, dims) = (&survey.config.severities, &survey.config.dims);
    let release = target.map_or("auto", |it| it.name());
    let id = format!("{}.{release}{}{}", file.id(), severities.id(), dims.id());
    if has(previous, &file.uri, &id) {
        return Some(unchanged(&file.uri, None, id));
    }
    let text = file.text()?;
    let lines = Lines::new(text.clone(), survey.client.encoding);
    let (analysis, only) = Analysis::from_file_with_dims(text, Config { target }, dims.values());
    let mut found = analysis.diagnostics(only).ok()?;
    survey.config.adjust(&mut found);
    let show = |it| to_proto::diagnostic(&lines, &file.uri, &survey.client, it);
    Some(full(&file.uri, None, id, found.iter().map(show).collect()))
}

fn has(previous: &[PreviousResultId], uri: &Uri, id: &str) -> bool {
    previous.iter().any(|it| it.uri == *uri && it.value == id)
}

fn unchanged(
    uri: &Uri,
    version: Option<i64>,
    result_id: String,
) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
        uri: uri.clone(),
        version,
        unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
    })
}

fn full(
    uri: &Uri,
    version: Option<i64>,
    id: String,
    items: Vec<lsp_types::Diagnostic>,
) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri: uri.clone(),
        version,
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(id),
            items,
        },
    })
}
