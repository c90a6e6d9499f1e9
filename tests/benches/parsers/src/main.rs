//! Times this project's parser and ruff's on the files listed on standard input, one per line, and the reparse after
//! one typed character. Prints `NAME SECONDS`: the median processor time of the runs.

use std::hint::black_box;
use std::io::Read;

use cpu_time::ProcessTime;
use syntax::{TextRange, TextSize};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let runs = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(5);
    let edited = arguments.next();
    let mut list = String::new();
    std::io::stdin()
        .read_to_string(&mut list)
        .expect("a list of files");
    let texts: Vec<String> = list
        .lines()
        .map(|path| std::fs::read_to_string(path).expect("a file of the list"))
        .collect();
    let ours = |text: &str| drop_later(|| syntax::parse(text));
    let ruff = |text: &str| drop_later(|| ruff_python_parser::parse_module(text));
    println!(
        "relax-lsp {}",
        median(runs, || texts.iter().map(|it| ours(it)).sum())
    );
    println!(
        "ruff {}",
        median(runs, || texts.iter().map(|it| ruff(it)).sum())
    );
    if let Some(path) = edited {
        let text = std::fs::read_to_string(path).expect("the file to edit");
        println!("reparse {}", reparse(&text));
    }
}

/// Returns the processor time of `work` in seconds, without the time to drop its result.
fn drop_later<T>(work: impl FnOnce() -> T) -> f64 {
    let start = ProcessTime::now();
    let made = black_box(work());
    let seconds = start.elapsed().as_secs_f64();
    drop(made);
    seconds
}

fn median(runs: usize, mut work: impl FnMut() -> f64) -> f64 {
    work();
    middle((0..runs).map(|_| work()).collect())
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Types one character after a comma, at positions all over the text, and undoes each edit.
fn reparse(text: &str) -> f64 {
    let parsed = syntax::parse(text);
    let mut edited = text.to_owned();
    let places: Vec<usize> = text.match_indices(", ").map(|(at, _)| at).collect();
    let step = (places.len() / 200).max(1);
    let mut times = Vec::new();
    for &at in places.iter().step_by(step) {
        edited.insert(at, 'x');
        let range = TextRange::empty(TextSize::new(at as u32));
        times.push(drop_later(|| {
            parsed.reparse(range, TextSize::new(1), &edited)
        }));
        edited.remove(at);
    }
    middle(times)
}
