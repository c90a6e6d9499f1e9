//! `unknown-dtype`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnknownDtype,
    rule: "A string that should name a dtype names none.",
    source: "the StructInfo specification, \"Notes on DataType and Related Terminology\"",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "floot32")):
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    return x
"#,
    fix: "Correct the name.",
};
