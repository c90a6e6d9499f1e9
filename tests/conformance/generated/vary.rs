//! Varies a recorded call: other tensors, dimensions, dtypes, attributes; with or without optional parameters.

use relax::dtype::DType;
use relax::ops::{self, Kind, OpDef, Param};
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymExpr;

use super::operators::{Call, Given, in_reach, word};
use super::types::{self, NAMES};
use super::writer::{Scope, Writer};

pub fn vary(writer: &mut Writer<'_>, scope: &Scope, op: &OpDef, call: &mut Call) {
    own_names(writer, call);
    let times = writer.random.weighted(&[(3, 0), (4, 1), (2, 2), (1, 3)]);
    for _ in 0..times {
        match writer.random.below(8) {
            0 | 1 => operand_in_reach(writer, scope, call),
            2 => one_dim(writer, call),
            3 => one_dtype(writer, call),
            4 => known_less(writer, call),
            5 => drop_optional(writer, op, call),
            _ => one_argument(writer, scope, op, call),
        }
    }
}

/// Visits each tensor of a call, including those in tuples.
fn infos(call: &mut Call) -> Vec<&mut StructInfo> {
    fn collect<'c>(given: &'c mut Given, all: &mut Vec<&'c mut StructInfo>) {
        match given {
            Given::Expr(info) => all.push(info),
            Given::Tuple(items) => items.iter_mut().for_each(|it| collect(it, all)),
            Given::Text(_) => {}
        }
    }
    let mut all = Vec::new();
    for (_, given) in call {
        collect(given, &mut all);
    }
    all
}

/// Renames shape variables to those of signatures here.
pub fn own_names(writer: &mut Writer<'_>, call: &mut Call) {
    let shift = writer.random.below(NAMES.len());
    let mut known: Vec<String> = Vec::new();
    let mut rename = |name: &str| {
        let at = known.iter().position(|it| it == name).unwrap_or_else(|| {
            known.push(name.to_owned());
            known.len() - 1
        });
        types::symbol(NAMES[(at + shift) % NAMES.len()])
    };
    for info in infos(call) {
        let mut names = types::names_of(info);
        names.sort();
        for name in names {
            rename(&name);
        }
    }
    let renamed = |name: &str| {
        let at = known.iter().position(|it| it == name)?;
        Some(types::symbol(NAMES[(at + shift) % NAMES.len()]))
    };
    for info in infos(call) {
        *info = info.substitute(&|var| renamed(&var.name));
    }
    for (_, given) in call {
        if let Given::Text(text) = given
            && text.starts_with("R.shape(")
        {
            *text = words_renamed(text, &|word| renamed(word).map(|it| it.to_string()));
        }
    }
}

fn words_renamed(text: &str, to: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if end == 0 {
            let next = rest.chars().next().map_or(1, char::len_utf8);
            out.push_str(&rest[..next]);
            rest = &rest[next..];
            continue;
        }
        let (word, after) = rest.split_at(end);
        out.push_str(&to(word).unwrap_or_else(|| word.to_owned()));
        rest = after;
    }
    out
}

/// Uses a tensor of an earlier statement as an operand.
fn operand_in_reach(writer: &mut Writer<'_>, scope: &Scope, call: &mut Call) {
    let Some(var) = in_reach(writer, scope) else {
        return;
    };
    let all = writer.random.chance(50);
    let first = writer.random.chance(70);
    let mut infos = infos(call);
    if infos.is_empty() {
        return;
    }
    let at = if first {
        0
    } else {
        writer.random.below(infos.len())
    };
    let before = infos[at].clone();
    for (other, info) in infos.iter_mut().enumerate() {
        if other == at || all && **info == before {
            **info = var.info.clone();
        }
    }
}

/// Changes an extent, everywhere or at one place.
fn one_dim(writer: &mut Writer<'_>, call: &mut Call) {
    let everywhere = writer.random.chance(75);
    let mut all: Vec<SymExpr> = Vec::new();
    for info in infos(call) {
        if let Some(dims) = info.as_tensor().and_then(|it| it.dims().map(<[_]>::to_vec)) {
            all.extend(dims);
        }
    }
    if all.is_empty() {
        return;
    }
    let from = writer.random.pick(&all).clone();
    let names = NAMES.map(String::from);
    let to = types::dim(&mut writer.random, &names);
    for info in infos(call) {
        let StructInfo::Tensor(tensor) = info else {
            continue;
        };
        let Some(dims) = tensor.dims().map(<[_]>::to_vec) else {
            continue;
        };
        let changed: Vec<SymExpr> = dims
            .iter()
            .map(|dim| {
                if *dim == from {
                    to.clone()
                } else {
                    dim.clone()
                }
            })
            .collect();
        if changed != dims {
            *tensor = Tensor::new(changed, tensor.dtype);
            if !everywhere {
                return;
            }
        }
    }
}

