//! Compares runs of Relay modules with the values of TVM 0.19's executors.
//!
//! The repository holds a sample; `tvm-0.19/relay-modules.jsonl.gz` of the records has them all.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use hir::{RelayFile, file_diagnostics, file_items};
use ide::{Analysis, Config};
use relax::Severity;
use relax::release::Release;
use serde_json::Value as Json;
use syntax::relay::parse;
use vm::lower::relay::compile;
use vm::{Input, Inputs, Limits, Printed, Program};

use super::data::{read, recorded};
use super::runs::values::difference;

/// Returns the reasons why the values of a run differ from TVM's.
fn wrong(record: &Json) -> Option<String> {
    let text = record["text"].as_str().unwrap();
    let file = RelayFile::new(parse(text));
    let program = match compile(&file, &["main".into()]) {
        Ok(program) => program,
        Err(errors) => return Some(format!("does not compile: {}", errors[0].message)),
    };
    result_differs(&program, &record["out"])
}

fn result_differs(program: &Program, wanted: &Json) -> Option<String> {
    let Some(entry) = program.function("main") else {
        return Some("has no `main`".to_owned());
    };
    let inputs = Inputs {
        default: Input::Formula(8.0),
        // The extents that TVM used where the text has none.
        dims: entry.dims().into_iter().map(|name| (name, 3)).collect(),
        ..Inputs::default()
    };
    let values = match inputs.make(entry) {
        Ok(values) => values,
        Err(error) => return Some(format!("has no inputs: {error}")),
    };
    let limits = Limits {
        wall: Some(std::time::Duration::from_mins(1)),
        ..Limits::default()
    };
    match vm::run(program, "main", values, &limits, &mut Printed::default()) {
        Ok(value) => difference(&value, wanted),
        Err(failure) => Some(format!("fails: {failure}")),
    }
}

/// Returns the reason why the translation of a module gives other values or types.
fn mistranslated(record: &Json) -> Option<String> {
    let text = record["text"].as_str().unwrap();
    let translation = ide::translate(text, Release::NEWEST);
    if let Some(left) = translation.left.first() {
        return Some(format!("left: {}", left.message));
    }
    let config = Config {
        target: Some(Release::NEWEST),
    };
    let (analysis, file) = Analysis::from_single_file(translation.text.as_str(), config);
    let (db, source) = analysis.hir(file).expect("the file was just added");
    let reports = file_diagnostics(db, source);
    if let Some(error) = reports.iter().find(|it| it.severity == Severity::Error) {
        return Some(format!("reported: {}", error.message));
    }
    record.get("out")?;
    let main = file_items(db, source).functions.iter().copied();
    let Some(main) = { main }.find(|it| it.name(db) == "main") else {
        return Some("has no `main`".to_owned());
    };
    match vm::compile(db, main) {
        Ok(program) => result_differs(&program, &record["out"]),
        Err(errors) => Some(format!("does not compile: {}", errors[0].message)),
    }
}

/// Returns the runs that are known to differ: the number of the record, and words of the difference.
fn known_differences() -> BTreeMap<usize, &'static str> {
    let rows = include_str!("relay/exceptions.txt").lines();
    let rows = rows.filter_map(|line| line.strip_prefix("    "));
    rows.map(|row| {
        let (run, words) = row.split_once(" | ").expect("a row names its difference");
        let number = run.split(' ').next().and_then(|it| it.parse().ok());
        (number.expect("a number"), words)
    })
    .collect()
}

/// Whether Relax can express the module.
fn is_translatable(record: &Json) -> bool {
    let text = record["text"].as_str().unwrap();
    !["\ntype ", "match", "ref(", "ref_read(", "ref_write("]
        .iter()
        .any(|it| text.contains(it))
}

#[test]
fn all_recorded_modules_translate() {
    let Some(path) = recorded("tvm-0.19/relay-modules.jsonl.gz") else {
        return;
    };
    let records = read(&path);
    let wanted: Vec<(usize, &Json)> = { records.iter().enumerate() }
        .filter(|it| is_translatable(it.1))
        .collect();
    let mut differ: BTreeMap<usize, String> = BTreeMap::new();
    for (at, record) in &wanted {
        let found = catch_unwind(AssertUnwindSafe(|| mistranslated(record)));
        if let Some(why) = found.unwrap_or_else(|_| Some("panics".to_owned())) {
            differ.insert(*at, format!("{}: {why}", record["test"].as_str().unwrap()));
        }
    }
    let left = differ.values().filter(|it| it.contains(": left: ")).count();
    eprintln!("{} of {} translate", wanted.len() - left, wanted.len());
    let known = known_differences();
    for (at, why) in &differ {
        eprintln!("  {at} {why}");
        assert!(
            known.contains_key(at) || why.contains(": left: "),
            "{at} {why}"
        );
    }
    assert!(left * 50 <= wanted.len(), "less than 98 % translate");
}

#[test]
fn recorded_modules_give_tvms_values() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/relay/runs.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines() {
        let record: Json = serde_json::from_str(line).expect("a record is JSON");
        assert_eq!(wrong(&record), None, "{}", record["text"].as_str().unwrap());
    }
}

#[test]
fn all_recorded_modules_give_tvms_values() {
    let Some(path) = recorded("tvm-0.19/relay-modules.jsonl.gz") else {
        return;
    };
    let mut differ: BTreeMap<usize, String> = BTreeMap::new();
    let mut count = 0;
    for (at, record) in read(&path).iter().enumerate() {
        if record.get("out").is_none() {
            continue;
        }
        count += 1;
        let found = catch_unwind(AssertUnwindSafe(|| wrong(record)));
        if let Some(why) = found.unwrap_or_else(|_| Some("panics".to_owned())) {
            differ.insert(at, format!("{}: {why}", record["test"].as_str().unwrap()));
        }
    }
    eprintln!("{} of {count} agree", count - differ.len());
    let known = known_differences();
    let unlisted = differ.iter().filter(|it| !known.contains_key(it.0));
    let unlisted: Vec<String> = unlisted.map(|(at, why)| format!("{at} {why}")).collect();
    assert_eq!(unlisted, [""; 0]);
    let agree = known.keys().filter(|it| !differ.contains_key(it));
    let agree: Vec<&usize> = agree.collect();
    assert_eq!(agree, [&0; 0], "these are listed, and agree");
    let otherwise = differ.iter().filter(|(at, why)| !why.contains(known[at]));
    let otherwise: Vec<String> = otherwise.map(|(at, why)| format!("{at} {why}")).collect();
    assert_eq!(otherwise, [""; 0], "these differ otherwise than listed");
}
