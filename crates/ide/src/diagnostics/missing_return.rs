//! `missing-return`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::MissingReturn,
    rule: "A Relax function gives a value, so it ends with `return`.",
    source: "the StructInfo specification, \"Expression Survey\", item 14; TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Return the result; a function that is called for its effect returns `R.tuple()`.",
};
