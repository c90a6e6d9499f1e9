//! The meaning of Relay programs (TVM's text format before Relax): names, types, mistakes.
//!
//! Relay is separate from TVMScript: both use the same vocabulary (`relax::relay`, operators, dtypes, codes). The
//! module uses no database and no editor.

mod annotations;
pub mod body;
pub mod constants;
pub mod env;
pub mod facts;
pub mod infer;
pub mod instances;
pub mod lower;
pub mod names;
pub mod signatures;
mod unknown_name;

pub use body::{Body, Module};
pub use facts::{Facts, ModuleFacts};
