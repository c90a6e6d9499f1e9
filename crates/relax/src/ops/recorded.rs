//! The rules held against what TVM itself inferred: recorded operator calls, one JSON object a line.
//!
//! Reads `$RELAX_ORACLE/data/tvm-*/ops.jsonl.gz`, else `../shared/oracle` beside the workspace; without
//! records there is nothing to hold against. `RELAX_RECORDED=relax.add` prints that operator's disagreements.

mod examples;
mod notation;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value as Json;

pub(super) use self::notation::Notation;
use super::{Call, Kind, OpDef, OpError, Rule, Stop};
use crate::dialect::Dialect;
use crate::dtype::DType;
use crate::sinfo::{Prim, Shape, StructInfo};
use crate::sym::SymCx;
use crate::value::Value;

/// Attributes that TVM spells unlike the parameter of the Python wrapper: operator, attribute, parameter.
const RENAMED: &[(&str, &str, &str)] = &[];

/// Attributes that no parameter sets.
const DERIVED: &[(&str, &str)] = &[("relax.grad.take_backward", "mode")];

/// Recorded calls on which the rules part from TVM: operator, how many at most, why.
const KNOWN: &[(&str, usize, &str)] = &[
    (
        "relax.arange",
        5,
        "between floats that are variables the extent is left unknown: an extent here has only integers in it",
    ),
    (
        "relax.ccl.scatter_from_worker0",
        1,
        "the record lacks the dimensions that a variable holds",
    ),
    (
        "relax.grad.start_checkpoint",
        1,
        "a constant is not told from a variable",
    ),
    (
        "relax.grad.end_checkpoint",
        1,
        "a constant is not told from a variable",
    ),
    ("relax.vm.alloc_tensor", 2, "the record lacks the dtype"),
];

/// How one operator fared.
#[derive(Default)]
struct Tally {
    agree: usize,
    skipped: usize,
    no_row: usize,
    disagree: Vec<String>,
}

#[test]
fn rules_agree_with_recorded_tvm() {
    let Some(directory) = records() else { return };
    let wanted = std::env::var("RELAX_RECORDED").unwrap_or_default();
    let mut failures = String::new();
    for (version, dialect) in [("0.19", Dialect::StructInfo), ("0.27", Dialect::Type)] {
        let path = directory.join(format!("data/tvm-{version}/ops.jsonl.gz"));
        let Ok(file) = std::fs::File::open(&path) else {
            continue;
        };
        let mut text = String::new();
        flate2::read::GzDecoder::new(file)
            .read_to_string(&mut text)
            .expect("records are UTF-8");
        let tallies = tallied(&text, dialect);
        report(version, &tallies, &wanted, &mut failures);
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Calls recorded for this repository with TVM 0.27: a few of each operator, of which operands are known in full,
/// in part or not at all, and a few that TVM rejects.
#[test]
fn rules_agree_with_the_calls_kept_here() {
    let text = include_str!("../../test_data/operators.tvm-0.27.jsonl");
    let tallies = tallied(text, Dialect::Type);
    let mut failures = String::new();
    for (name, tally) in &tallies {
        assert_eq!(
            tally.no_row + tally.skipped,
            0,
            "{name} has calls that say nothing"
        );
        for why in &tally.disagree {
            let _ = writeln!(failures, "{name}: {why}");
        }
    }
    assert!(
        tallies.len() > 150,
        "{} operators have calls",
        tallies.len()
    );
    assert!(failures.is_empty(), "{failures}");
}

fn tallied(text: &str, dialect: Dialect) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for line in text.lines() {
        let record: Json = serde_json::from_str(line).expect("a record is JSON");
        let name = record["op"].as_str().unwrap_or_default();
        let tally = tallies.entry(name.to_owned()).or_default();
        match judge(&record, dialect) {
            Verdict::Agree => tally.agree += 1,
            Verdict::Skip => tally.skipped += 1,
            Verdict::NoRow => tally.no_row += 1,
            Verdict::Disagree(why) => tally.disagree.push(why),
        }
    }
    tallies
}

/// Where the records are, if anywhere.
pub(super) fn records() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("RELAX_ORACLE") {
        return Some(PathBuf::from(path));
    }
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle");
    beside.is_dir().then_some(beside)
}

