//! `other-dialect`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::OtherDialect,
    rule: "A spelling is of another dialect of TVMScript than the file: the TVM that reads the rest refuses it, or (then this is a hint) takes it as an older name. `relax-lsp` itself reads it all the same.",
    source: "the table of spellings, `docs/dialects.md`",
    wrong: r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.sblock("fill"):
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
    fix: "Write what the dialect of the file writes, or say in the setting `relax.dialect` which one it is.",
};
