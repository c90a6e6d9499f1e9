//! `shape-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ShapeMismatch,
    rule: "An operator is applied to shapes that do not fit together. The message names the two dimensions and where each comes from.",
    source: "the StructInfo specification, \"Derivation Rules\", and the rule of the operator in TVM",
    wrong: r#"@R.function
def f(x: R.Tensor((2, 3), "float32"), w: R.Tensor((5, 3), "float32")):
    y = R.matmul(x, w)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((2, 3), "float32"), w: R.Tensor((5, 3), "float32")):
    y = R.matmul(x, R.permute_dims(w))
    return y
"#,
    fix: "Correct a shape, or transpose or reshape an operand.",
};
