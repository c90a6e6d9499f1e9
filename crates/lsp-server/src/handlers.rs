//! The table of the protocol's methods, and a file for each: it converts the parameters of the protocol, asks `ide`, and
//! converts the answer. Handlers see a snapshot or, for files that are not open, a survey; never the session.

mod call_hierarchy;
mod code_action;
mod code_lens;
mod completion;
mod cost;
mod declaration;
mod definition;
mod diagnostic;
mod diff;
mod document_highlight;
mod document_link;
mod document_symbol;
mod document_sync;
mod execute_command;
mod folding_range;
mod follow;
mod formatting;
mod hover;
mod inlay_hint;
mod inline_value;
mod migrate;
mod passes;
mod record;
mod references;
mod release;
mod rename;
mod run;
mod selection_range;
mod semantic_tokens;
mod show_graph;
mod show_lowered;
mod signature_help;
mod tensor;
mod translate;
mod type_definition;
mod workspace_diagnostic;
mod workspace_symbol;
mod workspace_sync;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Initialized, WorkDoneProgressCancel,
};
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare,
    CodeActionRequest, CodeActionResolveRequest, CodeLensRequest, Completion,
    DocumentDiagnosticRequest, DocumentHighlightRequest, DocumentLinkRequest,
    DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting, GotoDeclaration,
    GotoDefinition, GotoTypeDefinition, HoverRequest, InlayHintRequest, InlayHintResolveRequest,
    InlineValueRequest, PrepareRenameRequest, RangeFormatting, References, Rename,
    ResolveCompletionItem, SelectionRangeRequest, SemanticTokensFullDeltaRequest,
    SemanticTokensFullRequest, SemanticTokensRangeRequest, SignatureHelpRequest,
    WorkspaceDiagnosticRequest, WorkspaceSymbolRequest,
};
use lsp_types::{
    CallHierarchyServerCapability, CodeLensOptions, DeclarationCapability,
    DocumentFormattingOptions, DocumentHighlightOptions, OneOf, ReferencesOptions,
    ServerCapabilities, WorkDoneProgressOptions,
};
use serde_json::json;
use vm::listing::STAGES;

use crate::capabilities::Client;
use crate::methods::{Method, Progress};
use crate::session::Event;

