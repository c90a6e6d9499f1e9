//! Measures latency over the protocol, from a keystroke to its diagnostics and for each request, and the memory of the
//! server.
//!
//! `cargo bench -p tests --bench latency -- [--soak MINUTES] [FILE...]`: by default the largest printed model of the
//! fixtures, a model of 10 MB made of its layers, and a Relay function of 300 KB. Prints percentiles in milliseconds,
//! each beside its budget where there is one. A time ends when the last byte arrives. The client's own work does not
//! count.

mod editor;
mod figures;
mod large;
mod places;
mod requests;
mod soak;

use std::path::Path;

use editor::Editor;
use figures::{Budget, Times, report_memory, say};
use places::{Places, is_relay};
use requests::{AROUND, about_file, around};

/// The number of edits of each kind, and of requests of each kind.
const ROUNDS: usize = 200;
/// The same for each request about the whole file.
const WHOLE_ROUNDS: usize = 3;

const LARGE: usize = 10_000_000;
const RELAY: usize = 300_000;

fn main() {
    let mut files = Vec::new();
    let mut minutes = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--soak" => minutes = arguments.next().and_then(|it| it.parse().ok()),
            // Cargo passes this.
            option if option.starts_with("--") => {}
            file => files.push((file.to_owned(), read(file))),
        }
    }
    if files.is_empty() {
        let fixture = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/fixtures/models/lm32-nn.tvm-0.27.py"
        );
        let text = read(fixture);
        let large = large::repeated(&text, LARGE);
        files.push((fixture.to_owned(), text));
        files.push(("its layers, repeated".to_owned(), large));
        files.push(("a Relay function".to_owned(), large::relay(RELAY)));
    }
    for (name, text) in files {
        say(&format!("{name} ({} KB)", text.len() / 1024));
        match minutes {
            Some(minutes) => soak::soak(&text, minutes),
            None => measure(&text),
        }
    }
}

fn read(file: impl AsRef<Path>) -> String {
    std::fs::read_to_string(file).expect("the file can be read")
}

fn measure(text: &str) {
    let budget = Budget::of(text);
    let mut places = Places::new(text, 1);
    let (mut editor, opened) = Editor::open(text);
    let mut opening = Times::default();
    opening.add(opened);
    opening.report("open to diagnostics", None);
    report_memory("opening", &editor, &budget);

    keystrokes(&mut editor, &mut places, &budget);
    report_memory("the edits", &editor, &budget);
    if is_relay(text) {
        return;
    }
    answers(&mut editor, &mut places, &budget);
    report_memory("the requests", &editor, &budget);
    whole_answers(&mut editor, &mut places, &budget);
}

/// Types and undoes each kind of edit, at one position and at positions all over the file.
fn keystrokes(editor: &mut Editor, places: &mut Places<'_>, budget: &Budget) {
    type Line = fn(&mut Places<'_>) -> usize;
    let in_body: [(Line, &str); 2] = [(|it| it.middle(), ", one place"), (|it| it.binding(), "")];
    let in_header: [(Line, &str); 1] = [(|it| it.header(), "")];
    let groups = [
        ("statements", places.kinds, &in_body[..]),
        ("the header", places.header_kinds, &in_header[..]),
    ];
    for (group, kinds, lines) in groups {
        let mut all = Times::default();
        for (kind, (line, what)) in kinds
            .iter()
            .flat_map(|it| lines.iter().map(move |at| (it, at)))
        {
            let mut times = Times::default();
            for _ in 0..ROUNDS / 2 {
                let line = line(places);
                let edit = places.edit(kind, line);
                for edit in [&edit, &edit.back()] {
                    times.add(editor.measure(|editor| {
                        editor.edit(edit);
                        editor.wait_for_diagnostics();
                    }));
                }
            }
            let what = format!("{}{what}", kind.name);
            times.report(&what, Some(budget.keystroke));
            all.append(times);
        }
        all.report(&format!("all edits of {group}"), Some(budget.keystroke));
    }
}

/// Sends each request about a position, after a letter of a name was typed or removed there.
fn answers(editor: &mut Editor, places: &mut Places<'_>, budget: &Budget) {
    let kind = &places.kinds[0];
    for at in 0..AROUND {
        let mut included = Times::default();
        let mut first = Times::default();
        let mut again = Times::default();
        let mut name = "";
        let mut is_urgent = false;
        for _ in 0..ROUNDS / 4 {
            for waits in [false, true] {
                let line = places.binding();
                let request = &around(places, line)[at];
                (name, is_urgent) = (request.name(), request.is_urgent);
                let edit = places.edit(kind, line);
                for edit in [&edit, &edit.back()] {
                    let ask = |editor: &mut Editor| {
                        let answered = editor.ask(request);
                        assert!(answered, "{name} has an answer");
                    };
                    if waits {
                        editor.edit(edit);
                        editor.wait_for_diagnostics();
                        first.add(editor.measure(ask));
                        again.add(editor.measure(ask));
                    } else {
                        included.add(editor.measure(|editor| {
                            editor.edit(edit);
                            ask(editor);
                        }));
                        editor.wait_for_diagnostics();
                    }
                }
            }
        }
        let budget = is_urgent.then_some(budget);
        let with_edit = budget.map(|it| it.keystroke);
        included.report(&format!("{name}, edit included"), with_edit);
        let answer = budget.map(|it| it.answer);
        first.report(&format!("{name}, first after an edit"), answer);
        again.report(&format!("{name}, again"), answer);
    }
}

/// Sends each request about the whole file after a random edit, and measures the memory afterwards.
fn whole_answers(editor: &mut Editor, places: &mut Places<'_>, budget: &Budget) {
    for request in about_file(places) {
        let mut times = Times::default();
        for _ in 0..WHOLE_ROUNDS {
            let line = places.binding();
            let edit = places.edit(&places.kinds[0], line);
            editor.edit(&edit);
            editor.wait_for_diagnostics();
            editor.edit(&edit.back());
            editor.wait_for_diagnostics();
            times.add(editor.measure(|editor| {
                editor.ask(&request);
            }));
        }
        times.report(&format!("{}, whole file", request.name()), None);
        report_memory(request.name(), editor, budget);
    }
}
