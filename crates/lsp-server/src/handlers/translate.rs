//! The action "Translate to Relax": translates a Relay document to a new Python file next to it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ide::Language;
use lsp_types::{
    CreateFile, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, ResourceOp, TextDocumentEdit, TextEdit,
    WorkspaceEdit,
};
use relax::release::Release;

use crate::documents::Document;
use crate::session::Snapshot;
use crate::uri;

/// The id of the action, for computing its edit later.
pub const ID: &str = "translate";
/// The number of names that are tried for the new file.
const NAMES: u32 = 9;

/// Returns the path of the translation. Returns `None` for Python, for a document without a folder, and for a client
/// that cannot create files.
pub fn target(snapshot: &Snapshot, document: &Document) -> Option<PathBuf> {
    let client = &snapshot.client;
    if document.language != Language::Relay || !client.versioned_edits || !client.creates_files {
        return None;
    }
    let path = uri::path(&document.uri)?;
    let stem = path.file_stem()?.to_str()?;
    let numbered = (2..=NAMES).map(|number| format!("{stem}_{number}.py"));
    let names = std::iter::once(format!("{stem}.py")).chain(numbered);
    names
        .map(|name| path.with_file_name(name))
        .find(|it| !it.exists())
}

/// Returns the edit that creates the file. Constructs without a translation are listed at its end.
pub fn edit(snapshot: &Snapshot, document: &Document) -> Option<WorkspaceEdit> {
    let uri = uri::of_path(&target(snapshot, document)?)?;
    let create = CreateFile {
        uri: uri.clone(),
        options: None,
        annotation_id: None,
    };
    let text_document = OptionalVersionedTextDocumentIdentifier { uri, version: None };
    let text = TextEdit::new(Range::default(), translation(snapshot, document));
    let fill = TextDocumentEdit {
        text_document,
        edits: vec![OneOf::Left(text)],
    };
    let operations = vec![
        DocumentChangeOperation::Op(ResourceOp::Create(create)),
        DocumentChangeOperation::Edit(fill),
    ];
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(operations)),
        ..WorkspaceEdit::default()
    })
}

fn translation(snapshot: &Snapshot, document: &Document) -> String {
    let lines = &document.lines;
    let release = document.release(&snapshot.config);
    let translation = ide::translate(lines.text(), release.unwrap_or(Release::NEWEST));
    let mut text = translation.text;
    if !translation.left.is_empty() {
        text.push_str("\n# Constructs without a translation:\n");
    }
    for left in &translation.left {
        let line = lines.to_range(left.range).start.line + 1;
        _ = writeln!(text, "# - line {line}: {}", left.message);
    }
    text
}

/// Returns the title of the action.
pub fn title(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!("Translate to Relax, into `{name}`")
}
