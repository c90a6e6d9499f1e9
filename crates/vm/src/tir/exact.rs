//! The exact interpreter of PrimFuncs: plain loops, integers of each dtype, a bounds check at every access.
//!
//! It defines what a program means, and native code is compared with it. It needs no code generator, so it also runs
//! where there is none. Knows no machine code.

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
use crate::tensor::Kind;
use memory::Region;
use number::Number;
pub use watch::{Suspended, Watch};

/// A PrimFunc that can be interpreted.
#[derive(Debug)]
pub struct Exact {
    func: PrimFunc,
    signature: Signature,
}

/// Why a function ended early.
#[derive(Clone, Debug)]
pub enum Ended {
    /// A check failed at a range relative to the function's start.
    Trap(Trap, TextRange),
    /// The call could not start, or a function that it called failed.
    Error(RunError, Option<TextRange>),
    /// It reached the limit of iterations.
    Long,
}

type Step<T> = Result<T, Ended>;

/// Called for each use of an index out of range, in a run that goes on.
pub type List<'l> = dyn FnMut(Trap, TextRange) + 'l;

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
    /// Reads a PrimFunc. Returns the same errors as native code.
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

    /// Runs the function. Tensors that it writes to are changed in place, up to the point where it ends.
    pub fn call(
        &self,
        operands: &mut [Operand],
        iterations: u64,
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<(), Ended> {
        self.bound(operands, |arguments, operands| {
            self.run(arguments, operands, (iterations, stop), host, (None, None))
        })
    }

    /// Runs the function, and goes on after an index out of range: calls `list`, reads 0, and drops what is written.
    pub fn going_on(
        &self,
        operands: &mut [Operand],
        stop: &AtomicBool,
        host: &mut Host<'_>,
        list: &mut List<'_>,
    ) -> Result<(), Ended> {
        self.bound(operands, |arguments, operands| {
            let limits = (u64::MAX, stop);
            self.run(arguments, operands, limits, host, (None, Some(list)))
        })
    }

    /// Runs the function, and calls `watch` before each statement.
    pub fn watch(
        &self,
        operands: &mut [Operand],
        stop: &AtomicBool,
        host: &mut Host<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Ended> {
        self.bound(operands, |arguments, operands| {
            let limits = (u64::MAX, stop);
            self.run(arguments, operands, limits, host, (Some(watch), None))
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
        (watch, list): (Option<&mut Watch<'_>>, Option<&mut List<'_>>),
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
            list: list.map(|it| it as &mut List<'_>),
        };
        machine.enter(arguments, operands)?;
        machine.stmts(&self.func.body)
    }
}

/// A buffer with the values of its extents.
#[derive(Clone, Debug)]
struct BoundBuffer {
    region: usize,
    /// The first byte in the region.
    start: usize,
    dims: Vec<i64>,
    /// The strides; `None` for a row-major buffer.
    strides: Option<Vec<i64>>,
    /// The number of elements of this dtype that fit into the underlying memory.
    elements: u64,
}

impl BoundBuffer {
    fn shape(&self) -> Vec<usize> {
        self.dims.iter().map(|&dim| dim as usize).collect()
    }

    /// Returns the bytes of a row-major buffer.
    fn bytes<'r>(&self, regions: &'r [Region<'_>], kind: Kind) -> Option<&'r [u8]> {
        let length = self.shape().iter().product::<usize>() * kind.bytes();
        let bytes = regions.get(self.region)?.bytes();
        bytes.get(self.start..)?.get(..length)
    }
}

struct Machine<'m, 'h> {
    func: &'m PrimFunc,
    vars: Vec<Option<Number>>,
    /// The memory of the arguments, followed by that of the allocated buffers.
    regions: Vec<Region<'m>>,
    places: Vec<BoundBuffer>,
    /// The number of iterations that may still run.
    iterations: u64,
    stop: &'m AtomicBool,
    host: &'m mut Host<'h>,
    watch: Option<&'m mut Watch<'m>>,
    list: Option<&'m mut List<'m>>,
}

impl Machine<'_, '_> {
    fn set(&mut self, var: VarId, value: Number) {
        self.vars[var.0 as usize] = Some(value);
    }

    fn place(&self, id: BufferId) -> &BoundBuffer {
        &self.places[id.0 as usize]
    }

    /// Counts an iteration, and checks whether the function has to end.
    fn goes_on(&mut self, range: TextRange) -> Step<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(enter::trap(Check::Stopped, 0, 0, range));
        }
        self.iterations = self.iterations.checked_sub(1).ok_or(Ended::Long)?;
        Ok(())
    }
}
