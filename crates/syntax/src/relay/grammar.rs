//! Relay's grammar as functions over the parser, one per production.
//!
//! A function named after a node produces that node. A function that may find nothing to parse returns `false` and has
//! reported the error. The grammar accepts a little more than TVM: a projection of a call, `match` as an operand, and
//! some missing separators.

mod attributes;
mod definitions;
mod expressions;
mod lists;
mod patterns;
mod statements;
mod types;

pub(super) use definitions::file;
