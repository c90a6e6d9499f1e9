//! `dataflow-var-captured`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::DataflowVarCaptured,
    rule: "A local function inside a dataflow block may use the outputs of the block, and no other variable that the block binds.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 11",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        @R.function
        def g(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return R.add(z, y)
        w = g(x)
        R.output(w)
    return w
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        @R.function
        def g(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return R.add(z, y)
        w = g(x)
        R.output(w, y)
    return w
"#,
    fix: "Make the variable an output, or hand it to the local function as an argument.",
};
