//! Closures: functions with captured values.

use std::sync::Arc;

use super::tuple::check_nesting;
use super::{Builtin, done};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::value::{Closure, Value};

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.make_closure", run: make_closure },
    Builtin { name: "vm.builtin.invoke_closure", run: invoke_closure },
    Builtin { name: "vm.builtin.call_tir_dyn", run: |call| {
        let function = call.peek(0)?;
        call.apply_from(&function, 1).and_then(done)
    } },
];

fn make_closure(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let function = call.value(0)?;
    let mut captured = call.values(1)?;
    // A closure over another closure's function also captures the values of that closure.
    let function = match function {
        Value::Function(name) => name,
        Value::Closure(inner) => {
            captured.extend(inner.captured.iter().cloned());
            inner.function.clone()
        }
        other => {
            return Err(RunError::argument(format!(
                "{} is not a function",
                other.describe()
            )));
        }
    };
    let made = Value::Closure(Arc::new(Closure { function, captured }));
    check_nesting(&made)?;
    done(made)
}

fn invoke_closure(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let function = call.peek(0)?;
    let (name, captured) = match &function {
        Value::Function(name) => (name, &[][..]),
        Value::Closure(closure) => (&closure.function, closure.captured.as_slice()),
        Value::Packed(_) => return call.apply_from(&function, 1).and_then(done),
        other => {
            return Err(RunError::argument(format!(
                "{} cannot be called here",
                other.describe()
            )));
        }
    };
    match call.function(name) {
        Some(id) => {
            let mut args = call.values(1)?;
            args.extend(captured.iter().cloned());
            Ok(Outcome::Enter(id, args))
        }
        None => call.apply_from(&function, 1).and_then(done),
    }
}
