//! What other array libraries call the operators: where somebody writes one of their names, the operator is known.

/// The name in NumPy, PyTorch, ONNX or TOPI, and how Relax spells it.
const FAMILIAR: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("amax", "max"),
    ("amin", "min"),
    ("arccos", "acos"),
    ("arccosh", "acosh"),
    ("arcsin", "asin"),
    ("arcsinh", "asinh"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arctanh", "atanh"),
    ("batch_matmul", "matmul"),
    ("bmm", "matmul"),
    ("cast", "astype"),
    ("cat", "concat"),
    ("clamp", "clip"),
    ("concatenate", "concat"),
    ("constant", "const"),
    ("cross_entropy", "nn.cross_entropy_with_logits"),
    ("dense", "matmul"),
    ("div", "divide"),
    ("dot", "matmul"),
    ("eq", "equal"),
    ("expand", "broadcast_to"),
    ("floordiv", "floor_divide"),
    ("floormod", "floor_mod"),
    ("fma", "ewise_fma"),
    ("gather", "gather_elements"),
    ("ge", "greater_equal"),
    ("gt", "greater"),
    ("invert", "bitwise_not"),
    ("layernorm", "nn.layer_norm"),
    ("le", "less_equal"),
    ("leaky_relu", "nn.leakyrelu"),
    ("logaddexp", "log_add_exp"),
    ("lt", "less"),
    ("masked_fill", "where"),
    ("mm", "matmul"),
    ("mul", "multiply"),
    ("ne", "not_equal"),
    ("neg", "negative"),
    ("onehot", "one_hot"),
    ("permute", "permute_dims"),
    ("pow", "power"),
    ("remainder", "floor_mod"),
    ("resize", "image.resize2d"),
    ("rmsnorm", "nn.rms_norm"),
    ("scaled_dot_product_attention", "nn.attention"),
    ("scatter", "scatter_elements"),
    ("select", "where"),
    ("slice", "strided_slice"),
    ("sub", "subtract"),
    ("swapaxes", "permute_dims"),
    ("swish", "nn.silu"),
    ("transpose", "permute_dims"),
    ("true_divide", "divide"),
    ("truediv", "divide"),
    ("unsqueeze", "expand_dims"),
    ("var", "variance"),
    ("view", "reshape"),
];

/// The operator that another library calls `name`.
pub(super) fn operator(name: &str) -> Option<&'static str> {
    let row = FAMILIAR.binary_search_by_key(&name, |(theirs, _)| theirs);
    row.ok().map(|row| FAMILIAR[row].1)
}

#[cfg(test)]
mod tests {
    use super::super::nearest;
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn the_table_is_sorted_and_names_operators_that_exist() {
        assert!(FAMILIAR.is_sorted_by_key(|(theirs, _)| *theirs));
        for (theirs, ours) in FAMILIAR {
            let known = |name| super::super::by_script(name, Dialect::Type).is_some();
            assert!(known(ours) || *ours == "const", "{ours}");
            assert!(!known(theirs), "{theirs} is an operator");
        }
    }

    #[test]
    fn a_name_of_another_library_is_understood_whatever_its_namespace() {
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
