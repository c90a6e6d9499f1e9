//! Tests of GPU threads that wait for each other, exchange values and reduce them together.

use std::fmt::Write as _;

use expect_test::expect;
use hir::tir;

use super::super::threads;
use super::{check, compiled, f32s, i32s, outcome};

#[test]
fn threads_do_everything_before_a_barrier_first() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    s = T.alloc_buffer((4,), "float32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        s[i] = a[i]
        T.tvm_storage_sync("shared")
        b[i] = s[3 - i]
"#,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[4], &[0.; 4])],
        expect![[r#"
            [4] [1.0, 2.0, 3.0, 4.0]
            [4] [4.0, 3.0, 2.0, 1.0]
        "#]],
    );
}

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
fn threads_use_parts_of_merged_shared_memory_that_do_not_overlap() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    merged = T.allocate([48], "uint8", "shared.dyn")
    i = T.launch_thread("threadIdx.x", 4)
    first = T.Buffer((4,), data=merged, scope="shared.dyn")
    second = T.Buffer((2, 4), data=merged, scope="shared.dyn", elem_offset=4)
    flags = T.Buffer((16,), "uint8", data=merged, scope="shared.dyn")
    first[i] = a[i]
    T.tvm_storage_sync("shared.dyn")
    second[1, i] = first[3 - i] * T.float32(2)
    for k in range(2):
        second[0, i] = first[i] + second[1, i]
    T.tvm_storage_sync("shared.dyn")
    flags[i] = T.uint8(1)
    b[i] = second[0, 3 - i]
"#,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[4], &[0.; 4])],
        expect![[r#"
            [4] [1.0, 2.0, 3.0, 4.0]
            [4] [6.0, 7.0, 8.0, 9.0]
        "#]],
    );
}

#[test]
fn threads_wait_where_they_exchange_values_through_shared_memory() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        for k in range(3):
            s[i] = a[i] + k
            b[i] = b[i] + s[3 - i]
"#,
        vec![i32s(&[4], &[1, 2, 3, 4]), i32s(&[4], &[0; 4])],
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [15, 12, 9, 6]
        "#]],
    );
}

#[test]
fn a_statement_cannot_exchange_values_within_itself() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    s = T.alloc_buffer((4,), "float32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        s[i] = a[i]
        T.tvm_storage_sync("shared")
        s[i] = s[3 - i] + s[i]
        b[i] = s[i]
"#,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[4], &[0.; 4])],
        expect![[r#"
            a thread reads `s` where another thread may write to it: there is no barrier between them at `s[3 - i]`
        "#]],
    );
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        s[a[i]] = s[3 - i]
        b[i] = s[i]
"#,
        vec![i32s(&[4], &[0, 1, 2, 3]), i32s(&[4], &[0; 4])],
        expect![[r#"
            the threads of this loop may exchange values through `s` without a barrier: its elements are not known here at `s[a[i]] = s[3 - i]`
        "#]],
    );
}

#[test]
fn each_half_of_a_tree_reads_what_the_other_half_wrote() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 8), "int32"), b: T.Buffer((2,), "int32")):
    with T.launch_thread("blockIdx.x", 2) as o:
        s = T.alloc_buffer((8,), "int32", scope="shared")
        with T.launch_thread("threadIdx.x", 8) as i:
            s[i] = a[o, i]
            T.tvm_storage_sync("shared")
            if i < 4:
                s[i] = s[i] + s[i + 4]
            T.tvm_storage_sync("shared")
            if i < 2:
                s[i] = s[i] + s[i + 2]
            T.tvm_storage_sync("shared")
            if i < 1:
                s[i] = s[i] + s[i + 1]
            T.tvm_storage_sync("shared")
            if i == 0:
                b[o] = s[0]
"#,
        vec![
            i32s(&[2, 8], &[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 9]),
            i32s(&[2], &[0; 2]),
        ],
        expect![[r#"
            [2, 8] [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 9]
            [2] [36, 9]
        "#]],
    );
}

