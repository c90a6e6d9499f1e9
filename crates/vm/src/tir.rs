//! PrimFuncs as native code: compiled once for all shapes, every access to a buffer checked or proved in range.
//!
//! Integers wrap and round as TIR says; nothing in a PrimFunc can touch memory that is not its buffers'.

mod access;
mod bounds;
mod call;
mod codegen;
mod expr;
mod functions;
mod memory;
mod native;
mod packed;
mod phases;
mod private;
mod stmt;
mod threads;
mod verify;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use hir::tir::{self, PrimFunc};
use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

pub use call::Operand;
pub use packed::{Host, Written};

/// A PrimFunc, compiled.
#[derive(Debug)]
pub struct Compiled {
    pub name: SmolStr,
    params: Vec<Param>,
    /// What can go wrong, by the number that the code gives back.
    sites: Vec<Site>,
    /// Where some of its loops can be split.
    layout: Option<Layout>,
    code: native::Code,
    /// The function as code for parameters that are one memory, made when it is called with some, if it has to differ.
    shared: Option<Box<(PrimFunc, OnceLock<Option<Compiled>>)>>,
}

/// The slots of a function that runs in phases, after those of its parameters.
#[derive(Clone, Debug)]
struct Layout {
    /// All of them, those of allocations and costs included.
    slots: usize,
    phases: Vec<PhaseLayout>,
}

#[derive(Clone, Debug)]
struct PhaseLayout {
    /// The slot of what it costs, if it can be split.
    cost: Option<usize>,
    /// What the host calls after it.
    packed: Option<packed::Call>,
}

#[derive(Debug)]
struct Param {
    name: SmolStr,
    kind: ParamKind,
}

#[derive(Clone, Copy, Debug)]
enum ParamKind {
    Buffer {
        dtype: DType,
        ndim: usize,
        /// Whether the function writes to it.
        written: bool,
    },
    Scalar(DType),
    Unused,
}

/// A check in the code.
#[derive(Clone, Debug)]
struct Site {
    fault: SiteFault,
    /// Relative to the start of the function.
    range: TextRange,
}

#[derive(Clone, Debug)]
enum SiteFault {
    /// Dimension and name of a buffer whose index is out of range.
    Index(SmolStr, usize),
    /// A view that reaches beyond its memory.
    Memory(SmolStr),
    /// A dimension of a parameter that is not what the buffer says.
    Shape(SmolStr, usize),
    /// A stride of a parameter that is not what the buffer says.
    Stride(SmolStr, usize),
    /// An extent that is negative or too large to count.
    Extent(SmolStr, usize),
    DivideByZero,
    /// Somebody wants the function to end.
    Stopped,
    Assert(SmolStr),
    OutOfMemory(SmolStr),
}

/// Compiles a PrimFunc, or says what of it does not run on this machine.
pub fn compile(func: &PrimFunc) -> Result<Compiled, Vec<tir::TirError>> {
    verify::verify(func).map_err(|error| vec![error])?;
    let expanded = private::expand(func)?;
    if let Some(func) = &expanded {
        verify::verify(func).map_err(|error| vec![error])?;
    }
    let func = expanded.as_ref().unwrap_or(func);
    // An instruction that the code generator lacks for some dtype is a reason not to run, not to stop the process.
    catch_unwind(AssertUnwindSafe(|| codegen::compile(func, false))).unwrap_or_else(|_| {
        Err(vec![tir::TirError {
            message: format!(
                "PrimFunc `{}` cannot be compiled on this machine",
                func.name
            ),
            range: TextRange::default(),
        }])
    })
}

#[cfg(test)]
mod tests;
