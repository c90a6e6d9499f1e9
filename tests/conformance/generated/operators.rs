//! Calls of operators with all their parameters: from calls that TVM's own tests make, varied, and from the kinds of
//! the parameters alone.

use relax::release::Release;
use std::collections::BTreeMap;

use relax::ops::{self, Kind, OpDef, Purity, Rule};
use relax::sinfo::{Shape, StructInfo};
use serde_json::{Map, Value as Json};
use tests::random::Random;

use super::types;
use super::vary;
use super::writer::{Scope, Var, Writer};
use relax::notation;

/// Recorded calls of each operator in TVM 0.27, with operands and attributes.
const RECORDED: &str = include_str!("../../../crates/relax/test_data/operators.tvm-0.27.jsonl");

/// Operators that have their own statements here, that TVM evaluates while it parses, or that only passes emit.
const LEFT_OUT: &[&str] = &[
    "relax.assert_op",
    "relax.print",
    "relax.builtin.stop_lift_params",
    "relax.grad.end_checkpoint",
    "relax.grad.start_checkpoint",
];

/// The argument of one parameter.
#[derive(Clone, Debug)]
pub enum Given {
    Expr(StructInfo),
    Tuple(Vec<Given>),
    Text(String),
}

/// The arguments of a call, by the index of the parameter.
pub type Call = Vec<(usize, Given)>;

pub struct Row {
    pub op: &'static OpDef,
    /// Recorded calls, valid and invalid.
    pub recorded: Vec<Call>,
}

pub struct Operators {
    pub rows: Vec<Row>,
    /// Recorded strings by the name of the parameter.
    pub words: BTreeMap<&'static str, Vec<String>>,
}

impl Operators {
    /// The operators under `R` in `exported`.
    pub fn new(release: Release, exported: &Map<String, Json>) -> Operators {
        let mut rows = Vec::new();
        for op in ops::all() {
            let written = exported.contains_key(&format!("R.{}", op.script()));
            let known = op.releases.contains(release);
            let inferred = matches!(op.rule, Rule::Infer(_));
            if written && known && inferred && !LEFT_OUT.contains(&op.name) {
                let recorded = Vec::new();
                rows.push(Row { op, recorded });
            }
        }
        let mut operators = Operators {
            rows,
            words: BTreeMap::new(),
        };
        for line in RECORDED.lines() {
            let record: Json = serde_json::from_str(line).expect("a record is JSON");
            operators.add(&record);
        }
        operators
    }

    fn add(&mut self, record: &Json) -> Option<()> {
        let name = record["op"].as_str()?;
        let row = self.rows.iter_mut().find(|row| row.op.name == name)?;
        let mut call = Call::new();
        for (attribute, json) in record["attrs"].as_object()? {
            let param = row.op.param(attribute)?;
            if let Some(word) = json.as_str() {
                let words = self.words.entry(row.op.params[param].name).or_default();
                if !words.iter().any(|it| it == word) {
                    words.push(word.to_owned());
                }
            }
            call.push((param, Given::Text(python(json)?)));
        }
        let taken: Vec<usize> = call.iter().map(|it| it.0).collect();
        let mut free = (0..row.op.params.len()).filter(|it| !taken.contains(it));
        for json in record["args"].as_array()? {
            let param = free.next()?;
            call.push((param, operand(json)?));
        }
        call.sort_by_key(|it| it.0);
        row.recorded.push(call);
        Some(())
    }
}

/// Formats an attribute as Python code.
fn python(json: &Json) -> Option<String> {
    Some(match json {
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        Json::Number(number) => number.to_string(),
        Json::String(text) if text.contains("->") && text.starts_with('(') => {
            let (inputs, outputs) = text.split_once(" -> ")?;
            let inputs = inputs.trim_matches(['(', ')']);
            format!("lambda {inputs}: {outputs}")
        }
        Json::String(text) => format!("\"{text}\""),
        Json::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(python).collect();
            format!("[{}]", items?.join(", "))
        }
        Json::Object(_) => return None,
    })
}

fn operand(json: &Json) -> Option<Given> {
    let text = json["t"].as_str().unwrap_or("?");
    Some(match json["k"].as_str()? {
        "Tuple" => {
            let items = json["of"].as_array()?.iter();
            let items: Option<Vec<Given>> = items.map(operand).collect();
            Given::Tuple(items?)
        }
        "DataTypeImm" => Given::Text(format!("\"{}\"", json["v"].as_str()?)),
        "PrimValue" | "IntImm" | "FloatImm" => Given::Text(json["v"].as_str()?.to_owned()),
        _ if text.contains(['?', '<', '\'']) || text.contains("shape=") => return None,
        "ShapeExpr" => {
            let StructInfo::Shape(Shape::Known(dims)) = notation::read(text)? else {
                return None;
            };
            let dims = types::dims_tuple(&dims, types::Dims::Bare);
            Given::Text(format!("R.shape({dims})"))
        }
        _ => Given::Expr(notation::read(text)?),
    })
}

