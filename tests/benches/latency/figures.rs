//! The report of measurements and their budgets.

use std::io::Write;
use std::time::Duration;

use crate::editor::{Editor, Took};

const MEGABYTE: f64 = 1024.0 * 1024.0;

/// The budgets for a file of this size.
#[derive(Clone, Copy)]
pub struct Budget {
    /// The 99th percentile of milliseconds from a keystroke to its diagnostics.
    pub keystroke: f64,
    /// The same for requests that users wait for while they type.
    pub answer: f64,
    /// The maximum memory of the server in megabytes.
    pub memory: f64,
}

impl Budget {
    pub fn of(text: &str) -> Budget {
        let size = text.len() as f64 / MEGABYTE;
        Budget {
            keystroke: if size <= 1.0 { 2.0 } else { 8.0 },
            answer: 2.0,
            memory: 30.0 + 12.0 * size,
        }
    }
}

/// Measurements of one kind.
#[derive(Default)]
pub struct Times(Vec<Took>);

impl Times {
    pub fn add(&mut self, took: Took) {
        self.0.push(took);
    }

    pub fn append(&mut self, mut other: Times) {
        self.0.append(&mut other.0);
    }

    pub fn report(&self, what: &str, budget: Option<f64>) {
        let times = percentiles(self.0.iter().map(|it| Some(it.time)));
        let computed = percentiles(self.0.iter().map(|it| it.computed));
        let Some((usual, worst)) = times else { return };
        let computed = computed.map_or_else(String::new, |(usual, worst)| {
            format!("   computed {usual:7.2} {worst:8.2}")
        });
        say(&format!(
            "  {what:42} p50 {usual:7.2}  p99 {worst:8.2} ms{computed}{}",
            verdict(worst, budget)
        ));
    }
}

/// The 50th and the 99th percentile, in milliseconds.
fn percentiles(times: impl Iterator<Item = Option<Duration>>) -> Option<(f64, f64)> {
    let mut times: Vec<Duration> = times.collect::<Option<_>>()?;
    times.sort();
    let last = times.len().checked_sub(1)?;
    let at = |percent: usize| times[(times.len() * percent / 100).min(last)].as_secs_f64() * 1000.0;
    Some((at(50), at(99)))
}

/// The memory of the server, and the peak since the last report.
pub fn report_memory(when: &str, editor: &Editor, budget: &Budget) {
    if let Some((held, peak)) = editor.memory() {
        say(&format!(
            "  memory after {when:29} {held:8.0} MB, at most {peak:5.0} MB{}",
            verdict(held.max(peak), Some(budget.memory))
        ));
    }
}

/// A budget, and whether it is met.
fn verdict(figure: f64, budget: Option<f64>) -> String {
    let Some(budget) = budget else {
        return String::new();
    };
    let verdict = if figure > budget { "  OVER" } else { "" };
    format!("   budget {budget:.0}{verdict}")
}

pub fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").expect("the output is open");
}
