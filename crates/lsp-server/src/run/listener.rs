//! What is done with what a program tells: kept for the answer, or printed as it comes.

use std::fmt::Write;

use vm::{Binding, Observer};

use super::execute::Listener;
use super::outcome::duration;

/// Keeps the first so much of what is printed.
#[derive(Default)]
pub struct Keep {
    text: String,
    cut: bool,
}

/// A program that prints without end must not fill memory or the editor.
const MOST: usize = 1 << 20;

impl Observer for Keep {
    fn print(&mut self, line: &str) {
        if self.text.len() + line.len() < MOST {
            self.text.push_str(line);
            self.text.push('\n');
        } else if !self.cut {
            self.cut = true;
            self.text.push_str("... more was printed\n");
        }
    }
}

impl Listener for Keep {
    fn printed(&self) -> String {
        self.text.clone()
    }
}

/// Writes one line for each binding as it is made, and what is printed, to `sink`.
pub struct Trace<F> {
    pub sink: F,
    pub line_of: Box<dyn Fn(text_size::TextSize) -> u32>,
}

impl<F: FnMut(&str)> Observer for Trace<F> {
    fn print(&mut self, line: &str) {
        (self.sink)(&format!("{line}\n"));
    }

    fn wants_bindings(&self) -> bool {
        true
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        let mut line = String::new();
        let _ = writeln!(
            line,
            "{:>5} {} {} = {}: {} · {} · {} KB held",
            (self.line_of)(binding.range.start()),
            binding.function,
            binding.name,
            binding.callee,
            binding.value.describe(),
            duration(binding.time.as_secs_f64()),
            binding.memory.div_ceil(1024),
        );
        (self.sink)(&line);
    }
}

impl<F: FnMut(&str)> Listener for Trace<F> {
    fn printed(&self) -> String {
        String::new()
    }
}
