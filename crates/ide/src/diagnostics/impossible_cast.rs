//! `impossible-cast`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::ImpossibleCast,
    rule: "`R.match_cast` checks at run time what only a run can tell. A cast that no value can pass always stops the program.",
    source: "the StructInfo specification, \"Evaluating MatchCast\"; TVM accepts it and the run fails",
    wrong: r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.match_cast(x, R.Tensor((5,), "float32"))
    return y
"#,
    right: r#"@R.function
def f(x: R.Tensor(dtype="float32", ndim=1)):
    y = R.match_cast(x, R.Tensor((5,), "float32"))
    return y
"#,
    fix: "Correct the StructInfo that is cast to, or the value.",
};
