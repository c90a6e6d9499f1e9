//! Threads, blocks and iterations of parallel loops that write to one element.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::compile;

/// Compiles a PrimFunc with this body, in which `|` separates the lines. Returns its errors.
fn errors(body: &str) -> Option<String> {
    let source = format!(
        "@T.prim_func\ndef f(A: T.Buffer((64,), \"int32\"), C: T.Buffer((64,), \"int32\"), n: T.int32):\n    s = T.alloc_buffer((64,), \"int32\", scope=\"shared\")\n    {}\n",
        body.replace('|', "\n    ")
    );
    compile(&source).err()
}

fn check_bodies(bodies: &[&str], expect: Expect) {
    let mut said = String::new();
    for body in bodies {
        let outcome = errors(body).unwrap_or("runs\n".to_owned());
        let _ = write!(said, "{body}\n--> {outcome}");
    }
    expect.assert_eq(&said);
}

#[test]
fn threads_that_write_different_values_to_an_element_are_found() {
    check_bodies(
        &[
            "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    C[0] = A[x]",
            "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    C[x // 2] = x",
            "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    s[x] = A[x]|    s[63 - x] = A[x] + 1|    T.tvm_storage_sync(\"shared\")|    C[x] = s[x]",
            "for y in T.thread_binding(2, thread=\"threadIdx.y\"):|    for x in T.thread_binding(32, thread=\"threadIdx.x\"):|        C[x] = A[y * 32 + x]",
        ],
        expect![[r#"
            for x in T.thread_binding(64, thread="threadIdx.x"):|    C[0] = A[x]
            --> threads 0 and 1 write different values to `C[0]`: there is no barrier between them at `C[0] = A[x]`
            for x in T.thread_binding(64, thread="threadIdx.x"):|    C[x // 2] = x
            --> threads 0 and 1 write different values to `C[0]`: there is no barrier between them at `C[x // 2] = x`
            for x in T.thread_binding(64, thread="threadIdx.x"):|    s[x] = A[x]|    s[63 - x] = A[x] + 1|    T.tvm_storage_sync("shared")|    C[x] = s[x]
            --> threads 0 and 63 write different values to `s[63]`: there is no barrier between them at `s[x] = A[x]`
            for y in T.thread_binding(2, thread="threadIdx.y"):|    for x in T.thread_binding(32, thread="threadIdx.x"):|        C[x] = A[y * 32 + x]
            --> threads 0 and 1 write different values to `C[0]`: there is no barrier between them at `C[x] = A[y * 32 + x]`
        "#]],
    );
}

#[test]
fn blocks_and_parallel_iterations_that_depend_on_each_other_are_found() {
    check_bodies(
        &[
            "for b in T.thread_binding(4, thread=\"blockIdx.x\"):|    C[0] = A[b]",
            "for b in T.thread_binding(4, thread=\"blockIdx.x\"):|    C[b + 1] = C[b]",
            "for i in T.parallel(8):|    C[i % 4] = A[i]",
            "for i in T.parallel(8):|    C[0] = C[0] + A[i]",
            "for i in T.parallel(8):|    with T.block(\"b\"):|        v = T.axis.spatial(8, i)|        C[v + 1] = C[v]",
        ],
        expect![[r#"
            for b in T.thread_binding(4, thread="blockIdx.x"):|    C[0] = A[b]
            --> blocks 0 and 1 write different values to `C[0]` at `C[0] = A[b]`
            for b in T.thread_binding(4, thread="blockIdx.x"):|    C[b + 1] = C[b]
            --> one block reads `C` where another block writes to it at `C[b]`
            for i in T.parallel(8):|    C[i % 4] = A[i]
            --> iterations 0 and 4 write different values to `C[0]` at `C[i % 4] = A[i]`
            for i in T.parallel(8):|    C[0] = C[0] + A[i]
            --> one iteration reads `C` where another iteration writes to it at `C[0]`
            for i in T.parallel(8):|    with T.block("b"):|        v = T.axis.spatial(8, i)|        C[v + 1] = C[v]
            --> one iteration reads `C` where another iteration writes to it at `C[v]`
        "#]],
    );
}

#[test]
fn what_is_no_race_runs() {
    let bodies = [
        // The same value, whichever thread writes last.
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    C[0] = A[x // 64]",
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    for k in range(4):|        C[0] = A[k] + n",
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    C[x // 2] = x // 2",
        // One thread, or one that nothing is known of.
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    if x == 3:|        C[0] = A[x]",
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    if A[x] > 5:|        C[0] = x",
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    C[A[x]] = x",
        // A barrier between.
        "for x in T.thread_binding(64, thread=\"threadIdx.x\"):|    s[x] = A[x]|    T.tvm_storage_sync(\"shared\")|    s[63 - x] = A[x] + 1|    T.tvm_storage_sync(\"shared\")|    C[x] = s[x]",
        // Virtual threads are one.
        "for x in T.thread_binding(4, thread=\"vthread.x\"):|    C[0] = A[x]",
        // Other elements, and memory of each block.
        "for b in T.thread_binding(4, thread=\"blockIdx.x\"):|    for x in T.thread_binding(16, thread=\"threadIdx.x\"):|        C[b * 16 + x] = A[x]",
        "for b in T.thread_binding(4, thread=\"blockIdx.x\"):|    for x in T.thread_binding(64, thread=\"threadIdx.x\"):|        s[x] = A[x] + b|    C[b] = 0",
        "for i in T.parallel(64):|    C[i] = C[i] + A[63 - i]",
        "for i in T.parallel(8):|    t = T.alloc_buffer((2,), \"int32\")|    t[0] = A[i]|    C[i] = t[0]",
        "for i in T.parallel(8):|    for j in range(8):|        C[i * 8 + j] = A[j]",
    ];
    for body in bodies {
        assert_eq!(errors(body), None, "{body}");
    }
}
