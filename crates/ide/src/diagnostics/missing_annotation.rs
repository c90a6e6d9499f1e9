//! `missing-annotation`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::MissingAnnotation,
    rule: "Each parameter of a Relax function has an annotation: callers and inference know it by nothing else.",
    source: "the StructInfo specification, \"Checking Structural Information at the Start and End of a Function\"; TVM's parser",
    wrong: r#"@R.function
def f(x):
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    return x
"#,
    fix: "Annotate the parameter; `R.Object` (since TVM 0.25 `R.Any`) takes every value.",
};
