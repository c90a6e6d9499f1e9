//! Mistakes that inference reports: where each stands, what explains it, and which is the first of those that one cause
//! has.

pub(crate) mod duplicates;
pub(in crate::infer) mod misfits;
pub(in crate::infer) mod mismatch;
mod mismatched_part;
pub(crate) mod out_of_reach;
mod unknown_names;
