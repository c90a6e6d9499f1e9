//! PrimFuncs that are made to differ between native code and its meaning: each run of one is held against the exact
//! interpreter, value by value and fault by fault.
//!
//! The bytes decide what is written: dtypes, casts, lets, literals, variables of shapes that are too narrow, strides,
//! views, blocks, loops. One in four sums products, as kernels do; one in four has indices that fit by arithmetic.
//! Where the bytes end, numbers from them go on.

mod choice;
mod compare;
mod expr;
mod float;
mod index;
mod nest;
mod proofs;
mod shape;
mod stmt;
mod sums;
mod view;
mod write;

use choice::Choice;
pub use compare::Tally;

/// A program, run on several inputs by both engines.
pub fn prims(data: &[u8]) {
    compared(data);
}

/// The same, and how far it got.
pub fn compared(data: &[u8]) -> Tally {
    let mut choice = Choice::new(data);
    let program = match choice.below(8) {
        0 | 1 => sums::program(&mut choice),
        2 | 3 => proofs::program(&mut choice),
        _ => write::program(&mut choice),
    };
    compare::compare(&program, &mut choice)
}
