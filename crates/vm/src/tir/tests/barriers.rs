//! Tests of GPU threads that wait for each other, exchange values and reduce them together.

use std::fmt::Write as _;

use expect_test::expect;
use hir::tir;

use super::super::threads;
use super::{check, compiled, f32s, i32s, outcome};

#[test]
fn only_values_that_are_used_after_a_barrier_are_kept_for_it() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    s = T.alloc_buffer((4,), "float32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        place = 3 - i
        first = a[i]
        second = first + T.float32(1)
        third = second * T.float32(2)
        s[i] = third
        T.tvm_storage_sync("shared")
        fourth = second + s[place]
        b[i] = fourth + first
"#;
    let split = compiled(source, threads::split).unwrap().unwrap();
    let kept = split.buffers.iter().filter(|it| it.name == "value");
    assert_eq!(kept.count(), 2);
    check(
        source,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[4], &[0.; 4])],
        expect![[r#"
            [4] [1.0, 2.0, 3.0, 4.0]
            [4] [13.0, 13.0, 13.0, 13.0]
        "#]],
    );
}

/// Returns a kernel with a chain of values. The last one is used before each of as many barriers.
fn chain_of_values(count: usize) -> String {
    let mut text = String::from(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        v0 = i + 1
"#,
    );
    for at in 1..=count {
        let _ = writeln!(text, "        v{at} = (v{} * 3 + i) % 101", at - 1);
    }
    for _ in 0..count {
        let _ = writeln!(text, "        s[i] = a[3 - i] + v{count}");
        let _ = writeln!(text, "        T.tvm_storage_sync(\"shared\")");
        let _ = writeln!(text, "        a[i] = s[i] % 13");
    }
    let _ = writeln!(text, "        b[i] = a[i]");
    text
}

#[test]
fn parts_grow_with_the_number_of_values_that_they_use_not_with_its_square() {
    let size = |count: usize| {
        let split = compiled(&chain_of_values(count), threads::split).unwrap();
        let mut size = 0;
        tir::for_each_stmt(&split.unwrap().body, &mut |_| size += 1);
        size
    };
    let (one, two) = (size(100), size(200));
    assert!(two < one * 5 / 2, "{one} {two}");
}

#[test]
fn a_value_that_needs_many_others_is_that_of_its_thread_after_each_barrier() {
    let mut a = [5, 6, 7, 8];
    for _ in 0..40 {
        let v = |i: i32| (0..40).fold(i + 1, |v, _| (v * 3 + i) % 101);
        let s: Vec<i32> = (0..4).map(|i| a[3 - i] + v(i as i32)).collect();
        for (slot, value) in a.iter_mut().zip(s) {
            *slot = value % 13;
        }
    }
    let tensors = vec![i32s(&[4], &[5, 6, 7, 8]), i32s(&[4], &[0; 4])];
    let wanted = format!("[4] {a:?}\n[4] {a:?}\n");
    assert_eq!(outcome(&chain_of_values(40), tensors), wanted);
}

#[test]
fn a_shuffle_reads_the_value_of_another_thread() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((40,), "int32"), b: T.Buffer((40,), "int32")):
    with T.launch_thread("threadIdx.x", 40) as i:
        mask: T.let[T.uint32] = T.tvm_warp_activemask()
        b[i] = T.tvm_warp_shuffle_down(mask, a[i], 2, 8, 32)
"#;
    let operands = vec![
        i32s(&[40], &(0..40).collect::<Vec<_>>()),
        i32s(&[40], &[0; 40]),
    ];
    check(
        source,
        operands.clone(),
        expect![[r#"
            [40] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
            [40] [2, 3, 4, 5, 6, 7, 6, 7, 10, 11, 12, 13, 14, 15, 14, 15, 18, 19, 20, 21, 22, 23, 22, 23, 26, 27, 28, 29, 30, 31, 30, 31, 34, 35, 36, 37, 38, 39, 38, 39]
        "#]],
    );
    check(
        &source.replace("shuffle_down", "shuffle_up"),
        operands.clone(),
        expect![[r#"
            [40] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
            [40] [0, 1, 0, 1, 2, 3, 4, 5, 8, 9, 8, 9, 10, 11, 12, 13, 16, 17, 16, 17, 18, 19, 20, 21, 24, 25, 24, 25, 26, 27, 28, 29, 32, 33, 32, 33, 34, 35, 36, 37]
        "#]],
    );
    check(
        &source.replace("shuffle_down", "shuffle"),
        operands,
        expect![[r#"
            [40] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
            [40] [2, 2, 2, 2, 2, 2, 2, 2, 10, 10, 10, 10, 10, 10, 10, 10, 18, 18, 18, 18, 18, 18, 18, 18, 26, 26, 26, 26, 26, 26, 26, 26, 34, 34, 34, 34, 34, 34, 34, 34]
        "#]],
    );
}

#[test]
fn the_threads_of_a_branch_have_a_mask_and_exchange_values_among_them() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32"), m: T.Buffer((8,), "uint32")):
    with T.launch_thread("threadIdx.x", 8) as i:
        if i % 2 == 0:
            m[i] = T.tvm_warp_activemask()
            b[i] = T.tvm_warp_shuffle_down(T.uint32(0), a[i], 2, 32, 32) * 10
        else:
            b[i] = T.tvm_warp_shuffle_down(T.uint32(0), a[i], 1, 32, 32)
"#,
        vec![
            i32s(&[8], &[1, 2, 3, 4, 5, 6, 7, 8]),
            i32s(&[8], &[0; 8]),
            super::Operand::Tensor(crate::tensor::Tensor::from_vec(&[8], vec![0u32; 8]).unwrap()),
        ],
        expect![[r#"
            [8] [1, 2, 3, 4, 5, 6, 7, 8]
            [8] [30, 2, 50, 4, 70, 6, 70, 8]
            [8] [85, 0, 85, 0, 85, 0, 85, 0]
        "#]],
    );
}
