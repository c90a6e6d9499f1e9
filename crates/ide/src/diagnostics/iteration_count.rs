//! `iteration-count`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::IterationCount,
    rule: "`T.grid` gives one loop variable for each extent, and `T.axis.remap` one axis for each letter and each loop variable.",
    source: "TVM's script parser, which cannot assign them otherwise",
    wrong: r#"@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4, 4):
        A[i, j] = T.float32(0)
"#,
    right: r#"@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        A[i, j] = T.float32(0)
"#,
    fix: "Name as many variables as there are extents or letters.",
};
