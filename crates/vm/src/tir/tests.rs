//! Compiles and runs small PrimFuncs: TIR's arithmetic, blocks, buffers, and faults.

mod barriers;
mod exchanges;
mod numbers;
mod races;
mod safety;
mod threads;

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use expect_test::{Expect, expect};
use hir::{Database, Source, SourceFile, file_items};
use relax::FunctionKind;

use super::exact::{Ended, Exact};
use super::{Compiled, Operand, Written};
use crate::error::{RunError, RunResult};
use crate::tensor::{Scalar, Tensor};
use crate::value::Value;

fn compile(source: &str) -> Result<Compiled, String> {
    compiled(source, super::compile)
}

fn exact(source: &str) -> Result<Exact, String> {
    compiled(source, Exact::new)
}

/// Compiles the first PrimFunc with an engine, or returns the errors with their positions.
fn compiled<T>(
    source: &str,
    make: impl FnOnce(&hir::tir::PrimFunc) -> Result<T, Vec<hir::tir::TirError>>,
) -> Result<T, String> {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(source));
    let item = file_items(&db, file)
        .functions
        .iter()
        .copied()
        .find(|f| f.kind(&db) == FunctionKind::PrimFunc)
        .unwrap();
    hir::function_program(&db, item)
        .and_then(|func| make(&func))
        .map_err(|errors| {
            let lines: Vec<String> = errors
                .iter()
                .map(|e| {
                    let range = e.range + item.offset(&db);
                    let at = &source[std::ops::Range::<usize>::from(range)];
                    format!(
                        "{} at `{}`\n",
                        e.message,
                        at.lines().next().unwrap_or_default()
                    )
                })
                .collect();
            lines.concat()
        })
}

/// A host without packed functions.
fn no_packed_functions(symbol: &str, _: &[Value]) -> RunResult<Written> {
    Err(RunError::argument(format!("no packed function `{symbol}`")))
}

fn f32s(shape: &[usize], values: &[f32]) -> Operand {
    Operand::Tensor(Tensor::from_vec(shape, values.to_vec()).unwrap())
}

fn i32s(shape: &[usize], values: &[i32]) -> Operand {
    Operand::Tensor(Tensor::from_vec(shape, values.to_vec()).unwrap())
}

fn zeros(like: &Operand) -> Operand {
    match like {
        Operand::Tensor(tensor) => {
            Operand::Tensor(Tensor::zeros(tensor.kind(), tensor.shape()).unwrap())
        }
        other => other.clone(),
    }
}

/// Prints the tensors after the call, and checks that both engines agree.
fn outcome(source: &str, operands: Vec<Operand>) -> String {
    let (compiled, interpreted) = match (compile(source), exact(source)) {
        (Ok(compiled), Ok(interpreted)) => (compiled, interpreted),
        (compiled, interpreted) => {
            let errors = compiled.map(|_| ()).unwrap_err();
            assert_eq!(interpreted.map(|_| ()).unwrap_err(), errors);
            return errors;
        }
    };
    let stop = AtomicBool::default();
    let mut after = operands.clone();
    let result = compiled.call(&mut after, &stop, &mut no_packed_functions);
    let said = result_text(result.map_err(|(error, _)| error), &after);
    let mut after = operands;
    let result = interpreted.call(&mut after, u64::MAX, &stop, &mut no_packed_functions);
    let exactly = result.map_err(|ended| match ended {
        Ended::Trap(trap, _) => trap.into(),
        Ended::Error(error, _) => error,
        Ended::Long => unreachable!("it may take as long as it likes"),
    });
    assert_eq!(result_text(exactly, &after), said);
    said
}

fn result_text(result: RunResult<()>, operands: &[Operand]) -> String {
    if let Err(error) = result {
        return format!("{error}\n");
    }
    let mut text = String::new();
    for operand in operands {
        if let Operand::Tensor(tensor) = operand {
            let items: Vec<String> = (0..tensor.len())
                .filter_map(|i| tensor.get(i))
                .map(|s| s.to_string())
                .collect();
            let _ = writeln!(text, "{:?} [{}]", tensor.shape(), items.join(", "));
        }
    }
    text
}

fn check(source: &str, operands: Vec<Operand>, expect: Expect) {
    expect.assert_eq(&outcome(source, operands));
}

#[test]
fn a_block_initialises_at_the_first_iteration_of_its_reduction() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 3), "float32"), b: T.Buffer((2,), "float32")):
    for i, k in T.grid(2, 3):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                b[vi] = T.float32(10)
            b[vi] = b[vi] + a[vi, vk]
"#,
        vec![
            f32s(&[2, 3], &[1., 2., 3., 4., 5., 6.]),
            f32s(&[2], &[7., 7.]),
        ],
        expect![[r#"
            [2, 3] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
            [2] [16.0, 25.0]
        "#]],
    );
}

