//! Packed functions that TVM's own tests register, so that programs copied from them run.

use super::check::raised;
use super::{Builtin, done, nothing};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::kernels::{self, Arg};
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::Value;
use relax::release::Release;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "test.vm.move", run: |call| done(call.value(0)?) },
    Builtin { name: "test.vm.add", run: |call| arithmetic(call, "relax.add") },
    Builtin { name: "test.inplace.add", run: |call| arithmetic(call, "relax.add") },
    Builtin { name: "vm.builtin.multinomial_from_uniform", run: multinomial },
    Builtin { name: "test.vm.mul", run: |call| arithmetic(call, "relax.multiply") },
    Builtin { name: "test.vm.add_scalar", run: add_scalar },
    Builtin { name: "test.vm.equal_zero", run: equal_zero },
    Builtin { name: "test.vm.subtract_one", run: subtract_one },
    Builtin { name: "test.vm.identity", run: identity },
    Builtin { name: "test.vm.tile", run: tile },
    Builtin { name: "test.vm.check_if_defined", run: check_if_defined },
];

fn compute(op: &str, args: &[Value]) -> RunResult<Value> {
    let args: Vec<Arg> = args.iter().cloned().map(Arg::Value).collect();
    match kernels::lookup(op) {
        Some(kernel) => {
            let params = relax::ops::by_name(op, Release::NEWEST).map_or(&[][..], |op| op.params);
            kernel.call(params, &args, None)
        }
        None => Err(RunError::unsupported(format!("{op} has no kernel"))),
    }
}

fn arithmetic(call: &mut Call<'_, '_, '_>, op: &str) -> RunResult<Outcome> {
    let (a, b) = (call.value(0)?, call.value(1)?);
    done(compute(op, &[a, b])?)
}

/// Arguments `(prob, uniform_sample, sample_indices)`. Without the last one, each row of the probabilities has one
/// sample.
fn multinomial(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let mut args = call.values(0)?;
    if let [_, Value::Tensor(samples)] = args.as_slice() {
        let rows = samples.shape().first().copied().unwrap_or_default();
        args.push(Tensor::from_fn(&[rows, 1], |row| row as i64)?.into());
    }
    done(compute("relax.multinomial_from_uniform", &args)?)
}

fn add_scalar(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (a, b) = (call.value(0)?, call.value(1)?);
    match (a.as_scalar(), b.as_scalar()) {
        (Some(Scalar::Int(a)), Some(Scalar::Int(b))) => done(Value::int(a.wrapping_add(b))),
        (Some(a), Some(b)) => done(Value::float(a.as_f64() + b.as_f64())),
        _ => Err(RunError::argument("`test.vm.add_scalar` adds two numbers")),
    }
}

fn equal_zero(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let tensor = call.tensor(0)?;
    let zero = (0..tensor.len()).all(|at| tensor.get(at).is_some_and(|v| !v.is_true()));
    done(Tensor::full(Kind::Bool, &[], Scalar::Bool(zero))?)
}

fn subtract_one(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let tensor = call.tensor(0)?;
    let one = Tensor::full(tensor.kind(), &[], Scalar::Int(1))?;
    done(compute("relax.subtract", &[tensor.into(), one.into()])?)
}

/// Copies the elements of the first tensor to the second.
fn identity(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let from = call.tensor(0)?;
    call.write(1, from)?;
    nothing()
}

fn tile(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let from = call.tensor(0)?;
    match compute(
        "relax.concat",
        &[
            Value::tuple([from.clone().into(), from.into()]),
            Value::int(1),
        ],
    )? {
        Value::Tensor(tensor) => call.write(1, tensor)?,
        other => return Err(raised(other.describe())),
    }
    nothing()
}

fn check_if_defined(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.value(0)?;
    done(Value::bool(!matches!(value, Value::Null)))
}
