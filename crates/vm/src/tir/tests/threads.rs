//! Tests of loops that are split between threads, and of memory that is private to GPU threads.

use std::sync::atomic::AtomicBool;

use super::super::Operand;
use super::{assert_splits, compile, no_packed_functions};
use crate::tensor::Tensor;

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
