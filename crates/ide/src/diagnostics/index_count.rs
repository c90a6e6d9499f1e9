//! `index-count`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::IndexCount,
    rule: "A buffer is read or written with more indices than it has dimensions, or with fewer where an element is needed. Fewer indices, and slices, name a part of a buffer, which `T.reads` and `T.writes` take.",
    source: "TVM's script parser, which refuses such loads and stores",
    wrong: r#"@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    for i in range(4):
        A[i] = T.float32(0)
"#,
    right: r#"@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    for i in range(4):
        A[i, 0] = T.float32(0)
"#,
    fix: "Give one index for each dimension.",
};
