//! `unbound-value`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::UnboundValue,
    rule: "A value is computed and neither bound nor returned, so it is lost; only calls for their effect may stand alone.",
    source: "the StructInfo specification, \"Expression Survey\"; TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    R.exp(x)
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
"#,
    fix: "Bind the value to a variable, or remove the statement.",
};
