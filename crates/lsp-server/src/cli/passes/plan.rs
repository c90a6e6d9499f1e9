//! Draws the memory plan of a function: a row for each storage, a bar for each tensor in it, with time from left to
//! right.

use std::fmt::Write;

use ide::cost::MemoryPlan;

use crate::cli::html::escape;

/// The width in pixels.
const WIDTH: usize = 900;
const LINE: usize = 22;

pub fn picture(plan: &MemoryPlan) -> String {
    let height = LINE * plan.storages.len();
    let steps = plan.steps.max(1);
    let place = |step: usize| step * WIDTH / (steps + 1);
    let mut text = format!(
        "<svg role=\"img\" class=\"plan\" viewBox=\"0 0 {} {height}\" width=\"100%\">\n<title>{}</title>\n",
        WIDTH + 420,
        escape(&format!("memory plan of {}", plan.function))
    );
    for (at, storage) in plan.storages.iter().enumerate() {
        let top = at * LINE;
        let middle = top + LINE - 7;
        let bytes = storage
            .bytes
            .as_ref()
            .map_or("?".to_owned(), ToString::to_string);
        let _ = writeln!(
            text,
            "<text x=\"0\" y=\"{middle}\">{}</text>",
            escape(&format!("{}: {bytes} B", storage.name))
        );
        for life in &storage.tensors {
            let (from, to) = (place(life.from), place(life.to + 1));
            let _ = writeln!(
                text,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
                420 + from,
                top + 3,
                (to - from).max(2),
                LINE - 6,
                escape(&format!(
                    "{}: bindings {} to {} of {}",
                    life.name, life.from, life.to, plan.steps
                ))
            );
        }
    }
    text.push_str("</svg>\n");
    text
}
