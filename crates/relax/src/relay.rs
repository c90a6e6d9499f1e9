//! The vocabulary of Relay, TVM's language before Relax: types, unification, operators.
//!
//! Shares dtypes, diagnostic codes and shared lists with Relax. Knows no trees, names of a program, or ranges.

pub mod attrs;
pub mod ops;
pub mod recipes;
pub mod site;
pub mod struct_info;
pub mod types;
pub mod unify;

pub use attrs::{AttrDef, AttrKind, Value};
pub use ops::Op;
pub use site::{Answer, Mistake, Site, Stop, attribute};
pub use types::{Dim, FunctionType, Tensor, Type, TypeVar};
pub use unify::{Differing, Solver};
