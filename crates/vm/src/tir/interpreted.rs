//! PrimFuncs where there is no code generator, as in a browser: the exact interpreter runs them.

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

/// Reads a PrimFunc, or says what of it does not run.
pub fn compile(func: &PrimFunc) -> Result<Compiled, Vec<TirError>> {
    Exact::new(func).map(Compiled)
}

impl Compiled {
    pub fn signature(&self) -> &Signature {
        self.0.signature()
    }

    /// Runs the function, as native code does; an error comes with its place in the function's source.
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
