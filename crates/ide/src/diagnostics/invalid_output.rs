//! `invalid-output`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::InvalidOutput,
    rule: "`R.output` stands in a dataflow block, once, and names variables that the block binds.",
    source: "TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    R.output(y)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
    return y
"#,
    fix: "Put the bindings and `R.output` into `with R.dataflow():`, or remove it.",
};
