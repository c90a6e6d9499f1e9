//! Migration to another release of TVM: `source.migrate.relax` for the document, and the command `relax.migrate` for
//! one or all files of the workspace. The client previews the edit if it can.

use std::collections::HashMap;

use ide::{Language, Migration};
use lsp_types::{
    AnnotatedTextEdit, ChangeAnnotation, CodeAction, CodeActionKind, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use relax::release::Release;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::capabilities::Client;
use crate::line_index::Lines;
use crate::session::{Refusal, Snapshot, Survey};
use crate::{documents::Document, migration, sources, to_proto, uri};

pub const KIND: CodeActionKind = CodeActionKind::new("source.migrate.relax");
/// The id of the annotation of the edits.
const ANNOTATION: &str = "migrate";

#[derive(Deserialize)]
pub struct MigrateArguments {
    /// The release, such as `0.25`. If missing, the release of each file's project, or the newest.
    to: Option<String>,
    /// The file. If missing, all files of the workspace.
    uri: Option<Uri>,
}

/// How a text of a project with a target is migrated to a release.
type Migrate = fn(&str, Option<Release>, Release) -> Migration;

/// One migrated file.
struct Migrated {
    uri: Uri,
    /// The version, if the document is open.
    version: Option<i32>,
    lines: Lines,
    to: Release,
    migration: Migration,
}

impl Migrated {
    fn new(
        (uri, version): (Uri, Option<i32>),
        lines: Lines,
        target: Option<Release>,
        to: Option<Release>,
        migrate: Migrate,
    ) -> Migrated {
        let to = to.or(target).unwrap_or(Release::NEWEST);
        let migration = migrate(lines.text(), target, to);
        Migrated {
            uri,
            version,
            lines,
            to,
            migration,
        }
    }

    fn of_document(
        document: &Document,
        target: Option<Release>,
        to: Option<Release>,
        migrate: Migrate,
    ) -> Option<Migrated> {
        let path = uri::path(&document.uri);
        let is_python = path.is_none_or(|it| sources::language(&it) == Language::Python);
        let identity = (document.uri.clone(), Some(document.version));
        (document.relevant && is_python)
            .then(|| Migrated::new(identity, document.lines.clone(), target, to, migrate))
    }

    fn edits(&self) -> Vec<TextEdit> {
        let before = self.lines.text();
        to_proto::text_edits(&self.lines, &migration::edit(before, &self.migration.text))
    }

    /// Returns the code without an equivalent, with its positions after the edit.
    fn untranslated(&self, client: &Client) -> impl Iterator<Item = Value> {
        let lines = Lines::new(self.migration.text.as_str().into(), client.encoding);
        self.migration.left.iter().map(move |it| {
            json!({"uri": self.uri, "range": lines.to_range(it.range), "message": it.message})
        })
    }
}

/// Returns the action for the document, or `None` if it already is written for that release.
pub fn action(snapshot: &Snapshot, document: &Document) -> Option<CodeAction> {
    let target = document.release(&snapshot.config);
    let migrated = Migrated::of_document(document, target, None, migration::migrate)?;
    if migrated.edits().is_empty() {
        return None;
    }
    Some(CodeAction {
        title: format!("Migrate this file to {}", migrated.to.title()),
        kind: Some(KIND),
        edit: Some(workspace_edit(&[migrated], &snapshot.client)),
        ..CodeAction::default()
    })
}

/// Returns the edit of one or all files, and the code without an equivalent.
pub fn answer(mut survey: Survey, arguments: MigrateArguments) -> Result<Value, Refusal> {
    let to = arguments.to.as_deref();
    let unknown = |name: &str| Refusal::Invalid(format!("`{name}` is not a release of TVM"));
    let to = to.map(|name| Release::from_name(name).ok_or_else(|| unknown(name)));
    let to = to.transpose()?;
    let is_wanted = |uri: &Uri| arguments.uri.as_ref().is_none_or(|it| it == uri);
    let how = migration::migrate_and_check;
    let documents = survey.documents.values().filter(|it| is_wanted(&it.uri));
    let mut migrated: Vec<Migrated> = documents
        .filter_map(|it| Migrated::of_document(it, it.release(&survey.config), to, how))
        .collect();
    survey.refresh();
    for file in survey.workspace.files() {
        if !survey.go_on() {
            return Err(Refusal::Cancelled);
        }
        let Some(uri) = uri::of_path(&file.path) else {
            continue;
        };
        let is_python = sources::language(&file.path) == Language::Python;
        if !is_python || survey.open.contains(&file.path) || !is_wanted(&uri) {
            continue;
        }
        let Some(text) = file.text() else { continue };
        let found = survey.targets.of_file(&file.path);
        let target = survey.config.target.or(found.map(|it| it.release));
        let lines = Lines::new(text, survey.client.encoding);
        migrated.push(Migrated::new((uri, None), lines, target, to, how));
    }
    migrated.retain(|it| !it.edits().is_empty() || !it.migration.left.is_empty());
    migrated.sort_by(|a, b| a.uri.as_str().cmp(b.uri.as_str()));
    let left = migrated
        .iter()
        .flat_map(|it| it.untranslated(&survey.client));
    Ok(json!({
        "left": left.collect::<Vec<_>>(),
        "edit": workspace_edit(&migrated, &survey.client),
    }))
}

fn workspace_edit(migrated: &[Migrated], client: &Client) -> WorkspaceEdit {
    let changed = migrated.iter().map(|it| (it, it.edits()));
    let changed = changed.filter(|(_, edits)| !edits.is_empty());
    if !client.versioned_edits {
        #[expect(clippy::mutable_key_type, reason = "the protocol's own type")]
        let changes = changed.map(|(it, edits)| (it.uri.clone(), edits)).collect();
        return WorkspaceEdit::new(changes);
    }
    let annotated = |text_edit: TextEdit| {
        let annotation_id = ANNOTATION.to_owned();
        OneOf::Right(AnnotatedTextEdit {
            text_edit,
            annotation_id,
        })
    };
    let documents = changed.map(|(it, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri: it.uri.clone(),
            version: it.version,
        },
        edits: if client.annotated_edits {
            edits.into_iter().map(annotated).collect()
        } else {
            edits.into_iter().map(OneOf::Left).collect()
        },
    });
    let annotation = ChangeAnnotation {
        label: "Migrate to another release of TVM".to_owned(),
        // VS Code leaves edits that need confirmation unticked.
        needs_confirmation: Some(false),
        description: None,
    };
    WorkspaceEdit {
        changes: None,
        document_changes: Some(DocumentChanges::Edits(documents.collect())),
        change_annotations: client
            .annotated_edits
            .then(|| HashMap::from([(ANNOTATION.to_owned(), annotation)])),
    }
}
