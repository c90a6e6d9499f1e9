//! Compares inference rules with recorded results of TVM, one JSON object per line. For each operator there are a few
//! calls, with operands that are fully, partly or not known, and some that TVM rejects.

mod examples;

use crate::dialect::Dialect;
use crate::release::Release;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value as Json;
use smol_str::SmolStr;

use super::{Call, Kind, OpDef, OpError, Rule, Stop};
use crate::dtype::DType;
use crate::notation;
use crate::sinfo::{Prim, Shape, StructInfo};
use crate::sym::{SymCx, SymExpr};
use crate::value::Value;

/// Attributes that TVM names differently than the Python wrapper's parameter: operator, attribute, parameter.
const RENAMED: &[(&str, &str, &str)] = &[];

/// Attributes that no parameter sets.
const DERIVED: &[(&str, &str)] = &[("relax.grad.take_backward", "mode")];

/// Parses a record. Records do not name a scalar variable that is an operand; if the result names it, all possible
/// names are tried.
#[derive(Default)]
struct Naming {
    /// The variables of the result that no operand names.
    unseen: Vec<SmolStr>,
    /// An assignment of these variables to the next unnamed operands, encoded as digits.
    choice: usize,
}

impl Naming {
    fn new(record: &Json, choice: usize) -> Naming {
        Naming {
            unseen: Naming::unseen(record),
            choice,
        }
    }

    fn unseen(record: &Json) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = Vec::new();
        if let Some(result) = record["t"].as_str().and_then(notation::read) {
            result.for_each_sym_var(&mut |var| {
                if !names.contains(&var.name) {
                    names.push(var.name.clone());
                }
            });
        }
        let operands = record["args"].to_string();
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        names.retain(|name| !operands.split(|c| !is_word(c)).any(|word| word == name));
        names
    }

    /// Returns an operand that is a scalar variable of unknown name.
    fn unnamed(&mut self) -> SymExpr {
        let count = self.unseen.len().max(1);
        let name = self.unseen.get(self.choice % count).cloned();
        self.choice /= count;
        SymExpr::var(notation::var(name.as_deref().unwrap_or("unnamed")))
    }
}

/// The statistics of one operator.
#[derive(Default)]
struct Tally {
    agree: usize,
    skipped: usize,
    no_row: usize,
    disagree: Vec<String>,
}

#[test]
fn rules_agree_with_what_tvm_inferred() {
    let mut failures = String::new();
    for (release, text, operators) in [
        (
            Release::V0_19,
            include_str!("../../test_data/operators.tvm-0.19.jsonl"),
            90,
        ),
        (
            Release::NEWEST,
            include_str!("../../test_data/operators.tvm-0.27.jsonl"),
            150,
        ),
    ] {
        let tallies = tallied(text, release);
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
            tallies.len() > operators,
            "{} operators have calls",
            tallies.len()
        );
    }
    assert!(failures.is_empty(), "{failures}");
}

fn tallied(text: &str, release: Release) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for line in text.lines() {
        let record: Json = serde_json::from_str(line).expect("a record is JSON");
        let name = record["op"].as_str().unwrap_or_default();
        let tally = tallies.entry(name.to_owned()).or_default();
        match judge(&record, release) {
            Verdict::Agree => tally.agree += 1,
            Verdict::Skip => tally.skipped += 1,
            Verdict::NoRow => tally.no_row += 1,
            Verdict::Disagree(why) => tally.disagree.push(why),
        }
    }
    tallies
}

enum Verdict {
    Agree,
    /// The record lacks an operand, or the rule needs more than the operator.
    Skip,
    NoRow,
    Disagree(String),
}

