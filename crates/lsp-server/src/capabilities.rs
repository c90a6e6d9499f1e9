//! Capabilities of the client that the server uses.

use std::sync::Arc;

use lsp_types::{ClientCapabilities, MarkupKind, ResourceOperationKind};

use crate::line_index::Encoding;
use crate::pages::Pages;

/// The client's command that shows what names the function at a position.
pub const SHOW_REFERENCES: &str = "relax.showReferences";

/// The client's abilities that change what the server sends.
#[derive(Clone, Debug, Default)]
pub struct Client {
    pub encoding: Encoding,
    pub configuration: bool,
    /// Else functions are run by code actions.
    pub lenses: bool,
    pub refresh_lenses: bool,
    pub refresh_hints: bool,
    pub progress: bool,
    /// Else the places that explain a diagnostic become part of its message.
    pub related_information: bool,
    pub diagnostic_tags: bool,
    pub pages: Pages,
    /// Else symbols are a flat list.
    pub nested_symbols: bool,
    /// Else hovers are plain text.
    pub markdown: bool,
    /// Else there are no code actions: the old kind, commands alone, is not offered.
    pub code_actions: bool,
    /// Edits of assists are asked for when one is taken.
    pub resolve_edits: bool,
    /// Edits of a workspace name the version of the document they are for.
    pub versioned_edits: bool,
    /// Edits may create files.
    pub creates_files: bool,
    /// Edits may say what they are for, and be shown before they are made.
    pub annotated_edits: bool,
    /// Else a rename is not prepared.
    pub prepare_rename: bool,
    /// Else counts of references are plain text.
    pub show_references: bool,
    /// Else what a traced run has seen becomes hints.
    pub shows_traces: bool,
    /// The same of the documentation of completions.
    pub completion_markdown: bool,
    /// And of signatures.
    pub signature_markdown: bool,
    /// Whether parameters are places in the signature's label, or texts.
    pub label_offsets: bool,
    /// Else what a completion leaves to fill is filled with its defaults.
    pub snippets: bool,
    /// Whether the user chooses between inserting a completion and replacing the word with it.
    pub insert_replace: bool,
    /// Where completions go may be said once for a list of them.
    pub default_edit_range: bool,
    /// The same of whether they are snippets.
    pub default_text_format: bool,
    /// The client asks for diagnostics; else they are published.
    pub pull_diagnostics: bool,
    pub refresh_tokens: bool,
    /// The client watches files for us if it is asked to.
    pub watch_files: bool,
}

