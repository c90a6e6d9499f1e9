//! The client capabilities that the server uses.

use std::sync::Arc;

use lsp_types::{ClientCapabilities, MarkupKind, ResourceOperationKind};

use crate::line_index::Encoding;
use crate::pages::Pages;

/// The client's command that shows the references of the function at a position.
pub const SHOW_REFERENCES: &str = "relax.showReferences";

/// The client's capabilities that affect what the server sends.
#[derive(Clone, Debug, Default)]
pub struct Client {
    pub encoding: Encoding,
    pub configuration: bool,
    /// Shows code lenses. Otherwise functions are run by code actions.
    pub lenses: bool,
    pub refresh_lenses: bool,
    pub refresh_hints: bool,
    pub progress: bool,
    /// Shows related information. Otherwise it becomes part of a diagnostic's message.
    pub related_information: bool,
    pub diagnostic_tags: bool,
    pub pages: Pages,
    /// Shows nested symbols. Otherwise they are a flat list.
    pub nested_symbols: bool,
    /// Shows Markdown in hovers. Otherwise they are plain text.
    pub markdown: bool,
    /// Supports code action literals. Otherwise there are no code actions.
    pub code_actions: bool,
    /// Resolves the edits of code actions.
    pub resolve_edits: bool,
    /// Supports document versions in workspace edits.
    pub versioned_edits: bool,
    /// Supports creating files in workspace edits.
    pub creates_files: bool,
    /// Supports change annotations, which describe edits and allow a preview.
    pub annotated_edits: bool,
    /// Supports `prepareRename`.
    pub prepare_rename: bool,
    /// Can show references. Otherwise reference counts are plain text.
    pub show_references: bool,
    /// Shows traces itself. Otherwise they become inlay hints.
    pub shows_traces: bool,
    /// Shows Markdown in the documentation of completions.
    pub completion_markdown: bool,
    /// Shows Markdown in signature help.
    pub signature_markdown: bool,
    /// Supports offsets for parameters in a signature's label.
    pub label_offsets: bool,
    /// Supports snippets. Otherwise placeholders are replaced by their defaults.
    pub snippets: bool,
    /// Lets the user choose between inserting a completion and replacing the word.
    pub insert_replace: bool,
    /// Supports a default edit range for a list of completions.
    pub default_edit_range: bool,
    /// Supports a default insert text format for a list of completions.
    pub default_text_format: bool,
    /// Requests diagnostics. Otherwise they are published.
    pub pull_diagnostics: bool,
    pub refresh_tokens: bool,
    /// Can watch files for the server.
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

/// Returns the client's own commands that lenses may use: `experimental.commands`.
fn commands(capabilities: &ClientCapabilities) -> impl Iterator<Item = &str> {
    let commands = experimental(capabilities, "commands").and_then(|it| it.as_array());
    let commands = commands.map(Vec::as_slice).unwrap_or_default();
    commands.iter().filter_map(serde_json::Value::as_str)
}

/// Returns an experimental capability of the client.
fn experimental<'c>(
    capabilities: &'c ClientCapabilities,
    name: &str,
) -> Option<&'c serde_json::Value> {
    capabilities.experimental.as_ref()?.get(name)
}

/// Returns where the client shows documentation pages of diagnostics: `experimental.pages`, such as
/// `relax-explain:/{code}.md`.
fn own_pages(capabilities: &ClientCapabilities) -> Option<Pages> {
    let address = experimental(capabilities, "pages")?.as_str()?;
    Some(Pages::Shown(address.into()))
}
