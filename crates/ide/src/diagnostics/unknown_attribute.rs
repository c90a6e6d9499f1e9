//! `unknown-attribute`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnknownAttribute,
    rule: "An attribute is read that no Relax value has. What TVMScript evaluates while it reads are `x.ty` (until TVM 0.24 `x.struct_info`), `x.name` and their like.",
    source: "TVM's parser, which looks the attribute up in its own object",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = x.as_type("float16")
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = x.astype("float16")
    return y
"#,
    fix: "Correct the name, or call the operator that computes it.",
};
