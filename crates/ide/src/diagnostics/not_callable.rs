//! `not-callable`

use super::Page;
use hir::Code;

pub const PAGE: Page = Page {
    code: Code::NotCallable,
    rule: "Something is called that is not a function.",
    source: "the StructInfo specification, \"Derivation Rules\" (`Call`)",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = x(x)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Call an operator or a function.",
};