impl Client {
    pub fn new(capabilities: &ClientCapabilities) -> Client {
        let workspace = capabilities.workspace.as_ref();
        let general = capabilities.general.as_ref();
        let window = capabilities.window.as_ref();
        let document = capabilities.text_document.as_ref();
        let diagnostics = document.and_then(|it| it.publish_diagnostics.as_ref());
        let hover_formats = document
            .and_then(|it| it.hover.as_ref())
            .and_then(|it| it.content_format.as_ref());
        let code_action = document.and_then(|it| it.code_action.as_ref());
        let completion = document.and_then(|it| it.completion.as_ref());
        let completion_item = completion.and_then(|it| it.completion_item.as_ref());
        let defaults = completion
            .and_then(|it| it.completion_list.as_ref()?.item_defaults.as_deref())
            .unwrap_or_default();
        let has_default = |name: &str| defaults.iter().any(|it| it == name);
        let signature = document
            .and_then(|it| it.signature_help.as_ref())
            .and_then(|it| it.signature_information.as_ref());
        Client {
            encoding: Encoding::negotiate(
                general.and_then(|general| general.position_encodings.as_deref()),
            ),
            configuration: workspace.and_then(|it| it.configuration).unwrap_or(false),
            lenses: document.is_some_and(|it| it.code_lens.is_some()),
            refresh_lenses: workspace
                .and_then(|it| it.code_lens.as_ref())
                .and_then(|it| it.refresh_support)
                .unwrap_or(false),
            refresh_hints: workspace
                .and_then(|it| it.inlay_hint.as_ref())
                .and_then(|it| it.refresh_support)
                .unwrap_or(false),
            progress: window.and_then(|it| it.work_done_progress).unwrap_or(false),
            related_information: diagnostics
                .and_then(|it| it.related_information)
                .unwrap_or(false),
            diagnostic_tags: diagnostics.is_some_and(|it| it.tag_support.is_some()),
            pages: match diagnostics.and_then(|it| it.code_description_support) {
                Some(true) => own_pages(capabilities).unwrap_or(Pages::Files(Arc::default())),
                _ => Pages::Unwanted,
            },
            nested_symbols: document
                .and_then(|it| it.document_symbol.as_ref())
                .and_then(|it| it.hierarchical_document_symbol_support)
                .unwrap_or(false),
            code_actions: code_action.is_some_and(|it| it.code_action_literal_support.is_some()),
            resolve_edits: code_action
                .filter(|it| it.data_support.unwrap_or(false))
                .and_then(|it| it.resolve_support.as_ref())
                .is_some_and(|it| it.properties.iter().any(|name| name == "edit")),
            versioned_edits: workspace
                .and_then(|it| it.workspace_edit.as_ref())
                .and_then(|it| it.document_changes)
                .unwrap_or(false),
            creates_files: workspace
                .and_then(|it| it.workspace_edit.as_ref())
                .and_then(|it| it.resource_operations.as_deref())
                .is_some_and(|it| it.contains(&ResourceOperationKind::Create)),
            annotated_edits: workspace
                .and_then(|it| it.workspace_edit.as_ref())
                .is_some_and(|it| it.change_annotation_support.is_some()),
            pull_diagnostics: document.is_some_and(|it| it.diagnostic.is_some()),
            refresh_tokens: workspace
                .and_then(|it| it.semantic_tokens.as_ref())
                .and_then(|it| it.refresh_support)
                .unwrap_or(false),
            watch_files: workspace
                .and_then(|it| it.did_change_watched_files.as_ref())
                .and_then(|it| it.dynamic_registration)
                .unwrap_or(false),
            show_references: commands(capabilities).any(|it| it == SHOW_REFERENCES),
            shows_traces: experimental(capabilities, "traces")
                .and_then(serde_json::Value::as_bool)
                .unwrap_or(false),
            prepare_rename: document
                .and_then(|it| it.rename.as_ref())
                .and_then(|it| it.prepare_support)
                .unwrap_or(false),
            markdown: hover_formats.is_none_or(|formats| formats.contains(&MarkupKind::Markdown)),
            completion_markdown: completion_item
                .and_then(|it| it.documentation_format.as_ref())
                .is_none_or(|formats| formats.contains(&MarkupKind::Markdown)),
            signature_markdown: signature
                .and_then(|it| it.documentation_format.as_ref())
                .is_none_or(|formats| formats.contains(&MarkupKind::Markdown)),
            label_offsets: signature
                .and_then(|it| it.parameter_information.as_ref())
                .and_then(|it| it.label_offset_support)
                .unwrap_or(false),
            snippets: completion_item
                .and_then(|it| it.snippet_support)
                .unwrap_or(false),
            insert_replace: completion_item
                .and_then(|it| it.insert_replace_support)
                .unwrap_or(false),
            default_edit_range: has_default("editRange"),
            default_text_format: has_default("insertTextFormat"),
        }
    }
}

/// The commands that the client has itself and lets lenses name: `experimental.commands`.
fn commands(capabilities: &ClientCapabilities) -> impl Iterator<Item = &str> {
    let commands = experimental(capabilities, "commands").and_then(|it| it.as_array());
    let commands = commands.map(Vec::as_slice).unwrap_or_default();
    commands.iter().filter_map(serde_json::Value::as_str)
}

/// What the client says of itself that LSP has no words for.
fn experimental<'c>(
    capabilities: &'c ClientCapabilities,
    name: &str,
) -> Option<&'c serde_json::Value> {
    capabilities.experimental.as_ref()?.get(name)
}

/// Where the client shows pages about diagnostics: `experimental.pages`, such as `relax-explain:/{code}.md`.
fn own_pages(capabilities: &ClientCapabilities) -> Option<Pages> {
    let address = experimental(capabilities, "pages")?.as_str()?;
    Some(Pages::Shown(address.into()))
}
