//! Runs Relax programs: values, tensors, one kernel for each operator.
//!
//! Knows no files, no protocol and no editor.

pub mod error;
pub mod kernels;
pub mod random;
pub mod tensor;
pub mod value;
