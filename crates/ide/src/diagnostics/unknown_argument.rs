//! `unknown-argument`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnknownArgument,
    rule: "A call names a parameter that the operator does not have.",
    source: "the signature of the operator in TVM",
    wrong: r#"@R.function
def f(x: R.Tensor((4, 4), "float32")):
    y = R.sum(x, axes=1)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4, 4), "float32")):
    y = R.sum(x, axis=1)
    return y
"#,
    fix: "Correct the name; the message suggests the nearest one.",
};
