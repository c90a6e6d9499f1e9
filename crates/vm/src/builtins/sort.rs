//! Packed functions that PrimFuncs call: TVM's sorts, which write to output buffers.

use relax::nearest_name::nearest_in_table;

use crate::error::{RunError, RunResult};
use crate::kernels::{self, Arg};
use crate::tensor::{Kind, Tensor};
use crate::tir::Written;
use crate::value::Value;

/// A host function that a PrimFunc may call.
#[derive(Debug)]
pub struct HostFunction {
    pub symbol: &'static str,
    pub run: fn(&[Value]) -> RunResult<Written>,
}

static FUNCTIONS: &[HostFunction] = &[
    HostFunction {
        symbol: "tvm.contrib.sort.argsort",
        run: |args| one("relax.argsort", args),
    },
    HostFunction {
        symbol: "tvm.contrib.sort.sort",
        run: |args| one("relax.sort", args),
    },
    HostFunction {
        symbol: "tvm.contrib.sort.topk",
        run: topk,
    },
];

pub fn lookup(symbol: &str) -> Option<&'static HostFunction> {
    FUNCTIONS.iter().find(|function| function.symbol == symbol)
}

/// Returns the most similar symbol to one that does not exist.
pub fn nearest(symbol: &str) -> Option<&'static str> {
    let symbols = FUNCTIONS.iter().map(|function| function.symbol);
    nearest_in_table(symbol, symbols)
}

fn wrong() -> RunError {
    RunError::argument("a sort takes a tensor, what it writes to, an axis and a direction")
}

/// Arguments `(data, out, axis, is_ascend)`.
fn one(op: &str, args: &[Value]) -> RunResult<Written> {
    let [data, Value::Tensor(out), axis, ascending] = args else {
        return Err(wrong());
    };
    let sorted = kernels::compute(
        op,
        data,
        &[
            ("axis", Arg::Value(axis.clone())),
            ("descending", Arg::Bool(!truth(ascending)?)),
            ("dtype", Arg::DType(out.dtype())),
        ],
    )?;
    Ok(vec![(1, fitting(sorted, out)?)])
}

/// Arguments `(data, out..., k, axis, ret_type, is_ascend)`.
fn topk(args: &[Value]) -> RunResult<Written> {
    let [data, outs @ .., k, axis, what, ascending] = args else {
        return Err(wrong());
    };
    let indices = match (what, outs) {
        (Value::Str(what), [_, Value::Tensor(indices)]) if what == "both" => indices.dtype(),
        (_, [Value::Tensor(only)]) => only.dtype(),
        _ => return Err(wrong()),
    };
    let picked = kernels::compute(
        "relax.topk",
        data,
        &[
            ("k", Arg::Value(k.clone())),
            ("axis", Arg::Value(axis.clone())),
            ("ret_type", Arg::Value(what.clone())),
            ("largest", Arg::Bool(!truth(ascending)?)),
            ("dtype", Arg::DType(indices)),
        ],
    )?;
    let parts = match picked {
        Value::Tuple(parts) => parts.to_vec(),
        other => vec![other],
    };
    let mut written = Vec::with_capacity(outs.len());
    for (at, (part, out)) in parts.into_iter().zip(outs).enumerate() {
        let Value::Tensor(out) = out else {
            return Err(wrong());
        };
        written.push((1 + at, fitting(part, out)?));
    }
    Ok(written)
}

fn truth(value: &Value) -> RunResult<bool> {
    let scalar = value.as_scalar().ok_or_else(wrong)?;
    Ok(scalar.is_true())
}

/// Converts a result to the shape and dtype of its output buffer.
fn fitting(value: Value, out: &Tensor) -> RunResult<Tensor> {
    let Value::Tensor(tensor) = value else {
        return Err(wrong());
    };
    if tensor.shape() != out.shape() {
        return Err(RunError::shape(format!(
            "a sort makes {} of {}",
            Value::Tensor(tensor).describe(),
            Value::Tensor(out.clone()).describe()
        )));
    }
    let kind: Kind = out.kind();
    tensor.cast(kind)
}
