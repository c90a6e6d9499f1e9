//! `undefined-function`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UndefinedFunction,
    rule: "A function is called through `cls` or the name of the module that the module does not have.",
    source: "the StructInfo specification, \"Top-level Program Organization: IRModule\"",
    wrong: r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = cls.helpr(x)
        return y

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y: R.Tensor((4,), "float32") = cls.helper(x)
        return y

    @R.function
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
"#,
    fix: "Correct the name, or add the function to the module.",
};