#[test]
fn a_matrix_product_over_shapes_known_when_it_runs() {
    check(
        r#"
@T.prim_func
def f(x: T.handle, y: T.handle, z: T.handle):
    n = T.int64()
    m = T.int64()
    k = T.int64()
    A = T.match_buffer(x, (n, k))
    B = T.match_buffer(y, (k, m))
    C = T.match_buffer(z, (n, m))
    for i, j, l in T.grid(n, m, k):
        with T.block("matmul"):
            vi, vj, vl = T.axis.remap("SSR", [i, j, l])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vl] * B[vl, vj]
"#,
        vec![
            f32s(&[2, 3], &[1., 2., 3., 4., 5., 6.]),
            f32s(&[3, 1], &[1., 10., 100.]),
            f32s(&[2, 1], &[0., 0.]),
        ],
        expect![[r#"
            [2, 3] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
            [3, 1] [1.0, 10.0, 100.0]
            [2, 1] [321.0, 654.0]
        "#]],
    );
}

#[test]
fn shapes_that_disagree_stop_the_call() {
    check(
        r#"
@T.prim_func
def f(x: T.handle, y: T.handle):
    n = T.int64()
    A = T.match_buffer(x, (n,))
    B = T.match_buffer(y, (n * 2,))
    for i in range(n):
        B[i] = A[i]
"#,
        vec![f32s(&[2], &[1., 2.]), f32s(&[3], &[0., 0., 0.])],
        expect![[r#"
            dimension 0 of buffer `B` is 3, but the function says 4
        "#]],
    );
}

#[test]
fn an_index_out_of_range_stops_the_call() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), i: T.Buffer((2,), "int32"), b: T.Buffer((2,), "float32")):
    for k in range(2):
        b[k] = a[i[k]]
"#;
    let run = |at: &[i32]| {
        outcome(
            source,
            vec![
                f32s(&[4], &[1., 2., 3., 4.]),
                i32s(&[2], at),
                f32s(&[2], &[0., 0.]),
            ],
        )
    };
    expect![[r#"
        [4] [1.0, 2.0, 3.0, 4.0]
        [2] [3, 0]
        [2] [4.0, 1.0]
        index 4 is out of range for dimension 0 of buffer `a`, which is 4
        index -1 is out of range for dimension 0 of buffer `a`, which is 4
    "#]]
    .assert_eq(&format!(
        "{}{}{}",
        run(&[3, 0]),
        run(&[4, 0]),
        run(&[0, -1])
    ));
}

#[test]
fn own_buffers_strides_and_regions() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 4), "float32"), b: T.Buffer((4, 2), "float32")):
    c = T.alloc_buffer((4, 2), "float32")
    t = T.Buffer((4, 2), "float32", data=a.data, strides=[1, 4])
    for i, j in T.grid(4, 2):
        c[i, j] = t[i, j]
    for i in range(2):
        with T.block("part"):
            vi = T.axis.spatial(2, i)
            p = T.match_buffer(c[vi * 2:vi * 2 + 2, 0:2], (2, 2), offset_factor=1)
            for j, k in T.grid(2, 2):
                b[vi * 2 + j, k] = p[j, k] * 10.0
"#,
        vec![
            f32s(&[2, 4], &[0., 1., 2., 3., 4., 5., 6., 7.]),
            f32s(&[4, 2], &[0.; 8]),
        ],
        expect![[r#"
            [2, 4] [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
            [4, 2] [0.0, 40.0, 10.0, 50.0, 20.0, 60.0, 30.0, 70.0]
        "#]],
    );
}

#[test]
fn a_view_beyond_its_memory_stops_the_call() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    t = T.Buffer((4,), "float32", data=a.data, strides=[2])
    for i in range(4):
        b[i] = t[i]
"#,
        vec![f32s(&[4], &[0., 1., 2., 3.]), f32s(&[4], &[0.; 4])],
        expect![[r#"
            element 4 is out of range for the memory of buffer `t`, which has 4
        "#]],
    );
}

#[test]
fn lets_conditions_and_loops_of_all_kinds() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((8,), "int32"), n: T.int32):
    for i in T.parallel(8):
        x: T.int32 = i * 2
        if x < n:
            a[i] = x
        else:
            a[i] = -1
    for i in range(1, 8, 3):
        a[i] = 100
    for i in T.thread_binding(2, thread="threadIdx.x"):
        a[i] += 1
    with T.block("guarded"):
        v = T.axis.spatial(8, 7)
        T.where(n > 3)
        a[v] = n
    c = T.alloc_buffer((1,), "int32")
    c[0] = 0
    while c[0] < 3:
        a[2] = a[2] + 1000
        c[0] = c[0] + 1
"#,
        vec![i32s(&[8], &[0; 8]), Operand::Scalar(Scalar::Int(6))],
        expect![[r#"
            [8] [1, 101, 3004, -1, 100, -1, -1, 6]
        "#]],
    );
}

#[test]
fn a_reduction_of_several_loops_and_another_read_of_its_buffer() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    for i, j in T.grid(3, 2):
        b[i + 1] = b[i + 1] + b[i] + a[j]
    for i, j, k in T.grid(4, 2, 2):
        with T.block("sum"):
            vi, vj, vk = T.axis.remap("SRR", [i, j, k])
            with T.init():
                a[vi] = T.float32(0)
            a[vi] = a[vi] + T.Cast("float32", vj * 2 + vk)
