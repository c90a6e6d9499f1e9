//! `unbound-shape-variable`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnboundShapeVariable,
    rule: "A shape variable is used before anything binds it. A parameter or an `R.match_cast` binds it where it is a whole dimension.",
    source: "the StructInfo specification, \"Well-Formedness Criteria\", criteria 5 and 6",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    m = T.int64()
    y = R.zeros((m,), "float32")
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor(("m",), "float32")):
    m = T.int64()
    y = R.zeros((m,), "float32")
    return y
"#,
    fix: "Use the variable as a dimension of a parameter, or bind it with `R.match_cast`.",
};