#[test]
fn a_loop_goes_around_the_barriers_inside() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((3, 4), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        acc = T.alloc_buffer((1,), "int32", scope="local")
        twice: T.let[T.int32] = i * 2
        last: T.let[T.int32] = a[2, i]
        acc[0] = 0
        for k in range(3):
            T.tvm_storage_sync("shared")
            s[i] = a[k, i]
            T.tvm_storage_sync("shared")
            acc[0] = acc[0] + s[3 - i] * twice
        b[i] = acc[0] + last
"#,
        vec![
            i32s(&[3, 4], &[1, 2, 3, 4, 10, 20, 30, 40, 0, 0, 0, 5]),
            i32s(&[4], &[0; 4]),
        ],
        expect![[r#"
            [3, 4] [1, 2, 3, 4, 10, 20, 30, 40, 0, 0, 0, 5]
            [4] [0, 66, 88, 71]
        "#]],
    );
}

#[test]
fn threads_agree_on_the_loops_and_branches_around_a_barrier() {
    let source = r#"
@T.prim_func
def f(n: T.Buffer((4,), "int32"), a: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        for k in range(n[i]):
            s[i] = a[i]
            T.tvm_storage_sync("shared")
            a[i] = s[(i + 1) % 4]
            T.tvm_storage_sync("shared")
"#;
    check(
        source,
        vec![i32s(&[4], &[3; 4]), i32s(&[4], &[1, 2, 3, 4])],
        expect![[r#"
            [4] [3, 3, 3, 3]
            [4] [4, 1, 2, 3]
        "#]],
    );
    check(
        source,
        vec![i32s(&[4], &[3, 3, 2, 3]), i32s(&[4], &[1, 2, 3, 4])],
        expect![[r#"
            assertion failed: threads wait for each other inside, but this differs between them
        "#]],
    );
    let branch = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        if i < 2:
            s[i] = a[i]
            T.tvm_storage_sync("shared")
            b[i] = s[1 - i]
"#;
    let operands = vec![i32s(&[4], &[1, 2, 3, 4]), i32s(&[4], &[0; 4])];
    check(
        branch,
        operands.clone(),
        expect![[r#"
            assertion failed: threads wait for each other inside, but this differs between them
        "#]],
    );
    check(
        &branch.replace("i < 2", "i < 4").replace("1 - i", "3 - i"),
        operands,
        expect![[r#"
            [4] [1, 2, 3, 4]
            [4] [4, 3, 2, 1]
        "#]],
    );
}

#[test]
fn a_loop_goes_on_while_all_threads_say_so() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32")):
    s = T.alloc_buffer((4,), "int32", scope="shared")
    with T.launch_thread("threadIdx.x", 4) as i:
        left = T.alloc_buffer((1,), "int32", scope="local")
        left[0] = 2
        while T.tvm_thread_invariant(left[0] > 0):
            s[i] = a[i]
            T.tvm_storage_sync("shared")
            a[i] = s[(i + 1) % 4]
            left[0] = left[0] - 1
            T.tvm_storage_sync("shared")
"#,
        vec![i32s(&[4], &[1, 2, 3, 4])],
        expect![[r#"
            [4] [3, 4, 1, 2]
        "#]],
    );
}

#[test]
fn a_nested_loop_over_the_same_threads_loads_for_all_of_them() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 6), "int32"), b: T.Buffer((6,), "int32")):
    s = T.alloc_buffer((2, 3), "int32", scope="shared")
    for y in T.thread_binding(2, thread="threadIdx.y"):
        for x in T.thread_binding(3, thread="threadIdx.x"):
            b[y * 3 + x] = 0
            for k in range(2):
                for p in T.thread_binding(2, thread="threadIdx.y"):
                    for q in T.thread_binding(3, thread="threadIdx.x"):
                        with T.block("load"):
                            u, v, w = T.axis.remap("SSS", [k, p, q])
                            s[v, w] = a[u, v * 3 + w]
                with T.block("use"):
                    v = T.axis.spatial(6, y * 3 + x)
                    b[v] = b[v] + s[1 - v // 3, 2 - v % 3]
"#,
        vec![
            i32s(&[2, 6], &[1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60]),
            i32s(&[6], &[0; 6]),
        ],
        expect![[r#"
            [2, 6] [1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60]
            [6] [66, 55, 44, 33, 22, 11]
        "#]],
    );
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
fn a_vector_is_read_whole_through_another_view_of_its_memory() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((8,), "float32")):
    view = T.Buffer((8,), "float32", data=a.data)
    view[1:5] = a[0:4]
"#,
        vec![f32s(&[8], &[1., 2., 3., 4., 5., 6., 7., 8.])],
        expect![[r#"
            [8] [1.0, 1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0]
        "#]],
    );
}

#[test]
fn a_vector_outside_of_a_store_is_refused() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((8,), "float32")):
    if a[0:4] > T.float32(0):
        a[0] = T.float32(1)
"#,
        vec![f32s(&[8], &[0.; 8])],
        expect![[r#"
            a vector can only be stored in a buffer here at `a[0:4] > T.float32(0)`
        "#]],
    );
}

#[test]
fn a_vector_is_read_whole_before_it_is_stored() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
    v = T.alloc_buffer((2,), "float32x4", scope="local")
    with T.launch_thread("threadIdx.x", 2) as i:
        v[0] = T.Broadcast(T.float32(100), 4)
        v[1] = a[i * 4:i * 4 + 4] + v[0] * T.Broadcast(T.float32(2), 4)
        b[i * 4:i * 4 + 4] = v[1] + a[T.Ramp(i * 4 + 3, -1, 4)]
    a[1:5] = a[0:4]
    b[0:8:2] = a[4:8]
"#,
        vec![
            f32s(&[8], &[1., 2., 3., 4., 5., 6., 7., 8.]),
            f32s(&[8], &[0.; 8]),
        ],
        expect![[r#"
            [8] [1.0, 1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0]
            [8] [4.0, 205.0, 6.0, 205.0, 7.0, 213.0, 8.0, 213.0]
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

#[test]
fn all_threads_of_a_group_get_the_reduced_value() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 4), "float32"), b: T.Buffer((2, 4), "float32")):
    with T.launch_thread("threadIdx.y", 2) as y:
        x = T.launch_thread("threadIdx.x", 4)
        sum = T.alloc_buffer((1,), "float32", scope="local")
        with T.attr(T.comm_reducer(lambda p, q: p + q, [T.float32(0)]), "reduce_scope", T.uint64(0)):
            T.tvm_thread_allreduce(T.uint32(1), a[y, x], x < 3, sum[0], x)
        b[y, x] = sum[0]
"#,
        vec![
            f32s(&[2, 4], &[1., 2., 3., 4., 5., 6., 7., 8.]),
            f32s(&[2, 4], &[0.; 8]),
        ],
        expect![[r#"
            [2, 4] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
            [2, 4] [6.0, 6.0, 6.0, 6.0, 18.0, 18.0, 18.0, 18.0]
        "#]],
    );
}

#[test]
fn threads_reduce_an_index_with_its_value() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((1,), "int32")):
    x = T.launch_thread("threadIdx.x", 4)
    at = T.alloc_buffer((1,), "int32", scope="local")
    most = T.alloc_buffer((1,), "float32", scope="local")
    T.attr(T.comm_reducer(lambda i, p, j, q: (T.Select(p >= q, i, j), T.Select(p >= q, p, q)), [-1, T.float32("-inf")]), "reduce_scope", T.uint64(0))
    T.tvm_thread_allreduce(T.uint32(2), x, a[x], T.bool(True), at[0], most[0], x)
    if x == 0:
        b[0] = at[0]
"#,
        vec![f32s(&[4], &[1., 7., 3., 7.]), i32s(&[1], &[0])],
        expect![[r#"
            [4] [1.0, 7.0, 3.0, 7.0]
            [1] [1]
        "#]],
    );
}

#[test]
fn threads_in_step_read_what_all_of_them_are_about_to_write() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((1,), "int32"), b: T.Buffer((4,), "int32")):
    old = T.alloc_buffer((1,), "int32", scope="local")
    with T.launch_thread("threadIdx.x", 4) as i:
        old[0] = a[0]
        b[i] = old[0] + i
        a[0] = old[0] * 2
"#,
        vec![i32s(&[1], &[5]), i32s(&[4], &[0; 4])],
        expect![[r#"
            [1] [10]
            [4] [5, 6, 7, 8]
        "#]],
    );
}
