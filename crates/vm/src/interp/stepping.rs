//! Steps through PrimFuncs statement by statement, for a debugger. The exact interpreter runs them.

use std::cell::{OnceCell, RefCell};

use smol_str::SmolStr;
use text_size::TextRange;

use super::Machine;
use super::paused::Calls;
use super::prim_func::host_call;
use crate::bytecode::PrimFunc;
use crate::error::{RunError, RunResult};
use crate::tensor::stop::Stop;
use crate::tir::exact::Suspended;
use crate::tir::{self, Exact};
use crate::trace::Paused;
use crate::value::Value;

impl Machine<'_, '_> {
    /// Returns `true` if a debugger wants to step into a PrimFunc.
    pub(super) fn steps_into(&mut self, prim: &PrimFunc) -> bool {
        let Some(program) = prim.program.as_ref().filter(|_| self.is_debugged) else {
            return false;
        };
        let ranges = program.body.iter().map(|stmt| stmt.range);
        let whole = ranges.reduce(TextRange::cover);
        whole.is_some_and(|range| self.observer.enters(range + prim.start))
    }

    pub(super) fn step_through(
        &mut self,
        prim: &PrimFunc,
        operands: &mut [tir::Operand],
    ) -> Result<(), (RunError, Option<TextRange>)> {
        let exact = exact(prim).map_err(|error| (error, None))?;
        // A statement is a step, so only the time ends it early.
        let stop = self.budget.time();
        let frames = &mut self.frames;
        let observer = RefCell::new(&mut *self.observer);
        let mut host =
            |symbol: &str, args: &[Value]| host_call(&mut **observer.borrow_mut(), symbol, args);
        let mut watch = |suspended: &mut Suspended<'_, '_>| {
            let mut paused = PrimCall {
                prim,
                suspended,
                calls: Calls::calling(frames),
                values: OnceCell::new(),
            };
            observer.borrow_mut().step(&mut paused)
        };
        let run = || exact.watch(operands, &stop, &mut host, &mut watch);
        let result = Stop::new(stop.clone()).within(run);
        result.map_err(Into::into)
    }
}

pub(super) fn exact(prim: &PrimFunc) -> RunResult<Exact> {
    let missing = || RunError::argument(format!("PrimFunc `{}` is not compiled", prim.name));
    let program = prim.program.as_ref().ok_or_else(missing)?;
    Exact::new(program).map_err(|errors| {
        let first = errors.first().map(|error| error.message.clone());
        RunError::argument(first.unwrap_or_default())
    })
}

/// A PrimFunc before one of its statements, as the innermost call.
struct PrimCall<'p, 's, 'v, 'm> {
    prim: &'p PrimFunc,
    suspended: &'p mut Suspended<'s, 'v>,
    calls: Calls<'m>,
    /// Its variables, computed on demand.
    values: OnceCell<Vec<(SmolStr, Value)>>,
}

impl Paused for PrimCall<'_, '_, '_, '_> {
    fn depth(&self) -> usize {
        self.calls.depth() + 1
    }

    fn place(&self, at: usize) -> Option<(&SmolStr, TextRange)> {
        match at.checked_sub(1) {
            None => Some((&self.prim.name, self.suspended.range + self.prim.start)),
            Some(at) => self.calls.place(at),
        }
    }

    /// A statement runs again in the next iteration, so no statement is the first of its line.
    fn places_before(&self, at: usize) -> Vec<TextRange> {
        at.checked_sub(1)
            .map_or_else(Vec::new, |at| self.calls.places_before(at))
    }

    fn variables(&self, at: usize) -> Vec<(SmolStr, &Value)> {
        match at.checked_sub(1) {
            None => {
                let values = self.values.get_or_init(|| self.suspended.variables());
                let values = values.iter();
                values.map(|(name, value)| (name.clone(), value)).collect()
            }
            Some(at) => self.calls.variables(at),
        }
    }

    fn set(&mut self, at: usize, name: &str, value: Value) -> bool {
        match at.checked_sub(1) {
            None => {
                self.values = OnceCell::new();
                self.suspended.set(name, &value)
            }
            Some(at) => self.calls.set(at, name, value),
        }
    }
}
