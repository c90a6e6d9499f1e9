//! `vm.builtin.attention_kv_cache_*` for the single-tensor cache that preceded the paged cache.

use super::memory::shape;
use super::{Builtin, done, nothing, with_state, wrong_state};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::objects::State;
use crate::objects::appended::Cache;
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.attention_kv_cache_create", run: create },
    Builtin { name: "vm.builtin.attention_kv_cache_update", run: update },
    Builtin { name: "vm.builtin.attention_kv_cache_append", run: append },
    Builtin { name: "vm.builtin.attention_kv_cache_window_override", run: window },
    Builtin { name: "vm.builtin.attention_kv_cache_window_override_with_sinks", run: window },
    Builtin { name: "vm.builtin.attention_kv_cache_view", run: view },
    Builtin { name: "vm.builtin.attention_kv_cache_array_popn", run: pop_all },
    Builtin { name: "vm.builtin.attention_kv_cache_array_clear", run: clear_all },
];

fn change<T>(
    call: &mut Call<'_, '_, '_>,
    run: impl FnOnce(&mut Cache) -> RunResult<T>,
) -> RunResult<T> {
    with_state(call, |state, _| match state {
        State::Appended(cache) => run(cache),
        other => wrong_state(other, "a KV cache of one tensor"),
    })
}

/// Arguments `(rows, shape, count)`. A negative count means the number of rows.
fn create(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let init = call.tensor(0)?;
    let room = shape(&call.dims(1)?)?;
    let filled = usize::try_from(call.int(2)?).ok();
    done(State::Appended(Box::new(Cache::new(&init, &room, filled)?)))
}

fn update(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let rows = call.tensor(1)?;
    change(call, |cache| cache.update(&rows))?;
    done(call.value(0)?)
}

fn append(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let rows = call.tensor(1)?;
    change(call, |cache| cache.append(&rows))?;
    done(call.value(0)?)
}

/// Arguments `(cache, rows, most, sinks)`.
fn window(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let rows = call.tensor(1)?;
    let most = count(call, 2)?;
    let sinks = if call.len() > 3 { count(call, 3)? } else { 0 };
    change(call, |cache| cache.window(&rows, most, sinks))?;
    done(call.value(0)?)
}

fn view(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let wanted = match call.len() {
        1 => None,
        _ => Some(shape(&call.dims(1)?)?),
    };
    done(change(call, |cache| cache.view(wanted.as_deref()))?)
}

fn pop_all(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let most = count(call, 1)?;
    each(call, |cache| cache.pop(most))
}

fn clear_all(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    each(call, |cache| {
        cache.clear();
        Ok(())
    })
}

/// Applies a change to every cache of a tuple.
fn each(
    call: &mut Call<'_, '_, '_>,
    run: impl Fn(&mut Cache) -> RunResult<()>,
) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    let Value::Tuple(caches) = &value else {
        return Err(wrong(&value));
    };
    for cache in caches.iter() {
        let Value::Object(object) = cache else {
            return Err(wrong(cache));
        };
        match &mut *object.state()? {
            State::Appended(cache) => run(cache)?,
            other => return wrong_state(other, "a KV cache of one tensor"),
        }
    }
    nothing()
}

fn wrong(value: &Value) -> RunError {
    RunError::argument(format!(
        "a tuple of caches is needed, not {}",
        value.describe()
    ))
}

fn count(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<usize> {
    let count = call.int(at)?;
    usize::try_from(count)
        .map_err(|_| RunError::argument(format!("argument {at} counts rows, and is {count}")))
}
