//! `global-symbol-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::GlobalSymbolMismatch,
    rule: "The attribute `global_symbol` of a function in a module is the function's name, and a private function has none.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 13",
    wrong: r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "predict"})
        return x
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def predict(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "predict"})
        return x
"#,
    fix: "Remove the attribute, which public functions get by themselves, or rename the function.",
};
