//! `conflicting-purity`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ConflictingPurity,
    rule: "The attribute `relax.force_pure` asserts that a function is pure, so `pure=False` contradicts it.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criterion 21",
    wrong: r#"@R.function(pure=False)
def f(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True})
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": True})
    return x
"#,
    fix: "Remove `pure=False` or the attribute.",
};
