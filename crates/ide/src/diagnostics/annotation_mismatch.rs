//! `annotation-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::AnnotationMismatch,
    rule: "The annotation of a binding says something that cannot be true of its value.",
    source: "the StructInfo specification, \"Subtyping for StructInfo\"",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y: R.Tensor((5,), "float32") = R.exp(x)
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y: R.Tensor((4,), "float32") = R.exp(x)
    return y
"#,
    fix: "Correct the annotation or the value. If only a run can tell, bind it with `R.match_cast`.",
};
