//! The table of the protocol's methods, and one file for each: from the protocol's parameters, through `ide`, to the
//! protocol's answer. Handlers see a snapshot or, for files that are not open, a survey; never the session.

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

/// One row a method. A row with its handler is all that a method needs: it is routed, offered, and documented from here.
#[rustfmt::skip]
pub static METHODS: LazyLock<Vec<Method>> = LazyLock::new(|| {
    vec![
        Method::of_service("initialize")
            .offers(|it, client| {
                it.position_encoding = Some(client.encoding.kind());
                it.experimental = Some(json!({"stages": STAGES.iter().map(|(name, _)| name).collect::<Vec<_>>()}));
            })
            .feature("name, version, what is offered, the stages that `relax.showLowered` has", "", "lifecycle::the_handshake_names_the_server_and_what_it_offers")
            .feature("UTF-8, UTF-16 or UTF-32, the first that the client offers", "", "lifecycle::the_encoding_is_the_first_that_the_client_offers"),
        Method::of_service("shutdown")
            .feature("after it nothing is answered", "", "lifecycle::exit_after_shutdown_is_success"),
        Method::of_service("$/cancelRequest")
            .feature("takes a request back", "", "protocol::each_request_that_is_taken_back_still_gets_one_answer"),
        Method::of_service("$/setTrace")
            .feature("how long each request took", "", "protocol::who_wants_to_know_is_told_how_long_requests_take"),
        Method::of_service("$/progress")
            .feature("what takes more than half a second shows that it does", "", "protocol::a_request_that_lasts_begins_and_ends_its_progress_before_its_answer"),
        Method::of_service("textDocument/publishDiagnostics")
            .feature("with versions, related places and tags", "diagnostics.rs", "documents::every_version_at_rest_is_published_once_in_order")
            .feature("each code with a link to its page", "diagnostics.rs", "diagnostics::a_code_leads_to_its_page"),
        Method::notification::<DidOpenTextDocument>(document_sync::opened)
            .feature("cells of notebooks, as VS Code opens them: names and lines that are not theirs are no mistakes", "", "documents::a_cell_of_a_notebook_uses_what_other_cells_bind"),
        Method::notification::<DidChangeTextDocument>(document_sync::changed)
            .offers(document_sync::offer)
            .feature("edits of ranges, each version diagnosed once it rests", "", "documents::of_a_burst_the_last_version_is_published_and_none_before_it_after_it"),
        // Saving changes no text; the editor's is the one that counts.
        Method::ignored::<DidSaveTextDocument>(),
        Method::notification::<DidCloseTextDocument>(document_sync::closed),
        Method::notification::<Initialized>(|_| Event::Initialized),
        Method::notification::<WorkDoneProgressCancel>(|params| Event::CancelProgress(params.token)),
        Method::notification::<DidChangeConfiguration>(|params| Event::Configure(params.settings))
            .feature("settings that are asked for, sent, or come with the handshake", "", "lifecycle::settings_are_asked_for_and_bad_ones_named"),
        Method::notification::<DidChangeWorkspaceFolders>(workspace_sync::folders)
            .offers(workspace_sync::offer)
            .feature("several folders, added and removed", "", "workspace::folders_come_and_go"),
        Method::notification::<DidChangeWatchedFiles>(workspace_sync::files)
            .feature("files that changed are looked at again; the client is asked to watch", "", "workspace::a_client_that_watches_tells_which_files_to_look_at_again"),
        Method::read::<DocumentDiagnosticRequest, _, _>(diagnostic::answer)
            .offers(diagnostic::offer)
            .long("Checking")
            .feature("for clients that ask, with result ids", "diagnostics.rs", "workspace::a_client_that_asks_for_diagnostics_is_not_published_to"),
        Method::request::<WorkspaceDiagnosticRequest, _, _>(workspace_diagnostic::answer)
            .long_with_own_progress(workspace_diagnostic::TITLE)
            .feature("files that are not open too, sent ahead one by one", "diagnostics.rs", "workspace::the_whole_workspace_is_checked_and_what_is_unchanged_is_not_checked_again"),
        Method::request::<WorkspaceSymbolRequest, _, _>(workspace_symbol::answer)
            .offers(|it, _| it.workspace_symbol_provider = Some(OneOf::Left(true)))
            .long_with_own_progress(workspace_symbol::TITLE)
            .feature("modules and functions of open documents and of files in the folders", "workspace_symbols.rs", "workspace::symbols_of_files_that_are_not_open_are_found"),
        Method::read::<HoverRequest, _, _>(hover::answer)
            .offers(|it, _| it.hover_provider = Some(true.into()))
            .long("Inferring")
            .feature("StructInfo and where its dimensions come from, documentation", "hover.rs", "features::hover_shows_struct_info_and_where_dimensions_come_from"),
        Method::read::<Completion, _, _>(completion::answer)
            .offers(completion::offer)
            .feature("operators, names by how well they fit, keywords, dtypes, pieces of code", "completion.rs", "completion::operators_come_with_places_to_fill_for_clients_that_have_snippets")
            .feature("the import that a name needs, where the file has none", "completion/imports.rs", "completion::what_is_not_imported_is_brought_along"),
        Method::read::<ResolveCompletionItem, _, _>(completion::resolve)
            .feature("documentation of an operator or a script function", "completion.rs", "completion::the_documentation_of_an_operator_comes_when_it_is_looked_at"),
        Method::read::<SignatureHelpRequest, _, _>(signature_help::answer)
            .offers(signature_help::offer)
            .feature("parameters of what is called, which one is being given", "signature_help.rs", "completion::signature_help_marks_the_parameter_at_the_cursor"),
        Method::read::<GotoDefinition, _, _>(definition::answer)
            .offers(|it, _| it.definition_provider = Some(OneOf::Left(true)))
            .feature("where a name gets its value", "goto_definition.rs", "navigation::definition_leads_to_the_binding"),
        Method::read::<GotoDeclaration, _, _>(declaration::answer)
            .offers(|it, _| it.declaration_provider = Some(DeclarationCapability::Simple(true)))
            .feature("where a shape variable is declared", "goto_declaration.rs", "navigation::declaration_and_type_definition_lead_to_the_dimension"),
        Method::read::<GotoTypeDefinition, _, _>(type_definition::answer)
            .offers(|it, _| it.type_definition_provider = Some(true.into()))
            .feature("where the shape variables of a value are bound", "goto_type_definition.rs", "navigation::declaration_and_type_definition_lead_to_the_dimension"),
        Method::read::<References, _, _>(references::answer)
            .offers(|it, _| it.references_provider = Some(OneOf::Right(ReferencesOptions { work_done_progress_options: work_done() })))
            .long("Looking for references")
            .feature("every place that names a thing", "references.rs", "navigation::references_come_with_the_declaration_or_without"),
        Method::read::<DocumentHighlightRequest, _, _>(document_highlight::answer)
            .offers(|it, _| it.document_highlight_provider = Some(OneOf::Right(DocumentHighlightOptions { work_done_progress_options: work_done() })))
            .long("Looking for mentions")
            .feature("the same, writes told from reads", "document_highlight.rs", "navigation::highlights_tell_writes_from_reads"),
        Method::read::<Rename, _, _>(rename::answer)
            .offers(rename::offer)
            .long("Renaming")
            .feature("with its lexical meaning; refused where it would change one", "rename.rs", "navigation::a_rename_edits_every_place_of_the_version_it_saw"),
        Method::read::<PrepareRenameRequest, _, _>(rename::prepare)
            .feature("or why there is nothing to rename", "rename.rs", "navigation::a_rename_is_prepared_where_the_client_asks_for_that"),
        Method::read::<CallHierarchyPrepare, _, _>(call_hierarchy::prepare)
            .offers(|it, _| it.call_hierarchy_provider = Some(CallHierarchyServerCapability::Simple(true)))
            .feature("of Relax functions and PrimFuncs", "call_hierarchy.rs", "structure::calls_are_followed_both_ways_through_prim_funcs"),
        Method::read::<CallHierarchyIncomingCalls, _, _>(call_hierarchy::incoming)
            .feature("who calls", "call_hierarchy.rs", "structure::calls_are_followed_both_ways_through_prim_funcs"),
        Method::read::<CallHierarchyOutgoingCalls, _, _>(call_hierarchy::outgoing)
            .feature("who is called", "call_hierarchy.rs", "structure::calls_are_followed_both_ways_through_prim_funcs"),
        Method::read::<DocumentSymbolRequest, _, _>(document_symbol::answer)
            .offers(|it, _| it.document_symbol_provider = Some(OneOf::Left(true)))
            .feature("modules, functions, bindings", "document_symbols.rs", "features::the_outline_nests_functions_in_modules_for_clients_that_can_show_it"),
        Method::read::<SemanticTokensFullRequest, _, _>(semantic_tokens::full)
            .offers(semantic_tokens::offer)
            .long("Colouring")
            .feature("what each name is", "semantic_tokens.rs", "structure::semantic_tokens_come_whole_in_part_and_as_a_difference"),
        Method::read::<SemanticTokensFullDeltaRequest, _, _>(semantic_tokens::delta)
            .long("Colouring")
            .feature("the difference from the last answer", "semantic_tokens.rs", "structure::semantic_tokens_come_whole_in_part_and_as_a_difference"),
        Method::read::<SemanticTokensRangeRequest, _, _>(semantic_tokens::range)
            .feature("what is on show", "semantic_tokens.rs", "structure::semantic_tokens_come_whole_in_part_and_as_a_difference"),
        Method::read::<FoldingRangeRequest, _, _>(folding_range::answer)
            .offers(|it, _| it.folding_range_provider = Some(true.into()))
            .feature("suites, brackets, imports, comments, regions", "folding_ranges.rs", "structure::suites_imports_and_comments_fold"),
        Method::read::<SelectionRangeRequest, _, _>(selection_range::answer)
            .offers(|it, _| it.selection_range_provider = Some(true.into()))
            .feature("from the word to the file", "selection_ranges.rs", "structure::every_position_has_a_selection_that_grows"),
        Method::read::<DocumentLinkRequest, _, _>(document_link::answer)
            .offers(document_link::offer)
            .feature("metadata, addresses in comments", "document_links.rs", "structure::addresses_are_links"),
        Method::read::<InlayHintRequest, _, _>(inlay_hint::answer)
            .offers(inlay_hint::offer)
            .long("Inferring hints")
            .feature("StructInfo, parameters of bare literals, open dimensions, purity", "inlay_hints.rs", "features::inlay_hints_stand_after_unannotated_names_and_can_be_switched_off")
            .feature("operations and bytes of each binding, while `relax.dims` has values", "cost.rs", "what_if::a_lens_and_hints_tell_the_cost_at_given_dimensions")
            .feature("what a traced run saw, behind each value", "", "run_editor::a_trace_stands_behind_the_values_until_the_text_changes"),
        Method::read::<InlayHintResolveRequest, _, _>(inlay_hint::resolve)
            .feature("what the hover beside a hint says", "hover.rs", "features::a_hint_is_explained_when_it_is_looked_at"),
        Method::read::<InlineValueRequest, _, _>(inline_value::answer)
            .offers(|it, _| it.inline_value_provider = Some(OneOf::Left(true)))
            .feature("the variables that a debugger may ask for", "inline_values.rs", "structure::a_debugger_learns_which_variables_to_ask_for"),
        Method::read::<CodeActionRequest, _, _>(code_action::answer)
            .offers(code_action::offer)
            .long("Looking for fixes")
            .feature("quick fixes, each with its diagnostic", "fixes.rs", "code_actions::a_quick_fix_names_its_diagnostic_and_edits_the_version_it_was_asked_for")
            .feature("assists: annotate, inline, extract, normal form, dataflow blocks, branches, spellings", "assists.rs", "code_actions::an_assist_has_its_edit_at_once_or_when_it_is_taken")
            .feature("one fix wherever its code is reported", "fix_all.rs", "code_actions::a_mistake_that_is_made_often_is_fixed_everywhere")
            .feature("a Relay document as Relax, in a new file beside it", "translate.rs", "relay::a_relay_document_is_translated_into_a_file_beside_it")
            .feature("`source.fixAll.relax`: all fixes that leave no choice", "fix_all.rs", "code_actions::all_is_fixed_when_it_is_asked_for_by_name")
            .feature("`relax.run`: runs and traces, where the client has no lenses", "runnables.rs", "run_editor::a_client_without_lenses_runs_functions_by_code_actions_and_is_told_the_outcome"),
        Method::read::<CodeActionResolveRequest, _, _>(code_action::resolve)
            .feature("the edit of an assist, unless the text has changed", "assists.rs", "code_actions::an_assist_has_its_edit_at_once_or_when_it_is_taken"),
        Method::read::<Formatting, _, _>(formatting::document)
            .offers(|it, _| it.document_formatting_provider = Some(OneOf::Right(DocumentFormattingOptions { work_done_progress_options: work_done() })))
            .long("Formatting")
            .feature("TVMScript as TVM prints it, in the edits that it needs", "format.rs", "formatting::a_document_is_formatted_with_the_edits_that_it_needs"),
        Method::read::<RangeFormatting, _, _>(formatting::range)
            .offers(|it, _| it.document_range_formatting_provider = Some(OneOf::Left(true)))
            .feature("the lines that a range touches", "format.rs", "formatting::a_range_is_formatted_alone"),
        Method::read::<CodeLensRequest, _, _>(code_lens::answer)
            .offers(|it, _| it.code_lens_provider = Some(CodeLensOptions { resolve_provider: Some(false) }))
            .feature("run, trace, outcome of the last run", "runnables.rs", "features::code_lenses_offer_to_run_and_to_trace_each_function")
            .feature("operations, bytes and planned memory, while `relax.dims` has values", "cost.rs", "what_if::a_lens_and_hints_tell_the_cost_at_given_dimensions")
            .feature("count of references", "reference_counts.rs", "structure::a_lens_counts_who_names_a_function_and_shows_them_where_the_client_can"),
        Method::request::<ExecuteCommand, _, _>(execute_command::answer)
            .offers(execute_command::offer)
            .feature("runs a function in a child process, with progress", "runnables.rs", "run_editor::a_run_answers_with_its_outputs_and_leaves_its_outcome_as_a_lens")
            .feature("the dataflow graph of a function, also as DOT; of a large one the part around the cursor", "graph.rs", "graph::a_function_is_answered_as_a_graph_and_as_dot")
            .feature("the stages of a compilation from a folder of dumps: what each pass changed, nested, with what is ill-formed", "passes.rs", "timeline::the_stages_of_a_folder_are_nested_and_say_what_changed")
            .feature("operations, bytes and planned memory of functions, as formulas and at given dimensions", "cost.rs", "what_if::costs_are_formulas_until_dimensions_are_given")
            .feature("what two modules, or two functions, differ in, with locations", "difference.rs", "timeline::two_modules_differ_at_locations_of_the_editors_texts")
            .feature("what a value becomes in the next stage of a compilation, and what it was", "follow.rs", "timeline::a_value_is_followed_through_fusion_and_memory_planning_and_back")
            .feature("says which releases of TVM a file may be written for, and where its target comes from", "releases.rs", "releases::the_target_comes_from_the_project_and_changes_with_it")
            .feature("shows slices, statistics and differences of tensors that runs have kept", "", "tensors::a_slice_of_an_output_comes_with_statistics_and_a_histogram"),
    ]
});

/// What the server says that it can do for a client.
pub fn capabilities(client: &Client) -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::default();
    for offer in METHODS.iter().filter_map(|it| it.offer) {
        offer(&mut capabilities, client);
    }
    capabilities
}

/// What the client is shown of a method, or of a command, that may take long.
pub fn progress(name: &str) -> Option<Progress> {
    let method = METHODS.iter().find(|it| it.name == name);
    let command = || execute_command::COMMANDS.iter().find(|it| it.name == name);
    method
        .and_then(|it| it.progress)
        .or_else(|| command()?.progress)
}

/// Of requests that may take long, and then show their progress.
fn work_done() -> WorkDoneProgressOptions {
    WorkDoneProgressOptions {
        work_done_progress: Some(true),
    }
}
