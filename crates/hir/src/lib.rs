//! Meaning of Relax programs: names, StructInfo, symbolic shapes, operators, well-formedness.
//!
//! Knows no editor, no protocol, no file system: text and configuration come in as salsa inputs,
//! facts and diagnostics go out as plain data.

pub mod dialect;
pub mod dtype;
pub mod ops;
pub mod sinfo;
pub mod sym;
pub mod value;
