//! The trace of a run as inlay hints, for clients without a view of their own.

use std::collections::BTreeMap;

use text_size::{TextRange, TextSize};

use super::outcome::{Summary, duration, short};
use super::trace::{Trace, TracedBinding};

/// The number of digits of the minimum and the maximum.
const DIGITS: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The end of the bound value in the text that ran.
    pub offset: TextSize,
    /// The text of the hint: `f32[2, 4] · 0.1 ms · 0 … 14`.
    pub text: String,
    /// The variable's name, and what computed it.
    pub detail: String,
}

/// Returns one note per binding, in order. If a binding has several values, as in a function that was called again,
/// the note shows the last one.
pub fn notes(trace: &Trace) -> Vec<Note> {
    let mut by_place: BTreeMap<(u32, u32), Vec<&TracedBinding>> = BTreeMap::new();
    for binding in &trace.bindings {
        let (start, end) = binding.offsets;
        by_place.entry((end, start)).or_default().push(binding);
    }
    let firsts = [
        (&trace.first_nan, "⚠ first NaN"),
        (&trace.first_inf, "⚠ first Inf"),
    ];
    let mut notes = Vec::new();
    for ((end, start), bindings) in by_place {
        let Some(last) = bindings.last() else {
            continue;
        };
        let warning = firsts.iter().find_map(|(first, text)| {
            let here = first.as_ref()?.offsets == (start, end);
            here.then(|| (*text).to_owned())
        });
        let seconds: f64 = bindings.iter().map(|it| it.seconds).sum();
        let times = match bindings.len() {
            1 => String::new(),
            several => format!(" in {several} runs"),
        };
        let parts = [
            warning,
            Some(last.value.brief()),
            Some(format!("{}{times}", duration(seconds))),
            extremes(&last.value),
        ];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        notes.push(Note {
            offset: end.into(),
            detail: format!("{} = {}", last.name, last.callee),
            text,
        });
    }
    notes
}

/// Returns the notes in a range of the text.
pub fn within(notes: &[Note], range: TextRange) -> &[Note] {
    let from = notes.partition_point(|note| note.offset < range.start());
    let to = notes.partition_point(|note| note.offset <= range.end());
    &notes[from..to.max(from)]
}

/// Returns the range of values: `-1 … 2.5 · 3 NaN`.
pub fn extremes(value: &Summary) -> Option<String> {
    let Summary::Tensor {
        min, max, nan, inf, ..
    } = value
    else {
        return None;
    };
    let mut parts = Vec::new();
    if let (Some(min), Some(max)) = (min, max) {
        let (min, max) = (short(*min, DIGITS), short(*max, DIGITS));
        parts.push(if min == max {
            format!("all {min}")
        } else {
            format!("{min} … {max}")
        });
    }
    for (count, what) in [(nan, "NaN"), (inf, "Inf")] {
        if *count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::trace::Origin;

    fn binding(name: &str, offsets: (u32, u32), min: f64, max: f64, nan: u64) -> TracedBinding {
        TracedBinding {
            start: 0.0,
            function: "main".to_owned(),
            name: name.to_owned(),
            callee: "relax.add".to_owned(),
            offsets,
            seconds: 0.001,
            memory: 0,
            value: Summary::Tensor {
                shape: vec![2],
                dtype: "float32".to_owned(),
                min: Some(min),
                max: Some(max),
                mean: None,
                sum: 0.0,
                abs_sum: 0.0,
                nan,
                inf: 0,
                first: Vec::new(),
            },
            kept: None,
        }
    }

    fn texts(trace: &Trace) -> Vec<(u32, String)> {
        let notes = notes(trace).into_iter();
        notes.map(|it| (it.offset.into(), it.text)).collect()
    }

    #[test]
    fn a_value_is_summarised_by_shape_time_and_extremes() {
        let trace = Trace {
            bindings: vec![
                binding("y", (30, 40), 2.0, 2.0, 0),
                binding("x", (10, 20), -1.0, 14.256, 0),
            ],
            ..Trace::default()
        };
        assert_eq!(
            texts(&trace),
            [
                (20, "f32[2] · 1.0 ms · -1 … 14.3".to_owned()),
                (40, "f32[2] · 1.0 ms · all 2".to_owned()),
            ]
        );
    }

    #[test]
    fn repeated_bindings_show_the_last_value_and_total_time() {
        let trace = Trace {
            bindings: vec![
                binding("x", (10, 20), 0.0, 1.0, 0),
                binding("x", (10, 20), 3.0, 4.0, 0),
            ],
            ..Trace::default()
        };
        assert_eq!(
            texts(&trace),
            [(20, "f32[2] · 2.0 ms in 2 runs · 3 … 4".to_owned())]
        );
    }

    #[test]
    fn the_first_nan_is_reported() {
        let trace = Trace {
            bindings: vec![
                binding("x", (10, 20), 0.0, 1.0, 2),
                binding("y", (30, 40), 0.0, 1.0, 2),
            ],
            first_nan: Some(Origin {
                function: "main".to_owned(),
                name: "x".to_owned(),
                callee: "relax.add".to_owned(),
                offsets: (10, 20),
                count: 2,
            }),
            ..Trace::default()
        };
        let texts = texts(&trace);
        assert_eq!(texts[0].1, "⚠ first NaN · f32[2] · 1.0 ms · 0 … 1 · 2 NaN");
        assert!(!texts[1].1.contains("first"));
    }
}
