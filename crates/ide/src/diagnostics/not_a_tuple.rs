//! `not-a-tuple`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::NotATuple,
    rule: "Something is indexed that is not a tuple. A tensor is not indexed with brackets in Relax.",
    source: "the StructInfo specification, \"Derivation Rules\" (`TupleGetItem`)",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = x[0]
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.take(x, R.const(0, "int64"), axis=0)
    return y
"#,
    fix: "Use `R.take` or `R.strided_slice` to read from a tensor.",
};
