//! The functions of the host that programs call by name, in one table: TVM's `vm.builtin.*`, the operators that
//! are about memory, shapes and effects rather than numbers, and packed functions that TVM's tests register.

mod check;
mod closure;
mod effects;
mod inspect;
mod memory;
mod shape;
pub(crate) mod sort;
mod testing;
mod tuple;

use relax::near::nearest_in_table;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::error::RunResult;
use crate::interp::{Call, Outcome};
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
