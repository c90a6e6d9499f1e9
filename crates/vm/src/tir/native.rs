//! PrimFuncs as native code, by Cranelift.

mod access;
mod bounds;
mod buffer_slots;
mod call;
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

/// A PrimFunc, compiled.
#[derive(Debug)]
pub struct Compiled {
    signature: Signature,
    /// What can go wrong, by the number that the code gives back.
    sites: Vec<Site>,
    /// Where some of its loops can be split.
    pub(super) layout: Option<Layout>,
    code: Code,
    made: codegen::Making,
    /// The function as code for parameters that are one memory, made when it is called with some, if it has to differ.
    shared: Option<Box<(PrimFunc, OnceLock<Option<Compiled>>)>>,
}

/// The slots of a function that runs in phases, after those of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// All of them, those of allocations and costs included.
    slots: usize,
    pub(super) phases: Vec<PhaseLayout>,
}

#[derive(Clone, Debug)]
pub(super) struct PhaseLayout {
    /// The slot of what it costs, if it can be split.
    pub(super) cost: Option<usize>,
    /// What the host calls after it.
    packed: Option<Call>,
    /// What may run in its place.
    kernel: Option<Kernel>,
    /// Where the statement stands.
    range: TextRange,
}

/// A check in the code.
#[derive(Clone, Debug)]
struct Site {
    check: Check,
    /// Relative to the start of the function.
    range: TextRange,
}

/// Compiles a PrimFunc, or says what of it does not run on this machine.
pub fn compile(func: &PrimFunc) -> Result<Compiled, Vec<TirError>> {
    compile_as(func, true)
}

fn compile_as(func: &PrimFunc, optimised: bool) -> Result<Compiled, Vec<TirError>> {
    let func = prepare(func)?;
    let made = codegen::Making {
        shared: false,
        optimised,
    };
    // An instruction that the code generator lacks for some dtype is a reason not to run, not to stop the process.
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
