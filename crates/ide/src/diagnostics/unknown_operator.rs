//! `unknown-operator`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnknownOperator,
    rule: "No operator under `R` has this name in any dialect known here. An extension of TVM may have it, so this is a warning.",
    source: "TVM's operator registry",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exq(x)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Correct the name; the message suggests the nearest one.",
};
