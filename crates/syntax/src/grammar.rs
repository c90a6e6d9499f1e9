//! Python's grammar as functions over the parser, one per production.
//!
//! A function named after a node produces that node. A function that may find nothing to parse returns `false` and has
//! reported the error. The grammar covers Python 3.14 and the errors that Python's own parser reports. Checks that need
//! the rest of the program belong to the crates above.

mod arguments;
mod atoms;
mod blocks;
mod compound;
mod expressions;
mod lists;
mod params;
mod patterns;
mod simple;
mod statements;
mod strings;
mod targets;

pub(crate) use statements::{file, ungrouped_statements};
