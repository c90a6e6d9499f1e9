//! `misplaced-block-statement`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::MisplacedBlockStatement,
    rule: "`T.axis`, `T.reads`, `T.writes`, `T.where`, `T.init` and `T.block_attr` say something of a block: they stand inside one, and reads, writes and init once.",
    source: "TVM's script parser, which looks for the block around them",
    wrong: r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        vi = T.axis.spatial(4, i)
        A[vi] = T.float32(0)
"#,
    right: r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("fill"):
            vi = T.axis.spatial(4, i)
            A[vi] = T.float32(0)
"#,
    fix: "Put it into `with T.block(...)`, which the Type dialect calls `T.sblock`.",
};
