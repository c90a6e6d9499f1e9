//! `syntax-error`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::SyntaxError,
    rule: "The text is not Python, so nothing can be said of what it means. Analysis goes on around the mistake.",
    source: "Python's grammar",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Complete the statement.",
};
