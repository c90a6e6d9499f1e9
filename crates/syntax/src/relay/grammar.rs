//! Relay's grammar as functions over the parser, one per production.
//!
//! A function named after a node leaves that node behind. One that may find nothing to parse says so by its result, and
//! has reported it. It reads what TVM reads and a little more: a projection of a call, `match` as an operand, a
//! separator too few.

mod attributes;
mod definitions;
mod expressions;
mod lists;
mod patterns;
mod statements;
mod types;

pub(super) use definitions::{definitions, file};
pub(super) use statements::slice_of_statements;
