//! Draws the memory plan of a function: a row for each storage, a bar for each tensor in it, with time from left to
//! right.

use ide::cost::MemoryPlan;

use crate::html::{Html, html};

/// The width in pixels.
const WIDTH: usize = 900;
const LINE: usize = 22;

pub fn picture(plan: &MemoryPlan) -> Html {
    let height = LINE * plan.storages.len();
    let steps = plan.steps.max(1);
    let place = |step: usize| step * WIDTH / (steps + 1);
    let mut text = html!(
        "<svg role=\"img\" class=\"plan\" viewBox=\"0 0 {} {}\" width=\"100%\">\n<title>memory plan of {}</title>\n",
        WIDTH + 420,
        height,
        plan.function.to_string()
    );
    for (at, storage) in plan.storages.iter().enumerate() {
        let top = at * LINE;
        let middle = top + LINE - 7;
        let bytes = storage
            .bytes
            .as_ref()
            .map_or("?".to_owned(), ToString::to_string);
        text.push(html!(
            "<text x=\"0\" y=\"{}\">{}: {} B</text>\n<g>\n",
            middle,
            storage.name.to_string(),
            bytes
        ));
        for life in &storage.tensors {
            let (from, to) = (place(life.from), place(life.to + 1));
            text.push(html!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: bindings {} to {} of {}</title></rect>\n",
                420 + from,
                top + 3,
                (to - from).max(2),
                LINE - 6,
                life.name.to_string(),
                life.from,
                life.to,
                plan.steps
            ));
        }
        text.push(html!("</g>\n"));
    }
    text.push(html!("</svg>\n"));
    text
}
