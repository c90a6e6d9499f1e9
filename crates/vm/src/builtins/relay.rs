//! Features of Relay that Relax lacks: algebraic data types, pattern matching, references.

use std::sync::Arc;

use super::check::raised;
use super::{Builtin, done, nothing, with_state, wrong_state};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::objects::State;
use crate::value::{Adt, Value};

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "relay.make_adt", run: make_adt },
    Builtin { name: "relay.get_field", run: get_field },
    Builtin { name: "relay.matches", run: |call| {
        let (value, pattern) = (call.peek(0)?, call.value(1)?);
        done(Value::bool(matches(&value, &pattern)))
    } },
    Builtin { name: "relay.no_arm", run: |call| {
        let value = call.value(0)?;
        Err(raised(format!("no arm of the match matches {}", value.describe())))
    } },
    Builtin { name: "relay.ref_create", run: |call| {
        let value = call.value(0)?;
        done(State::Cell(value))
    } },
    Builtin { name: "relay.ref_read", run: |call| {
        let value = with_state(call, |state, _| Ok(cell(state)?.clone()))?;
        done(value)
    } },
    Builtin { name: "relay.ref_write", run: |call| {
        let value = call.value(1)?;
        with_state(call, |state, _| {
            *cell(state)? = value;
            Ok(())
        })?;
        nothing()
    } },
];

fn cell(state: &mut State) -> RunResult<&mut Value> {
    match state {
        State::Cell(value) => Ok(value),
        other => wrong_state(other, "a reference"),
    }
}

/// Arguments: the constructor's name, then the fields.
fn make_adt(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (constructor, fields) = (call.text(0)?, call.values(1)?);
    done(Value::Adt(Arc::new(Adt {
        constructor,
        fields,
    })))
}

fn get_field(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (value, at) = (call.value(0)?, call.int(1)?);
    let fields = match &value {
        Value::Adt(adt) => &adt.fields[..],
        _ => &[],
    };
    match usize::try_from(at).ok().and_then(|at| fields.get(at)) {
        Some(field) => done(field.clone()),
        None => Err(RunError::argument(format!(
            "{} has no field {at}",
            value.describe()
        ))),
    }
}

/// Returns `true` if a value matches a pattern. A null pattern matches anything.
fn matches(value: &Value, pattern: &Value) -> bool {
    let all = |values: &[Value], patterns: &[Value]| {
        values.len() == patterns.len() && values.iter().zip(patterns).all(|(v, p)| matches(v, p))
    };
    match (value, pattern) {
        (_, Value::Null) => true,
        (Value::Adt(value), Value::Adt(pattern)) => {
            value.constructor == pattern.constructor && all(&value.fields, &pattern.fields)
        }
        (Value::Tuple(values), Value::Tuple(patterns)) => all(values, patterns),
        _ => false,
    }
}
