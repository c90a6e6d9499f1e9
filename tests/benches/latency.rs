//! What a user waits for, over the wire: from a keystroke to its diagnostics, and for each answer.
//!
//! `cargo bench -p tests --bench latency [FILE...]`: by default the largest printed model of the fixtures.
//! Prints the time to the first diagnostics, percentiles in milliseconds, and the server's memory.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use tests::client::Client;

const URI: &str = "file:///bench.py";
/// Keystrokes, and requests of each kind.
const ROUNDS: i32 = 200;

fn main() {
    let given: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    let files = if given.is_empty() {
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/models");
        vec![PathBuf::from(fixtures).join("lm32-nn.tvm-0.27.py")]
    } else {
        given
    };
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        say(&format!("{} ({} KB)", file.display(), text.len() / 1024));
        measure(&text);
    }
}

fn measure(text: &str) {
    let mut client = Client::plain();
    let start = Instant::now();
    client.open(URI, 1, text);
    client.diagnostics(URI, 1);
    report("open to diagnostics", &mut [start.elapsed()]);

    let (line, column) = keystroke(text);
    let mut version = 1;
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        // A letter is typed at the end of the line and then deleted again.
        let typed = round % 2 == 0;
        let end = if typed { column } else { column + 1 };
        let range = json!({
            "start": {"line": line, "character": column}, "end": {"line": line, "character": end},
        });
        version += 1;
        let start = Instant::now();
        client.change(
            URI,
            version,
            json!([{"range": range, "text": if typed { "x" } else { "" }}]),
        );
        client.diagnostics(URI, version);
        times.push(start.elapsed());
    }
    report("keystroke to diagnostics", &mut times);

    let document = json!({"uri": URI});
    let at = json!({"line": line, "character": indent(text, line) + 1});
    // Behind `R.` of the call, and in its brackets.
    let inside = json!({"line": line, "character": after(text, line, "(")});
    let operator = json!({"line": line, "character": after(text, line, " = R.")});
    let around = json!({
        "start": {"line": line.saturating_sub(30), "character": 0},
        "end": {"line": line + 30, "character": 0},
    });
    for (method, params) in [
        (
            "textDocument/hover",
            json!({"textDocument": document, "position": at}),
        ),
        (
            "textDocument/definition",
            json!({"textDocument": document, "position": at}),
        ),
        (
            "textDocument/documentHighlight",
            json!({"textDocument": document, "position": at}),
        ),
        (
            "textDocument/references",
            json!({
                "textDocument": document,
                "position": at,
                "context": {"includeDeclaration": true},
            }),
        ),
        (
            "textDocument/selectionRange",
            json!({"textDocument": document, "positions": [at]}),
        ),
        (
            "textDocument/semanticTokens/range",
            json!({"textDocument": document, "range": around}),
        ),
        (
            "textDocument/completion",
            json!({"textDocument": document, "position": inside}),
        ),
        (
            "textDocument/completion",
            json!({"textDocument": document, "position": operator}),
        ),
        (
            "textDocument/signatureHelp",
            json!({"textDocument": document, "position": inside}),
        ),
        (
            "textDocument/documentSymbol",
            json!({"textDocument": document}),
        ),
        ("textDocument/codeLens", json!({"textDocument": document})),
        (
            "textDocument/inlayHint",
            json!({"textDocument": document, "range": around}),
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let answer: Value = client.call(method, params.clone());
            times.push(start.elapsed());
            assert!(!answer.is_null(), "{method} has an answer");
        }
        report(method, &mut times);
    }
    if let Some(peak) = client.peak_memory_kb() {
        say(&format!("  peak memory {} MB", peak / 1024));
    }
}

/// The end of the middle one of the lines that bind something.
fn keystroke(text: &str) -> (usize, usize) {
    let bindings: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("        ") && line.contains(" = R."))
        .collect();
    let (number, line) = bindings[bindings.len() / 2];
    (number, line.len())
}

/// The column behind the first `mark` of a line.
fn after(text: &str, line: usize, mark: &str) -> usize {
    let line = text.lines().nth(line).unwrap_or_default();
    line.find(mark).map_or(0, |at| at + mark.len())
}

fn indent(text: &str, line: usize) -> usize {
    let line = text.lines().nth(line).unwrap_or_default();
    line.len() - line.trim_start().len()
}

fn report(what: &str, times: &mut [Duration]) {
    times.sort();
    let at = |percent: usize| {
        let index = (times.len() * percent / 100).min(times.len() - 1);
        times[index].as_secs_f64() * 1000.0
    };
    say(&format!(
        "  {what:28} p50 {:8.2} ms   p99 {:8.2} ms",
        at(50),
        at(99)
    ));
}

fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").expect("somebody reads");
}
