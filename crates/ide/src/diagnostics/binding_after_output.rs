//! `binding-after-output`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::BindingAfterOutput,
    rule: "`R.output` ends its dataflow block.",
    source: "TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
        z = R.abs(y)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.abs(y)
        R.output(z)
    return z
"#,
    fix: "Move the binding before `R.output`, or out of the block.",
};
