//! `control-flow-in-dataflow`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ControlFlowInDataflow,
    rule: "A dataflow block is a straight line of pure operations: no `if`, no recursive call.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 7",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow():
        if c:
            y = R.exp(x)
        else:
            y = R.abs(x)
        R.output(y)
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
    fix: "Move the `if` out of the dataflow block.",
};
