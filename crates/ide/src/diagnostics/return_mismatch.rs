//! `return-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ReturnMismatch,
    rule: "The return annotation says something that cannot be true of the value that is returned.",
    source: "the StructInfo specification, \"Checking Structural Information at the Start and End of a Function\"; TVM accepts it and believes the annotation",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((5,), "float32"):
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    return x
"#,
    fix: "Correct the annotation or the value.",
};
