//! PrimFuncs: as native code, and by an exact interpreter that needs no code generator.
//!
//! Native code is compiled once for all shapes, every access to a buffer checked or proved in range. Integers wrap and
//! round as TIR says; nothing in a PrimFunc can touch memory that is not its buffers'. The interpreter says what a
//! program means, value by value and fault by fault: native code is held against it by the fuzzers.

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

/// The greatest extent: programs may count in 32 bits.
const MOST_EXTENT: i64 = i32::MAX as i64;

/// Elements of a function's own buffer: so few that their bytes can be counted.
const MOST_ELEMENTS: u64 = 1 << 40;

/// The function that runs, in which each thread of a GPU has memory of its own, and which is shown to be well-formed.
fn prepare(func: &PrimFunc) -> Result<Cow<'_, PrimFunc>, Vec<TirError>> {
    let verified = |func| verify::verify(func).map_err(|error| vec![error]);
    verified(func)?;
    threads::verify(func)?;
    match private::expand(func)? {
        Some(expanded) => {
            verified(&expanded)?;
            Ok(Cow::Owned(expanded))
        }
        None => Ok(Cow::Borrowed(func)),
    }
}

#[cfg(test)]
mod tests;
