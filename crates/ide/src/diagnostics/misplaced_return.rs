//! `misplaced-return`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::MisplacedReturn,
    rule: "A Relax function has one `return`, at its end.",
    source: "TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Remove all but the last; to return several values, return a tuple.",
};
