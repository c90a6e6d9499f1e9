//! Reports errors: where each is, what explains it, and which of several errors with one cause is reported.

pub(crate) mod duplicates;
mod impurity;
pub(in crate::infer) mod misfits;
pub(in crate::infer) mod mismatch;
mod mismatched_part;
mod notes;
pub(crate) mod out_of_reach;
mod unknown_names;
