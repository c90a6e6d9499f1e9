//! Generates PrimFuncs on which native code might be wrong, and compares each run with the exact interpreter: every
//! value and every error.
//!
//! The bytes choose what is generated: dtypes, casts, lets, literals, shape variables of narrow dtypes, strides, views,
//! blocks, loops. Of nine programs, about two are sums of products, as kernels are; two have indices whose bounds
//! follow from arithmetic; one has threads that wait for each other. After the last byte, a random generator continues
//! that is seeded with the bytes.

mod barriers;
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

/// Runs one program on several inputs with both engines.
pub fn prims(data: &[u8]) {
    run(data);
}

/// The same; returns how many of the runs could be run.
pub fn run(data: &[u8]) -> Tally {
    let mut choice = Choice::new(data);
    let program = match choice.below(9) {
        8 => return barriers::run(&mut choice),
        0 | 1 => sums::program(&mut choice),
        2 | 3 => proofs::program(&mut choice),
        _ => write::program(&mut choice),
    };
    compare::compare(&program, &mut choice)
}
