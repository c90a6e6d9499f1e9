//! What TVM printed and concluded, against what is concluded here.

mod clean;
mod erased;
mod formatted;
pub mod models;
mod names;
mod operators;
mod tvm;
mod verdicts;
