//! `vm.builtin.tensor_cache.*` and functions that read parameters from it: named tensors of a run.

use super::{Builtin, done, nothing};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.tensor_cache.get", run: get },
    Builtin { name: "vm.builtin.tensor_cache.update", run: update },
    Builtin { name: "vm.builtin.tensor_cache.remove", run: remove },
    Builtin { name: "vm.builtin.tensor_cache.clear", run: clear },
    Builtin { name: "vm.builtin.ndarray_cache.get", run: get },
    Builtin { name: "vm.builtin.ndarray_cache.update", run: update },
    Builtin { name: "vm.builtin.ndarray_cache.remove", run: remove },
    Builtin { name: "vm.builtin.ndarray_cache.clear", run: clear },
    Builtin { name: "vm.builtin.param_array_from_cache", run: numbered },
    Builtin { name: "vm.builtin.param_array_from_cache_by_name", run: named },
    Builtin { name: "vm.builtin.param_array_from_cache_by_name_unpacked", run: |call| collect(call, 0) },
];

fn get(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let name = call.text(0)?;
    done(
        call.tensors()
            .get(&name)
            .map_or(Value::Null, |it| it.clone().into()),
    )
}

/// Arguments `(name, tensor, may replace)`.
fn update(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (name, tensor) = (call.text(0)?, call.tensor(1)?);
    let replaces = call.len() > 2 && call.int(2)? != 0;
    if !replaces && call.tensors().contains_key(&name) {
        return Err(RunError::argument(format!(
            "the cache already has a tensor `{name}`"
        )));
    }
    call.tensors().insert(name, tensor);
    nothing()
}

fn remove(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let name = call.text(0)?;
    call.tensors().remove(&name);
    nothing()
}

fn clear(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    call.tensors().clear();
    nothing()
}

/// Arguments `(prefix, count)`. A count of -1 means all.
fn numbered(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let (prefix, count) = (call.text(0)?, call.int(1)?);
    let mut found = Vec::new();
    while count == -1 || (found.len() as i64) < count {
        let name = format!("{prefix}_{}", found.len());
        match call.tensors().get(name.as_str()) {
            Some(tensor) => found.push(Value::from(tensor.clone())),
            None if count == -1 => break,
            None => return Err(missing(&name)),
        }
    }
    done(Value::tuple(found))
}

fn named(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let value = call.peek(0)?;
    let Value::Tuple(names) = &value else {
        return Err(RunError::argument(format!(
            "a tuple of names is needed, not {}",
            value.describe()
        )));
    };
    let mut found = Vec::with_capacity(names.len());
    for name in names.iter() {
        found.push(of_name(call, name)?);
    }
    done(Value::tuple(found))
}

fn collect(call: &mut Call<'_, '_, '_>, from: usize) -> RunResult<Outcome> {
    let names = call.values(from)?;
    let mut found = Vec::with_capacity(names.len());
    for name in &names {
        found.push(of_name(call, name)?);
    }
    done(Value::tuple(found))
}

fn of_name(call: &mut Call<'_, '_, '_>, name: &Value) -> RunResult<Value> {
    let Value::Str(name) = name else {
        return Err(RunError::argument(format!(
            "a name is needed, not {}",
            name.describe()
        )));
    };
    let tensor = call.tensors().get(name).cloned();
    tensor.map(Value::from).ok_or_else(|| missing(name))
}

fn missing(name: &str) -> RunError {
    RunError::argument(format!("the cache has no tensor `{name}`"))
}
