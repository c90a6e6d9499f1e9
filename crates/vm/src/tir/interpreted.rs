//! Runs PrimFuncs in the exact interpreter where there is no code generator, as in a browser.

use std::sync::atomic::AtomicBool;

use hir::tir::{PrimFunc, TirError};
use text_size::TextRange;

use super::exact::Exact;
use super::packed::Host;
use super::signature::{Operand, Signature};
use crate::error::RunError;

/// A PrimFunc that is ready to run.
#[derive(Debug)]
pub struct Compiled(Exact);

/// Reads a PrimFunc, or returns the errors that keep it from running.
pub fn compile(func: &PrimFunc) -> Result<Compiled, Vec<TirError>> {
    Exact::new(func).map(Compiled)
}

impl Compiled {
    pub fn signature(&self) -> &Signature {
        self.0.signature()
    }

    /// Runs the function. An error has its range in the function's source, as with native code.
    pub fn call(
        &self,
        operands: &mut [Operand],
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<(), (RunError, Option<TextRange>)> {
        let result = self.0.call(operands, u64::MAX, stop, host);
        result.map_err(Into::into)
    }
}
