//! Tuples, copies of registers, conditions.

use super::check::raised;
use super::{Builtin, done};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::value::{MOST_NESTED, Value};

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.make_tuple", run: make_tuple },
    Builtin { name: "runtime.Tuple", run: make_tuple },
    Builtin { name: "vm.builtin.tuple_getitem", run: tuple_getitem },
    Builtin { name: "vm.builtin.tuple_reset_item", run: tuple_reset_item },
    Builtin { name: "vm.builtin.copy", run: copy },
    Builtin { name: "vm.builtin.read_if_cond", run: read_if_cond },
    Builtin { name: "vm.builtin.null_value", run: null_value },
    Builtin { name: "relax.null_value", run: null_value },
];

fn make_tuple(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let made = Value::tuple(call.values(0)?);
    check_nesting(&made)?;
    done(made)
}

/// Rejects values that are nested so deeply that dropping them would overflow the stack.
pub(super) fn check_nesting(value: &Value) -> RunResult<()> {
    if value.nesting() > MOST_NESTED {
        let message = format!("values are nested deeper than the limit of {MOST_NESTED}");
        return Err(RunError::argument(message));
    }
    Ok(())
}

fn index(fields: &[Value], at: i64) -> RunResult<usize> {
    usize::try_from(at)
        .ok()
        .filter(|&at| at < fields.len())
        .ok_or_else(|| {
            RunError::argument(format!("index {at} of a tuple of {} fields", fields.len()))
        })
}

fn tuple_getitem(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let at = call.int(1)?;
    match call.value(0)? {
        Value::Tuple(fields) => {
            let at = index(&fields, at)?;
            done(fields[at].clone())
        }
        Value::Shape(dims) => match usize::try_from(at).ok().and_then(|at| dims.get(at)) {
            Some(&dim) => done(Value::int(dim)),
            None => Err(RunError::argument(format!(
                "index {at} of a shape of rank {}",
                dims.len()
            ))),
        },
        other => Err(RunError::argument(format!(
            "only a tuple has fields, not {}",
            other.describe()
        ))),
    }
}

fn tuple_reset_item(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let at = call.int(1)?;
    let Value::Tuple(fields) = call.value(0)? else {
        return Err(RunError::argument("only a tuple has fields"));
    };
    let at = index(&fields, at)?;
    done(fields[at].clone())
}

fn copy(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    done(call.value(0)?)
}

fn null_value(_: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    done(Value::Null)
}

/// Returns the condition of an `if`, given a bool or a tensor of one element.
fn read_if_cond(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.value(0)?;
    match value.as_scalar() {
        Some(scalar) => done(Value::int(i64::from(scalar.is_true()))),
        None => Err(raised(format!(
            "the condition of `if` is {}",
            value.describe()
        ))),
    }
}
