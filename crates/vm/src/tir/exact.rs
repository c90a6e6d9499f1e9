//! The exact interpreter of PrimFuncs: plain loops, integers of each dtype, bounds asked at every access.
//!
//! It says what a program means, step by step, and native code is held against it. It needs no code generator, so it
//! runs where there is none. Knows no machine code.

mod enter;
mod expr;
mod memory;
mod number;
mod packed;
mod stmt;
mod watch;

use std::sync::atomic::{AtomicBool, Ordering};

use hir::tir::{BufferId, PrimFunc, TirError, VarId};
use text_size::TextRange;

use super::packed::Host;
use super::prepare;
use super::signature::{Arguments, Operand, Signature};
use super::trap::{Check, Trap};
use crate::error::RunError;
use memory::Region;
use number::Number;
pub use watch::{Suspended, Watch};

/// A PrimFunc that is interpreted.
#[derive(Debug)]
pub struct Exact {
    func: PrimFunc,
    signature: Signature,
}

/// Why a function ended before its end.
#[derive(Clone, Debug)]
pub enum Ended {
    /// A check failed, at a place relative to the function's start.
    Trap(Trap, TextRange),
    /// It could not run, or what it called failed.
    Error(RunError, Option<TextRange>),
    /// It took as many iterations as it may.
    Long,
}

type Step<T> = Result<T, Ended>;

impl From<Ended> for (RunError, Option<TextRange>) {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Trap(trap, range) => (trap.into(), Some(range)),
            Ended::Error(error, range) => (error, range),
            Ended::Long => (RunError::argument("too many iterations"), None),
        }
    }
}

impl Exact {
    /// Refuses what native code refuses for the same reasons.
    pub fn new(func: &PrimFunc) -> Result<Exact, Vec<TirError>> {
        let func = prepare(func)?.into_owned();
        Ok(Exact {
            signature: Signature::new(&func),
            func,
        })
    }

    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Runs the function; the tensors it writes to are changed in place, up to where it ends.
    pub fn call(
        &self,
        operands: &mut [Operand],
        iterations: u64,
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<(), Ended> {
        self.bound(operands, |arguments, operands| {
            self.run(arguments, operands, (iterations, stop), host, None)
        })
    }

    /// Runs the function and has each statement looked at before it.
    pub fn watch(
        &self,
        operands: &mut [Operand],
        stop: &AtomicBool,
        host: &mut Host<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Ended> {
        self.bound(operands, |arguments, operands| {
            self.run(arguments, operands, (u64::MAX, stop), host, Some(watch))
        })
    }

    fn bound(
        &self,
        operands: &mut [Operand],
        run: impl FnOnce(&Arguments, &mut [Operand]) -> Step<()>,
    ) -> Step<()> {
        let arguments = self
            .signature
            .bind(operands)
            .map_err(|error| Ended::Error(error, None))?;
        let result = run(&arguments, operands);
        self.signature.normalise_bools(operands);
        result
    }

    fn run(
        &self,
        arguments: &Arguments,
        operands: &mut [Operand],
        (iterations, stop): (u64, &AtomicBool),
        host: &mut Host<'_>,
        watch: Option<&mut Watch<'_>>,
    ) -> Step<()> {
        let mut machine = Machine {
            func: &self.func,
            vars: vec![None; self.func.vars.len()],
            regions: Vec::new(),
            places: Vec::new(),
            iterations,
            stop,
            host,
            watch: watch.map(|it| it as &mut Watch<'_>),
        };
        machine.enter(arguments, operands)?;
        machine.stmts(&self.func.body)
    }
}

/// A buffer, with its extents as they are.
#[derive(Clone, Debug)]
struct BoundBuffer {
    region: usize,
    dims: Vec<i64>,
    /// Row-major where it is `None`.
    strides: Option<Vec<i64>>,
    /// Elements of this dtype in the memory that it lies in.
    elements: u64,
}

struct Machine<'m, 'h> {
    func: &'m PrimFunc,
    vars: Vec<Option<Number>>,
    /// The memory of the arguments, then of the function's own buffers.
    regions: Vec<Region<'m>>,
    places: Vec<BoundBuffer>,
    /// How many are left.
    iterations: u64,
    stop: &'m AtomicBool,
    host: &'m mut Host<'h>,
    watch: Option<&'m mut Watch<'m>>,
}

impl Machine<'_, '_> {
    fn set(&mut self, var: VarId, value: Number) {
        self.vars[var.0 as usize] = Some(value);
    }

    fn place(&self, id: BufferId) -> &BoundBuffer {
        &self.places[id.0 as usize]
    }

    /// Asks, at each iteration, whether to go on.
    fn goes_on(&mut self, range: TextRange) -> Step<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(enter::trap(Check::Stopped, 0, 0, range));
        }
        self.iterations = self.iterations.checked_sub(1).ok_or(Ended::Long)?;
        Ok(())
    }
}