/// One row for each method. Routing, capabilities and documentation all come from this table: to add a method, add a row
/// and its handler.
#[rustfmt::skip]
pub static METHODS: LazyLock<Vec<Method>> = LazyLock::new(|| {
    vec![
        Method::of_service("initialize")
            .offers(|it, client| {
                it.position_encoding = Some(client.encoding.kind());
                it.experimental = Some(json!({"stages": STAGES.iter().map(|(name, _)| name).collect::<Vec<_>>()}));
            })
            .feature("the server's name, version and capabilities, and the stages that `relax.showLowered` knows", "", "lifecycle::the_handshake_names_the_server_and_what_it_offers")
            .feature("position encoding: UTF-8, UTF-16 or UTF-32, the first that the client offers", "", "lifecycle::the_encoding_is_the_first_that_the_client_offers"),
        Method::of_service("shutdown")
            .feature("later requests are refused", "", "lifecycle::exit_after_shutdown_is_success"),
        Method::of_service("$/cancelRequest")
            .feature("cancels a request; the client still gets one answer to it", "", "protocol::each_cancelled_request_gets_exactly_one_answer"),
        Method::of_service("$/setTrace")
            .feature("logs how long each request took", "", "protocol::request_durations_are_traced_on_request"),
        Method::of_service("$/progress")
            .feature("progress of requests that take longer than half a second", "", "protocol::long_requests_report_progress"),
        Method::of_service("textDocument/publishDiagnostics")
            .feature("diagnostics with versions, related locations and tags", "diagnostics.rs", "documents::each_settled_version_is_published_once_in_order")
            .feature("each code links to its documentation", "diagnostics.rs", "diagnostics::a_code_leads_to_its_page"),
        Method::notification::<DidOpenTextDocument>(document_sync::opened)
            .feature("notebook cells: names from other cells and magic commands are not reported", "", "documents::a_cell_of_a_notebook_uses_what_other_cells_bind"),
        Method::notification::<DidChangeTextDocument>(document_sync::changed)
            .offers(document_sync::offer)
            .feature("incremental edits; diagnostics are computed when typing pauses", "", "documents::the_last_version_of_a_burst_is_published"),
        // Saving does not change the editor's text, which is the one that counts.
        Method::ignored::<DidSaveTextDocument>(),
        Method::notification::<DidCloseTextDocument>(document_sync::closed),
        Method::notification::<Initialized>(|_| Event::Initialized),
        Method::notification::<WorkDoneProgressCancel>(|params| Event::CancelProgress(params.token)),
        Method::notification::<DidChangeConfiguration>(|params| Event::Configure(params.settings))
            .feature("settings, pulled by the server, pushed by the client, or from `initializationOptions`", "", "lifecycle::settings_are_requested_and_invalid_ones_named"),
        Method::notification::<DidChangeWorkspaceFolders>(workspace_sync::folders)
            .offers(workspace_sync::offer)
            .feature("several workspace folders, added and removed at any time", "", "workspace::workspace_folders_can_be_added_and_removed"),
        Method::notification::<DidChangeWatchedFiles>(workspace_sync::files)
            .feature("the client watches files, and the server reads the changed ones again", "", "workspace::file_events_of_the_client_update_symbols"),
        Method::read::<DocumentDiagnosticRequest, _, _>(diagnostic::answer)
            .offers(diagnostic::offer)
            .long("Checking")
            .feature("diagnostics on request, with result ids", "diagnostics.rs", "workspace::diagnostics_are_not_pushed_to_clients_that_pull"),
        Method::request::<WorkspaceDiagnosticRequest, _, _>(workspace_diagnostic::answer)
            .long_with_own_progress(workspace_diagnostic::TITLE)
            .feature("diagnostics of the whole workspace, also of files that are not open, as partial results", "diagnostics.rs", "workspace::the_workspace_is_checked_incrementally"),
        Method::request::<WorkspaceSymbolRequest, _, _>(workspace_symbol::answer)
            .offers(|it, _| it.workspace_symbol_provider = Some(OneOf::Left(true)))
            .long_with_own_progress(workspace_symbol::TITLE)
            .feature("modules and functions in open documents and in files of the workspace", "workspace_symbols.rs", "workspace::symbols_of_unopened_files_are_found"),
        Method::read::<HoverRequest, _, _>(hover::answer)
            .offers(|it, _| it.hover_provider = Some(true.into()))
            .long("Inferring")
            .feature("StructInfo, the origin of each dimension, documentation", "hover.rs", "features::hover_shows_struct_info_and_where_dimensions_come_from"),
        Method::read::<Completion, _, _>(completion::answer)
            .offers(completion::offer)
            .feature("operators, variables sorted by how well they fit, keywords, dtypes, snippets", "completion.rs", "completion::operators_are_snippets_for_clients_that_support_them")
            .feature("adds the missing import of a completed name", "completion/imports.rs", "completion::a_missing_import_is_inserted_with_a_completion"),
        Method::read::<ResolveCompletionItem, _, _>(completion::resolve)
            .feature("documentation of an operator or a script function", "completion.rs", "completion::the_documentation_of_an_operator_is_resolved_later"),
        Method::read::<SignatureHelpRequest, _, _>(signature_help::answer)
            .offers(signature_help::offer)
            .feature("parameters of the called function, and which one the cursor is at", "signature_help.rs", "completion::signature_help_marks_the_parameter_at_the_cursor"),
        Method::read::<GotoDefinition, _, _>(definition::answer)
            .offers(|it, _| it.definition_provider = Some(OneOf::Left(true)))
            .feature("the binding of a name", "goto_definition.rs", "navigation::definition_leads_to_the_binding"),
        Method::read::<GotoDeclaration, _, _>(declaration::answer)
            .offers(|it, _| it.declaration_provider = Some(DeclarationCapability::Simple(true)))
            .feature("the declaration of a shape variable", "goto_declaration.rs", "navigation::declaration_and_type_definition_lead_to_the_dimension"),
        Method::read::<GotoTypeDefinition, _, _>(type_definition::answer)
            .offers(|it, _| it.type_definition_provider = Some(true.into()))
            .feature("the bindings of the shape variables in a value's StructInfo", "goto_type_definition.rs", "navigation::declaration_and_type_definition_lead_to_the_dimension"),
        Method::read::<References, _, _>(references::answer)
            .offers(|it, _| it.references_provider = Some(OneOf::Right(ReferencesOptions { work_done_progress_options: work_done() })))
            .long("Looking for references")
            .feature("all uses of a name", "references.rs", "navigation::references_come_with_the_declaration_or_without"),
        Method::read::<DocumentHighlightRequest, _, _>(document_highlight::answer)
            .offers(|it, _| it.document_highlight_provider = Some(OneOf::Right(DocumentHighlightOptions { work_done_progress_options: work_done() })))
            .long("Looking for mentions")
            .feature("the same in one document, with reads and writes apart", "document_highlight.rs", "navigation::highlights_tell_writes_from_reads"),
        Method::read::<Rename, _, _>(rename::answer)
            .offers(rename::offer)
            .long("Renaming")
            .feature("renames all uses; refused with a reason if it would change the meaning of the program", "rename.rs", "navigation::a_rename_edits_every_use_in_its_document_version"),
        Method::read::<PrepareRenameRequest, _, _>(rename::prepare)
            .feature("the range to rename, or the reason why there is none", "rename.rs", "navigation::a_rename_is_prepared_where_the_client_asks_for_that"),
        Method::read::<CallHierarchyPrepare, _, _>(call_hierarchy::prepare)
            .offers(|it, _| it.call_hierarchy_provider = Some(CallHierarchyServerCapability::Simple(true)))
            .feature("call hierarchy of Relax functions and PrimFuncs", "call_hierarchy.rs", "structure::calls_are_followed_both_ways_through_prim_funcs"),
        Method::read::<CallHierarchyIncomingCalls, _, _>(call_hierarchy::incoming)
            .feature("callers", "call_hierarchy.rs", "structure::calls_are_followed_both_ways_through_prim_funcs"),
        Method::read::<CallHierarchyOutgoingCalls, _, _>(call_hierarchy::outgoing)
            .feature("callees", "call_hierarchy.rs", "structure::calls_are_followed_both_ways_through_prim_funcs"),
        Method::read::<DocumentSymbolRequest, _, _>(document_symbol::answer)
            .offers(|it, _| it.document_symbol_provider = Some(OneOf::Left(true)))
            .feature("outline: modules, functions, bindings", "document_symbols.rs", "features::the_outline_nests_functions_in_modules"),
        Method::read::<SemanticTokensFullRequest, _, _>(semantic_tokens::full)
            .offers(semantic_tokens::offer)
            .long("Colouring")
            .feature("the kind of each name: operator, dataflow variable, shape variable, PrimFunc, ...", "semantic_tokens.rs", "structure::semantic_tokens_are_sent_whole_by_range_and_as_delta"),
        Method::read::<SemanticTokensFullDeltaRequest, _, _>(semantic_tokens::delta)
            .long("Colouring")
            .feature("the difference from the previous answer", "semantic_tokens.rs", "structure::semantic_tokens_are_sent_whole_by_range_and_as_delta"),
        Method::read::<SemanticTokensRangeRequest, _, _>(semantic_tokens::range)
            .feature("the visible range", "semantic_tokens.rs", "structure::semantic_tokens_are_sent_whole_by_range_and_as_delta"),
        Method::read::<FoldingRangeRequest, _, _>(folding_range::answer)
            .offers(|it, _| it.folding_range_provider = Some(true.into()))
            .feature("blocks, brackets, imports, comments, regions", "folding_ranges.rs", "structure::suites_imports_and_comments_fold"),
        Method::read::<SelectionRangeRequest, _, _>(selection_range::answer)
            .offers(|it, _| it.selection_range_provider = Some(true.into()))
            .feature("selection that grows from the word to the file", "selection_ranges.rs", "structure::every_position_has_growing_selections"),
        Method::read::<DocumentLinkRequest, _, _>(document_link::answer)
            .offers(document_link::offer)
            .feature("links to metadata, and web addresses in comments", "document_links.rs", "structure::addresses_are_links"),
        Method::read::<InlayHintRequest, _, _>(inlay_hint::answer)
            .offers(inlay_hint::offer)
            .long("Inferring hints")
            .feature("StructInfo of bindings, parameter names of literals, unknown dimensions, purity", "inlay_hints.rs", "features::inlay_hints_can_be_disabled")
            .feature("types of what the lines of a recorded program made", "", "record_editor::the_lines_of_a_recorded_program_show_types")
            .feature("operations and bytes of each binding, if `relax.dims` is set", "cost.rs", "what_if::a_lens_and_hints_tell_the_cost_at_given_dimensions")
            .feature("values that a traced run saw, at the end of each binding", "", "run_editor::trace_values_are_shown_until_the_text_changes"),
        Method::read::<InlayHintResolveRequest, _, _>(inlay_hint::resolve)
            .feature("the hover text of a hint", "hover.rs", "features::the_tooltip_of_a_hint_is_resolved_later"),
        Method::read::<InlineValueRequest, _, _>(inline_value::answer)
            .offers(|it, _| it.inline_value_provider = Some(OneOf::Left(true)))
            .feature("the variables whose values a debugger shows beside the code", "inline_values.rs", "structure::inline_values_name_the_variables_to_evaluate"),
        Method::read::<CodeActionRequest, _, _>(code_action::answer)
            .offers(code_action::offer)
            .long("Looking for fixes")
            .feature("quick fixes, each attached to its diagnostic", "fixes.rs", "code_actions::a_quick_fix_names_its_diagnostic_and_version")
            .feature("assists: annotate, inline, extract, normal form, dataflow blocks, branches, spellings of other releases", "assists.rs", "code_actions::an_assist_has_its_edit_at_once_or_when_resolved")
            .feature("one fix applied to every diagnostic of its code in the file", "fix_all.rs", "code_actions::a_repeated_mistake_is_fixed_everywhere")
            .feature("translates a Relay document to Relax, in a new file beside it", "translate.rs", "relay::a_relay_document_is_translated_into_a_file_beside_it")
            .feature("`source.fixAll.relax`: applies all fixes that are the only one of their diagnostic", "fix_all.rs", "code_actions::fix_all_is_returned_only_on_request")
            .feature("`relax.run`: run and trace, for clients without code lenses", "runnables.rs", "run_editor::code_actions_run_functions_without_lenses"),
        Method::read::<CodeActionResolveRequest, _, _>(code_action::resolve)
            .feature("the edit of an assist; refused if the text has changed", "assists.rs", "code_actions::an_assist_has_its_edit_at_once_or_when_resolved"),
        Method::read::<Formatting, _, _>(formatting::document)
            .offers(|it, _| it.document_formatting_provider = Some(OneOf::Right(DocumentFormattingOptions { work_done_progress_options: work_done() })))
            .long("Formatting")
            .feature("formats TVMScript as TVM prints it, with minimal edits", "format.rs", "formatting::a_document_is_formatted_with_the_edits_that_it_needs"),
        Method::read::<RangeFormatting, _, _>(formatting::range)
            .offers(|it, _| it.document_range_formatting_provider = Some(OneOf::Left(true)))
            .feature("formats only the lines of a range", "format.rs", "formatting::a_range_is_formatted_alone"),
        Method::read::<CodeLensRequest, _, _>(code_lens::answer)
            .offers(|it, _| it.code_lens_provider = Some(CodeLensOptions { resolve_provider: Some(false) }))
            .feature("run, trace, debug, and the result of the last run", "runnables.rs", "features::code_lenses_offer_to_run_and_to_trace_each_function")
            .feature("operations, bytes and planned memory of a function, if `relax.dims` is set", "cost.rs", "what_if::a_lens_and_hints_tell_the_cost_at_given_dimensions")
            .feature("number of references", "reference_counts.rs", "structure::a_lens_counts_and_shows_references"),
        Method::request::<ExecuteCommand, _, _>(execute_command::answer)
            .offers(execute_command::offer)
            .feature("`relax.run`, `relax.trace`: runs a function in a child process, with progress", "runnables.rs", "run_editor::a_run_returns_outputs_and_adds_a_lens")
            .feature("`relax.record`: runs a program that imports, exports or builds a module, and shows on its lines what they made", "builders.rs", "record_editor::a_program_is_recorded_from_its_lens")
            .feature("`relax.showGraph`: the dataflow graph of a function, also as DOT; the part around the cursor if it is large", "graph.rs", "graph::a_function_is_answered_as_a_graph_and_as_dot")
            .feature("`relax.showLowered`: a function at one stage of lowering, with links to its source", "", "run_editor::a_stage_of_lowering_is_shown_with_links_to_its_source")
            .feature("`relax.passes`: the passes of a compilation from a folder of dumps, nested, what each changed and which result is ill-formed", "passes.rs", "timeline::the_stages_of_a_folder_are_nested_and_say_what_changed")
            .feature("`relax.cost`: operations, bytes and planned memory of functions, as formulas and at given dimensions", "cost.rs", "what_if::costs_are_formulas_until_dimensions_are_given")
            .feature("`relax.diff`: the differences of two modules or two functions, with locations", "difference.rs", "timeline::two_modules_differ_at_locations_of_the_editors_texts")
            .feature("`relax.follow`: the same value in the next or the previous stage of a compilation", "follow.rs", "timeline::values_are_followed_through_fusion_and_planning")
            .feature("`relax.migrate`: rewrites the files of the workspace for another release of TVM", "migrate.rs", "migrate::the_command_migrates_the_workspace")
            .feature("`relax.release`: the releases of TVM that a file fits, and the source of its target", "releases.rs", "releases::the_target_comes_from_the_project_and_changes_with_it")
            .feature("`relax.tensor`: slices, statistics and differences of tensors that runs have kept", "", "tensors::a_slice_of_an_output_comes_with_statistics_and_a_histogram"),
    ]
});

/// The capabilities that the server announces to a client.
pub fn capabilities(client: &Client) -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::default();
    for offer in METHODS.iter().filter_map(|it| it.offer) {
        offer(&mut capabilities, client);
    }
    capabilities
}

/// The progress that the client shows for a method or a command that may take long.
pub fn progress(name: &str) -> Option<Progress> {
    let method = METHODS.iter().find(|it| it.name == name);
    let command = || execute_command::COMMANDS.iter().find(|it| it.name == name);
    method
        .and_then(|it| it.progress)
        .or_else(|| command()?.progress)
}

/// For requests that may take long, and then show their progress.
fn work_done() -> WorkDoneProgressOptions {
    WorkDoneProgressOptions {
        work_done_progress: Some(true),
    }
}
