//! Tests of values that GPU threads exchange without a barrier of their own, and of what each thread gets.

use expect_test::expect;

use super::{check, i32s};

/// Two tensors: 1, 2, 3, 4 and zeros.
fn four_and_zeros() -> Vec<super::Operand> {
    vec![i32s(&[4], &[1, 2, 3, 4]), i32s(&[4], &[0; 4])]
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
