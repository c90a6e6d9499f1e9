//! `argument-count`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ArgumentCount,
    rule: "A call gives more or fewer arguments than the operator or function takes, or one of them twice.",
    source: "the StructInfo specification, \"Derivation Rules\"; the signature of the operator in TVM",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x, x)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Hover over the name to see its parameters.",
};