fn report(version: &str, tallies: &BTreeMap<String, Tally>, wanted: &str, failures: &mut String) {
    let (mut agree, mut total, mut no_row, mut skipped) = (0, 0, 0, 0);
    for (name, tally) in tallies {
        let count = tally.agree + tally.disagree.len();
        agree += tally.agree;
        total += count;
        no_row += tally.no_row;
        skipped += tally.skipped;
        let allowed = KNOWN
            .iter()
            .find(|row| row.0 == name)
            .map_or(0, |row| row.1);
        if !tally.disagree.is_empty() {
            eprintln!(
                "{version} {name}: {} of {count}, {} skipped",
                tally.agree, tally.skipped
            );
        }
        if wanted == name || wanted == "all" {
            tally.disagree.iter().for_each(|why| eprintln!("    {why}"));
        }
        if tally.disagree.len() > allowed {
            let _ = writeln!(
                failures,
                "{version} {name}: {} disagree, {allowed} known; the first: {}",
                tally.disagree.len(),
                tally.disagree[0]
            );
        }
    }
    eprintln!(
        "{version}: {agree} of {total} recorded calls agree, {skipped} tell too little, {no_row} have no row"
    );
    if agree * 1000 < total * 995 || no_row > 0 {
        let _ = writeln!(failures, "{version}: fewer than 99.5% agree");
    }
}

enum Verdict {
    Agree,
    /// The record lacks an operand, or the rule is not of the operator alone.
    Skip,
    NoRow,
    Disagree(String),
}

fn judge(record: &Json, dialect: Dialect) -> Verdict {
    let name = record["op"].as_str().unwrap_or_default();
    let Some(op) = super::by_name(name, dialect).filter(|op| op.dialects.contains(dialect)) else {
        return Verdict::NoRow;
    };
    let Rule::Infer(rule) = op.rule else {
        return Verdict::Skip;
    };
    // The records do not name a scalar variable that is an operand; the result does, so each way to name
    // them is tried.
    let scalars = record["args"].to_string().matches(r#""t":"Prim("#).count();
    let ways = Notation::unseen(record)
        .len()
        .max(1)
        .pow(scalars.min(3) as u32);
    let mut verdict = Verdict::Skip;
    for way in 0..ways {
        verdict = judge_named(op, rule, record, dialect, way);
        if matches!(verdict, Verdict::Agree) {
            break;
        }
    }
    verdict
}

fn judge_named(
    op: &'static OpDef,
    rule: fn(&Call<'_>) -> super::Infer,
    record: &Json,
    dialect: Dialect,
    way: usize,
) -> Verdict {
    let mut notation = Notation::naming(record, way);
    let args = match bind(op, record, dialect, &mut notation) {
        Ok(Some(args)) => args,
        Ok(None) => return Verdict::Skip,
        Err(why) => return Verdict::Disagree(why),
    };
    let cx = SymCx::default();
    let call = Call {
        op,
        args: &args,
        cx: &cx,
        dialect,
        vdevices: &[],
    };
    let ours = rule(&call);
    if let Err(Stop::Error(error)) = &ours
        && let Some(why) = ill_formed(op, &args, error)
    {
        return Verdict::Disagree(format!("{} {why}: {error:?}", record["args"]));
    }
    let error = record["error"]["msg"].as_str();
    let theirs = record["t"].as_str();
    // The record does not tell the values of a variable that gives a shape; TVM knew them.
    let hidden = record["args"].to_string().contains("shape=");
    let agree = match (&ours, theirs) {
        (Ok(ours), Some(text)) => notation::same(&cx, ours, &notation.read(text)),
        (Err(Stop::Error(_)), None) => true,
        _ => false,
    };
    if agree {
        return Verdict::Agree;
    }
    if hidden && ours.is_ok() {
        return Verdict::Skip;
    }
    let ours = match &ours {
        Ok(sinfo) => notation::show(sinfo),
        Err(Stop::Unknown) => "unknown".into(),
        Err(Stop::Error(error)) => format!("error: {}", error.message),
    };
    let theirs = theirs.or(error).unwrap_or_default().lines().next();
    Verdict::Disagree(format!(
        "{} {}\n      ours  {ours}\n      TVM's {}",
        record["args"],
        record["attrs"],
        theirs.unwrap_or_default()
    ))
}

/// What is wrong with an error itself: it must point into the call and read as a sentence's middle.
fn ill_formed(op: &OpDef, args: &[Option<Value>], error: &OpError) -> Option<&'static str> {
    let message = &error.message;
    if message.is_empty() || message.ends_with('.') || message.matches('`').count() % 2 == 1 {
        return Some("has an untidy message");
    }
    if message.contains('?') || message.contains("relax.") {
        return Some("names what nobody wrote");
    }
    for at in std::iter::once(&error.at).chain(error.related.iter().map(|r| &r.0)) {
        let operand = match args.get(at.param) {
            None => return Some("points past the parameters"),
            Some(None) => None,
            Some(Some(value)) => value.struct_info(),
        };
        let operand = match (operand, at.element) {
            (Some(StructInfo::Tuple(fields)), Some(element))
                if op.params[at.param].kind != Kind::Ints =>
            {
                match fields.get(element) {
                    None => return Some("points past the elements"),
                    Some(field) => Some(field.clone()),
                }
            }
            (operand, _) => operand,
        };
        let rank = operand.and_then(|o| match o {
            StructInfo::Shape(Shape::Known(dims)) => Some(dims.len()),
            other => other.as_tensor().and_then(|t| t.dims()).map(<[_]>::len),
        });
        if let (Some(dim), Some(rank)) = (at.dim, rank)
            && dim >= rank
        {
            return Some("points past the dimensions");
        }
    }
    None
}

/// The operands in the order of the row's parameters; `None` where the record lacks one.
fn bind(
    op: &OpDef,
    record: &Json,
    dialect: Dialect,
    notation: &mut Notation,
) -> Result<Option<Vec<Option<Value>>>, String> {
    let mut args = vec![None; op.params.len()];
    for (attr, json) in record["attrs"].as_object().into_iter().flatten() {
        if DERIVED.contains(&(op.name, attr)) {
            continue;
        }
        let name = RENAMED
            .iter()
            .find(|row| row.0 == op.name && row.1 == attr)
            .map_or(attr.as_str(), |row| row.2);
        let param = op
            .param(name)
            .ok_or_else(|| format!("attribute `{attr}` has no parameter"))?;
        // TVM 0.19 keeps a scalar attribute as an expression, which the records write as text.
        let number = json.as_str().filter(|_| attr == "pad_value");
        args[param] = Some(match number.and_then(|text| text.parse().ok()) {
            Some(number) => Value::Float(number),
            None => attribute(json, notation),
        });
    }
    let mut free = (0..op.params.len()).filter(|&i| args[i].is_none());
    let mut operands = Vec::new();
    for json in record["args"].as_array().into_iter().flatten() {
        let Some(value) = operand(json, dialect, notation) else {
            return Ok(None);
        };
        let param = free
            .next()
            .ok_or_else(|| "more operands than parameters".to_owned())?;
        operands.push((param, value));
    }
    drop(free);
    for (param, value) in operands {
        args[param] = Some(value);
    }
    Ok(Some(args))
}

pub(super) fn attribute(json: &Json, notation: &mut Notation) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => number.as_i64().map_or_else(
            || Value::Float(number.as_f64().unwrap_or_default()),
            Value::Int,
        ),
        Json::String(text) => notation.index_map(text).map_or_else(
            || Value::Str(text.into()),
            |map| Value::IndexMap(Arc::new(map)),
        ),
        Json::Array(items) => Value::List(items.iter().map(|i| attribute(i, notation)).collect()),
        Json::Object(_) => Value::Unknown,
    }
}

