//! The output of a running program: collected for the answer, or printed immediately.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};
use vm::bytecode::Function;
use vm::tensor::alloc;
use vm::value::Value;
use vm::{Binding, Observer};
use web_time::Instant;

use super::execute::Listener;
use super::notes::extremes;
use super::outcome::{Summary, duration, size};
use super::saved_values::ValueWriter;
use super::summary;
use super::trace::{MOST_BINDINGS, Memory, Origin, ProfileRow, Trace, TracedBinding};

/// Collects the beginning of the printed text.
#[derive(Default)]
pub struct Keep {
    text: String,
    cut: bool,
}

/// The maximum size, so that a program that prints endlessly does not fill the memory or the editor.
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

/// Records every binding and its cost, and writes a line for each if there is an output for lines.
#[derive(Default)]
pub struct Tracer<'s> {
    printed: Keep,
    trace: Trace,
    profile: FxHashMap<String, ProfileRow>,
    live: Option<Live<'s>>,
    keeper: Option<&'s mut ValueWriter>,
    began: Option<Instant>,
}

/// The output for lines about bindings.
pub struct Live<'s> {
    pub sink: Box<dyn FnMut(&str) + 's>,
    pub line_of: Box<dyn Fn(TextSize) -> u32 + 's>,
    /// Returns where the binding of a line came from, if the module was recorded.
    pub origin_of: Box<dyn Fn(u32) -> Option<String> + 's>,
}

impl<'s> Tracer<'s> {
    pub fn live(live: Live<'s>) -> Tracer<'s> {
        Tracer {
            live: Some(live),
            ..Tracer::default()
        }
    }

    /// Keeps every tensor for viewing later, as far as there is room.
    pub fn keeping(keeper: Option<&'s mut ValueWriter>) -> Tracer<'s> {
        Tracer {
            keeper,
            ..Tracer::default()
        }
    }

    /// Records the first value with numbers that are not finite.
    fn judge(&mut self, origin: Origin, value: &Summary) {
        let Summary::Tensor { nan, inf, .. } = value else {
            return;
        };
        for (count, first) in [
            (*nan, &mut self.trace.first_nan),
            (*inf, &mut self.trace.first_inf),
        ] {
            if count > 0 && first.is_none() {
                *first = Some(Origin {
                    count,
                    ..origin.clone()
                });
            }
        }
    }
}

impl Observer for Tracer<'_> {
    fn print(&mut self, line: &str) {
        match &mut self.live {
            Some(live) => (live.sink)(&format!("{line}\n")),
            None => self.printed.print(line),
        }
    }

    fn wants_bindings(&self) -> bool {
        true
    }

    fn binding(&mut self, binding: &Binding<'_>) {
        let ended = self.began.get_or_insert_with(Instant::now).elapsed();
        let row = self
            .profile
            .entry(binding.callee.clone())
            .or_insert_with(|| ProfileRow {
                callee: binding.callee.clone(),
                calls: 0,
                seconds: 0.0,
            });
        row.calls += 1;
        row.seconds += binding.time.as_secs_f64();
        let value = summary::of(binding.value);
        let origin = Origin {
            function: binding.function.to_string(),
            name: binding.name.to_string(),
            callee: binding.callee.clone(),
            offsets: offsets(binding.range),
            count: 0,
        };
        self.judge(origin, &value);
        if let Some(live) = &mut self.live {
            let line = line(binding, &value, live);
            (live.sink)(&line);
        }
        if self.trace.bindings.len() >= MOST_BINDINGS {
            self.trace.dropped += 1;
            return;
        }
        let name = format!("binding.{}", self.trace.bindings.len());
        let keeper = self.keeper.as_mut();
        let kept = keeper.is_some_and(|keeper| keeper.keep(&name, binding.value));
        self.trace.bindings.push(TracedBinding {
            function: binding.function.to_string(),
            name: binding.name.to_string(),
            callee: binding.callee.clone(),
            offsets: offsets(binding.range),
            start: ended.saturating_sub(binding.time).as_secs_f64(),
            seconds: binding.time.as_secs_f64(),
            memory: binding.memory,
            value,
            kept: kept.then_some(name),
        });
    }
}

impl Listener for Tracer<'_> {
    fn printed(&self) -> String {
        self.printed.printed()
    }

    fn inputs(&mut self, function: &Function, values: &[Value]) {
        self.trace.memory.inputs = alloc::live();
        for (param, value) in function.source_params().iter().zip(values) {
            let origin = Origin {
                function: function.name.to_string(),
                name: param.name.to_string(),
                callee: "input".to_owned(),
                offsets: offsets(TextRange::empty(function.start)),
                count: 0,
            };
            self.judge(origin, &summary::of(value));
        }
        self.began = Some(Instant::now());
    }

    fn trace(&mut self) -> Option<Trace> {
        let mut trace = std::mem::take(&mut self.trace);
        trace.profile = std::mem::take(&mut self.profile).into_values().collect();
        trace.profile.sort_by(|a, b| {
            b.seconds
                .total_cmp(&a.seconds)
                .then(a.callee.cmp(&b.callee))
        });
        trace.memory = Memory {
            peak: alloc::peak(),
            planned: alloc::planned(),
            ..trace.memory
        };
        Some(trace)
    }
}

fn offsets(range: TextRange) -> (u32, u32) {
    (range.start().into(), range.end().into())
}

fn line(binding: &Binding<'_>, value: &Summary, live: &Live<'_>) -> String {
    let mut line = String::new();
    let number = (live.line_of)(binding.range.start());
    let computed = format!("{} = {}", binding.name, binding.callee);
    let _ = write!(
        line,
        "{number:>5}  {computed:<32}  {:<20} {:>8} {:>10}",
        value.brief(),
        duration(binding.time.as_secs_f64()),
        size(binding.memory),
    );
    if let Some(range) = extremes(value) {
        let _ = write!(line, "  {range}");
    }
    if let Some(origin) = (live.origin_of)(number) {
        let _ = write!(line, " · {origin}");
    }
    line.push('\n');
    line
}
