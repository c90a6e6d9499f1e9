//! `no-entry-point`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::NoEntryPoint,
    rule: "A module has a function that can be called from outside: one that is not private. TVM accepts a module without.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 12",
    wrong: r#"@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32")):
        return x
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x
"#,
    fix: "Remove `private=True` from the function that programs call.",
};
