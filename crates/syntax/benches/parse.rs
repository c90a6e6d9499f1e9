//! Benchmarks of parsing and reparsing. `RELAX_BENCH_FILE` names a file to parse instead of the generated one.

use std::fmt::Write;

use divan::Bencher;
use divan::counter::BytesCount;
use syntax::{TextRange, TextSize};

fn main() {
    divan::main();
}

/// A module of 100 functions, in the style of TVM's printer.
fn text() -> String {
    if let Ok(path) = std::env::var("RELAX_BENCH_FILE") {
        return std::fs::read_to_string(path).expect("the file to measure can be read");
    }
    let mut text =
        String::from("from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n");
    for function in 0..100 {
        text.push_str("    @R.function\n");
        _ = writeln!(
            text,
            "    def f{function}(x: R.Tensor((1, \"n\"), dtype=\"float32\")):"
        );
        for line in 0..200 {
            _ = writeln!(
                text,
                "        lv{line}: R.Tensor((1, n), dtype=\"float32\") = R.call_tir(cls.add{line}, (x, R.const({line}.5)))"
            );
        }
        text.push_str("        return lv0\n\n");
    }
    text
}

#[divan::bench]
fn whole_file(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| syntax::parse(&text));
}

/// Reparses after one character is typed in the middle of the file.
#[divan::bench]
fn one_character(bencher: Bencher<'_, '_>) {
    let text = text();
    let parsed = syntax::parse(&text);
    let middle = text[..text.len() / 2]
        .rfind(", ")
        .expect("the text has a list");
    let mut edited = text.clone();
    edited.insert(middle, 'x');
    let at = TextRange::empty(TextSize::new(middle as u32));
    bencher.bench(|| parsed.reparse(at, TextSize::new(1), &edited));
}
