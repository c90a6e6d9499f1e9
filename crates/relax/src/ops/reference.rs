//! Compares the table with TVM's: every operator has a row, and every row agrees with TVM.

use crate::release::Release;
use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{Default, OpDef, Param, Purity, all};

/// Names under `R` that look like operators but are not.
const NO_OPERATORS: &[(&str, &str)] = &[
    (
        "Any Callable Object Prim Shape Tensor Tuple DTensor",
        "annotations",
    ),
    (
        "If Then Else SeqExpr function macro arg dataflow output rewriter",
        "the form of a function",
    ),
    (
        "func_attr func_name func_ret_struct_info func_ret_ty func_ret_type func_ret_value",
        "the form of a function",
    ),
    (
        "emit emit_match_cast emit_te emit_var_binding emit_with_sinfo emit_with_ty emit_with_type match_cast",
        "bindings",
    ),
    (
        "const prim_value shape str dtype tuple TupleGetItem ExternFunc ShapeExpr",
        "values of a kind of their own",
    ),
    (
        "device cpu cuda ext_dev gpu hexagon metal opencl rocm vpi vulkan webgpu",
        "devices of Python",
    ),
    (
        "call_packed",
        "a call of a packed function, not of an operator",
    ),
    ("grad.Tuple", "an import that leaks into the namespace"),
];

/// Rows that are not in TVM's operator registry: Python wrappers that call several operators or create another kind of
/// call.
const UNREGISTERED: &[&str] = &[
    "relax.linear",
    "relax.nn.relu6",
    "relax.call_packed",
    "relax.dist.call_tir",
];

/// TVM's registry and the Python functions under `R` for several versions.
const VERSIONS: [(&str, Release, &str); 2] = [
    (
        "0.19",
        Release::V0_19,
        include_str!("../../test_data/registry.tvm-0.19.json"),
    ),
    (
        "0.27",
        Release::NEWEST,
        include_str!("../../test_data/registry.tvm-0.27.json"),
    ),
];

/// The operators of one TVM release.
struct Reference {
    version: &'static str,
    release: Release,
    json: Json,
}

fn references() -> impl Iterator<Item = Reference> {
    VERSIONS.into_iter().map(|(version, release, text)| {
        let json: Json = serde_json::from_str(text).expect("the reference is JSON");
        let count = json["operators"]
            .as_object()
            .map_or(0, serde_json::Map::len);
        assert!(count > 150, "{version} has {count} operators");
        Reference {
            version,
            release,
            json,
        }
    })
}

impl Reference {
    fn operators(&self) -> impl Iterator<Item = (&String, &Json)> {
        self.json["operators"].as_object().into_iter().flatten()
    }

    fn has_operator(&self, name: &str) -> bool {
        self.json["operators"].get(name).is_some()
    }

    /// Returns the parameters of `R.<spelling>`.
    fn signature(&self, spelling: &str) -> Option<&Vec<Json>> {
        self.json["surface"][format!("R.{spelling}").as_str()].as_array()
    }

    fn row(&self, name: &str) -> Option<&'static OpDef> {
        all().find(|op| op.name == name && op.releases.contains(self.release))
    }
}

#[track_caller]
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_row_is_documented() {
    let mut complaints = Vec::new();
    for op in all() {
        let parts = [
            ("summary", op.summary),
            ("shapes", op.shapes),
            ("example", op.example),
            ("source", op.source),
        ];
        for (part, text) in parts {
            if text.is_empty() {
                complaints.push(format!("{} has no {part}", op.name));
            }
        }
        if !op.summary.is_empty() && !op.summary.ends_with('.') {
            complaints.push(format!("the summary of {} is not a sentence", op.name));
        }
        for param in op.params.iter().filter(|p| p.doc.is_empty()) {
            complaints.push(format!("`{}` of {} has no doc", param.name, op.name));
        }
    }
    assert_none(&complaints);
}

