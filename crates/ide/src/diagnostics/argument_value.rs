//! `argument-value`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ArgumentValue,
    rule: "An attribute of an operator, such as an axis or a layout, has a value that it cannot have.",
    source: "the rule of the operator in TVM",
    wrong: r#"@R.function
def f(x: R.Tensor((4, 4), "float32")):
    y = R.sum(x, axis=2)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4, 4), "float32")):
    y = R.sum(x, axis=1)
    return y
"#,
    fix: "Choose a value in the range that the message names.",
};
