//! Runs programs of TVM's own tests. Each must give TVM's values, or fail where TVM fails.
//!
//! Reads `tvm-0.27/vm.jsonl.gz` of the records, and the sources beside it. `RELAX_SHOW=disagree` lists every run that
//! differs; any other value shows the runs with that result.

pub(super) mod values;

use relax::release::Release;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hir::{Config, Database, Source, SourceFile, file_items};
use relax::FunctionKind;
use salsa::Setter;
use serde_json::Value as Json;
use vm::value::Value;
use vm::{Limits, Printed, compile, run};

use self::values::{argument, difference};
use super::data::{read, recorded};

/// The runs that are known to differ, by reason.
const EXCEPTIONS: &str = include_str!("runs/exceptions.txt");

const QUOTES: &str = "\"\"\"";

enum Verdict {
    Agree,
    Skip,
    /// A short and a long description of the reason.
    Differ(&'static str, String),
}

/// Formats a constant of the surrounding Python code.
fn python(value: &Json) -> Option<String> {
    Some(match value {
        Json::Null => "None".to_owned(),
        Json::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Json::Number(value) => value.to_string(),
        Json::String(text) if text.starts_with('<') => return None,
        Json::String(text) => format!("{text:?}"),
        Json::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(python).collect();
            format!("[{}]", items?.join(", "))
        }
        Json::Object(_) => return None,
    })
}

fn program(record: &Json, tests: &std::path::Path) -> Option<String> {
    let text = std::fs::read_to_string(tests.join(record["file"].as_str()?)).ok()?;
    let (first, last) = (
        record["first"].as_u64()? as usize,
        record["last"].as_u64()? as usize,
    );
    let lines: Vec<&str> = text.lines().collect();
    let lines = lines.get(first.checked_sub(1)?..last)?;
    let indent = lines.first()?.len() - lines.first()?.trim_start().len();
    let mut out = String::from(
        "import tvm\nfrom tvm import relax, topi\nfrom typing import TypeVar\nfrom tvm.script import ir as I, relax as R, tirx as T\n",
    );
    for (name, value) in record["captures"].as_object().into_iter().flatten() {
        if let Some(value) = python(value) {
            let _ = writeln!(out, "{name} = {value}");
        }
    }
    // A test may hold its program in a string; then the program is between the quotes.
    let is_text = lines.first().is_some_and(|line| line.trim() == QUOTES);
    for line in lines
        .iter()
        .filter(|line| !is_text || line.trim() != QUOTES)
    {
        let indent = if is_text { 0 } else { indent };
        let _ = writeln!(out, "{}", line.get(indent..).unwrap_or_default());
    }
    Some(out)
}

fn one(record: &Json, tests: &std::path::Path) -> Verdict {
    let (Some(name), Some(args)) = (record["fn"].as_str(), record["args"].as_array()) else {
        return Verdict::Skip;
    };
    let wants_error = record.get("error").is_some();
    if !wants_error && record["out"].get("undetermined").is_some() {
        return Verdict::Skip;
    }
    let Some(source) = program(record, tests) else {
        return Verdict::Skip;
    };
    let mut leaf = 0;
    let Some(inputs) = args
        .iter()
        .map(|a| argument(a, &mut leaf))
        .collect::<Option<Vec<Value>>>()
    else {
        return Verdict::Skip;
    };
    let mut db = Database::default();
    Config::get(&db)
        .set_target(&mut db)
        .to(Some(Release::NEWEST));
    let file = SourceFile::new(&db, Source::new(source.as_str()));
    let Some(function) = file_items(&db, file)
        .functions
        .iter()
        .copied()
        .find(|f| f.kind(&db) == FunctionKind::Relax && f.name(&db) == name)
    else {
        return Verdict::Differ("no such function", name.to_owned());
    };
    let program = match compile(&db, function) {
        Ok(program) => program,
        Err(_) if wants_error => return Verdict::Agree,
        Err(errors) => {
            // The record does not contain functions that a test takes as parameters.
            let captures = record["captures"].to_string();
            if captures.contains("\"<") && errors.iter().all(|e| e.message.contains("Python")) {
                return Verdict::Skip;
            }
            let error = &errors[0];
            let at = &source[std::ops::Range::<usize>::from(error.range)];
            return Verdict::Differ(
                "does not compile",
                format!("{error} at `{}`", at.lines().next().unwrap_or_default()),
            );
        }
    };
    let limits = Limits {
        wall: Some(std::time::Duration::from_mins(1)),
        memory: Some(8 << 30),
        ..Limits::default()
    };
    match run(&program, name, inputs, &limits, &mut Printed::default()) {
        Ok(value) if wants_error => Verdict::Differ(
            "runs where TVM fails",
            format!("{} {}", value.describe(), record["error"]),
        ),
        Ok(value) => match difference(&value, &record["out"]) {
            None => Verdict::Agree,
            Some(why) => Verdict::Differ("another value", why),
        },
        Err(_) if wants_error => Verdict::Agree,
        Err(failure) => Verdict::Differ("fails where TVM runs", failure.to_string()),
    }
}

