//! `unused-function`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnusedFunction,
    rule: "A private Relax function that nothing in its module uses can go.",
    source: "the product; TVM's dead code elimination removes it",
    wrong: r#"@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
"#,
    right: r#"@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
"#,
    fix: "Remove the function, or call it.",
};
