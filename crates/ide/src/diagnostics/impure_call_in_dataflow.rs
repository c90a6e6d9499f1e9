//! `impure-call-in-dataflow`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ImpureCallInDataflow,
    rule: "What is called in a dataflow block must be pure: it may have no effect besides its result, because passes reorder, repeat and drop such calls.",
    source: "the StructInfo specification, \"Purity and Dataflow Blocks\"",
    wrong: r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        _ = R.print(y, format="{}")
        R.output(y)
    return y
"#,
    right: r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
    _ = R.print(y, format="{}")
    return y
"#,
    fix: "Move the call out of the block; or, if the function is pure in truth, call it with `R.call_pure_packed`.",
};
