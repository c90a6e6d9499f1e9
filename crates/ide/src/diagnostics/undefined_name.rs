//! `undefined-name`

use super::Page;
use hir::Code;

pub const PAGE: Page = Page {
    code: Code::UndefinedName,
    rule: "A variable is used that no parameter, binding or enclosing Python code binds before.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criteria 2 and 3",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(z)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Correct the name; the message suggests the nearest one in reach.",
};
