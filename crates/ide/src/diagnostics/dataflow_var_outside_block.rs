//! `dataflow-var-outside-block`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::DataflowVarOutsideBlock,
    rule: "A variable bound in a dataflow block lives there only, unless `R.output` hands it out.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 1",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.add(y, y)
        R.output(z)
    return R.add(y, z)
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.add(y, y)
        R.output(y, z)
    return R.add(y, z)
"#,
    fix: "Name the variable in `R.output`.",
};
