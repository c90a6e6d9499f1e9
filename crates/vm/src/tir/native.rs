//! Compiles PrimFuncs to native code with Cranelift.

mod access;
mod bounds;
mod buffer_slots;
mod call;
mod cast;
mod code;
mod codegen;
mod expr;
#[cfg(feature = "harness")]
mod guard;
mod halves;
#[cfg(feature = "harness")]
pub mod harness;
mod kernel;
mod memory;
mod packed;
mod phases;
mod stmt;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use hir::tir::{PrimFunc, TirError};
use text_size::TextRange;

use super::prepare;
use super::signature::Signature;
use super::trap::Check;
use code::Code;
use kernel::Kernel;
use packed::Call;

/// A compiled PrimFunc.
#[derive(Debug)]
pub struct Compiled {
    signature: Signature,
    /// The checks in the code, indexed by the number that the code returns when one fails.
    sites: Vec<Site>,
    /// The slots and phases of a function whose loops can be split.
    pub(super) layout: Option<Layout>,
    code: Code,
    made: codegen::Making,
    /// The function and its code for calls in which several parameters share memory. Compiled on the first such call,
    /// and only if the code has to differ.
    shared: Option<Box<(PrimFunc, OnceLock<Option<Compiled>>)>>,
}

/// The slots of a function that runs in phases, after those of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The total number of slots, including those of allocations and costs.
    slots: usize,
    pub(super) phases: Vec<PhaseLayout>,
}

#[derive(Clone, Debug)]
pub(super) struct PhaseLayout {
    /// The slot with the estimated cost, if the phase can be split.
    pub(super) cost: Option<usize>,
    /// The packed function that the host calls after the phase.
    packed: Option<Call>,
    /// The kernels that may run instead of the phase, all of them or none.
    kernels: Vec<Kernel>,
    /// The range of the statement.
    range: TextRange,
}

/// A check in the code.
#[derive(Clone, Debug)]
struct Site {
    check: Check,
    /// The range relative to the start of the function.
    range: TextRange,
}

/// Compiles a PrimFunc, or returns the errors that keep it from running on this machine.
pub fn compile(func: &PrimFunc) -> Result<Compiled, Vec<TirError>> {
    compile_as(func, true)
}

fn compile_as(func: &PrimFunc, optimised: bool) -> Result<Compiled, Vec<TirError>> {
    let func = prepare(func)?;
    let made = codegen::Making {
        shared: false,
        optimised,
    };
    // The code generator panics if it lacks an instruction for some dtype. This must not stop the process.
    catch_unwind(AssertUnwindSafe(|| codegen::compile(&func, made))).unwrap_or_else(|_| {
        Err(vec![TirError {
            message: format!(
                "PrimFunc `{}` cannot be compiled on this machine",
                func.name
            ),
            range: TextRange::default(),
        }])
    })
}

impl Compiled {
    pub fn signature(&self) -> &Signature {
        &self.signature
    }
}
