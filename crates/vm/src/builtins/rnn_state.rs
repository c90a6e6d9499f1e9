//! `vm.builtin.rnn_state_*`: states of recurrent layers.

use super::{Builtin, done, nothing, with_state, wrong_state};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::objects::{State, rnn};
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.rnn_state_create", run: create },
    Builtin { name: "vm.builtin.rnn_state_get", run: get },
    Builtin { name: "vm.builtin.rnn_state_set", run: set },
    Builtin { name: "vm.builtin.rnn_state_debug_get", run: read },
];

/// Arguments `(layers, sequences, history, get, set, init)`.
fn create(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let mut sizes = [0; 3];
    for (at, size) in sizes.iter_mut().enumerate() {
        *size = usize::try_from(call.int(at)?).unwrap_or(0);
    }
    let [layers, sequences, history] = sizes;
    let functions = [fields(call, 3)?, fields(call, 4)?];
    let init = fields(call, 5)?
        .into_iter()
        .map(|value| match value {
            Value::Tensor(tensor) => Ok(tensor),
            other => Err(RunError::argument(format!(
                "a state begins as a tensor, not as {}",
                other.describe()
            ))),
        })
        .collect::<RunResult<Vec<_>>>()?;
    let state = rnn::State::new(layers, sequences, history, functions, init)?;
    done(State::Rnn(Box::new(state)))
}

fn fields(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Vec<Value>> {
    match call.value(at)? {
        Value::Tuple(fields) => Ok(fields.to_vec()),
        other => Err(RunError::argument(format!(
            "argument {at} must be a tuple, but is {}",
            other.describe()
        ))),
    }
}

/// Arguments `(state, layer, number, out)`.
fn get(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, number) = (call.int(1)?, call.int(2)?);
    let Value::Tensor(out) = call.peek(3)? else {
        return Err(RunError::argument("argument 3 must be a tensor"));
    };
    let out = with_state(call, |state, caller| match state {
        State::Rnn(state) => state.get(caller, layer, number, out),
        other => wrong_state(other, "a state of recurrent layers"),
    })?;
    call.write(3, out)?;
    nothing()
}

/// Arguments `(state, layer, number, data)`.
fn set(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, number) = (call.int(1)?, call.int(2)?);
    let data = call.tensor(3)?;
    with_state(call, |state, caller| match state {
        State::Rnn(state) => state.set(caller, layer, number, &data),
        other => wrong_state(other, "a state of recurrent layers"),
    })?;
    done(call.value(0)?)
}

/// Arguments `(state, layer, number, sequence)`.
fn read(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (layer, number, id) = (call.int(1)?, call.int(2)?, call.int(3)?);
    done(with_state(call, |state, _| match state {
        State::Rnn(state) => state.read(layer, number, id),
        other => wrong_state(other, "a state of recurrent layers"),
    })?)
}
