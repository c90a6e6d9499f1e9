//! `not-callable`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::NotCallable,
    rule: "Something is called that is not a function.",
    source: "the StructInfo specification, \"Derivation Rules\" (`Call`)",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    exp = R.exp(x)
    y = exp(exp)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    exp = R.exp(x)
    y = R.exp(exp)
    return y
"#,
    fix: "Call an operator or a function.",
};
