//! Reads a table of `record_special_values.py`, makes the arguments of a call, and compares answers.

use std::collections::BTreeMap;

use relax::dtype::DType;
use vm::error::RunResult;
use vm::tensor::{Element, Kind, Scalar, Tensor};
use vm::value::Value;

/// A row of the long form repeats each of its values this often.
const REPEAT: usize = 20;

pub(super) struct Table {
    /// The cases of each list: `nan:1`, or rows `1,2,3,4`.
    pub cases: BTreeMap<&'static str, Vec<&'static str>>,
    pub functions: Vec<Function>,
}

pub(super) struct Function {
    pub name: &'static str,
    expression: &'static str,
    params: Vec<Param>,
    pub cases: &'static str,
    is_long: bool,
    /// What TVM answers to each case, separated by `|` where its answers differ.
    pub tvm: Vec<&'static str>,
}

struct Param {
    name: &'static str,
    shape: &'static str,
    kind: Kind,
}

pub(super) fn read(text: &'static str) -> Table {
    let mut table = Table {
        cases: BTreeMap::new(),
        functions: Vec::new(),
    };
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    while let (Some(head), Some(cells)) = (lines.next(), lines.next()) {
        let cells = cells.trim_start().split(' ').collect();
        if let Some(name) = head.strip_prefix("cases ") {
            table.cases.insert(name, cells);
        } else {
            table.functions.push(function(head, cells));
        }
    }
    table
}

fn function(head: &'static str, tvm: Vec<&'static str>) -> Function {
    let parts: Vec<&str> = head.split(" | ").collect();
    let (name, expression) = parts[0].split_once(": ").expect("a name and an expression");
    let cases = parts[2].strip_suffix(" long");
    Function {
        name,
        expression,
        params: parts[1].split("; ").map(param).collect(),
        cases: cases.unwrap_or(parts[2]),
        is_long: cases.is_some(),
        tvm,
    }
}

/// Reads `x float32("n", 4)`.
fn param(text: &'static str) -> Param {
    let (name, rest) = text.split_once(' ').expect("a parameter has a name");
    let (dtype, _) = rest.split_once('(').expect("and a shape");
    Param {
        name,
        shape: &rest[dtype.len()..],
        kind: kind(dtype),
    }
}

fn kind(dtype: &str) -> Kind {
    let dtype = DType::parse(dtype).expect("a dtype");
    Kind::of(dtype).expect("a dtype of tensors")
}

impl Function {
    /// Returns the operator as TVMScript.
    pub fn source(&self) -> String {
        let params: Vec<String> = self.params.iter().map(Param::source).collect();
        let (name, expression) = (self.name, self.expression);
        format!(
            "    @R.function\n    def {name}({}):\n        y = {expression}\n        return y\n",
            params.join(", ")
        )
    }

    /// Returns the arguments of a call with this many cases, which repeat in their order.
    pub fn arguments(&self, cases: &[&str], count: usize) -> Vec<Value> {
        let columns = self.params.iter().enumerate().map(|(at, param)| {
            let of = cases.iter().filter_map(|case| case.split(':').nth(at));
            param
                .value(self.is_long, count, &of.collect::<Vec<_>>())
                .into()
        });
        columns.collect()
    }
}

impl Param {
    fn source(&self) -> String {
        let (name, shape, dtype) = (self.name, self.shape, self.kind.dtype());
        format!("{name}: R.Tensor({shape}, \"{dtype}\")")
    }

    fn value(&self, is_long: bool, count: usize, cases: &[&str]) -> Tensor {
        let repeat = if is_long { REPEAT } else { 1 };
        let is_list = self.shape.contains('"');
        let count = if is_list { count } else { 1 };
        let rows = cases.iter().take(count).map(|case| {
            let row = case.split(',').filter(|it| *it != "()");
            row.flat_map(|text| std::iter::repeat_n(text, repeat))
        });
        let texts: Vec<&str> = rows.flatten().collect();
        let length = texts.len() / cases.len().min(count);
        let made = tensor(self.kind, &[count, length], &texts);
        let shape: Vec<usize> = match self.shape {
            "()" => vec![],
            "(\"n\",)" => vec![count],
            "(4,)" => vec![4],
            shape if shape.starts_with("(4") => {
                return made
                    .permuted(&[1, 0])
                    .and_then(|it| it.contiguous())
                    .expect("two axes");
            }
            _ => return made,
        };
        made.reshaped(&shape).expect("as many elements")
    }
}

/// Makes a tensor of numbers, which repeat in their order.
fn tensor(kind: Kind, shape: &[usize], texts: &[&str]) -> Tensor {
    fn all<T: Element + std::str::FromStr>(shape: &[usize], texts: &[&str]) -> RunResult<Tensor> {
        let each = texts.iter().map(|text| text.parse().ok());
        let values: Vec<T> = each.map(|value| value.expect("a number")).collect();
        let count = shape.iter().product();
        Tensor::from_vec(shape, values.into_iter().cycle().take(count).collect())
    }
    let made = if kind.is_float() {
        all::<f64>(shape, texts)
    } else if kind == Kind::U64 {
        all::<u64>(shape, texts)
    } else {
        all::<i64>(shape, texts)
    };
    made.and_then(|it| it.cast(kind)).expect("a small tensor")
}

/// Returns the answers of some cases, as the table writes them.
pub(super) fn answers(
    tensor: &Tensor,
    count: usize,
    cases: impl Iterator<Item = usize>,
) -> Vec<String> {
    let text = |i| match tensor.get(i) {
        Some(Scalar::Bool(value)) => u8::from(value).to_string(),
        Some(Scalar::Float(value)) if tensor.kind() != Kind::F64 => {
            format!("{:?}", value as f32).to_lowercase()
        }
        Some(scalar) => scalar.to_string(),
        None => String::new(),
    };
    let size = tensor.len() / count;
    let row = |i: usize| (i * size..(i + 1) * size).map(text).collect::<Vec<_>>();
    cases.map(|i| row(i).join(",")).collect()
}

/// Compares answers of this kind. Functions such as `exp` are not exact.
pub(super) fn same(kind: Kind, answer: &str, other: &str) -> bool {
    let (ours, others) = (answer.split(','), other.split(','));
    answer == other
        || kind.is_float()
            && ours.clone().count() == others.clone().count()
            && ours.zip(others).all(|(a, b)| match (a.parse(), b.parse()) {
                (Ok(a), Ok(b)) => near(kind, a, b),
                _ => false,
            })
}

fn near(kind: Kind, a: f64, b: f64) -> bool {
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    if a == b {
        return a.is_sign_negative() == b.is_sign_negative();
    }
    let (relative, least) = match kind {
        Kind::F16 => (2e-3, 2e-7),
        Kind::BF16 => (1e-2, 1e-38),
        Kind::F32 => (1e-4, 1e-44),
        _ => (1e-12, 0.0),
    };
    (a - b).abs() <= relative * a.abs().max(b.abs()) + least
}
