//! Python's grammar as functions over the parser, one per production.
//!
//! A function named after a node leaves that node behind. One that may find nothing to parse says so by its result, and
//! has reported it. All of Python 3.14 is here, and the mistakes that Python's own parser names; what only makes sense
//! or not given the rest of the program is for the layers above.

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

pub(crate) use statements::{CHUNK_LINES, ends_chunk, file, ungrouped_statements};