#[test]
fn rows_with_the_same_spelling_belong_to_different_dialects() {
    let mut complaints = Vec::new();
    let mut spellings: BTreeMap<&str, Vec<&OpDef>> = BTreeMap::new();
    for op in all() {
        for spelling in std::iter::once(op.script()).chain(op.aliases.iter().copied()) {
            spellings.entry(spelling).or_default().push(op);
        }
    }
    for (spelling, rows) in &spellings {
        for release in Release::ALL {
            let count = rows
                .iter()
                .filter(|op| op.releases.contains(release))
                .count();
            if count > 1 {
                complaints.push(format!(
                    "{count} rows for R.{spelling} in {}",
                    release.name()
                ));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn every_operator_of_tvm_has_a_row() {
    let mut complaints = Vec::new();
    for reference in references() {
        for (name, _) in reference.operators() {
            if reference.row(name).is_none() {
                complaints.push(format!("{} has {name}", reference.version));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn every_name_under_r_is_an_operator_or_known_not_to_be_one() {
    let mut complaints = Vec::new();
    for reference in references() {
        for name in reference.json["surface"].as_object().into_iter().flatten() {
            let Some(spelling) = name.0.strip_prefix("R.") else {
                continue;
            };
            let known = NO_OPERATORS
                .iter()
                .any(|(names, _)| names.split(' ').any(|known| known == spelling));
            if !known && super::by_script(spelling, reference.release).is_none() {
                complaints.push(format!("{} has R.{spelling}", reference.version));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn rows_claim_only_dialects_that_have_the_operator() {
    let mut complaints = Vec::new();
    for reference in references() {
        for op in all().filter(|op| op.releases.contains(reference.release)) {
            if !reference.has_operator(op.name) && !UNREGISTERED.contains(&op.name) {
                complaints.push(format!("{} has no {}", reference.version, op.name));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn rows_are_as_pure_as_tvm_says() {
    let mut complaints = Vec::new();
    for reference in references() {
        for (name, operator) in reference.operators() {
            let Some(op) = reference.row(name) else {
                continue;
            };
            let pure = operator["pure"].as_bool();
            let ours = match op.purity {
                Purity::Pure => Some(true),
                Purity::Impure => Some(false),
                Purity::OfCallee => pure,
            };
            if pure != ours {
                complaints.push(format!("{} {name} is pure: {pure:?}", reference.version));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn parameters_are_those_of_the_python_wrapper() {
    let mut complaints = Vec::new();
    for reference in references() {
        for op in all().filter(|op| op.releases.contains(reference.release)) {
            let spelling = std::iter::once(op.script())
                .chain(op.aliases.iter().copied())
                .find_map(|spelling| reference.signature(spelling));
            let Some(theirs) = spelling else {
                continue;
            };
            let theirs: Vec<&Json> = theirs
                .iter()
                .filter(|p| p["kind"] != "var_keyword")
                .collect();
            let names: Vec<_> = theirs.iter().filter_map(|p| p["name"].as_str()).collect();
            let ours: Vec<_> = op.params.iter().map(|p| p.name).collect();
            if names != ours {
                complaints.push(format!("{} {}: {names:?}", reference.version, op.name));
                continue;
            }
            for (param, theirs) in op.params.iter().zip(theirs) {
                if !same_default(param, theirs) {
                    complaints.push(format!("{} {}: {theirs}", reference.version, op.name));
                }
            }
        }
    }
    assert_none(&complaints);
}

/// Returns `true` if a parameter has the same default as in Python.
fn same_default(param: &Param, theirs: &Json) -> bool {
    let starred = theirs["kind"] == "var_positional";
    if param.star || starred {
        return param.star == starred;
    }
    let text = theirs["default"].as_str();
    let numbers = |text: &str| -> Vec<f64> {
        text.split(|c: char| !(c.is_ascii_digit() || c == '-' || c == '.'))
            .filter_map(|digits| digits.parse().ok())
            .collect()
    };
    match (param.default, text) {
        (Default::Required, None) => true,
        (Default::None, Some("None"))
        | (Default::Bool(true), Some("True"))
        | (Default::Bool(false), Some("False")) => true,
        (Default::Int(value), Some(text)) => {
            let text = text
                .strip_prefix("T.int64(")
                .map_or(text, |t| t.trim_end_matches(')'));
            text.parse() == Ok(value)
        }
        (Default::Float(value), Some(text)) => text.parse() == Ok(value),
        (Default::Str(value), Some(text)) => text.trim_matches('\'') == value,
        (Default::Ints(values), Some(text)) => {
            numbers(text) == values.iter().map(|&v| v as f64).collect::<Vec<_>>()
        }
        _ => false,
    }
}
