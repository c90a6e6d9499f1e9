//! `rank-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::RankMismatch,
    rule: "A number of dimensions is not what an operator or an annotation needs.",
    source: "the StructInfo specification, \"Invariants for TensorStructInfo\", and the rule of the operator in TVM",
    wrong: r#"@R.function
def f(x: R.Tensor((3, 8, 8), "float32"), w: R.Tensor((4, 3, 1, 1), "float32")):
    y = R.nn.conv2d(x, w)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((3, 8, 8), "float32"), w: R.Tensor((4, 3, 1, 1), "float32")):
    y = R.nn.conv2d(R.expand_dims(x, axis=[0]), w)
    return y
"#,
    fix: "Reshape the operand, or use `R.expand_dims` or `R.squeeze`.",
};
