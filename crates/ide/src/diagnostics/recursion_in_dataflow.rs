//! `recursion-in-dataflow`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::RecursionInDataflow,
    rule: "A dataflow block holds no call that leads back to the function it is in: such a call may never end. TVM accepts it.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 7",
    wrong: r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            y = Module.f(x)
            R.output(y)
        return y
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.f(x)
        return y
"#,
    fix: "Move the call out of the block.",
};