/// Returns how often each run is listed as an exception. A reason is followed by its runs as indented lines.
fn exceptions() -> BTreeMap<&'static str, usize> {
    let mut listed = BTreeMap::new();
    for line in EXCEPTIONS.lines().filter(|line| line.starts_with(' ')) {
        *listed.entry(line.trim()).or_default() += 1;
    }
    listed
}

#[test]
fn programs_of_tvms_tests_give_what_tvm_computed() {
    let (Some(records), Some(tests)) =
        (recorded("tvm-0.27/vm.jsonl.gz"), recorded("tvm-0.27/tests"))
    else {
        return;
    };
    let records = read(&records);
    assert!(!records.is_empty(), "there are runs");
    let show = std::env::var("RELAX_SHOW").unwrap_or_default();
    let is_shown = |place: &str| show.is_empty() || show == "disagree" || place.contains(&show);
    let (mut agree, mut skipped) = (0, 0);
    let mut differ: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for record in &records {
        let field = |name: &str| record[name].as_str().unwrap_or_default();
        let (file, function, wrong) = (field("file"), field("fn"), field("wrong"));
        let place = format!("{file}:{} {function} {wrong}", record["first"]);
        let place = place.trim_end();
        if !is_shown(place) {
            continue;
        }
        let verdict = catch_unwind(AssertUnwindSafe(|| one(record, &tests)));
        let (kind, why) = match verdict {
            Ok(Verdict::Agree) => {
                agree += 1;
                continue;
            }
            Ok(Verdict::Skip) => {
                skipped += 1;
                continue;
            }
            Ok(Verdict::Differ(kind, why)) => (kind, why),
            Err(_) => ("panics", String::new()),
        };
        let all = differ.entry(kind).or_default();
        all.push((place.to_owned(), why));
    }
    let count: usize = differ.values().map(Vec::len).sum();
    let share = 100.0 * f64::from(agree) / f64::from(agree + count as i32);
    eprintln!(
        "{agree} of {} agree ({share:.2}%), {skipped} have nothing to compare",
        agree + count as i32
    );
    let mut listed = exceptions();
    listed.retain(|place, _| is_shown(place));
    let mut unlisted = Vec::new();
    for (kind, all) in &differ {
        eprintln!("{kind}: {}", all.len());
        for (place, why) in all {
            if !show.is_empty() {
                eprintln!("    {place}: {why}");
            }
            match listed.get_mut(place.as_str()) {
                Some(left) if *left > 0 => *left -= 1,
                _ => unlisted.push(format!("{place}: {kind}: {why}")),
            }
        }
    }
    let agreeing: Vec<_> = listed.iter().filter(|(_, left)| **left > 0).collect();
    assert!(
        unlisted.is_empty() && agreeing.is_empty(),
        "differ without a reason: {unlisted:#?}\nlisted, and agree: {agreeing:#?}"
    );
}
