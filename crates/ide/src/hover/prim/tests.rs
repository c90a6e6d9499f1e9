//! Tests of hovers for names of PrimFuncs.

use expect_test::{Expect, expect};

use crate::fixture::Fixture;

const PROGRAM: &str = r#"
from tvm.script import tir as T

N = 64

@T.prim_func
def matmul(a: T.handle, B: T.Buffer((128, N), "float32"), c: T.handle, scale: T.float32):
    n = T.int64()
    A = T.match_buffer(a, (n, 128), "float16", strides=[256, 1])
    C = T.match_buffer(c, (n, 64))
    for i, j, k in T.grid(n, 64, 128):
        with T.block("update"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            product = T.cast(A[vi, vk], "float32") * B[vk, vj]
            C[vi, vj] = C[vi, vj] + product * scale
    for t in T.thread_binding(32, thread="threadIdx.x"):
        T.evaluate(t)
"#;

/// Compares the hover at `at`, which contains the cursor mark and occurs in the program.
fn check(at: &str, expect: Expect) {
    let plain = at.replacen("$0", "", 1);
    let fixture = Fixture::new(&PROGRAM.replacen(&plain, at, 1));
    let hover = fixture
        .analysis
        .hover(fixture.position(), &fixture.lines)
        .unwrap();
    let shown = hover.map_or_else(
        || "nothing".to_owned(),
        |hover| format!("{}\n===\n{}", &fixture.text[hover.range], hover.markdown),
    );
    expect.assert_eq(&shown);
}

#[test]
fn a_buffer_shows_shape_dtype_scope_and_bytes() {
    check(
        "* $0B[vk, vj]",
        expect![[r#"
        B
        ===
        ```python
        B: T.Buffer((128, 64), "float32")
        ```
        buffer parameter, scope `global`, 8192 elements in 32 KiB"#]],
    );
    check(
        "T.cast($0A[vi",
        expect![[r#"
            A
            ===
            ```python
            A: T.Buffer((n, 128), "float16")
            ```
            buffer matched to memory that exists, scope `global`, `256 * n` bytes, strides `(256, 1)`"#]],
    );
}

#[test]
fn a_loop_shows_its_kind_and_extent() {
    check(
        "T.evaluate($0t)",
        expect![[r#"
        t
        ===
        ```python
        t: int32 in [0, 32)
        ```
        thread loop over `threadIdx.x`, 32 iterations"#]],
    );
    check(
        "[i, j, $0k]",
        expect![[r#"
        k
        ===
        ```python
        k: int32 in [0, 128)
        ```
        serial loop, 128 iterations"#]],
    );
}

#[test]
fn an_axis_shows_its_kind_domain_and_binding() {
    check(
        "B[v$0k, vj]",
        expect![[r#"
        vk
        ===
        ```python
        vk: int32 in [0, 128)
        ```
        reduce axis bound to `k` in the block `update`"#]],
    );
    check(
        "C[vi$0, vj] =",
        expect![[r#"
        vi
        ===
        ```python
        vi: int64 in [0, n)
        ```
        spatial axis bound to `i` in the block `update`"#]],
    );
}

#[test]
fn a_block_shows_its_axes() {
    check(
        "T.block(\"up$0date\")",
        expect![[r#"
            update
            ===
            ```python
            block update
            ```
            spatial `vi in [0, n)`, spatial `vj in [0, 64)`, reduce `vk in [0, 128)`"#]],
    );
}

#[test]
fn variables_show_their_dtype() {
    check(
        "product * sc$0ale",
        expect![[r#"
        scale
        ===
        ```python
        scale: float32
        ```
        parameter"#]],
    );
    check(
        "+ prod$0uct",
        expect![[r#"
        product
        ===
        ```python
        product: float32
        ```
        let variable in the block `update`"#]],
    );
    check(
        "(c, ($0n, 64))",
        expect![[r#"
            n
            ===
            ```python
            n: int64
            ```
            shape variable, dimension 0 of `A`"#]],
    );
    check(
        "match_buffer($0c,",
        expect![[r#"
            c
            ===
            ```python
            c: T.handle
            ```
            handle, with the buffer `C`"#]],
    );
}

const LAUNCHED: &str = r#"
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, n: T.int64):
    A = T.match_buffer(a, (n, n + 1), "float16")
    tx = T.env_thread("threadIdx.x")
    T.launch_thread(tx, 32)
    bx = T.launch_thread("blockIdx.x", n)
    E = T.allocate([4, 8], "float16", "shared")
    p: T.handle("float32", "local")
    for i, j in T.grid(n, n + 1):
        with T.block("scale"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj], A[vi, 0])
            T.writes(A[vi, vj])
            with T.block("inner"):
                T.reads(A[0, 0])
                A[vi, vj] = A[vi, vj] + T.float16(tx)
"#;

/// Returns the title of the hover at `at`, which contains the cursor mark, and the text below the title.
fn title_and_text(at: &str) -> (String, String) {
    let plain = at.replacen("$0", "", 1);
    let fixture = Fixture::new(&LAUNCHED.replacen(&plain, at, 1));
    let hover = fixture.analysis.hover(fixture.position(), &fixture.lines);
    let markdown = hover.unwrap().expect("something is known").markdown;
    let (title, text) = markdown.as_str().split_once("\n```\n").expect("a title");
    (title.replace("```python\n", ""), text.to_owned())
}

#[test]
fn a_block_shows_its_reads_and_writes() {
    let (title, text) = title_and_text("T.block(\"sc$0ale\")");
    assert_eq!(title, "block scale");
    let parts: Vec<&str> = text.split("\n\n").collect();
    let expected = [
        "spatial `vi in [0, n)`, spatial `vj in [0, n + 1)`",
        "reads `A[vi, vj]`, `A[vi, 0]`",
        "writes `A[vi, vj]`",
    ];
    assert_eq!(parts, expected);
}

#[test]
fn a_thread_axis_says_how_many_threads_are_launched() {
    let text = |at| title_and_text(at).1;
    assert_eq!(
        text("T.float16(t$0x)"),
        "thread axis `threadIdx.x`, of `32`"
    );
    assert_eq!(text("$0bx = T."), "thread loop over `blockIdx.x`");
}

#[test]
fn memory_is_a_formula_where_it_is_not_known() {
    let text = |at| title_and_text(at).1;
    let buffer = "buffer matched to memory that exists, scope `global`, `2 * n * (n + 1)` bytes";
    assert_eq!(text("$0A = T.match"), buffer);
}

#[test]
fn members_of_a_buffer_are_explained() {
    let member = LAUNCHED.replace("T.reads(A[0, 0])", "T.evaluate(A.vload([0, 0]))");
    let fixture = Fixture::new(&member.replace("A.vload", "A.vlo$0ad"));
    let hover = fixture.analysis.hover(fixture.position(), &fixture.lines);
    let markdown = hover.unwrap().expect("a member").markdown;
    assert!(
        markdown
            .as_str()
            .contains("A.vload(begin, dtype=None, predicate=None)"),
        "{markdown}"
    );
}

#[test]
fn pointers_are_shown_as_they_are_declared() {
    let expected = |title: &str, text: &str| (title.to_owned(), text.to_owned());
    let allocated = "pointer to memory of its own, 32 elements in 64 B";
    assert_eq!(
        title_and_text("$0E = T.alloc"),
        expected("E: T.handle(\"float16\", \"shared\")", allocated)
    );
    assert_eq!(
        title_and_text("scale($0a: T"),
        expected("a: T.handle", "handle, with the buffer `A`")
    );
    assert_eq!(
        title_and_text("$0p: T.handle"),
        expected("p: T.handle(\"float32\", \"local\")", "handle")
    );
}
