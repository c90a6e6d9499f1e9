//! `missing-else`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::MissingElse,
    rule: "An `if` gives a value, so both branches are there.",
    source: "the StructInfo specification, \"Expression Survey\" (`If`); TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    y = R.abs(x)
    if c:
        y = R.exp(x)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        y = R.abs(x)
    return y
"#,
    fix: "Add the `else`; it may bind the same variable to the unchanged value.",
};
