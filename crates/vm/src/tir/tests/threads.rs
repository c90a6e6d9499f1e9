//! Tests of loops that are split between threads, and of memory that is private to GPU threads.

use std::sync::atomic::AtomicBool;

use expect_test::expect;

use super::super::Operand;
use super::{assert_splits, check, compile, f32s, i32s, no_packed_functions};
use crate::tensor::{Scalar, Tensor};

#[test]
fn independent_loops_are_split_between_threads() {
    let source = r#"
@T.prim_func
def rows(x: T.Buffer((400, 300), "float32"), y: T.Buffer((400,), "float32")):
    t = T.alloc_buffer((400, 300), "float32")
    for i, j in T.grid(400, 300):
        with T.block("twice"):
            vi, vj = T.axis.remap("SS", [i, j])
            t[vi, vj] = x[vi, vj] * T.float32(2)
    for i, k in T.grid(400, 300):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                y[vi] = T.float32(0)
            y[vi] = y[vi] + t[vi, vk]
"#;
    assert_splits(source, &[true, true]);
    let compiled = compile(source).unwrap();
    let x = Tensor::from_fn(&[400, 300], |i| (i / 300) as f32).unwrap();
    let y = Tensor::from_vec(&[400], vec![0.0f32; 400]).unwrap();
    let mut operands = [Operand::Tensor(x), Operand::Tensor(y)];
    compiled
        .call(
            &mut operands,
            &AtomicBool::default(),
            &mut no_packed_functions,
        )
        .unwrap();
    let Operand::Tensor(y) = &operands[1] else {
        panic!("a tensor stays one");
    };
    let wanted: Vec<f32> = (0..400).map(|i| i as f32 * 600.0).collect();
    assert_eq!(*y.values::<f32>().unwrap(), wanted);
}

#[test]
fn loops_whose_iterations_meet_stay_whole() {
    let sum = r#"
@T.prim_func
def scan(x: T.Buffer((400,), "float32"), y: T.Buffer((400,), "float32")):
    for i in range(399):
        y[i + 1] = y[i] + x[i]
"#;
    let total = r#"
@T.prim_func
def total(x: T.Buffer((400,), "float32"), y: T.Buffer((1,), "float32")):
    for i in range(400):
        y[0] = y[0] + x[i]
"#;
    assert_splits(sum, &[false]);
    assert_splits(total, &[false]);
}

#[test]
fn a_loop_of_one_iteration_leaves_the_next_one_to_the_threads() {
    let source = r#"
@T.prim_func
def f(x: T.Buffer((1, 400, 30), "float32"), y: T.Buffer((1, 400, 30), "float32")):
    for i, j, k in T.grid(1, 400, 30):
        with T.block("twice"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            y[vi, vj, vk] = x[vi, vj, vk] * T.float32(2)
"#;
    assert_splits(source, &[true]);
    // Here the iterations of the first loop with several iterations share elements.
    let shared = source.replace("y[vi, vj, vk]", "y[vi, vi, vk]");
    assert_splits(&shared, &[false]);
}

#[test]
fn parallel_loops_are_split_by_any_index() {
    let source = r#"
@T.prim_func
def tiles(x: T.Buffer((1024,), "float32"), y: T.Buffer((1024,), "float32")):
    for o in T.parallel(32):
        for i in T.vectorized(32):
            y[o * 32 + i] = x[o * 32 + i]
"#;
    assert_splits(source, &[true]);
    assert_splits(&source.replace("parallel", "serial"), &[false]);
}

#[test]
fn a_fault_in_one_part_is_told() {
    let source = r#"
@T.prim_func
def gather(x: T.Buffer((400,), "int64"), y: T.Buffer((400, 400), "int64")):
    for i, j in T.grid(400, 400):
        y[i, j] = x[x[i]]
"#;
    assert_splits(source, &[true]);
    let compiled = compile(source).unwrap();
    let x = Tensor::from_fn(&[400], |i| i as i64 + i64::from(i == 399)).unwrap();
    let y = Tensor::from_fn(&[400, 400], |_| 0i64).unwrap();
    let mut operands = [Operand::Tensor(x), Operand::Tensor(y)];
    let (error, _) = compiled
        .call(
            &mut operands,
            &AtomicBool::default(),
            &mut no_packed_functions,
        )
        .unwrap_err();
    assert!(
        error.to_string().contains("index 400 is out of range"),
        "{error}"
    );
}

#[test]
fn threads_wait_for_shared_memory() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    s = T.alloc_buffer((4,), "float32", scope="shared")
    for i in T.thread_binding(4, thread="threadIdx.x"):
        s[i] = a[i]
    for i in T.thread_binding(4, thread="threadIdx.x"):
        b[i] = s[3 - i]
    for i in T.thread_binding(4, thread="threadIdx.x"):
        for j in T.thread_binding(4, thread="threadIdx.x"):
            s[j] = b[j] + T.float32(1)
        a[i] = s[3 - i]
"#,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[4], &[0.; 4])],
        expect![[r#"
            [4] [2.0, 3.0, 4.0, 5.0]
            [4] [4.0, 3.0, 2.0, 1.0]
        "#]],
    );
}

#[test]
fn each_block_has_shared_memory_of_its_own() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 4), "float32"), b: T.Buffer((2, 4), "float32")):
    s = T.alloc_buffer((2, 4), "float32", scope="shared")
    for o in T.thread_binding(2, thread="blockIdx.x"):
        for i in T.thread_binding(4, thread="threadIdx.x"):
            for j in T.thread_binding(4, thread="threadIdx.x"):
                s[o, j] = a[o, j]
            b[o, i] = s[o, 3 - i]
