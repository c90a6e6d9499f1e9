//! `invalid-annotation`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::InvalidAnnotation,
    rule: "An annotation is StructInfo: `R.Tensor`, `R.Shape`, `R.Prim`, `R.Tuple`, `R.Callable`, `R.Object`, with arguments that these take.",
    source: "the StructInfo specification, \"Defining Structural Information\"",
    wrong: r#"@R.function
def f(x: R.Tenser((4,), "float32")):
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    return x
"#,
    fix: "Write an annotation, such as `R.Tensor((4,), \"float32\")`.",
};
