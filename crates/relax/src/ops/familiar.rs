//! Names of operators and parameters in other libraries, for suggestions.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::all;
use crate::nearest_name::nearest_str;

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

/// Maps names of parameters in PyTorch, NumPy, ONNX and Relay to what Relax may call them.
const PARAMETERS: &[(&str, &[&str])] = &[
    ("a", &["x1"]),
    ("b", &["x2"]),
    ("a_max", &["max"]),
    ("a_min", &["min"]),
    ("dim", &["axis", "axes"]),
    ("dims", &["axes", "axis"]),
    ("eps", &["epsilon"]),
    ("input", &["data", "x", "x1"]),
    ("kernel_shape", &["pool_size"]),
    ("kernel_size", &["pool_size"]),
    ("keepdim", &["keepdims"]),
    ("lhs", &["x1"]),
    ("newshape", &["shape"]),
    ("negative_slope", &["alpha"]),
    ("other", &["x2"]),
    ("p", &["rate"]),
    ("pads", &["padding", "pad_width"]),
    ("perm", &["axes"]),
    ("rhs", &["x2"]),
    ("size", &["shape"]),
    ("to", &["dtype"]),
];

/// Returns the parameter that `name` probably means: the most similar one, or what another library calls so.
pub fn nearest_parameter(name: &str, params: &[&'static str]) -> Option<&'static str> {
    let familiar = || {
        let (_, ours) = PARAMETERS.iter().find(|(theirs, _)| *theirs == name)?;
        ours.iter().copied().find(|ours| params.contains(ours))
    };
    familiar().or_else(|| nearest_str(name, params.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::super::nearest;
    use super::*;
    use crate::release::Release;

    #[test]
    fn names_from_other_libraries_suggest_an_operator() {
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
    fn names_from_other_libraries_are_known_in_any_namespace() {
        assert_eq!(nearest("transpose"), Some("permute_dims"));
        assert_eq!(nearest("nn.leaky_relu"), Some("nn.leakyrelu"));
        assert_eq!(nearest("mul"), Some("multiply"));
    }

    #[test]
    fn a_parameter_of_another_library_is_understood() {
        assert_eq!(nearest_parameter("dim", &["data", "axis"]), Some("axis"));
        assert_eq!(nearest_parameter("other", &["x1", "x2"]), Some("x2"));
        assert_eq!(nearest_parameter("axs", &["data", "axis"]), Some("axis"));
        assert_eq!(nearest_parameter("dim", &["x1", "x2"]), None);
    }

    #[test]
    fn each_suggested_parameter_is_one_of_an_operator() {
        for ours in PARAMETERS.iter().flat_map(|(_, ours)| *ours) {
            let has = |op: &super::super::OpDef| op.params.iter().any(|it| it.name == *ours);
            assert!(all().any(has), "{ours}");
        }
    }

    #[test]
    fn an_operator_is_found_in_the_namespace_where_it_is() {
        assert_eq!(nearest("relu"), Some("nn.relu"));
        assert_eq!(nearest("softmax"), Some("nn.softmax"));
        assert_eq!(nearest("nn.matmul"), Some("matmul"));
        assert_eq!(nearest("op.nn.relu"), Some("nn.relu"));
    }

    #[test]
    fn a_misspelled_name_suggests_the_nearest() {
        assert_eq!(nearest("nn.softmx"), Some("nn.softmax"));
        assert_eq!(nearest("quite_another_thing"), None);
    }
}
