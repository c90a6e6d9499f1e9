//! `tuple-index-out-of-range`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::TupleIndexOutOfRange,
    rule: "A tuple has no field of this number.",
    source: "the StructInfo specification, \"Derivation Rules\" (`TupleGetItem`)",
    wrong: r#"@R.function
def f(x: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((5,), "float32"))):
    y = x[2]
    return y
"#,
    right: r#"@R.function
def f(x: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((5,), "float32"))):
    y = x[1]
    return y
"#,
    fix: "Fields count from 0.",
};
