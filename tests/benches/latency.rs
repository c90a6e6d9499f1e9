//! What a user waits for, over the wire: from a keystroke to its diagnostics, and for each answer.
//!
//! `cargo bench -p tests --bench latency [FILE...]`: by default the largest printed model of the fixtures.
//! Prints percentiles in milliseconds, and the server's memory, each beside its budget where there is one. A time ends
//! when the last byte has come; what the client makes of the message is its own affair.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use tests::client::Client;

const URI: &str = "file:///bench.py";
/// Edits of each kind, and requests of each kind.
const ROUNDS: usize = 200;

/// Milliseconds from a keystroke to its diagnostics, in files of up to a megabyte and in larger ones.
const KEYSTROKE: (f64, f64) = (5.0, 16.0);
/// Milliseconds for what people wait for while they type.
const ANSWER: f64 = 2.0;
/// Megabytes that the server may hold: some of its own, and for each megabyte of the text.
const MEMORY: (f64, f64) = (30.0, 12.0);

const MEGABYTE: f64 = 1024.0 * 1024.0;

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

/// Something typed and taken back, again and again.
struct Edit {
    what: &'static str,
    line: usize,
    column: usize,
    typed: &'static str,
}

impl Edit {
    /// The end of what was typed.
    fn end(&self) -> (usize, usize) {
        let lines = self.typed.matches('\n').count();
        match self.typed.rsplit_once('\n') {
            Some((_, last)) => (self.line + lines, last.len()),
            None => (self.line, self.column + self.typed.len()),
        }
    }
}

/// An editor with one file.
struct Editor {
    client: Client,
    version: i32,
    /// Whether what an edit types stands there now.
    typed: bool,
}

impl Editor {
    fn edit(&mut self, edit: &Edit) {
        let (line, column) = if self.typed {
            edit.end()
        } else {
            (edit.line, edit.column)
        };
        let range = json!({
            "start": {"line": edit.line, "character": edit.column},
            "end": {"line": line, "character": column},
        });
        let text = if self.typed { "" } else { edit.typed };
        self.typed = !self.typed;
        self.version += 1;
        self.client
            .change(URI, self.version, json!([{"range": range, "text": text}]));
    }

    fn diagnostics(&mut self) -> Instant {
        self.client.diagnostics(URI, self.version);
        self.client.arrived()
    }

    fn answer(&mut self, request: &Request) -> Instant {
        let answer: Value = self.client.call(request.method, request.params.clone());
        assert!(!answer.is_null(), "{} has an answer", request.method);
        self.client.arrived()
    }

    fn memory(&self) -> Option<f64> {
        let kilobytes = self.client.peak_memory_kb()?;
        Some(kilobytes as f64 / 1024.0)
    }
}

struct Request {
    method: &'static str,
    params: Value,
    budget: Option<f64>,
}

fn measure(text: &str) {
    let mut editor = Editor {
        client: Client::plain(),
        version: 1,
        typed: false,
    };
    let size = text.len() as f64 / MEGABYTE;
    let memory = |editor: &Editor, when: &str| {
        if let Some(peak) = editor.memory() {
            let budget = MEMORY.0 + MEMORY.1 * size;
            say(&format!(
                "  memory {when:38} {peak:8.0} MB{}",
                over(peak, Some(budget))
            ));
        }
    };
    let start = Instant::now();
    editor.client.open(URI, 1, text);
    let opened = editor.diagnostics() - start;
    report("open to diagnostics", &mut [opened], None);
    memory(&editor, "after opening");

    let keystroke = if size <= 1.0 {
        KEYSTROKE.0
    } else {
        KEYSTROKE.1
    };
    let edits = edits(text);
    for edit in &edits {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            editor.edit(edit);
            times.push(editor.diagnostics() - start);
        }
        report(edit.what, &mut times, Some(keystroke));
    }
    memory(&editor, "after the edits");

    for request in requests(text, edits[0].line) {
        let name = request.method.trim_start_matches("textDocument/");
        let mut with = Vec::new();
        let mut after = Vec::new();
        let mut again = Vec::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            editor.edit(&edits[0]);
            with.push(editor.answer(&request) - start);
            editor.diagnostics();
        }
        for _ in 0..ROUNDS {
            editor.edit(&edits[0]);
            editor.diagnostics();
            let start = Instant::now();
            after.push(editor.answer(&request) - start);
            let start = Instant::now();
            again.push(editor.answer(&request) - start);
        }
        let whole = request.budget.map(|_| keystroke);
        report(&format!("{name}, edit included"), &mut with, whole);
        report(
            &format!("{name}, first after an edit"),
            &mut after,
            request.budget,
        );
        report(&format!("{name}, again"), &mut again, request.budget);
    }
    memory(&editor, "at the end");
}

