//! Tests of values that GPU threads exchange without a barrier of their own, and of what each thread gets.

use expect_test::expect;

use super::{check, i32s};

/// Two tensors: 1, 2, 3, 4 and zeros.
fn four_and_zeros() -> Vec<super::Operand> {
    vec![i32s(&[4], &[1, 2, 3, 4]), i32s(&[4], &[0; 4])]
}

#[test]
fn threads_wait_where_they_exchange_values_through_a_view() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.allocate([4], "int32", "shared")
    S = T.Buffer((4,), "int32", data=s, scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        S[i] = a[i]
        b[i] = S[3 - i]
"#,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [4, 3, 2, 1]
        "#]],
    );
}

#[test]
fn two_views_of_shared_memory_have_the_same_elements() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.allocate([4], "int32", "shared")
    P = T.Buffer((4,), "int32", data=s, scope="shared")
    Q = T.Buffer((2, 2), "int32", data=s, scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        P[i] = a[i]
        b[i] = Q[(3 - i) // 2, (3 - i) % 2]
"#;
    check(
        source,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [4, 3, 2, 1]
        "#]],
    );
    check(
        &source.replace("P[i] = a[i]", "P[i] = Q[(3 - i) // 2, (3 - i) % 2]"),
        four_and_zeros(),
        expect![[r#"
            a thread reads `s` where another thread may write to it: there is no barrier between them at `Q[(3 - i) // 2, (3 - i) % 2]`
        "#]],
    );
}

#[test]
fn views_of_different_dtypes_share_bytes() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.allocate([16], "uint8", "shared")
    P = T.Buffer((4,), "int32", data=s, scope="shared")
    Q = T.Buffer((16,), "uint8", data=s, scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        P[i] = a[i]
        P[i] = T.Cast("int32", Q[i * 4 + 1]) + a[i]
        b[i] = P[i]
"#;
    check(
        source,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [1, 2, 3, 4]
        "#]],
    );
    check(
        &source.replace("i * 4 + 1", "(i * 4 + 4) % 16"),
        four_and_zeros(),
        expect![[r#"
            a thread reads `s` where another thread may write to it: there is no barrier between them at `Q[(i * 4 + 4) % 16]`
        "#]],
    );
}

#[test]
fn threads_of_two_axes_use_merged_shared_memory() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.allocate([32], "uint8", "shared")
    P = T.Buffer((4,), "int32", data=s, scope="shared")
    Q = T.Buffer((4,), "int32", data=s, scope="shared", elem_offset=4)
    with T.launch_thread("threadIdx.y", 2) as j:
        with T.launch_thread("threadIdx.x", 2) as i:
            t: T.let[T.int32] = j * 2 + i
            P[t] = a[t]
            T.tvm_storage_sync("shared")
            Q[t] = P[(t + 1) % 4] * 10
            T.tvm_storage_sync("shared")
            b[t] = Q[3 - t]
"#,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [10, 40, 30, 20]
        "#]],
    );
}

#[test]
fn a_view_that_moves_has_other_elements_for_each_thread() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        for k in range(2):
            with T.block("add"):
                v = T.axis.spatial(4, (i + k) % 4)
                w = T.axis.spatial(4, i)
                S = T.match_buffer(s[v:v + 1], (1,), "int32", scope="shared", elem_offset=v)
                S[0] = S[0] + a[w]
"#;
    check(
        source,
        four_and_zeros(),
        expect![[r#"
            the offset of view `S` depends on the thread, and threads wait for each other here at `S = T.match_buffer(s[v:v + 1], (1,), "int32", scope="shared", elem_offset=v)`
        "#]],
    );
    let waits = source.replace(
        "S[0] = S[0] + a[w]",
        "S[0] = a[w]\n                T.tvm_storage_sync(\"shared\")\n                b[w] = S[0]",
    );
    check(
        &waits,
        four_and_zeros(),
        expect![[r#"
            the offset of view `S` depends on the thread, and threads wait for each other here at `S = T.match_buffer(s[v:v + 1], (1,), "int32", scope="shared", elem_offset=v)`
        "#]],
    );
    check(
        &waits.replace("T.axis.spatial(4, (i + k) % 4)", "a[i] - 1"),
        four_and_zeros(),
        expect![[r#"
            the offset of view `S` depends on the thread, and threads wait for each other here at `S = T.match_buffer(s[v:v + 1], (1,), "int32", scope="shared", elem_offset=v)`
        "#]],
    );
    let before_waiting = source
        .replace("T.axis.spatial(4, (i + k) % 4)", "a[i] - 1")
        .replace("S[0] = S[0] + a[w]", "S[0] = a[w]")
        + "        T.tvm_storage_sync(\"shared\")\n        b[i] = s[3 - i]\n";
    check(
        &before_waiting,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [4, 3, 2, 1]
        "#]],
    );
}

#[test]
fn a_block_that_accumulates_over_threads_waits_for_what_it_reads() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), c: T.Buffer((1,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        s[i] = a[i]
        with T.block("sum"):
            v = T.axis.reduce(4, i)
            c[0] = c[0] + s[3 - v]
"#,
        vec![i32s(&[4], &[1, 2, 3, 4]), i32s(&[1], &[0])],
        expect![[r#"
            [4] [1, 2, 3, 4]
            [1] [10]
        "#]],
    );
}

#[test]
fn an_index_from_private_memory_differs_between_threads() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    idx = T.alloc_buffer((1,), "int32", scope="local")
    with T.launch_thread("threadIdx.x", 4) as i:
        idx[0] = 3 - i
        s[idx[0]] = a[i]
        b[i] = s[i]
"#;
    check(
        source,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [4, 3, 2, 1]
        "#]],
    );
    // A condition is as good as an index.
    check(
        &source
            .replace(
                "s[idx[0]] = a[i]",
                "if idx[0] < 2:\n            s[a[0]] = a[i]",
            )
            .replace("b[i] = s[i]", "b[i] = s[1]"),
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [4, 4, 4, 4]
        "#]],
    );
}

#[test]
fn a_loop_whose_bounds_differ_between_threads_writes_other_elements_for_each() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), p: T.Buffer((2,), "int32"), b: T.Buffer((2,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 2) as i:
        for k in T.serial(i * 2, i * 2 + 2):
            s[k] = a[k]
        b[i] = s[p[i]]
"#,
        vec![
            i32s(&[4], &[1, 2, 3, 4]),
            i32s(&[2], &[3, 0]),
            i32s(&[2], &[0; 2]),
        ],
        expect![[r#"
            [4] [1, 2, 3, 4]
            [2] [3, 0]
            [2] [4, 1]
        "#]],
    );
}

#[test]
fn an_empty_loop_takes_no_time_before_the_program_runs() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        s[i] = a[i]
        for k in range(2147483647):
            pass
        s[i] = s[3 - i]
        b[i] = s[i]
"#,
        four_and_zeros(),
        expect![[r#"
            a thread reads `s` where another thread may write to it: there is no barrier between them at `s[3 - i]`
        "#]],
    );
}

#[test]
fn elements_of_memory_with_strides_may_be_the_same() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    x = T.alloc_buffer((4, 4), "int32", strides=(0, 1))
    for j in range(4):
        x[0, j] = a[j]
        x[1, j] = 7 * a[j]
        b[j] = x[0, j]
"#;
    check(
        source,
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [7, 14, 21, 28]
        "#]],
    );
    // Rows that are longer than their elements are apart.
    check(
        &source.replace("(0, 1)", "(5, 1)"),
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [1, 2, 3, 4]
        "#]],
    );
    check(
        &source
            .replace("(0, 1)", "(1, 1)")
            .replace("b[j] = x[0, j]", "b[j] = x[0, T.max(j, 1)]"),
        four_and_zeros(),
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [7, 2, 3, 4]
        "#]],
    );
}

#[test]
fn an_exchange_of_lanes_may_read_an_earlier_group() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((40,), "int32"), b: T.Buffer((40,), "int32")):
    with T.launch_thread("threadIdx.x", 40) as i:
        b[i] = T.tvm_warp_shuffle_xor(T.uint32(0), a[i], 8, 8, 32)
"#;
    let operands = vec![
        i32s(&[40], &(0..40).collect::<Vec<_>>()),
        i32s(&[40], &[0; 40]),
    ];
    // Lanes 8 to 15 read lanes 0 to 7, which keep their values: a later group is out of their reach.
    check(
        source,
        operands.clone(),
        expect![[r#"
            [40] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
            [40] [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 16, 17, 18, 19, 20, 21, 22, 23, 32, 33, 34, 35, 36, 37, 38, 39]
        "#]],
    );
    check(
        &source.replace("8, 8, 32", "3, 8, 32"),
        operands,
        expect![[r#"
            [40] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
            [40] [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28, 35, 34, 33, 32, 39, 38, 37, 36]
        "#]],
    );
}
