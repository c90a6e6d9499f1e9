//! Benchmarks of parsing, checking, one edit and formatting of printed models, in process:
//! `cargo bench -p tests --bench analysis`.

use std::path::PathBuf;

use divan::Bencher;
use ide::{AnalysisHost, Change, FileId, FormatOptions, Text};

const FILES: &[&str] = &["lm2-nn", "lm32-nn", "lm32-lowered"];

/// The text of a printed file.
fn printed(model: &str) -> Text {
    let models = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/models"));
    let path = models.join(format!("{model}.tvm-0.27.py"));
    let text = std::fs::read_to_string(path).expect("the printed models are there");
    Text::from(text)
}

const FILE: FileId = FileId(0);

fn opened(text: &Text) -> AnalysisHost {
    let mut host = AnalysisHost::default();
    host.apply_change(Change::new(FILE, text.clone()));
    host
}

#[divan::bench(args = FILES)]
fn parse(bencher: Bencher<'_, '_>, model: &str) {
    let text = printed(model);
    bencher
        .counter(divan::counter::BytesCount::of_str(&*text))
        .bench(|| syntax::parse(&text));
}

#[divan::bench(args = FILES)]
fn check(bencher: Bencher<'_, '_>, model: &str) {
    let text = printed(model);
    bencher
        .counter(divan::counter::BytesCount::of_str(&*text))
        .bench(|| opened(&text).analysis().diagnostics(FILE));
}

/// The cost for each byte must not depend on the length of the line.
#[divan::bench(args = tests::fuzz::LONG_LINES, consts = [250_000, 1_000_000])]
fn long_line<const SIZE: usize>(bencher: Bencher<'_, '_>, line: &(&str, &str, &str)) {
    let text: Text = tests::fuzz::long_line(*line, SIZE).into();
    bencher
        .counter(divan::counter::BytesCount::of_str(&*text))
        .bench(|| opened(&text).analysis().diagnostics(FILE));
}

/// Types one character in the largest function, and computes the diagnostics.
#[divan::bench(args = FILES)]
fn edit(bencher: Bencher<'_, '_>, model: &str) {
    let text = printed(model);
    let mut host = opened(&text);
    let _ = host.analysis().diagnostics(FILE);
    let at = text.rfind("return gv").unwrap_or(text.len());
    let edited: Text = format!("{}\n{}", &text[..at], &text[at..]).into();
    let mut typed = false;
    bencher.bench_local(|| {
        typed = !typed;
        let text = if typed { &edited } else { &text };
        host.apply_change(Change::new(FILE, text.clone()));
        host.analysis().diagnostics(FILE)
    });
}

/// Breaks all lines of a printed file at 100 columns.
#[divan::bench(args = FILES)]
fn format(bencher: Bencher<'_, '_>, model: &str) {
    let text = printed(model);
    let host = opened(&text);
    let options = FormatOptions {
        line_length: Some(100),
    };
    bencher
        .counter(divan::counter::BytesCount::of_str(&*text))
        .bench_local(|| host.analysis().format(FILE, None, options));
}

fn main() {
    divan::main();
}