fn judge(record: &Json, release: Release) -> Verdict {
    let name = record["op"].as_str().unwrap_or_default();
    let Some(op) = super::by_name(name, release).filter(|op| op.releases.contains(release)) else {
        return Verdict::NoRow;
    };
    let Rule::Infer(rule) = op.rule else {
        return Verdict::Skip;
    };
    let scalars = record["args"].to_string().matches(r#""t":"Prim("#).count();
    let choices = Naming::unseen(record)
        .len()
        .max(1)
        .pow(scalars.min(3) as u32);
    let mut verdict = Verdict::Skip;
    for choice in 0..choices {
        verdict = judge_named(op, rule, record, release, choice);
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
    release: Release,
    choice: usize,
) -> Verdict {
    let mut naming = Naming::new(record, choice);
    let args = match bind(op, record, release, &mut naming) {
        Ok(Some(args)) => args,
        Ok(None) => return Verdict::Skip,
        Err(why) => return Verdict::Disagree(why),
    };
    let cx = SymCx::default();
    let call = Call {
        op,
        args: &args,
        cx: &cx,
        release,
        oldest: release,
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
    // If a variable gives a shape, TVM knew its values, but the record does not contain them.
    let hidden = record["args"].to_string().contains("shape=");
    let agree = match (&ours, theirs) {
        (Ok(ours), Some(text)) => {
            let theirs = notation::read(text);
            theirs.is_some_and(|theirs| notation::is_same_notation(&cx, ours, &theirs))
        }
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
        Ok(sinfo) => notation::written(sinfo),
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

/// Returns what is wrong with an error itself: it must point into the call, and read like the middle of a sentence.
fn ill_formed(op: &OpDef, args: &[Option<Value>], error: &OpError) -> Option<&'static str> {
    let message = &error.message;
    if message.is_empty() || message.ends_with('.') || message.matches('`').count() % 2 == 1 {
        return Some("has an untidy message");
    }
    if message.contains('?') || message.contains("relax.") {
        return Some("names something that is not in the program");
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

/// Returns the operands in the order of the row's parameters, or `None` if the record lacks one.
fn bind(
    op: &OpDef,
    record: &Json,
    release: Release,
    naming: &mut Naming,
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
        // TVM 0.19 keeps a scalar attribute as an expression, which is recorded as text.
        let number = json.as_str().filter(|_| attr == "pad_value");
        args[param] = Some(match number.and_then(|text| text.parse().ok()) {
            Some(number) => Value::Float(number),
            None => attribute(json),
        });
    }
    let mut free = (0..op.params.len()).filter(|&i| args[i].is_none());
    let mut operands = Vec::new();
    for json in record["args"].as_array().into_iter().flatten() {
        let Some(value) = operand(json, release, naming) else {
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

pub(super) fn attribute(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => number.as_i64().map_or_else(
            || Value::Float(number.as_f64().unwrap_or_default()),
            Value::Int,
        ),
        Json::String(text) => notation::index_map(text).map_or_else(
            || Value::Str(text.into()),
            |map| Value::IndexMap(Arc::new(map)),
        ),
        Json::Array(items) => Value::List(items.iter().map(attribute).collect()),
        Json::Object(_) => Value::Unknown,
    }
}

fn operand(json: &Json, release: Release, naming: &mut Naming) -> Option<Value> {
    let text = json["t"].as_str().unwrap_or("?");
    match json["k"].as_str().unwrap_or_default() {
        "Tuple" => {
            let items = json["of"].as_array()?;
            let items: Option<Vec<Value>> = items
                .iter()
                .map(|item| operand(item, release, naming))
                .collect();
            Some(Value::List(items?.into()))
        }
        "DataTypeImm" => Some(Value::Str(json["v"].as_str()?.into())),
        "PrimValue" | "IntImm" | "FloatImm" => {
            let StructInfo::Prim(Prim { dtype, .. }) = notation::read(text)? else {
                return None;
            };
            let value = json["v"].as_str()?;
            match (dtype, value.parse()) {
                (Some(DType::I64), Ok(value)) => return Some(Value::Int(value)),
                (Some(DType::BOOL), Ok(value)) => return Some(Value::Bool(value != 0)),
                _ => {}
            }
            // A Python float has 64 bits, or 32 before TVM 0.25.
            let python = match release.dialect() {
                Dialect::Type => DType::F64,
                _ => DType::F32,
            };
            if let (true, Ok(value)) = (dtype == Some(python), value.parse()) {
                return Some(Value::Float(value));
            }
            let value = dtype
                .is_some_and(DType::is_int)
                .then(|| notation::dim(value));
            Some(Value::Expr(StructInfo::Prim(Prim { dtype, value })))
        }
        _ if text.contains(['?', '<']) => None,
        kind => match notation::read(text)? {
            StructInfo::Shape(shape) if kind == "Var" => Some(Value::ShapeVar {
                name: "".into(),
                id: 0,
                shape,
            }),
            StructInfo::Prim(Prim { dtype, value: None }) if dtype.is_some_and(DType::is_int) => {
                Some(Value::Expr(StructInfo::Prim(Prim {
                    dtype,
                    value: Some(naming.unnamed()),
                })))
            }
            sinfo => Some(Value::Expr(sinfo)),
        },
    }
}
