//! `branch-variable-mismatch`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::BranchVariableMismatch,
    rule: "Both branches of an `if` end with a binding of the same variable: that is the value of the `if`.",
    source: "TVM's parser",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        z = R.abs(x)
    return x
"#,
    right: r#"@R.function
def f(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        y = R.abs(x)
    return y
"#,
    fix: "Bind the same name last in both branches.",
};
