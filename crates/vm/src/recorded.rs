//! Programs of TVM's own tests, run: each gives what TVM computed, or fails where TVM fails.
//!
//! Reads `$RELAX_ORACLE/data/tvm-0.27/vm.jsonl.gz`, else that of `../shared/oracle` beside the workspace, and the
//! sources from `$RELAX_TVM_TESTS` (`tests/python/relax` of the commit that the records name); without these it has
//! nothing to check. `RELAX_SHOW=disagree` lists every run that differs, any other value those it occurs in.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use hir::dialect::Dialect;
use hir::dtype::DType;
use hir::{Config, Database, FunctionKind, Source, SourceFile, file_items};
use salsa::Setter;
use serde_json::Value as Json;

use crate::random::formula;
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};
use crate::{Limits, Printed, compile, run};

/// Runs that differ from what TVM did, of those that can be compared; a rise is a regression.
const KNOWN: usize = 83;

enum Verdict {
    Agree,
    Skip,
    /// The reason in a few words, and the whole story.
    Differ(&'static str, String),
}

fn records() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("RELAX_ORACLE") {
        return Some(PathBuf::from(path));
    }
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle");
    beside.is_dir().then_some(beside)
}

/// A constant of the Python around a program.
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
        "import tvm\nfrom tvm import relax\nfrom typing import TypeVar\nfrom tvm.script import ir as I, relax as R, tirx as T\n",
    );
    for (name, value) in record["captures"].as_object().into_iter().flatten() {
        if let Some(value) = python(value) {
            let _ = writeln!(out, "{name} = {value}");
        }
    }
    for line in lines {
        let _ = writeln!(out, "{}", line.get(indent..).unwrap_or_default());
    }
    Some(out)
}

fn argument(arg: &Json, leaf: &mut usize) -> Option<Value> {
    let k = *leaf;
    Some(match arg[0].as_str()? {
        "tensor" => {
            *leaf += 1;
            let shape: Option<Vec<usize>> = arg[1]
                .as_array()?
                .iter()
                .map(|d| d.as_u64().map(|d| d as usize))
                .collect();
            let kind = Kind::of(DType::parse(arg[2].as_str()?)?).ok()?;
            formula(k, kind, &shape?, 8.0).ok()?.into()
        }
        "shape" => {
            *leaf += 1;
            let dims: Option<Vec<i64>> = arg[1].as_array()?.iter().map(Json::as_i64).collect();
            dims?.into()
        }
        "prim" => {
            *leaf += 1;
            match &arg[1] {
                Json::Bool(value) => Value::bool(*value),
                Json::Number(value) if value.is_i64() => Value::int(value.as_i64()?),
                value => Value::Prim(Prim {
                    dtype: DType::F32,
                    value: Scalar::Float(value.as_f64()?),
                }),
            }
        }
        "tuple" => {
            let fields: Option<Vec<Value>> = arg[1]
                .as_array()?
                .iter()
                .map(|field| argument(field, leaf))
                .collect();
            Value::tuple(fields?)
        }
        _ => return None,
    })
}

/// What differs between a value and a recorded one.
fn difference(value: &Value, wanted: &Json) -> Option<String> {
    if wanted.get("undetermined").is_some()
        || wanted.get("other").is_some()
        || wanted.get("none").is_some()
    {
        return None;
    }
    if let Some(fields) = wanted["tuple"].as_array() {
        let Value::Tuple(got) = value else {
            return Some(value.describe());
        };
        if got.len() != fields.len() {
            return Some(value.describe());
        }
        return got
            .iter()
            .zip(fields)
            .find_map(|(got, wanted)| difference(got, wanted));
    }
    if let Some(dims) = wanted["shape_value"].as_array() {
        let Value::Shape(got) = value else {
            return Some(value.describe());
        };
        let same = got
            .iter()
            .map(|d| Some(*d))
            .eq(dims.iter().map(Json::as_i64));
        return (!same).then(|| value.describe());
    }
    if let Some(wanted) = wanted.get("prim") {
        let got = value.as_scalar().map(Scalar::as_f64);
        let wanted = wanted.as_f64().or(wanted.as_bool().map(f64::from));
        return (got != wanted).then(|| value.describe());
    }
    if let Some(wanted) = wanted["str"].as_str() {
        return (!matches!(value, Value::Str(text) if text == wanted)).then(|| value.describe());
    }
    let Value::Tensor(tensor) = value else {
        return Some(value.describe());
    };
    tensor_difference(tensor, wanted)
}

