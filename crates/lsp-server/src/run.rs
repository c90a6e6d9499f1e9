//! Runs a function of a program: the job, the child process, the execution, and the outcome.

#[cfg(not(target_family = "wasm"))]
pub mod against;
pub mod child;
mod compiled;
pub mod constants;
pub mod execute;
pub mod inputs;
pub mod job;
pub mod kept_objects;
pub mod limits;
pub mod listener;
pub mod lowered;
pub mod notes;
pub mod npy;
pub mod observed;
pub mod outcome;
#[cfg(not(target_family = "wasm"))]
pub mod packed;
pub mod perfetto;
#[cfg(not(target_family = "wasm"))]
pub mod python;
pub mod saved_values;
pub mod script;
pub mod select;
pub mod summary;
pub mod tolerance;
pub mod trace;
pub mod view;
pub mod weights;
pub mod worker;
