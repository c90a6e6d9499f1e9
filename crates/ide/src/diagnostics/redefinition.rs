//! `redefinition`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::Redefinition,
    rule: "A module has two functions of one name, or a function two parameters of one name.",
    source: "the StructInfo specification, \"Top-level Program Organization: IRModule\"; Python keeps the last one only",
    wrong: r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((5,), "float32")):
        return x
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def other(x: R.Tensor((5,), "float32")):
        return x
"#,
    fix: "Rename one of them.",
};
