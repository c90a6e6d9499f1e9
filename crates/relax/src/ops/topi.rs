//! Functions of TOPI with an equivalent operator.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{OpDef, all};

/// A function of TOPI that an operator replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topi {
    pub name: &'static str,
    /// The function's parameters with those of the operator. `None` for an elementwise function with the operator's
    /// order of operands; a number among them takes the dtype of the tensor.
    pub params: Option<&'static [(&'static str, &'static str)]>,
}

impl Topi {
    pub const REDUCTION: &[(&str, &str)] =
        &[("data", "x"), ("axis", "axis"), ("keepdims", "keepdims")];

    pub const fn elementwise(name: &'static str) -> Topi {
        Topi { name, params: None }
    }

    pub const fn renamed(
        name: &'static str,
        params: &'static [(&'static str, &'static str)],
    ) -> Topi {
        Topi {
            name,
            params: Some(params),
        }
    }
}

static BY_TOPI: LazyLock<FxHashMap<&'static str, &'static OpDef>> =
    LazyLock::new(|| all().filter_map(|op| Some((op.topi?.name, op))).collect());

/// Returns the operator that is equivalent to a function of TOPI.
pub fn by_topi(name: &str) -> Option<&'static OpDef> {
    BY_TOPI.get(name).copied()
}