/// Makes a call of an operator, valid or not.
pub fn candidate(writer: &mut Writer<'_>, scope: &Scope) -> Option<(&'static OpDef, String)> {
    let operators = writer.operators;
    let row = writer.random.pick(&operators.rows);
    if row.op.purity == Purity::Impure && (scope.pure || scope.dataflow) {
        return None;
    }
    let device = row.op.params.iter().any(|it| it.kind == Kind::VDevice);
    if device && !writer.devices && !writer.random.chance(5) {
        return None;
    }
    let recorded = !row.recorded.is_empty() && writer.random.chance(70);
    let mut call = if recorded {
        writer.random.pick(&row.recorded).clone()
    } else {
        made_up(writer, scope, row.op)
    };
    vary::vary(writer, scope, row.op, &mut call);
    let text = written(writer, scope, row.op, &call)?;
    Some((row.op, text))
}

pub fn made_up(writer: &mut Writer<'_>, scope: &Scope, op: &OpDef) -> Call {
    let mut call = Call::new();
    let info = writer.some_tensor(scope).info;
    for (at, param) in op.params.iter().enumerate() {
        let required = param.default == ops::Default::Required;
        if required || param.star || writer.random.chance(35) {
            let same = param.kind == Kind::Tensor && writer.random.chance(60);
            let given = if same {
                Given::Expr(info.clone())
            } else {
                vary::given(writer, scope, param)
            };
            call.push((at, given));
        }
    }
    call
}

/// Formats a call: the first arguments by position, others by name.
fn written(writer: &mut Writer<'_>, scope: &Scope, op: &OpDef, call: &Call) -> Option<String> {
    let mut args = Vec::new();
    let mut by_position = true;
    for (expected, (at, given)) in call.iter().enumerate() {
        let param = &op.params[*at];
        let text = given_text(writer, scope, given)?;
        by_position &= *at == expected;
        let optional = param.default != ops::Default::Required && !param.star;
        by_position &= !(optional && writer.random.chance(60));
        args.push(if by_position {
            text
        } else {
            format!("{}={text}", param.name)
        });
    }
    let name = match op.aliases {
        [alias, ..] if writer.random.chance(5) => alias,
        _ => op.script(),
    };
    Some(format!("R.{name}({})", args.join(", ")))
}

pub fn given_text(writer: &mut Writer<'_>, scope: &Scope, given: &Given) -> Option<String> {
    Some(match given {
        Given::Text(text) => text.clone(),
        Given::Expr(info) => {
            if let Some(nested) = nested(writer, scope, info) {
                return Some(nested);
            }
            writer.operand(scope, info)?
        }
        Given::Tuple(items) => {
            let texts: Option<Vec<String>> = items
                .iter()
                .map(|it| given_text(writer, scope, it))
                .collect();
            let texts = texts?;
            match writer.random.below(3) {
                0 => format!("[{}]", texts.join(", ")),
                _ if texts.len() == 1 => format!("({},)", texts[0]),
                _ => format!("({})", texts.join(", ")),
            }
        }
    })
}

/// Sometimes returns a call to use as an operand.
fn nested(writer: &mut Writer<'_>, scope: &Scope, info: &StructInfo) -> Option<String> {
    if !writer.random.chance(6) || info.as_tensor().is_none() {
        return None;
    }
    let operand = writer.operand(scope, info)?;
    let unary = *writer.random.pick(&["abs", "negative", "nn.relu", "clip"]);
    Some(match unary {
        "clip" => format!("R.clip({operand}, 0, 1)"),
        unary => format!("R.{unary}({operand})"),
    })
}

/// Makes a call without a diagnostic.
pub fn right_call(writer: &mut Writer<'_>, scope: &mut Scope) -> Option<(String, StructInfo)> {
    for _ in 0..8 {
        let params = writer.params.len();
        if let Some((_, text)) = candidate(writer, scope) {
            let line = format!("probed = {text}");
            if let Some(info) = writer.learn(scope, &[line], &["probed"]) {
                return Some((text, info[0].clone()));
            }
        }
        writer.params.truncate(params);
    }
    None
}

/// Sometimes returns a tensor in scope for the first operand, so that results are used.
pub fn in_reach(writer: &mut Writer<'_>, scope: &Scope) -> Option<Var> {
    writer.some_var(scope, |it| it.as_tensor().is_some())
}

/// Returns one of the strings for parameters with this name.
pub fn word(random: &mut Random, operators: &Operators, name: &str) -> String {
    match operators.words.get(name) {
        Some(words) if !random.chance(10) => random.pick(words).clone(),
        _ => {
            (*random.pick(&["float32", "constant", "NHWC", "NCHW", "sum", "bogus", ""])).to_owned()
        }
    }
}
