//! `undefined-name`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UndefinedName,
    rule: "A variable is used that no parameter, binding or enclosing Python code binds before.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criteria 2 and 3",
    wrong: r#"@R.function
def f(value: R.Tensor((4,), "float32")):
    y = R.exp(valeu)
    return y
"#,
    right: r#"@R.function
def f(value: R.Tensor((4,), "float32")):
    y = R.exp(value)
    return y
"#,
    fix: "Correct the name; the message suggests the nearest one in reach.",
};
