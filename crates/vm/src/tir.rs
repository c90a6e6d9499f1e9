//! Runs PrimFuncs: as native code, or in an exact interpreter that needs no code generator.
//!
//! Native code is compiled once for all shapes. Every buffer access is checked or proved to be in range. Integers wrap
//! and round as TIR defines, and a PrimFunc cannot access memory outside of its buffers. The interpreter defines the
//! meaning of a program, including every value and fault; the fuzzers compare native code with it.

pub mod exact;
mod functions;
#[cfg(not(feature = "native"))]
mod interpreted;
#[cfg(feature = "native")]
mod native;
#[cfg(feature = "native")]
mod nest;
mod packed;
mod private;
mod signature;
mod threads;
mod trap;
mod verify;

use std::borrow::Cow;

use hir::tir::{PrimFunc, TirError};

pub use exact::Exact;
#[cfg(not(feature = "native"))]
pub use interpreted::{Compiled, compile};
#[cfg(feature = "harness")]
pub use native::harness;
#[cfg(feature = "native")]
pub use native::{Compiled, compile};
pub use packed::{Host, Written};
pub use signature::{Operand, Signature};
pub use trap::{Check, Trap};

/// The maximum extent, since programs may count in 32 bits.
const MOST_EXTENT: i64 = i32::MAX as i64;

/// The maximum number of elements of an allocated buffer, so that the size in bytes does not overflow.
const MOST_ELEMENTS: u64 = 1 << 40;

/// Verifies a function. Splits its loops over the threads of a GPU at barriers, and gives each thread a copy of the
/// memory that is private to it.
fn prepare(func: &PrimFunc) -> Result<Cow<'_, PrimFunc>, Vec<TirError>> {
    fn verified(func: &PrimFunc) -> Result<(), Vec<TirError>> {
        verify::verify(func).map_err(|error| vec![error])
    }
    verified(func)?;
    let compact = private::without_strides(func);
    let func = match compact {
        Some(compact) => Cow::Owned(compact),
        None => Cow::Borrowed(func),
    };
    let split = match threads::split(&func)? {
        Some(split) => {
            verified(&split)?;
            Cow::Owned(split)
        }
        None => func,
    };
    match private::expand(&split)? {
        Some(expanded) => {
            verified(&expanded)?;
            Ok(Cow::Owned(expanded))
        }
        None => Ok(split),
    }
}

#[cfg(test)]
mod tests;
