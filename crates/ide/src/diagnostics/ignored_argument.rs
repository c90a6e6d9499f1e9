//! `ignored-argument`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::IgnoredArgument,
    rule: "TVM takes the argument and does nothing with it: the keyword belongs to another dialect.",
    source: "the signature of the operator in TVM: other keywords become attributes",
    wrong: r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("g", x, ty_args=R.Tensor((4,), "float32"))
    return y
"#,
    right: r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    y = R.call_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
    return y
"#,
    fix: "Use the keyword of the dialect of the file.",
};
