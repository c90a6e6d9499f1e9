//! Models as TVM prints them give the outputs that TVM computed.
//!
//! `tests/fixtures/models/README.md` says how both were made.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hir::{Database, Source, SourceFile, file_items};
use relax::FunctionKind;
use serde_json::Value as Json;

use crate::tensor::Tensor;
use crate::value::Value;
use crate::{Input, Inputs, Limits, Printed, Program, compile, run};

/// The directory of the printed models.
pub fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/models")
}

fn program(path: &Path, name: &str) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text.as_str()));
    let function = file_items(&db, file)
        .functions
        .iter()
        .copied()
        .find(|f| f.kind(&db) == FunctionKind::Relax && f.name(&db) == name)
        .ok_or_else(|| format!("no function `{name}`"))?;
    compile(&db, function).map_err(|errors| {
        errors
            .iter()
            .take(4)
            .fold(String::new(), |mut text, error| {
                let _ = writeln!(text, "{error} at {:?}", error.range);
                text
            })
    })
}

/// Runs a function on inputs made by the formula.
fn call(path: &Path, name: &str) -> Result<Value, String> {
    let program = program(path, name)?;
    let inputs = Inputs {
        default: Input::Formula(64.0),
        ..Inputs::default()
    };
    let function = program.function(name).ok_or("not compiled")?;
    let values = inputs.make(function).map_err(|e| e.to_string())?;
    let (limits, mut printed) = (Limits::default(), Printed::default());
    run(&program, name, values, &limits, &mut printed)
        .map_err(|failure| format!("{failure} at {:?}", failure.range))
}

/// What differs from the records of the fields of a tuple.
fn differences_of(result: &Value, records: &[Json]) -> Vec<String> {
    let Value::Tuple(fields) = result else {
        return vec![result.describe()];
    };
    assert_eq!(fields.len(), records.len());
    let each = fields.iter().zip(records).enumerate();
    each.flat_map(|(at, (field, record))| {
        let found = match field {
            Value::Tensor(tensor) => differences(tensor, record),
            Value::Prim(prim) if record["int"].as_i64() == prim.value.as_i64() => Vec::new(),
            other => vec![other.describe()],
        };
        found
            .into_iter()
            .map(move |it| format!("output {at}: {it}"))
    })
    .collect()
}

/// What differs from the record of one run.
fn differences(tensor: &Tensor, wanted: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let shape: Vec<u64> = tensor.shape().iter().map(|&d| d as u64).collect();
    let dtype = wanted
        .get("dtype")
        .is_none_or(|it| *it == tensor.dtype().to_string());
    if wanted["shape"] != serde_json::json!(shape) || !dtype {
        found.push(Value::Tensor(tensor.clone()).describe());
        return found;
    }
    let summary = tensor.summary(8).unwrap();
    let scale = summary.abs_sum.max(1.0);
    let mut near = |what: &str, got: f64, wanted: &Json, scale: f64| {
        let wanted = wanted.as_f64().unwrap();
        if (got - wanted).abs() > 1e-4 * wanted.abs().max(scale) {
            found.push(format!("{what} is {got}, recorded {wanted}"));
        }
    };
    // A sum of many terms is as exact as the sum of their magnitudes.
    near("sum", summary.sum, &wanted["sum"], scale * 0.01);
    near("abs_sum", summary.abs_sum, &wanted["abs_sum"], 0.0);
    let largest = wanted["max"].as_f64().unwrap().abs();
    let largest = largest.max(wanted["min"].as_f64().unwrap().abs());
    near("min", summary.min.unwrap(), &wanted["min"], largest);
    near("max", summary.max.unwrap(), &wanted["max"], largest);
    for (k, value) in summary.first.iter().enumerate() {
        near(
            &format!("element {k}"),
            value.as_f64(),
            &wanted["first"][k],
            largest,
        );
    }
    found
}

fn check(stage: &str) {
    let models = directory();
    let text = std::fs::read_to_string(models.join("expected.json")).unwrap();
    let records: Vec<Json> = serde_json::from_str(&text).unwrap();
    let mut failures = String::new();
    let mut runs = 0;
    for version in ["0.19", "0.27"] {
        let mut compiled: Option<(String, Result<Program, String>)> = None;
        for record in &records {
            let model = record["model"].as_str().unwrap();
            if compiled.as_ref().is_none_or(|(name, _)| name != model) {
                let path = models.join(format!("{model}-{stage}.tvm-{version}.py"));
                compiled = Some((model.to_owned(), program(&path, "forward")));
            }
            let Some((_, compiled)) = &compiled else {
                continue;
            };
            let compiled = match compiled {
                Ok(compiled) => compiled,
                Err(error) => {
                    let _ = writeln!(failures, "{model} {version}: {error}");
                    continue;
                }
            };
            let dims = record["dims"].as_object().unwrap();
            let inputs = Inputs {
                dims: dims
                    .iter()
                    .map(|(k, v)| (k.as_str().into(), v.as_i64().unwrap()))
                    .collect(),
                default: Input::Formula(64.0),
                ..Inputs::default()
            };
            let values = inputs.make(compiled.function("forward").unwrap()).unwrap();
            match run(
                compiled,
                "forward",
                values,
                &Limits::default(),
                &mut Printed::default(),
            ) {
                Ok(Value::Tensor(tensor)) => {
                    for difference in differences(&tensor, &record["output"]) {
                        let _ = writeln!(failures, "{model} {version} {dims:?}: {difference}");
                    }
                    runs += 1;
                }
                Ok(other) => {
                    let _ = writeln!(failures, "{model} {version}: {}", other.describe());
                }
                Err(failure) => {
                    let _ = writeln!(
                        failures,
                        "{model} {version}: {failure} at {:?}",
                        failure.range
                    );
                }
            }
        }
    }
    assert!(failures.is_empty(), "{runs} runs agree\n{failures}");
    assert_eq!(runs, 2 * records.len());
}

#[test]
fn models_of_operators_give_what_tvm_computed() {
    check("nn");
}

#[test]
fn legalised_models_give_what_tvm_computed() {
    check("legalized");
}

#[test]
fn fused_models_give_what_tvm_computed() {
    check("fused");
}

#[test]
fn lowered_models_give_what_tvm_computed() {
    check("lowered");
}

fn records(path: &Path) -> Vec<Json> {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_cached_language_model_matches_tvm_at_every_stage() {
    let records = records(&directory().join("llama.expected.json"));
    for stage in ["nn", "legalized", "fused", "lowered"] {
        let path = directory().join(format!("llama-{stage}.tvm-0.27.py"));
        let result = call(&path, "generate").unwrap();
        assert_eq!(differences_of(&result, &records), [""; 0], "{stage}");
    }
}

/// `tests/conformance/record_caches.py` records them.
#[test]
fn forks_windows_and_trees_match_tvm() {
    for name in ["paged", "trees", "runtime"] {
        assert_cache_matches(name, name);
    }
}

#[test]
fn attention_kernels_for_gpus_match_those_for_cpus() {
    assert_cache_matches("paged-gpu", "paged");
}

fn assert_cache_matches(module: &str, recorded: &str) {
    let caches = directory().join("../caches");
    let path = caches.join(format!("{module}.tvm-0.27.py"));
    for record in records(&caches.join(format!("{recorded}.expected.json"))) {
        let function = record["function"].as_str().unwrap();
        let result = call(&path, function).unwrap();
        let outputs = record["outputs"].as_array().unwrap();
        assert_eq!(differences_of(&result, outputs), [""; 0], "{function}");
    }
}