/// What people do to a binding in the middle of the file.
fn edits(text: &str) -> Vec<Edit> {
    let bindings: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| {
            line.starts_with("        ") && line.contains(": R.") && line.contains(" = R.")
        })
        .collect();
    let (number, line) = bindings[bindings.len() / 2];
    let edit = |what, column, typed| Edit {
        what,
        line: number,
        column,
        typed,
    };
    vec![
        edit("a letter at a line's end", line.len(), "x"),
        edit("a comment at a line's end", line.len(), "  # why"),
        edit("a new line, and back", line.len(), "\n        "),
        edit("a letter of a binding's name", after(line, " ", ":"), "x"),
        edit("a letter of an annotation", after(line, ": R.", "("), "x"),
        edit("a letter of an argument", after(line, " = R.", ","), "x"),
    ]
}

/// The column of the first `end` behind the first `begin`.
fn after(line: &str, begin: &str, end: &str) -> usize {
    let from = line.find(begin).map_or(0, |at| at + begin.len());
    line[from..].find(end).map_or(line.len(), |at| from + at)
}

/// Requests about a line.
fn requests(text: &str, line: usize) -> Vec<Request> {
    let document = json!({"uri": URI});
    let shown = text.lines().nth(line).unwrap_or_default();
    let indent = shown.len() - shown.trim_start().len();
    let place = |column: usize| json!({"textDocument": document, "position": {"line": line, "character": column}});
    let name = place(indent + 1);
    // Behind `R.` of the call, and in its brackets.
    let operator = place(shown.find(" = R.").map_or(0, |at| at + " = R.".len()));
    let inside = place(
        shown
            .find(" = R.")
            .map_or(0, |at| at + after(&shown[at..], "", "(") + 1),
    );
    let around = json!({"textDocument": document, "range": {
        "start": {"line": line.saturating_sub(30), "character": 0},
        "end": {"line": line + 30, "character": 0},
    }});
    let with = |params: &Value, key: &str, value: Value| {
        let mut params = params.clone();
        params[key] = value;
        params
    };
    let whole = json!({"textDocument": document});
    let references = with(&name, "context", json!({"includeDeclaration": true}));
    let selection = with(&whole, "positions", json!([name["position"]]));
    let budget = Some(ANSWER);
    [
        ("textDocument/hover", name.clone(), budget),
        ("textDocument/definition", name.clone(), budget),
        ("textDocument/completion", inside.clone(), budget),
        ("textDocument/completion", operator, budget),
        ("textDocument/signatureHelp", inside, None),
        ("textDocument/documentHighlight", name, None),
        ("textDocument/references", references, None),
        ("textDocument/selectionRange", selection, None),
        ("textDocument/semanticTokens/range", around.clone(), None),
        ("textDocument/inlayHint", around, None),
        ("textDocument/documentSymbol", whole.clone(), None),
        ("textDocument/codeLens", whole, None),
    ]
    .into_iter()
    .map(|(method, params, budget)| Request {
        method,
        params,
        budget,
    })
    .collect()
}

fn report(what: &str, times: &mut [Duration], budget: Option<f64>) {
    times.sort();
    let at = |percent: usize| {
        let index = (times.len() * percent / 100).min(times.len() - 1);
        times[index].as_secs_f64() * 1000.0
    };
    let (usual, worst) = (at(50), at(99));
    say(&format!(
        "  {what:45} p50 {usual:7.2} ms   p99 {worst:7.2} ms{}",
        over(worst, budget)
    ));
}

/// The budget of a figure, and whether it is kept.
fn over(figure: f64, budget: Option<f64>) -> String {
    let Some(budget) = budget else {
        return String::new();
    };
    let verdict = if figure > budget { "  OVER" } else { "" };
    format!("   budget {budget:.0}{verdict}")
}

fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").expect("somebody reads");
}
