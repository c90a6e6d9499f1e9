//! Runs Relax programs: compiles hir's facts to bytecode, and executes it with inputs.
//!
//! [`compile`] makes a [`Program`] from a function and everything it reaches, [`Inputs`] creates its inputs, and
//! [`run`] runs it. Knows no files, no protocol and no editor.

pub mod builtins;
pub mod bytecode;
pub mod error;
pub mod inputs;
pub mod interp;
pub mod ir;
pub mod kernels;
pub mod limits;
pub mod listing;
pub mod lower;
#[cfg(test)]
mod models;
#[cfg(test)]
mod mutants;
pub mod objects;
pub mod out_of_bounds;
pub mod random;
pub mod tensor;
pub mod tir;
pub mod trace;
pub mod value;

pub use bytecode::Program;
pub use inputs::{IndexBounds, Input, InputError, Inputs, small_dims};
pub use interp::{Failure, call_packed, run};
pub use limits::Limits;
pub use lower::{CompileError, Constants, compile, compile_all, compile_with, entry_name};
pub use trace::{Binding, Observer, PackedCall, PackedResult, Paused, Printed};
