//! Minutes of editing at random positions, with requests in between.

use std::time::{Duration, Instant};

use crate::editor::Editor;
use crate::figures::{Budget, Times, report_memory, say};
use crate::places::Places;
use crate::requests::{about_file, around};

/// One in this many edits is followed by a request about the whole file.
const WHOLE: usize = 200;

pub fn soak(text: &str, minutes: u64) {
    let budget = Budget::of(text);
    let mut places = Places::new(text, 3);
    let (mut editor, _) = Editor::open(text);
    report_memory("opening", &editor, &budget);
    let mut all = Figures::default();
    let start = Instant::now();
    for minute in 1..=minutes {
        let mut figures = Figures::default();
        while start.elapsed() < Duration::from_mins(minute) {
            figures.round(&mut editor, &mut places);
        }
        say(&format!("minute {minute}"));
        figures.report(&budget);
        report_memory("this minute", &editor, &budget);
        all.add(figures);
    }
    say("all minutes");
    all.report(&budget);
}

#[derive(Default)]
struct Figures {
    keystrokes: Times,
    answers: Times,
}

impl Figures {
    /// Types something and undoes it, with a request after each edit.
    fn round(&mut self, editor: &mut Editor, places: &mut Places<'_>) {
        let line = places.binding();
        let kind = places.kind();
        let edit = places.edit(kind, line);
        let requests = around(places, line);
        for edit in [edit.back(), edit].iter().rev() {
            self.keystrokes.add(editor.measure(|editor| {
                editor.edit(edit);
                editor.wait_for_diagnostics();
            }));
            let request = places.one_of(&requests);
            let answered = editor.measure(|editor| {
                editor.ask(request);
            });
            if request.is_urgent {
                self.answers.add(answered);
            }
        }
        if places.is_one_in(WHOLE) {
            let requests = about_file(places);
            editor.ask(places.one_of(&requests));
        }
    }

    fn add(&mut self, other: Figures) {
        self.keystrokes.append(other.keystrokes);
        self.answers.append(other.answers);
    }

    fn report(&self, budget: &Budget) {
        self.keystrokes
            .report("keystroke to diagnostics", Some(budget.keystroke));
        self.answers.report("answer after it", Some(budget.answer));
    }
}
