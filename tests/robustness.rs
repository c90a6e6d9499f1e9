//! Tests that no input crashes the program: damaged texts in process, extreme files through the binary.

use std::process::{Command, Output};

use tests::fuzz::prims::{self, Tally};
use tests::fuzz::{LONG_LINES, Mutator, TARGETS, long_line, relay_seeds, seeds};

/// A factor for the number of inputs, from `RELAX_FUZZ_EFFORT`.
fn effort() -> usize {
    let effort = std::env::var("RELAX_FUZZ_EFFORT").ok();
    effort.and_then(|it| it.parse().ok()).unwrap_or(1)
}

/// Runs a target over damaged seeds, for a few seconds in a debug build.
fn run(name: &str, times: usize) {
    let (_, target) = TARGETS.iter().find(|(it, _)| *it == name).unwrap();
    let seeds = if name == "relay" {
        relay_seeds()
    } else {
        seeds()
    };
    let mut mutator = Mutator::new(0x5eed_0003, seeds);
    for _ in 0..times * effort() {
        let mut data = mutator.damaged();
        if matches!(name, "edits" | "relay") {
            let edits = mutator.damaged();
            data.truncate(1024);
            data.push(0xFF);
            data.extend(edits.iter().take(120));
        }
        target(&data);
    }
}

#[test]
fn damaged_seeds_parse() {
    run("parse", 5000);
}

#[test]
fn edited_seeds_reparse_like_a_full_parse() {
    run("edits", 800);
}

#[test]
fn damaged_seeds_have_facts_and_diagnostics() {
    run("analyse", 1500);
}

#[test]
fn edits_offered_for_damaged_seeds_apply() {
    run("actions", 150);
}

#[test]
fn prim_funcs_of_damaged_seeds_are_programs_or_have_reasons() {
    run("tir", 2000);
}

#[test]
fn programs_of_damaged_seeds_run_or_have_reasons() {
    run("run", 200);
}

#[test]
fn damaged_texts_of_relay_are_edited_analysed_and_formatted() {
    run("relay", 200);
}

/// Runs the PrimFuncs of these seeds with both engines.
fn run_prims(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let run = || prims::run(&seed.to_le_bytes());
        let found = std::panic::catch_unwind(run);
        assert!(
            found.is_ok(),
            "the engines differ on the program of seed {seed}"
        );
        tally.add(found.unwrap_or_default());
    }
    tally
}

#[test]
fn native_code_matches_the_interpreter() {
    let programs = 400 * effort() as u64;
    let first = std::env::var("RELAX_FUZZ_FIRST").ok();
    let first = first.and_then(|it| it.parse().ok()).unwrap_or(0);
    let tally = run_prims(first..first + programs);
    assert!(u64::from(tally.kernels) > programs / 20, "{tally:?}");
    // Most generated programs must compile and run to their end.
    let runs = f64::from(tally.ended + tally.trapped);
    assert!(
        f64::from(tally.refused) < 0.05 * programs as f64,
        "{tally:?}"
    );
    assert!(runs > 1.2 * programs as f64, "{tally:?}");
    assert!(f64::from(tally.ended) > 0.4 * runs, "{tally:?}");
}

#[test]
fn every_target_is_a_program_of_cargo_fuzz() {
    let fuzz = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")));
        let program =
            std::fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        let body = format!("fuzz_target!(|data: &[u8]| tests::fuzz::{name}(data));");
        assert!(
            program.contains("#![no_main]") && program.contains(&body),
            "{name}"
        );
    }
}

/// Runs `relax-lsp check` on a file with these bytes.
fn check(bytes: &[u8]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("extreme.py");
    std::fs::write(&path, bytes).unwrap();
    Command::new(tests::relax_lsp())
        .arg("check")
        .arg(&path)
        .output()
        .expect("relax-lsp starts")
}

/// Asserts that `check` ended with a normal exit code, without a signal or a panic.
fn assert_answers(bytes: &[u8], code: i32) -> Output {
    let output = check(bytes);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let start = &bytes[..bytes.len().min(40)];
    assert_eq!(output.status.code(), Some(code), "{said} {start:?}");
    assert!(!said.contains("panicked"), "{said}");
    output
}

const HEAD: &str = "from tvm.script import relax as R, tirx as T\n\n";

#[test]
fn a_hundred_thousand_brackets_are_answered() {
    for bracket in ["(", "[", "{", "f(", "x[", "-", "not ", "lambda: "] {
        let nested = bracket.repeat(100_000);
        assert_answers(format!("{HEAD}y = {nested}").as_bytes(), 1);
        let inside = "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = ";
        assert_answers(format!("{HEAD}{inside}{nested}").as_bytes(), 1);
        let inside = "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    A[0] = ";
        assert_answers(format!("{HEAD}{inside}{nested}").as_bytes(), 1);
    }
}

#[test]
fn nul_characters_are_reported_and_invalid_utf8_is_refused() {
    assert_answers(
        format!("{HEAD}x = \0\0\0\n@R.function\ndef f(\0):\n    pass\n").as_bytes(),
        1,
    );
    for invalid in [&b"\xED\xA0\x80"[..], b"\xFF\xFE", b"\xC3("] {
        let mut bytes = HEAD.as_bytes().to_vec();
        bytes.extend_from_slice(b"x = \"");
        bytes.extend_from_slice(invalid);
        bytes.extend_from_slice(b"\"\n");
        let output = assert_answers(&bytes, 2);
        assert!(!output.stderr.is_empty());
    }
}

/// The benchmark `analysis` measures the time.
#[test]
fn long_lines_are_answered() {
    for &line in LONG_LINES {
        let output = check(long_line(line, 1_000_000).as_bytes());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    }
}
