//! The table of host functions that programs call by name: TVM's `vm.builtin.*`, operators about memory, shapes and
//! effects rather than numbers, and packed functions that TVM's tests register.

mod check;
mod closure;
mod effects;
mod inspect;
mod kv_appended;
mod kv_cache;
mod kv_create;
mod kv_state;
mod memory;
mod relay;
mod rnn_state;
mod sampling;
mod set;
mod shape;
pub(crate) mod sort;
mod tensor_cache;
mod testing;
mod tuple;

use relax::nearest_name::nearest_in_table;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::objects::{Caller, State};
use crate::value::Value;

/// A function of the host.
#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub(crate) run: fn(&mut Call<'_, '_, '_>) -> RunResult<Outcome>,
}

/// The rows of every family. A new family needs a file in `builtins/` and a line here.
static FAMILIES: &[&[Builtin]] = &[
    check::BUILTINS,
    closure::BUILTINS,
    effects::BUILTINS,
    inspect::BUILTINS,
    kv_appended::BUILTINS,
    kv_cache::BUILTINS,
    kv_create::BUILTINS,
    kv_state::BUILTINS,
    memory::BUILTINS,
    relay::BUILTINS,
    rnn_state::BUILTINS,
    sampling::BUILTINS,
    set::BUILTINS,
    shape::BUILTINS,
    tensor_cache::BUILTINS,
    testing::BUILTINS,
    tuple::BUILTINS,
];

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Builtin>> =
    LazyLock::new(|| all().map(|builtin| (builtin.name, builtin)).collect());

pub fn all() -> impl Iterator<Item = &'static Builtin> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Returns the builtin with a global symbol.
pub fn lookup(name: &str) -> Option<&'static Builtin> {
    BY_NAME.get(name).copied()
}

/// Returns `true` if an operator is a builtin rather than a kernel.
pub fn of_operator(op: &str) -> bool {
    BY_NAME.contains_key(op)
}

/// Functions of TVM's runtime that cannot run here, by prefixes of their names, with the reason.
const REFUSED: &[(&str, &str)] = &[
    (
        "vm.builtin.kv_cache_disagg_",
        "it sends a cache to other devices, but there is only one here",
    ),
    ("vm.builtin.cuda_graph.", "it needs a GPU with CUDA"),
    ("vm.builtin.hexagon.", "it needs a Hexagon processor"),
    (
        "vm.builtin.call_py_func",
        "it calls Python: pass functions with `--packed FILE.py`",
    ),
    ("vm.builtin.register_py_func", "it stores a Python function"),
    ("vm.builtin.get_py_func", "it returns a Python function"),
    (
        "vm.builtin.clear_py_func_registry",
        "it removes Python functions",
    ),
    ("vm.builtin.invoke_debug_func", "it calls a Python function"),
    ("vm.builtin.tensor_cache.load", "a run cannot read files"),
    ("vm.builtin.ndarray_cache.load", "a run cannot read files"),
    (
        "vm.builtin.param_module_from_cache",
        "it creates a module, which is not supported as a value",
    ),
];

/// Returns the reason why a function of TVM's runtime cannot run here.
pub fn refusal(name: &str) -> Option<&'static str> {
    let row = REFUSED.iter().find(|row| name.starts_with(row.0));
    row.map(|row| row.1)
}

/// Returns the most similar symbol to one that does not exist.
pub fn nearest(name: &str) -> Option<&'static str> {
    let names = all().map(|builtin| builtin.name);
    nearest_in_table(
        name,
        names.filter(|known| !known.starts_with("relax.") && !known.starts_with("relay.")),
    )
}

/// Returns a value from a builtin.
#[allow(clippy::unnecessary_wraps)]
fn done(value: impl Into<Value>) -> RunResult<Outcome> {
    Ok(Outcome::Value(value.into()))
}

/// The result of a function that is called for its effect.
fn nothing() -> RunResult<Outcome> {
    done(Value::tuple([]))
}

/// Runs a change of an object, during which the program's own functions may be called.
fn with_state<T>(
    call: &mut Call<'_, '_, '_>,
    run: impl FnOnce(&mut State, &mut Caller<'_>) -> RunResult<T>,
) -> RunResult<T> {
    let value = call.peek(0)?;
    let Value::Object(object) = &value else {
        return Err(RunError::argument(format!(
            "argument 0 must be a cache or a state, but is {}",
            value.describe()
        )));
    };
    let mut state = object.state()?;
    run(&mut state, &mut |function, args| {
        call.apply(function, args).map(|(_, args)| args)
    })
}

fn wrong_state<T>(state: &State, wanted: &str) -> RunResult<T> {
    let is = match state {
        State::Paged(_) => "a paged KV cache",
        State::Appended(_) => "a KV cache of one tensor",
        State::Rnn(_) => "a state of recurrent layers",
        State::Cell(_) => "a reference",
    };
    Err(RunError::argument(format!(
        "expected {wanted}, but got {is}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtime_functions_run_or_have_a_refusal() {
        let missing: Vec<&str> = relax::packed::all()
            .map(|row| row.name)
            .filter(|name| lookup(name).is_none() && refusal(name).is_none())
            .collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn every_builtin_of_the_runtime_has_a_row() {
        // Our own checks, for which TVM has no function.
        let own = ["vm.builtin.check_same_shape", "vm.builtin.compute_dim"];
        let missing: Vec<&str> = all()
            .map(|builtin| builtin.name)
            .filter(|name| name.starts_with("vm.builtin.") && !own.contains(name))
            .filter(|name| relax::packed::rows(name).is_empty())
            .collect();
        assert_eq!(missing, [""; 0]);
    }
}
