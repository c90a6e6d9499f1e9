//! The vocabulary of Relax: dtypes, symbolic integers, StructInfo, operators, spellings, diagnostic codes.
//!
//! Knows no syntax trees, files, databases or editors: everything here is a value or a table.

pub mod arguments;
pub mod bare;
pub mod diagnostics;
pub mod dialect;
pub mod dtype;
pub mod evidence;
pub mod nearest_name;
pub mod notation;
pub mod ops;
pub mod packed;
pub mod parts;
#[cfg(test)]
mod random;
pub mod relay;
pub mod release;
pub mod script;
pub mod sinfo;
pub mod sym;
pub mod value;

pub use diagnostics::{Code, Diagnostic, Severity};
pub use dialect::Dialect;
pub use release::{Release, Releases};
pub use script::FunctionKind;