"#,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[4], &[1., 0., 0., 0.])],
        expect![[r#"
            [4] [6.0, 6.0, 6.0, 6.0]
            [4] [1.0, 5.0, 13.0, 29.0]
        "#]],
    );
}

#[test]
fn unsupported_code_is_named() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32")):
    s = T.alloc_buffer((4,), "float32", scope="shared")
    for i in T.thread_binding(4, thread="threadIdx.x"):
        s[i] = a[i]
        T.tvm_storage_sync("global")
        a[i] = s[3 - i]
"#,
        vec![f32s(&[4], &[0.; 4])],
        expect![[r#"
            only the threads of a block or of a warp can wait for each other here at `T.tvm_storage_sync("global")`
        "#]],
    );
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32")):
    for i in range(4):
        a[i] = T.call_extern("float32", "mystery", a[i]) + unknown + a[i, i]
        a[i] = T.float8_e4m3fn(1)
"#,
        vec![f32s(&[4], &[0.; 4])],
        expect![[r#"
            `T.call_extern` does not run on this machine at `T.call_extern("float32", "mystery", a[i])`
            `unknown` is not defined at `unknown`
            `a` has 1 dimension, and 2 indices are given at `a[i, i]`
        "#]],
    );
}

#[test]
fn a_function_of_c_says_its_dtype_first_or_by_name() {
    for call in [
        r#"T.call_extern("float32", "fabsf", a[0])"#,
        r#"T.call_extern("fabsf", a[0], dtype="float32")"#,
    ] {
        let source = format!(
            r#"
@T.prim_func
def f(a: T.Buffer((1,), "float32")):
    a[0] = {call}
"#
        );
        assert_eq!(outcome(&source, vec![f32s(&[1], &[-2.])]), "[1] [2.0]\n");
    }
}

#[test]
fn loops_over_shapes_and_thread_bindings_run() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2, 2), "float32")):
    for i, j in T.grid(*a.shape):
        a[i, j] = T.float32(i * 2 + j)
    m, n = a.shape
    tx = T.launch_thread("threadIdx.x", 2)
    a[tx, 0] = a[tx, 0] + T.float32(m * n)
"#,
        vec![f32s(&[2, 2], &[0.; 4])],
        expect![[r#"
            [2, 2] [4.0, 1.0, 6.0, 3.0]
        "#]],
    );
}

#[test]
fn reassigned_scalars_keep_their_value() {
    check(
        r#"
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(a: T.Buffer((4,), "float32"), o: T.Buffer((2,), "float32")):
    total = T.float32(0)
    for i in range(4):
        total = total + a[i]
    total += 1.0
    o[0] = total
    total = 7.0
    o[1] = total
"#,
        vec![f32s(&[4], &[1., 2., 3., 4.]), f32s(&[2], &[0.; 2])],
        expect![[r#"
            [4] [1.0, 2.0, 3.0, 4.0]
            [2] [11.0, 7.0]
        "#]],
    );
}

#[test]
fn an_assertion_that_fails_stops_the_call() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), n: T.int64):
    assert n > 3, "n is too small"
    a[0] = 1.0
"#,
        vec![f32s(&[4], &[0.; 4]), Operand::Scalar(Scalar::Int(2))],
        expect![[r#"
            assertion failed: n is too small
        "#]],
    );
}

#[test]
fn a_loop_ends_once_it_is_told_to() {
    let source = r#"
@T.prim_func
def spin(x: T.Buffer((1,), "int64")):
    while x[0] >= T.int64(0):
        for i in range(1000):
            x[0] = x[0] + T.int64(1)
        x[0] = T.int64(0)
"#;
    let compiled = compile(source).unwrap();
    let tensor = Tensor::from_vec(&[1], vec![0i64]).unwrap();
    let result = compiled.call(
        &mut [Operand::Tensor(tensor)],
        &AtomicBool::new(true),
        &mut no_packed_functions,
    );
    let (error, place) = result.unwrap_err();
    assert_eq!(error.to_string(), "the time limit is reached");
    assert!(place.is_some());
}

/// Checks which phases of a function can be split; none if it has no phases. The interpreter splits nothing.
fn assert_splits(source: &str, expected: &[bool]) {
    let compiled = compile(source).unwrap();
    #[cfg(feature = "native")]
    {
        let phases = compiled.layout.map(|it| it.phases).unwrap_or_default();
        let found: Vec<bool> = phases.iter().map(|it| it.cost.is_some()).collect();
        assert_eq!(found, expected);
    }
    #[cfg(not(feature = "native"))]
    let _ = (compiled, expected);
}

#[test]
fn functions_of_c_are_called_by_name() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2,), "float32")):
    a[0] = T.call_extern("float32", "sqrtf", a[0]) + T.call_pure_extern("float32", "fmaxf", a[0], T.float32(1))
    a[1] = T.call_extern("float32", "fabsf", a[1])
"#,
        vec![f32s(&[2], &[4., -3.])],
        expect![[r#"
            [2] [6.0, 3.0]
        "#]],
    );
}
