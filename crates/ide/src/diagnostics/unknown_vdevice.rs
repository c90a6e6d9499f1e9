//! `unknown-vdevice`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnknownVdevice,
    rule: "A numbered device of an annotation is one that the module lists in `I.module_global_infos`.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 24",
    wrong: r#"@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})

    @R.function
    def f(x: R.Tensor((4,), "float32", "llvm:1")):
        return x
"#,
    right: r#"@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})

    @R.function
    def f(x: R.Tensor((4,), "float32", "llvm:0")):
        return x
"#,
    fix: "List the device, or name one that is listed.",
};
