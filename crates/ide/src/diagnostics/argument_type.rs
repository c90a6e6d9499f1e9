//! `argument-type`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ArgumentType,
    rule: "An argument is a value of another kind than the operator or function takes.",
    source: "the StructInfo specification, \"Derivation Rules\"",
    wrong: r#"@R.function
def f(x: R.Tuple(R.Tensor((4,), "float32"))):
    y = R.exp(x)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tuple(R.Tensor((4,), "float32"))):
    y = R.exp(x[0])
    return y
"#,
    fix: "Pass a value of the kind that the message names.",
};
