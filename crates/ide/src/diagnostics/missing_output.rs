//! `missing-output`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::MissingOutput,
    rule: "A dataflow block without `R.output` computes nothing that can be used after it.",
    source: "the StructInfo specification, \"Purity and Dataflow Blocks\"; TVM accepts it",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
    return y
"#,
    fix: "End the block with `R.output(...)` of the variables that are used after it.",
};
