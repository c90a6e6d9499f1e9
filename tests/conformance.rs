//! Compares the results of this project with those of TVM.

mod against;
mod clean;
mod data;
mod erased;
mod formatted;
mod generated;
mod migrated;
mod migrated_judged;
pub mod models;
mod names;
mod older;
mod operators;
mod ours;
mod python_names;
mod records;
mod relay;
mod relay_mutants;
mod relay_runs;
mod renamed_paths;
mod runs;
mod special_values;
mod suites;
mod trees;
pub mod tvm;
mod verdicts;