"#,
        vec![
            f32s(&[2, 4], &[1., 2., 3., 4., 5., 6., 7., 8.]),
            f32s(&[2, 4], &[0.; 8]),
        ],
        expect![[r#"
            [2, 4] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
            [2, 4] [4.0, 3.0, 2.0, 1.0, 8.0, 7.0, 6.0, 5.0]
        "#]],
    );
}

#[test]
fn each_thread_has_a_local_buffer_of_its_own_between_loops() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((3, 4), "float32"), b: T.Buffer((4,), "float32")):
    acc = T.alloc_buffer((1,), "float32", scope="local")
    acc[0] = T.float32(100)
    for k in range(3):
        for i in T.thread_binding(4, thread="threadIdx.x"):
            acc[0] += a[k, i]
    for i in T.thread_binding(4, thread="threadIdx.x"):
        b[i] = acc[0]
"#,
        vec![
            f32s(
                &[3, 4],
                &[1., 2., 3., 4., 10., 20., 30., 40., 0., 0., 0., 5.],
            ),
            f32s(&[4], &[0.; 4]),
        ],
        expect![[r#"
            [3, 4] [1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0, 0.0, 0.0, 0.0, 5.0]
            [4] [111.0, 122.0, 133.0, 149.0]
        "#]],
    );
}

#[test]
fn values_from_thread_memory_are_private() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 2), "int32"), b: T.Buffer((2, 2), "int32")):
    x = T.alloc_buffer((1,), "int32", scope="local")
    y = T.alloc_buffer((1,), "int32", scope="local")
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread("blockIdx.x", 2) as bx:
        with T.launch_thread(tx, 2):
            x[0] = a[bx, tx]
            y[0] = x[0] * 10
        with T.launch_thread(tx, 2):
            b[bx, tx] = y[0] + tx
"#,
        vec![i32s(&[2, 2], &[1, 2, 3, 4]), i32s(&[2, 2], &[0; 4])],
        expect![[r#"
            [2, 2] [1, 2, 3, 4]
            [2, 2] [10, 21, 30, 41]
        "#]],
    );
}

#[test]
fn per_thread_elements_of_a_local_buffer_are_shared() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32"), c: T.Buffer((1,), "int32")):
    x = T.alloc_buffer((2, 4), "int32", scope="local")
    s = T.alloc_buffer((1,), "int32", scope="local")
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block("copy"):
            v0 = T.axis.spatial(2, i // 4)
            v1 = T.axis.spatial(4, i % 4)
            x[v0, v1] = a[v0 * 4 + v1]
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block("sum"):
            v = T.axis.reduce(8, i)
            with T.init():
                s[0] = 0
            s[0] += x[v // 4, v % 4]
    for i in T.thread_binding(8, thread="threadIdx.x"):
        b[i] = x[i // 4, i % 4] + s[0]
    c[0] = s[0]
"#,
        vec![
            i32s(&[8], &[1, 2, 3, 4, 5, 6, 7, 8]),
            i32s(&[8], &[0; 8]),
            i32s(&[1], &[0]),
        ],
        expect![[r#"
            [8] [1, 2, 3, 4, 5, 6, 7, 8]
            [8] [37, 38, 39, 40, 41, 42, 43, 44]
            [1] [36]
        "#]],
    );
}

#[test]
fn thread_memory_has_no_value_outside_its_loops() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), n: T.int32):
    x = T.alloc_buffer((1,), "int32", scope="local")
    for i in T.thread_binding(4, thread="threadIdx.x"):
        x[0] = a[i]
    a[0] = x[0]
"#,
        vec![i32s(&[4], &[0; 4]), Operand::Scalar(Scalar::Int(4))],
        expect![[r#"
            `x` is private to each thread of `threadIdx.x`, but is read outside of a loop over these threads at `x[0]`
        "#]],
    );
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), n: T.int32):
    x = T.alloc_buffer((1,), "int32", scope="local")
    for i in T.thread_binding(n, thread="threadIdx.x"):
        x[0] = a[i]
    for i in T.thread_binding(n, thread="threadIdx.x"):
        a[i] = x[0]
"#,
        vec![i32s(&[4], &[5, 6, 7, 8]), Operand::Scalar(Scalar::Int(4))],
        expect![[r#"
            [4] [5, 6, 7, 8]
        "#]],
    );
}
