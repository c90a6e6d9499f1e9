//! Runs of Relay modules against TVM 0.19: the values that its executors gave.
//!
//! The repository holds a sample; `tvm-0.19/relay-modules.jsonl.gz` of the records has them all.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use hir::RelayFile;
use serde_json::Value as Json;
use syntax::relay::parse;
use vm::lower::relay::compile;
use vm::{Input, Inputs, Limits, Printed};

use super::data::{read, recorded};
use super::runs::values::difference;

/// Why the values of a run are not TVM's.
fn wrong(record: &Json) -> Option<String> {
    let text = record["text"].as_str().unwrap();
    let file = RelayFile::new(parse(text));
    let program = match compile(&file, "main") {
        Ok(program) => program,
        Err(errors) => return Some(format!("does not compile: {}", errors[0].message)),
    };
    let entry = program.function("main").unwrap();
    let inputs = Inputs {
        default: Input::Formula(8.0),
        // The extents that TVM was given where the text has none.
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
    match vm::run(&program, "main", values, &limits, &mut Printed::default()) {
        Ok(value) => difference(&value, &record["out"]),
        Err(failure) => Some(format!("fails: {failure}")),
    }
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
    for (at, why) in &differ {
        eprintln!("  {at} {why}");
    }
    assert!(differ.len() * 100 <= count, "more than 1 % differ");
}
