//! What the server claims, method by method, with the test that shows each over the wire: `docs/features.md`.

use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use serde_json::{Value, json};

use tests::client::Client;

struct Row {
    /// The property of the server's capabilities that claims it; empty for what the protocol asks of all.
    claim: &'static str,
    method: &'static str,
    what: &'static str,
    /// Under `crates/ide/src`; empty for what is the server's own.
    ide: &'static str,
    /// File and test under `tests/e2e`.
    test: (&'static str, &'static str),
}

const fn row(
    claim: &'static str,
    method: &'static str,
    what: &'static str,
    ide: &'static str,
    file: &'static str,
    test: &'static str,
) -> Row {
    Row {
        claim,
        method,
        what,
        ide,
        test: (file, test),
    }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("", "initialize", "name, version, what is offered", "", "lifecycle", "the_handshake_names_the_server_and_what_it_offers"),
    row("", "shutdown", "after it nothing is answered", "", "lifecycle", "exit_after_shutdown_is_success"),
    row("positionEncoding", "initialize", "UTF-8, UTF-16 or UTF-32, the first that the client offers", "", "lifecycle", "the_encoding_is_the_first_that_the_client_offers"),
    row("textDocumentSync", "textDocument/didChange", "edits of ranges, each version diagnosed once it rests", "", "documents", "of_a_burst_the_last_version_is_published_and_none_before_it_after_it"),
    row("textDocumentSync", "textDocument/didOpen", "cells of notebooks, as VS Code opens them: names and lines that are not theirs are no mistakes", "", "documents", "a_cell_of_a_notebook_uses_what_other_cells_bind"),
    row("", "textDocument/publishDiagnostics", "with versions, related places and tags", "diagnostics.rs", "documents", "every_version_at_rest_is_published_once_in_order"),
    row("", "textDocument/publishDiagnostics", "each code with a link to its page", "diagnostics.rs", "diagnostics", "a_code_leads_to_its_page"),
    row("diagnosticProvider", "textDocument/diagnostic", "for clients that ask, with result ids", "diagnostics.rs", "workspace", "a_client_that_asks_for_diagnostics_is_not_published_to"),
    row("diagnosticProvider", "workspace/diagnostic", "also of files that nobody opened, sent ahead one by one", "diagnostics.rs", "workspace", "the_whole_workspace_is_checked_and_what_is_unchanged_is_not_checked_again"),
    row("workspaceSymbolProvider", "workspace/symbol", "modules and functions of open documents and of files in the folders", "workspace_symbols.rs", "workspace", "symbols_of_files_that_nobody_opened_are_found"),
    row("", "workspace/didChangeConfiguration", "settings that are asked for, sent, or come with the handshake", "", "lifecycle", "settings_are_asked_for_and_bad_ones_named"),
    row("workspace", "workspace/didChangeWorkspaceFolders", "several folders, added and removed", "", "workspace", "folders_come_and_go"),
    row("", "$/progress", "what takes more than half a second shows that it does", "", "protocol", "a_request_that_lasts_begins_and_ends_its_progress_before_its_answer"),
    row("", "workspace/didChangeWatchedFiles", "files that changed are looked at again; the client is asked to watch", "", "workspace", "a_client_that_watches_tells_which_files_to_look_at_again"),
    row("", "$/setTrace", "how long each request took", "", "protocol", "who_wants_to_know_is_told_how_long_requests_take"),
    row("", "$/cancelRequest", "takes a request back", "", "protocol", "each_request_that_is_taken_back_still_gets_one_answer"),
    row("hoverProvider", "textDocument/hover", "StructInfo and where its dimensions come from, documentation", "hover.rs", "features", "hover_shows_struct_info_and_where_dimensions_come_from"),
    row("completionProvider", "textDocument/completion", "operators, names by how well they fit, keywords, dtypes, pieces of code", "completion.rs", "completion", "operators_come_with_places_to_fill_for_clients_that_have_snippets"),
    row("completionProvider", "textDocument/completion", "the import that a name needs, where the file has none", "completion/imports.rs", "completion", "what_is_not_imported_is_brought_along"),
    row("completionProvider", "completionItem/resolve", "documentation of an operator or a script function", "completion.rs", "completion", "the_documentation_of_an_operator_comes_when_it_is_looked_at"),
    row("signatureHelpProvider", "textDocument/signatureHelp", "parameters of what is called, which one is being given", "signature_help.rs", "completion", "signature_help_marks_the_parameter_at_the_cursor"),
    row("definitionProvider", "textDocument/definition", "where a name gets its value", "goto_definition.rs", "navigation", "definition_leads_to_the_binding"),
    row("declarationProvider", "textDocument/declaration", "where a shape variable is declared", "goto_declaration.rs", "navigation", "declaration_and_type_definition_lead_to_the_dimension"),
    row("typeDefinitionProvider", "textDocument/typeDefinition", "where the shape variables of a value are bound", "goto_type_definition.rs", "navigation", "declaration_and_type_definition_lead_to_the_dimension"),
    row("referencesProvider", "textDocument/references", "every place that names a thing", "references.rs", "navigation", "references_come_with_the_declaration_or_without"),
    row("documentHighlightProvider", "textDocument/documentHighlight", "the same, writes told from reads", "document_highlight.rs", "navigation", "highlights_tell_writes_from_reads"),
    row("renameProvider", "textDocument/rename", "with its lexical meaning; refused where it would change one", "rename.rs", "navigation", "a_rename_edits_every_place_of_the_version_it_saw"),
    row("renameProvider", "textDocument/prepareRename", "or why there is nothing to rename", "rename.rs", "navigation", "a_rename_is_prepared_where_the_client_asks_for_that"),
    row("callHierarchyProvider", "textDocument/prepareCallHierarchy", "of Relax functions and PrimFuncs", "call_hierarchy.rs", "structure", "calls_are_followed_both_ways_through_prim_funcs"),
    row("callHierarchyProvider", "callHierarchy/incomingCalls", "who calls", "call_hierarchy.rs", "structure", "calls_are_followed_both_ways_through_prim_funcs"),
    row("callHierarchyProvider", "callHierarchy/outgoingCalls", "who is called", "call_hierarchy.rs", "structure", "calls_are_followed_both_ways_through_prim_funcs"),
    row("documentSymbolProvider", "textDocument/documentSymbol", "modules, functions, bindings", "document_symbols.rs", "features", "the_outline_nests_functions_in_modules_for_clients_that_can_show_it"),
    row("semanticTokensProvider", "textDocument/semanticTokens/full", "what each name is", "semantic_tokens.rs", "structure", "semantic_tokens_come_whole_in_part_and_as_a_difference"),
    row("semanticTokensProvider", "textDocument/semanticTokens/full/delta", "the difference from the last answer", "semantic_tokens.rs", "structure", "semantic_tokens_come_whole_in_part_and_as_a_difference"),
    row("semanticTokensProvider", "textDocument/semanticTokens/range", "what is on show", "semantic_tokens.rs", "structure", "semantic_tokens_come_whole_in_part_and_as_a_difference"),
    row("foldingRangeProvider", "textDocument/foldingRange", "suites, brackets, imports, comments, regions", "folding_ranges.rs", "structure", "suites_imports_and_comments_fold"),
    row("selectionRangeProvider", "textDocument/selectionRange", "from the word to the file", "selection_ranges.rs", "structure", "every_position_has_a_selection_that_grows"),
    row("documentLinkProvider", "textDocument/documentLink", "metadata, addresses in comments", "document_links.rs", "structure", "addresses_are_links"),
    row("inlayHintProvider", "textDocument/inlayHint", "StructInfo, parameters of bare literals, open dimensions, purity", "inlay_hints.rs", "features", "inlay_hints_stand_after_unannotated_names_and_can_be_switched_off"),
    row("inlayHintProvider", "textDocument/inlayHint", "what a traced run saw, behind each value", "", "run_editor", "a_trace_stands_behind_the_values_until_the_text_changes"),
    row("inlayHintProvider", "inlayHint/resolve", "what the hover beside a hint says", "hover.rs", "features", "a_hint_is_explained_when_it_is_looked_at"),
    row("inlineValueProvider", "textDocument/inlineValue", "the variables that a debugger may ask for", "inline_values.rs", "structure", "a_debugger_learns_which_variables_to_ask_for"),
    row("codeActionProvider", "textDocument/codeAction", "quick fixes, each with its diagnostic", "fixes.rs", "code_actions", "a_quick_fix_names_its_diagnostic_and_edits_the_version_it_was_asked_for"),
    row("codeActionProvider", "textDocument/codeAction", "assists: annotate, inline, extract, normal form, dataflow blocks, branches, spellings", "assists.rs", "code_actions", "an_assist_has_its_edit_at_once_or_when_it_is_taken"),
    row("codeActionProvider", "codeAction/resolve", "the edit of an assist, unless the text has changed", "assists.rs", "code_actions", "an_assist_has_its_edit_at_once_or_when_it_is_taken"),
    row("codeActionProvider", "textDocument/codeAction", "one fix wherever its code is reported", "fix_all.rs", "code_actions", "a_mistake_that_is_made_often_is_fixed_everywhere"),
    row("codeActionProvider", "textDocument/codeAction", "`source.fixAll.relax`: all fixes that leave no choice", "fix_all.rs", "code_actions", "all_is_fixed_when_it_is_asked_for_by_name"),
    row("codeActionProvider", "textDocument/codeAction", "`relax.run`: runs and traces, where the client has no lenses", "runnables.rs", "run_editor", "a_client_without_lenses_runs_functions_by_code_actions_and_is_told_the_outcome"),
    row("documentFormattingProvider", "textDocument/formatting", "TVMScript as TVM prints it, in the edits that it needs", "format.rs", "formatting", "a_document_is_formatted_with_the_edits_that_it_needs"),
    row("documentRangeFormattingProvider", "textDocument/rangeFormatting", "the lines that a range touches", "format.rs", "formatting", "a_range_is_formatted_alone"),
    row("codeLensProvider", "textDocument/codeLens", "run, trace, outcome of the last run", "runnables.rs", "features", "code_lenses_offer_to_run_and_to_trace_each_function"),
    row("codeLensProvider", "textDocument/codeLens", "count of references", "reference_counts.rs", "structure", "a_lens_counts_who_names_a_function_and_shows_them_where_the_client_can"),
    row("executeCommandProvider", "workspace/executeCommand", "runs a function in a child process, with progress", "runnables.rs", "run_editor", "a_run_answers_with_its_outputs_and_leaves_its_outcome_as_a_lens"),
    row("executeCommandProvider", "workspace/executeCommand", "the dataflow graph of a function, also as DOT; of a large one the part around the cursor", "graph.rs", "graph", "a_function_is_answered_as_a_graph_and_as_dot"),
    row("executeCommandProvider", "workspace/executeCommand", "shows slices, statistics and differences of tensors that runs have kept", "", "tensors", "a_slice_of_an_output_comes_with_statistics_and_a_histogram"),
    row("experimental", "initialize", "the stages that `relax.showLowered` has", "", "lifecycle", "the_handshake_names_the_server_and_what_it_offers"),
];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests lie in the repository")
}

