//! Measures how the cost of hostile files grows if their size doubles:
//! `cargo bench -p tests --bench hostile -- [FAMILY...] [--ask ASK]`.
//!
//! Each question about each file runs in its own process, with growing sizes, until it takes [`LONGEST`], [`MOST_MEMORY`]
//! or the text has [`LARGEST`] bytes. Prints time and memory of the last size, and the ratio to the previous size. Fails
//! if a ratio is above [`RATIO`], or if a small file reaches a limit. The ratios do not depend on the machine.
//! `--text FAMILY N` prints a file, `--list` the families.

mod hostile {
    pub mod asks;
    pub mod process;
}

use std::time::Duration;

use hostile::asks::{ASKS, ask};
use hostile::process::{Cost, Measured, measure};

/// The maximum cost ratio for twice the size, and the tolerance of the clock.
const RATIO: f64 = 2.3;
const LONGEST: Duration = Duration::from_secs(10);
const MOST_MEMORY: u64 = 1 << 30;
const LARGEST: usize = 16 << 20;
/// The time after which a size is large enough, and the memory of an empty process.
const ENOUGH: Duration = Duration::from_millis(600);
const SMALLEST: usize = 32;
/// Measures again if a ratio is too large, because other programs may have been running.
const ATTEMPTS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| it != "--bench")
        .collect();
    if let [flag, family, n, what] = &arguments[..]
        && flag == "--child"
    {
        let n = n.parse().expect("a size is a number");
        return ask(what, &tests::hostile::text(family, n).expect("a family"));
    }
    if let [flag, family, n] = &arguments[..]
        && flag == "--text"
    {
        let n = n.parse().expect("a size is a number");
        return print_line(&tests::hostile::text(family, n).expect("a family"));
    }
    if arguments == ["--list"] {
        return tests::hostile::names().for_each(print_line);
    }
    let mut asks: Vec<&str> = Vec::new();
    let mut only: Vec<String> = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--ask" => {
                let name = arguments.next().unwrap_or_default();
                asks.extend(ASKS.iter().map(|it| it.name).filter(|it| *it == name));
            }
            flag if flag.starts_with('-') => {
                return print_line(
                    "usage: hostile [FAMILY...] [--ask ASK] | --list | --text FAMILY N",
                );
            }
            _ => only.push(argument),
        }
    }
    if asks.is_empty() {
        asks.extend(["check", "facts", "migrate", "editor"]);
    }
    print_line(&format!(
        "{:40} {:>10} {:>9} {:>9} {:>7} {:>9} {:>7}",
        "family", "asked", "KB", "ms", "ratio", "MB", "ratio"
    ));
    let mut steep = 0;
    for family in tests::hostile::names() {
        if !only.is_empty() && !only.iter().any(|it| family.contains(it.as_str())) {
            continue;
        }
        for what in &asks {
            steep += usize::from(!grows_evenly(family, what));
        }
    }
    if steep > 0 {
        print_line(&format!("{steep} cost too much"));
        std::process::exit(1);
    }
}

/// Doubles the size of a family until a limit is reached, and prints the costs of the last two sizes.
fn grows_evenly(family: &str, what: &str) -> bool {
    let size = |n| tests::hostile::text(family, n).map_or(0, |text| text.len());
    let mut n = SMALLEST;
    let Measured::Cost(nothing) = measure(family, 1, what, LONGEST, MOST_MEMORY) else {
        return report_row(family, what, size(1), None, None);
    };
    let mut before: Option<Cost> = None;
    loop {
        let cost = match measure(family, n, what, LONGEST, MOST_MEMORY) {
            Measured::Cost(cost) => cost.beyond(&nothing),
            Measured::Failed(why) => {
                let line = format!("{family:40} {what:>10} {:>9} {why}", size(n) / 1024);
                print_line(&line);
                return false;
            }
        };
        let long = cost.time >= ENOUGH || size(2 * n) > LARGEST;
        if let (true, Some(before)) = (long, &before) {
            let mut ratios = (cost.clone(), before.clone());
            for _ in 1..ATTEMPTS {
                if ratios.0.ratio(&ratios.1) <= RATIO {
                    break;
                }
                let again = |n| match measure(family, n, what, LONGEST, MOST_MEMORY) {
                    Measured::Cost(cost) => Some(cost.beyond(&nothing)),
                    Measured::Failed(_) => None,
                };
                if let (Some(cost), Some(before)) = (again(n), again(n / 2)) {
                    ratios = (cost.least(&ratios.0), before.least(&ratios.1));
                }
            }
            return report_row(family, what, size(n), Some(&ratios.0), Some(&ratios.1));
        }
        before = Some(cost);
        n *= 2;
    }
}

fn report_row(
    family: &str,
    what: &str,
    size: usize,
    cost: Option<&Cost>,
    before: Option<&Cost>,
) -> bool {
    let (Some(cost), Some(before)) = (cost, before) else {
        print_line(&format!(
            "{family:40} {what:>10} {:>9} fails with one",
            size / 1024
        ));
        return false;
    };
    let (time, memory) = (cost.ratio(before), cost.memory_ratio(before));
    let even = time <= RATIO && memory <= RATIO;
    print_line(&format!(
        "{family:40} {what:>10} {:>9} {:>9.0} {time:>7.2} {:>9.1} {memory:>7.2}{}",
        size / 1024,
        cost.time.as_secs_f64() * 1e3,
        cost.memory as f64 / f64::from(1 << 20),
        if even { "" } else { "  steep" },
    ));
    even
}

fn print_line(line: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
}