fn operand(json: &Json, dialect: Dialect, notation: &mut Notation) -> Option<Value> {
    let text = json["t"].as_str().unwrap_or("?");
    match json["k"].as_str().unwrap_or_default() {
        "Tuple" => {
            let items = json["of"].as_array()?;
            let items: Option<Vec<Value>> = items
                .iter()
                .map(|item| operand(item, dialect, notation))
                .collect();
            Some(Value::List(items?.into()))
        }
        "DataTypeImm" => Some(Value::Str(json["v"].as_str()?.into())),
        "PrimValue" | "IntImm" | "FloatImm" => {
            let StructInfo::Prim(Prim { dtype, .. }) = notation.read(text) else {
                return None;
            };
            let value = json["v"].as_str()?;
            match (dtype, value.parse()) {
                (Some(DType::I64), Ok(value)) => return Some(Value::Int(value)),
                (Some(DType::BOOL), Ok(value)) => return Some(Value::Bool(value != 0)),
                _ => {}
            }
            // The width of a Python float: 64 bits, 32 before TVM 0.25.
            let python = match dialect {
                Dialect::Type => DType::F64,
                _ => DType::F32,
            };
            if let (true, Ok(value)) = (dtype == Some(python), value.parse()) {
                return Some(Value::Float(value));
            }
            let value = dtype
                .is_some_and(DType::is_int)
                .then(|| notation.dim(value));
            Some(Value::Expr(StructInfo::Prim(Prim { dtype, value })))
        }
        _ if text.contains(['?', '<']) => None,
        kind => match notation.read(text) {
            StructInfo::Shape(shape) if kind == "Var" => Some(Value::ShapeVar {
                name: "".into(),
                id: 0,
                shape,
            }),
            StructInfo::Prim(Prim { dtype, value: None }) if dtype.is_some_and(DType::is_int) => {
                Some(Value::Expr(StructInfo::Prim(Prim {
                    dtype,
                    value: Some(notation.unnamed()),
                })))
            }
            sinfo => Some(Value::Expr(sinfo)),
        },
    }
}
