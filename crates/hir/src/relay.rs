//! Meaning of Relay programs, the text format of TVM before Relax: names, types, mistakes.
//!
//! A room of its own beside TVMScript's: it shares the vocabulary (`relax::relay`, operators, dtypes, codes), and
//! knows no database and no editor.

mod annotations;
pub mod body;
pub mod constants;
pub mod env;
pub mod facts;
pub mod infer;
pub mod lower;
pub mod metadata;
pub mod names;
pub mod signatures;
mod unknown_name;

pub use body::{Body, Module};
pub use facts::{Facts, ModuleFacts};