fn tensor_difference(tensor: &Tensor, wanted: &Json) -> Option<String> {
    let shape: Vec<u64> = tensor.shape().iter().map(|&d| d as u64).collect();
    if wanted["shape"] != serde_json::json!(shape) || wanted["dtype"] != tensor.dtype().to_string()
    {
        return Some(format!(
            "{} where TVM has {} {}",
            Value::Tensor(tensor.clone()).describe(),
            wanted["shape"],
            wanted["dtype"]
        ));
    }
    let abs = wanted["abs"].as_f64()?;
    let summary = tensor.summary(8).ok()?;
    let tolerance = if tensor.kind().bytes() == 2 && tensor.kind().is_float() {
        1e-2
    } else {
        1e-4
    };
    let largest = ["min", "max"]
        .iter()
        .filter_map(|k| wanted[*k].as_f64())
        .fold(0.0, |a: f64, b| a.max(b.abs()));
    let near = |got: f64, wanted: Option<f64>, scale: f64| {
        wanted.is_none_or(|wanted| {
            (got - wanted).abs() <= tolerance * wanted.abs().max(scale).max(1e-6)
        })
    };
    if !near(summary.abs_sum, Some(abs), 0.0) || !near(summary.sum, wanted["sum"].as_f64(), abs) {
        return Some(format!(
            "sums {} {} where TVM has {} {}",
            summary.sum, summary.abs_sum, wanted["sum"], abs
        ));
    }
    for (k, got) in summary.first.iter().enumerate() {
        if !near(got.as_f64(), wanted["head"][k].as_f64(), largest) {
            return Some(format!(
                "element {k} is {got} where TVM has {}",
                wanted["head"][k]
            ));
        }
    }
    None
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
        .set_dialect(&mut db)
        .to(Some(Dialect::Type));
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
            // A function that a test takes as a parameter is not in the record.
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

#[test]
fn programs_of_tvms_tests_give_what_tvm_computed() {
    let (Some(records), Some(tests)) = (records(), std::env::var_os("RELAX_TVM_TESTS")) else {
        return;
    };
    let tests = PathBuf::from(tests);
    let packed = std::fs::File::open(records.join("data/tvm-0.27/vm.jsonl.gz")).unwrap();
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let show = std::env::var("RELAX_SHOW").unwrap_or_default();
    let (mut agree, mut skipped) = (0, 0);
    let mut differ: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let record: Json = serde_json::from_str(line).unwrap();
        let place = format!(
            "{}:{} {}",
            record["file"].as_str().unwrap(),
            record["first"],
            record["fn"]
        );
        if !show.is_empty() && show != "disagree" && !place.contains(&show) {
            continue;
        }
        let verdict = catch_unwind(AssertUnwindSafe(|| one(&record, &tests)));
        match verdict {
            Ok(Verdict::Agree) => agree += 1,
            Ok(Verdict::Skip) => skipped += 1,
            Ok(Verdict::Differ(kind, why)) => {
                let wrong = record["wrong"].as_str().unwrap_or_default();
                differ
                    .entry(kind)
                    .or_default()
                    .push(format!("{place} {wrong}: {why}"));
            }
            Err(_) => differ.entry("panics").or_default().push(place),
        }
    }
    let count: usize = differ.values().map(Vec::len).sum();
    eprintln!(
        "{agree} of {} agree, {skipped} have nothing to compare",
        agree + count
    );
    for (kind, all) in &differ {
        eprintln!("{kind}: {}", all.len());
        if !show.is_empty() {
            for why in all {
                eprintln!("    {why}");
            }
        }
    }
    assert!(count <= KNOWN, "{count} runs differ, {KNOWN} are known");
}
