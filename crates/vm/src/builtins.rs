//! The functions of the host that programs call by name, in one table: TVM's `vm.builtin.*`, the operators that
//! are about memory, shapes and effects rather than numbers, and packed functions that TVM's tests register.

mod check;
mod closure;
mod effects;
mod inspect;
mod kv_cache;
mod kv_create;
mod kv_state;
mod memory;
mod shape;
pub(crate) mod sort;
mod testing;
mod tuple;

use relax::near::nearest_in_table;
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

/// The rows of every family. A new family is a file under `builtins/` and a line here.
static FAMILIES: &[&[Builtin]] = &[
    check::BUILTINS,
    closure::BUILTINS,
    effects::BUILTINS,
    inspect::BUILTINS,
    kv_cache::BUILTINS,
    kv_create::BUILTINS,
    kv_state::BUILTINS,
    memory::BUILTINS,
    shape::BUILTINS,
    testing::BUILTINS,
    tuple::BUILTINS,
];

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Builtin>> =
    LazyLock::new(|| all().map(|builtin| (builtin.name, builtin)).collect());

pub fn all() -> impl Iterator<Item = &'static Builtin> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The builtin of this global symbol.
pub fn lookup(name: &str) -> Option<&'static Builtin> {
    BY_NAME.get(name).copied()
}

/// Whether an operator is a builtin rather than a kernel.
pub fn of_operator(op: &str) -> bool {
    BY_NAME.contains_key(op)
}

/// The symbol nearest to one that does not exist.
pub fn nearest(name: &str) -> Option<&'static str> {
    let names = all().map(|builtin| builtin.name);
    nearest_in_table(name, names.filter(|known| !known.starts_with("relax.")))
}

/// Always `Ok`: the last word of a builtin.
#[allow(clippy::unnecessary_wraps)]
fn done(value: impl Into<Value>) -> RunResult<Outcome> {
    Ok(Outcome::Value(value.into()))
}

/// What a function run for its effect gives back.
fn nothing() -> RunResult<Outcome> {
    done(Value::tuple([]))
}

/// Runs what changes an object; functions that the program handed over run meanwhile.
fn with_state<T>(
    call: &mut Call<'_, '_, '_>,
    run: impl FnOnce(&mut State, &mut Caller<'_>) -> RunResult<T>,
) -> RunResult<T> {
    let value = call.peek(0)?;
    let Value::Object(object) = &value else {
        return Err(RunError::argument(format!(
            "argument 0 must be a cache or a state, and is {}",
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
    };
    Err(RunError::argument(format!(
        "{wanted} is needed, and {is} is given"
    )))
}
