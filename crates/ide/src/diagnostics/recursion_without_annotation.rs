//! `recursion-without-annotation`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::RecursionWithoutAnnotation,
    rule: "A function that calls itself, directly or through others, says what it returns. TVM accepts it without, and knows nothing of the result.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 8",
    wrong: r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        y = Module.f(x)
        return y
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.f(x)
        return y
"#,
    fix: "Annotate what the function returns.",
};
