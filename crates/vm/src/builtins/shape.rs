//! The shape heap: stores the values of shape variables while a function runs, and computes dimensions from them.

use super::check::{context, raised};
use super::{Builtin, done, nothing};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.alloc_shape_heap", run: alloc_shape_heap },
    Builtin { name: "vm.builtin.match_shape", run: match_shape },
    Builtin { name: "vm.builtin.match_prim_value", run: match_prim_value },
    Builtin { name: "vm.builtin.make_shape", run: make_shape },
    Builtin { name: "vm.builtin.make_prim_value", run: make_prim_value },
    Builtin { name: "vm.builtin.compute_dim", run: compute_dim },
    Builtin { name: "vm.builtin.shape_of", run: shape_of },
    Builtin { name: "relax.shape_of", run: shape_of },
    Builtin { name: "vm.builtin.tensor_to_shape", run: tensor_to_shape },
    Builtin { name: "relax.tensor_to_shape", run: tensor_to_shape },
    Builtin { name: "relax.shape_to_tensor", run: shape_to_tensor },
    Builtin { name: "relax.run.shape_to_tensor", run: shape_to_tensor },
    Builtin { name: "relax.size", run: size },
];

fn alloc_shape_heap(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let size = call.int(0)?;
    let size = usize::try_from(size)
        .map_err(|_| RunError::argument(format!("a shape heap has no {size} slots")))?;
    done(Tensor::zeros(Kind::I64, &[size])?)
}

/// Checks one dimension by its code: 0 compares it with a number, 1 stores it, 2 ignores it, 3 compares it with a
/// slot.
fn match_dim(
    call: &mut Call<'_, '_, '_>,
    heap: usize,
    (code, at): (i64, i64),
    got: i64,
    what: impl FnOnce() -> String,
) -> RunResult<()> {
    let wanted = match code {
        0 => at,
        1 => return call.store(heap, at, got),
        2 => return Ok(()),
        3 => call.load(heap, at)?,
        _ => {
            return Err(RunError::argument(format!(
                "{code} is not a valid dimension code"
            )));
        }
    };
    if got == wanted {
        return Ok(());
    }
    let context = context(call);
    let what = what();
    let what = if what.is_empty() {
        context
    } else {
        format!("{what} of {context}")
    };
    Err(raised(format!(
        "{what} is {got}, but its annotation says {wanted}"
    )))
}

fn match_shape(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let dims = call.dims(0)?;
    let count = call.int(2)?;
    if dims.len() as i64 != count {
        return Err(raised(format!(
            "{} has {} dimensions, but its annotation says {count}",
            context(call),
            dims.len()
        )));
    }
    for (k, &got) in dims.iter().enumerate() {
        let (code, at) = (call.int(3 + 2 * k)?, call.int(4 + 2 * k)?);
        match_dim(call, 1, (code, at), got, || format!("dimension {k}"))?;
    }
    nothing()
}

fn match_prim_value(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let got = call.int(0)?;
    let (code, at) = (call.int(2)?, call.int(3)?);
    match_dim(call, 1, (code, at), got, String::new)?;
    nothing()
}

fn coded(call: &mut Call<'_, '_, '_>, code: usize) -> RunResult<i64> {
    let at = call.int(code + 1)?;
    match call.int(code)? {
        0 => Ok(at),
        1 => call.load(0, at),
        code => Err(RunError::argument(format!(
            "{code} is not a valid dimension code"
        ))),
    }
}

fn make_shape(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let count = call.int(1)?;
    let count = usize::try_from(count)
        .map_err(|_| RunError::argument("the rank of the shape is out of range"))?;
    if call.len() < 2 + 2 * count {
        return Err(RunError::argument(format!(
            "a shape of rank {count} lacks dimensions"
        )));
    }
    let dims = (0..count)
        .map(|k| coded(call, 2 + 2 * k))
        .collect::<RunResult<Vec<i64>>>()?;
    done(dims)
}

fn make_prim_value(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = coded(call, 1)?;
    done(Value::int(value))
}

/// Computes a dimension and stores it in its slot.
fn compute_dim(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let slot = call.int(1)?;
    let dim = call.dim_expr(2)?;
    let slots = call.heap(0)?;
    let value = dim
        .expr
        .eval(&|var| {
            let (_, slot) = dim.slots.iter().find(|(v, _)| v == var)?;
            slots.get(*slot as usize).copied()
        })
        .ok_or_else(|| {
            raised(format!(
                "the dimension `{}` has no value: a division by zero or an overflow",
                dim.expr
            ))
        })?;
    call.store(0, slot, value)?;
    nothing()
}

fn shape_of(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let tensor = call.tensor(0)?;
    done(Value::Shape(
        tensor.shape().iter().map(|&d| d as i64).collect(),
    ))
}

fn tensor_to_shape(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let tensor = call.tensor(0)?;
    if tensor.ndim() != 1 || tensor.kind().is_float() {
        return Err(RunError::argument(format!(
            "a tensor of integers of rank 1 becomes a shape, but this is {}",
            Value::Tensor(tensor).describe()
        )));
    }
    done(tensor.cast(Kind::I64)?.values::<i64>()?.to_vec())
}

fn shape_to_tensor(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let dims = call.dims(0)?;
    done(Tensor::from_vec(&[dims.len()], dims.to_vec())?)
}

fn size(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let tensor = call.tensor(0)?;
    done(Tensor::scalar(tensor.len() as i64)?)
}
