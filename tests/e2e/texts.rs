//! Tests of texts: line ends, byte order marks, columns, several changes at once. After each edit, the diagnostics are
//! those of a server that opens the new text.

use serde_json::{Value, json};

use super::programs::DOUBLE;
use tests::client::Client;

const URI: &str = "file:///text.py";

fn insert(line: u32, character: u32, text: &str) -> Value {
    let at = json!({"line": line, "character": character});
    json!({"range": {"start": at, "end": at}, "text": text})
}

fn cut(start: (u32, u32), end: (u32, u32)) -> Value {
    let at = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    json!({"range": {"start": at(start), "end": at(end)}, "text": ""})
}

/// Returns the diagnostics of a text, from a client that has opened this version.
fn all_said(client: &mut Client, version: i32) -> Vec<Value> {
    let mut said = client.diagnostics(URI, version);
    for method in ["documentSymbol", "semanticTokens/full", "foldingRange"] {
        let document = json!({"textDocument": {"uri": URI}});
        let mut answer = client.call(&format!("textDocument/{method}"), document);
        if let Some(tokens) = answer.as_object_mut() {
            tokens.remove("resultId");
        }
        said.push(answer);
    }
    said
}

/// Asserts that for the server, the changed text equals the other text.
fn assert_becomes(before: &str, changes: Value, after: &str) {
    let mut client = Client::plain();
    client.open(URI, 1, before);
    client.diagnostics(URI, 1);
    client.change(URI, 2, changes);
    let edited = all_said(&mut client, 2);
    let mut fresh = Client::plain();
    fresh.open(URI, 1, after);
    assert_eq!(edited, all_said(&mut fresh, 1));
}

/// Adds a mistake at the end of the line of `y`, so that the position has a diagnostic.
fn mistaken(text: &str) -> String {
    text.replace("R.add(x, x)", "R.add(x, x) + z")
}

const LINE_OF_Y: u32 = 9;
const END_OF_Y: u32 = 27;

#[test]
fn windows_line_ends_do_not_change_columns() {
    let windows = DOUBLE.replace('\n', "\r\n");
    let changes = json!([insert(LINE_OF_Y, END_OF_Y, " + z")]);
    assert_becomes(&windows, changes, &mistaken(&windows));
}

#[test]
fn an_edit_cannot_split_a_windows_line_end() {
    let windows = DOUBLE.replace('\n', "\r\n");
    let changes = json!([insert(LINE_OF_Y, END_OF_Y + 1, " + z")]);
    assert_becomes(&windows, changes, &mistaken(&windows));
    // A cut inside of a line end removes all of it.
    let blank = windows.replace("        return", "\r\n        return");
    let changes = json!([cut((11, 1), (12, 0))]);
    assert_becomes(&blank, changes, &windows);
}

#[test]
fn line_ends_of_both_kinds_may_be_mixed_by_an_edit() {
    let mixed = DOUBLE.replacen("R.dataflow():\n", "R.dataflow():\r\n", 1);
    assert_becomes(DOUBLE, json!([insert(8, 29, "\r")]), &mixed);
    assert_becomes(&mixed, json!([cut((8, 29), (9, 12))]), &{
        let line = "R.dataflow():\r\n            y";
        mixed.replacen(line, "R.dataflow():y", 1)
    });
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let old = DOUBLE.replace('\n', "\r");
    let changes = json!([insert(LINE_OF_Y, END_OF_Y, " + z")]);
    assert_becomes(&old, changes, &mistaken(&old));
    let mut client = Client::plain();
    client.open(URI, 1, &mistaken(&old));
    let found = client.diagnostics(URI, 1);
    assert_eq!(found[0]["range"]["start"]["line"], LINE_OF_Y);
}

#[test]
fn a_byte_order_mark_counts_as_a_character() {
    let marked = format!("\u{feff}{DOUBLE}");
    assert_becomes(
        &marked,
        json!([insert(LINE_OF_Y, END_OF_Y, " + z")]),
        &mistaken(&marked),
    );
    let comment = format!("\u{feff}# why\n{DOUBLE}");
    assert_becomes(&marked, json!([insert(0, 1, "# why\n")]), &comment);
}

#[test]
fn the_last_line_may_have_no_line_end() {
    let short = DOUBLE.trim_end();
    assert_becomes(short, json!([insert(11, 16, "y")]), &format!("{short}y"));
    assert_becomes(DOUBLE, json!([cut((11, 16), (12, 0))]), short);
    assert_becomes(short, json!([insert(99, 0, "\n")]), DOUBLE);
}

#[test]
fn several_changes_of_one_message_apply_one_after_the_other() {
    let changes = json!([
        insert(0, 0, "# one\n"),
        insert(0, 5, " more"),
        insert(LINE_OF_Y + 1, END_OF_Y, " + z"),
    ]);
    let after = format!("# one more\n{}", mistaken(DOUBLE));
    assert_becomes(DOUBLE, changes, &after);
}

#[test]
fn a_full_text_change_can_follow_incremental_ones() {
    let other = DOUBLE.replace("main", "other");
    let changes = json!([
        insert(0, 0, "lost"),
        {"text": other},
        insert(LINE_OF_Y, END_OF_Y, " + z"),
    ]);
    assert_becomes(DOUBLE, changes, &mistaken(&other));
}

#[test]
fn astral_characters_are_two_utf16_units() {
    let crabs = DOUBLE.replace("R.add(x, x)", "R.add(x, x)  # \u{1f980}\u{1f980}");
    let after = crabs.replace("\u{1f980}\u{1f980}", "\u{1f980}\u{1f980}!");
    let changes = json!([insert(LINE_OF_Y, END_OF_Y + 4 + 4, "!")]);
    assert_becomes(&crabs, changes, &after);
    // A position between the two units of a character means the position before it.
    let after = crabs.replace("\u{1f980}\u{1f980}", "\u{1f980}!\u{1f980}");
    let changes = json!([insert(LINE_OF_Y, END_OF_Y + 4 + 3, "!")]);
    assert_becomes(&crabs, changes, &after);
}

#[test]
fn documents_with_other_uri_schemes_are_served() {
    let uri = "untitled:Untitled-1";
    let mut client = Client::plain();
    client.open(uri, 1, &mistaken(DOUBLE));
    let found = client.diagnostics(uri, 1);
    assert_eq!(found[0]["code"], "undefined-name");
    let at = json!({"line": LINE_OF_Y, "character": 12});
    let params = json!({"textDocument": {"uri": uri}, "position": at});
    let place = client.call("textDocument/definition", params);
    assert_eq!(place[0]["uri"], uri);
    let symbols = client.call("workspace/symbol", json!({"query": "main"}));
    assert_eq!(symbols[0]["location"]["uri"], uri);
    client.close(uri);
    let cleared = client.notification("textDocument/publishDiagnostics");
    assert_eq!(cleared, json!({"uri": uri, "diagnostics": []}));
}
