//! `vm.builtin.kv_state_*`: adds and removes sequences of a paged cache or a recurrent state, and begins and ends
//! rounds.

use std::sync::Arc;

use super::{Builtin, nothing, with_state, wrong_state};
use crate::error::RunResult;
use crate::interp::{Call, Outcome};
use crate::objects::{State, paged, rnn};
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.kv_state_clear", run: clear },
    Builtin { name: "vm.builtin.kv_state_add_sequence", run: add },
    Builtin { name: "vm.builtin.kv_state_remove_sequence", run: remove },
    Builtin { name: "vm.builtin.kv_state_fork_sequence", run: fork },
    Builtin { name: "vm.builtin.kv_state_popn", run: pop },
    Builtin { name: "vm.builtin.kv_state_begin_forward", run: begin },
    Builtin { name: "vm.builtin.kv_state_end_forward", run: end },
];

/// The operations of both kinds of state.
enum Sequences<'s> {
    Paged(&'s mut paged::Cache),
    Rnn(&'s mut rnn::State),
}

fn sequences(state: &mut State) -> RunResult<Sequences<'_>> {
    match state {
        State::Paged(cache) => Ok(Sequences::Paged(cache)),
        State::Rnn(state) => Ok(Sequences::Rnn(state)),
        other @ (State::Appended(_) | State::Cell(_)) => {
            wrong_state(other, "a paged KV cache or a state of recurrent layers")
        }
    }
}

fn clear(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    with_state(call, |state, _| {
        match sequences(state)? {
            Sequences::Paged(cache) => cache.clear(),
            Sequences::Rnn(state) => state.clear(),
        }
        Ok(())
    })?;
    nothing()
}

fn add(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let id = call.int(1)?;
    with_state(call, |state, _| match sequences(state)? {
        Sequences::Paged(cache) => cache.add(id),
        Sequences::Rnn(state) => state.add(id),
    })?;
    nothing()
}

fn remove(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let id = call.int(1)?;
    with_state(call, |state, _| match sequences(state)? {
        Sequences::Paged(cache) => cache.remove(id),
        Sequences::Rnn(state) => state.remove(id),
    })?;
    nothing()
}

/// Arguments `(state, parent, child, position)`. Without a position, or with -1, the child begins at the parent's end.
fn fork(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (parent, child) = (call.int(1)?, call.int(2)?);
    let position = if call.len() > 3 { call.int(3)? } else { -1 };
    with_state(call, |state, caller| match sequences(state)? {
        Sequences::Paged(cache) => {
            let position = (position != -1).then_some(position);
            cache.fork(caller, parent, child, position)
        }
        Sequences::Rnn(state) => state.fork(parent, child),
    })?;
    nothing()
}

fn pop(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (id, count) = (call.int(1)?, call.int(2)?);
    with_state(call, |state, caller| match sequences(state)? {
        Sequences::Paged(cache) => cache.pop(caller, id, count),
        Sequences::Rnn(state) => state.pop(id, count),
    })?;
    nothing()
}

/// Arguments `(state, sequences, lengths, tree)`.
fn begin(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (ids, lengths) = (call.dims(1)?, call.dims(2)?);
    let tree: Option<Arc<[i64]>> = match call.peek(3) {
        Ok(Value::Null) | Err(_) => None,
        Ok(_) => Some(call.dims(3)?),
    };
    with_state(call, |state, _| match sequences(state)? {
        Sequences::Paged(cache) => cache.begin(&ids, &lengths, tree.as_deref()),
        Sequences::Rnn(state) => state.begin(&ids, &lengths, tree.as_deref()),
    })?;
    nothing()
}

fn end(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    with_state(call, |state, _| match sequences(state)? {
        Sequences::Paged(_) => Ok(()),
        Sequences::Rnn(state) => state.end(),
    })?;
    nothing()
}
