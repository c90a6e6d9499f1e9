//! `impure-call-in-pure-function`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ImpureCallInPureFunction,
    rule: "A function is pure unless it says `pure=False`, and a pure function may call pure functions only.",
    source: "the StructInfo specification, \"Checking Purity\"",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x
"#,
    right: r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x
"#,
    fix: "Write `@R.function(pure=False)`; or, if the callee has no visible effect, use `R.call_pure_packed`.",
};
