//! Mistakes that inference reports: where each stands, what explains it, and which is the first of those that one cause
//! has.

pub(crate) mod duplicates;
mod impurity;
pub(in crate::infer) mod misfits;
pub(in crate::infer) mod mismatch;
mod mismatched_part;
mod notes;
pub(crate) mod out_of_reach;
mod unknown_names;