/// A client that can do everything gets every offer.
fn claims() -> Vec<String> {
    let mut client = Client::start();
    let capabilities = json!({
        "textDocument": {
            "rename": {"prepareSupport": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            "diagnostic": {},
        },
        "workspace": {"workspaceFolders": true, "diagnostics": {"refreshSupport": true}},
    });
    let result = client.call("initialize", json!({"capabilities": capabilities}));
    let claims = result["capabilities"].as_object().expect("an object");
    claims.keys().cloned().collect()
}

#[test]
fn what_is_claimed_is_in_the_table_and_what_is_in_the_table_is_claimed() {
    let claims = claims();
    for claim in &claims {
        assert!(
            ROWS.iter().any(|row| row.claim == claim),
            "`{claim}` has no row, so no test shows it over the wire"
        );
    }
    for row in ROWS.iter().filter(|row| !row.claim.is_empty()) {
        assert!(
            claims.iter().any(|it| it == row.claim),
            "{} is not claimed",
            row.claim
        );
    }
}

#[test]
fn each_row_has_its_code_and_a_test_that_sends_the_method() {
    for row in ROWS {
        let (file, test) = row.test;
        let path = repository().join(format!("tests/e2e/{file}.rs"));
        let text = std::fs::read_to_string(&path).expect("the file of the test is there");
        assert!(
            text.contains(&format!("#[test]\nfn {test}() {{")),
            "{file}::{test}"
        );
        let client = std::fs::read_to_string(repository().join("tests/client.rs"));
        let sends = |text: &str| text.contains(&format!("\"{}\"", row.method));
        assert!(
            sends(&text) || client.is_ok_and(|it| sends(&it)),
            "{file} does not send {}",
            row.method
        );
        if !row.ide.is_empty() {
            let code = repository().join("crates/ide/src").join(row.ide);
            assert!(code.is_file(), "{}", row.ide);
        }
    }
}

#[test]
fn each_row_shows_something_else() {
    let shown = |row: &Row| (row.claim, row.method, row.ide, row.test);
    for (at, row) in ROWS.iter().enumerate() {
        assert!(
            !ROWS[..at].iter().any(|other| shown(other) == shown(row)),
            "{} has two rows with one test",
            row.method
        );
    }
}

#[test]
fn the_table_is_documented() {
    let mut page = String::from(
        "# What the server does\n\nGenerated from the table in `tests/e2e/feature_table.rs`, which is held against what the server claims in\n`initialize`: nothing is claimed that no test shows over the wire.\n\n| Method | What | Code in `crates/ide/src` | Test in `tests/e2e` |\n|---|---|---|---|\n",
    );
    for row in ROWS {
        let code = match row.ide {
            "" => "–".to_owned(),
            file => format!("`{file}`"),
        };
        let (file, test) = row.test;
        let _ = writeln!(
            page,
            "| `{}` | {} | {code} | `{file}::{test}` |",
            row.method, row.what
        );
    }
    expect_file!["../../docs/features.md"].assert_eq(&page);
}

/// The names are the protocol's: clients do not read other properties.
#[test]
fn claims_are_of_the_protocol() {
    let known: Value = json!([
        "positionEncoding",
        "textDocumentSync",
        "notebookDocumentSync",
        "completionProvider",
        "hoverProvider",
        "signatureHelpProvider",
        "declarationProvider",
        "definitionProvider",
        "typeDefinitionProvider",
        "implementationProvider",
        "referencesProvider",
        "documentHighlightProvider",
        "documentSymbolProvider",
        "codeActionProvider",
        "codeLensProvider",
        "documentLinkProvider",
        "colorProvider",
        "documentFormattingProvider",
        "documentRangeFormattingProvider",
        "documentOnTypeFormattingProvider",
        "renameProvider",
        "foldingRangeProvider",
        "executeCommandProvider",
        "selectionRangeProvider",
        "linkedEditingRangeProvider",
        "callHierarchyProvider",
        "semanticTokensProvider",
        "monikerProvider",
        "typeHierarchyProvider",
        "inlineValueProvider",
        "inlayHintProvider",
        "diagnosticProvider",
        "workspaceSymbolProvider",
        "workspace",
        "experimental",
    ]);
    for claim in claims() {
        assert!(
            known
                .as_array()
                .is_some_and(|it| it.contains(&json!(claim))),
            "{claim}"
        );
    }
}
