//! Names of operators in other libraries, for suggestions.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::all;

/// Maps names in other libraries to spellings after `R.`.
static FAMILIAR: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let names = |op: &'static super::OpDef| op.familiar.iter().map(|name| (*name, op.script()));
    // `R.const` is not an operator.
    all()
        .flat_map(names)
        .chain([("constant", "const")])
        .collect()
});

/// Returns the operator that another library calls `name`.
pub(super) fn operator(name: &str) -> Option<&'static str> {
    FAMILIAR.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::super::nearest;
    use super::*;
    use crate::release::Release;

    #[test]
    fn names_of_other_libraries_mean_an_operator() {
        let mut meant: FxHashMap<&str, &str> = FxHashMap::default();
        for op in all() {
            for &theirs in op.familiar {
                let known = super::super::by_script(theirs, Release::NEWEST);
                assert!(known.is_none(), "{theirs} is an operator");
                let other = meant.insert(theirs, op.name);
                assert!(other.is_none_or(|other| other == op.name), "{theirs}");
            }
        }
    }

    #[test]
    fn names_of_other_libraries_work_in_any_namespace() {
        assert_eq!(nearest("transpose"), Some("permute_dims"));
        assert_eq!(nearest("nn.leaky_relu"), Some("nn.leakyrelu"));
        assert_eq!(nearest("mul"), Some("multiply"));
    }

    #[test]
    fn an_operator_is_found_in_the_namespace_where_it_is() {
        assert_eq!(nearest("relu"), Some("nn.relu"));
        assert_eq!(nearest("softmax"), Some("nn.softmax"));
        assert_eq!(nearest("nn.matmul"), Some("matmul"));
        assert_eq!(nearest("op.nn.relu"), Some("nn.relu"));
    }

    #[test]
    fn a_slip_of_the_pen_leads_to_the_nearest() {
        assert_eq!(nearest("nn.softmx"), Some("nn.softmax"));
        assert_eq!(nearest("quite_another_thing"), None);
    }
}