fn one_dtype(writer: &mut Writer<'_>, call: &mut Call) {
    let dtype = types::dtype(&mut writer.random);
    let everywhere = writer.random.chance(60);
    let unknown = writer.random.chance(15);
    let mut infos = infos(call);
    let one = writer.random.below(infos.len());
    for (at, info) in infos.iter_mut().enumerate() {
        if let StructInfo::Tensor(tensor) = &mut **info
            && (everywhere || at == one)
        {
            tensor.dtype = (!unknown).then_some(dtype);
        }
    }
}

/// Reduces one tensor to its rank, or to an unknown tensor.
fn known_less(writer: &mut Writer<'_>, call: &mut Call) {
    let mut infos = infos(call);
    if !infos.is_empty() {
        let at = writer.random.below(infos.len());
        *infos[at] = types::coarser(&mut writer.random, infos[at]);
    }
}

fn drop_optional(writer: &mut Writer<'_>, op: &OpDef, call: &mut Call) {
    let optional = |at: usize| op.params[at].default != ops::Default::Required;
    let droppable: Vec<usize> = (0..call.len()).filter(|&it| optional(call[it].0)).collect();
    if !droppable.is_empty() {
        call.remove(*writer.random.pick(&droppable));
    }
}

/// Changes an argument to another of its kind, or adds a missing one.
fn one_argument(writer: &mut Writer<'_>, scope: &Scope, op: &OpDef, call: &mut Call) {
    if op.params.is_empty() {
        return;
    }
    let at = writer.random.below(op.params.len());
    let given = given(writer, scope, &op.params[at]);
    match call.iter_mut().find(|it| it.0 == at) {
        Some(argument) => argument.1 = given,
        None => {
            call.push((at, given));
            call.sort_by_key(|it| it.0);
        }
    }
}

/// Returns a value for a parameter, of its kind or a plausible wrong one.
pub fn given(writer: &mut Writer<'_>, scope: &Scope, param: &Param) -> Given {
    let names = NAMES.map(String::from);
    let random = &mut writer.random;
    let wrong = random.chance(6);
    let text = match param.kind {
        _ if wrong => *random.pick(&[
            "None", "1", "\"word\"", "[1, 2]", "(2,)", "True", "0.5", "n",
        ]),
        Kind::Tensor if random.chance(8) => *random.pick(&[
            "R.const(1.0, \"float32\")",
            "R.const([1, 2], \"int64\")",
            "R.const(2, \"int32\")",
        ]),
        Kind::Tensor => return Given::Expr(writer.some_tensor(scope).info),
        Kind::Tensors => {
            let info = writer.some_tensor(scope).info;
            let count = writer.random.below(3) + 1;
            return Given::Tuple(vec![Given::Expr(info); count]);
        }
        Kind::Expr => {
            let info = types::any(random, &names, 1);
            return Given::Expr(info);
        }
        Kind::Shape => {
            let rank = random.below(3) + 1;
            let dims = types::dims(random, &names, rank);
            if random.chance(20) {
                let shape = relax::sinfo::Shape::Known(dims.into());
                return Given::Expr(StructInfo::Shape(shape));
            }
            let dims = types::dims_tuple(&dims, types::Dims::Bare);
            return Given::Text(if random.chance(50) {
                format!("R.shape({dims})")
            } else {
                dims
            });
        }
        Kind::Int => *random.pick(&["0", "1", "-1", "2", "3", "-2", "5", "n", "n + 1"]),
        Kind::Ints => *random.pick(&[
            "0",
            "1",
            "-1",
            "[0]",
            "[1]",
            "(0, 1)",
            "[1, 1]",
            "[0, 2]",
            "(1, 2, 0)",
            "[2, 2]",
            "[]",
            "(1, 1, 1, 1)",
            "[n]",
            "[-1, 4]",
        ]),
        Kind::Float => *random.pick(&["0.5", "1.0", "1e-5", "2", "-1.0"]),
        Kind::Bool => *random.pick(&["True", "False"]),
        Kind::Str => {
            return Given::Text(format!(
                "\"{}\"",
                word(random, writer.operators, param.name)
            ));
        }
        Kind::DType if random.chance(10) => {
            *random.pick(&["\"int7\"", "\"\"", "\"float\"", "\"void\""])
        }
        Kind::DType => {
            let dtype: DType = types::dtype(random);
            return Given::Text(format!("\"{dtype}\""));
        }
        Kind::Annotation => {
            let info = types::any(random, &names, 1);
            let text = writer.body_text(&info);
            return Given::Text(text.unwrap_or_else(|| "R.Tensor".to_owned()));
        }
        Kind::Function => *random.pick(&["\"packed\"", "cls.main"]),
        Kind::VDevice => *random.pick(&[
            "\"llvm\"",
            "\"llvm:0\"",
            "\"cuda\"",
            "\"cuda:1\"",
            "\"vdevice:1\"",
        ]),
        Kind::Any => "None",
    };
    Given::Text(text.to_owned())
}
