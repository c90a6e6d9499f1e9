//! `unused-binding`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnusedBinding,
    rule: "A variable is bound and never used. It costs nothing when compiled, but may be a slip.",
    source: "advice; TVM removes such bindings",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Remove the binding, or begin its name with `_`.",
};
