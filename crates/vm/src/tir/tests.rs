//! Small PrimFuncs, compiled and run: TIR's arithmetic, blocks, buffers, and what stops them.

mod safety;

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
    made(source, super::compile)
}

fn exact(source: &str) -> Result<Exact, String> {
    made(source, Exact::new)
}

/// What an engine makes of the first PrimFunc, or the errors and their places.
fn made<T>(
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

/// Serves no packed function.
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

/// The tensors after the call, which are the same for both engines.
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
    let said = shown(result.map_err(|(error, _)| error), &after);
    let mut after = operands;
    let result = interpreted.call(&mut after, u64::MAX, &stop, &mut no_packed_functions);
    let exactly = result.map_err(|ended| match ended {
        Ended::Trap(trap, _) => trap.into(),
        Ended::Error(error, _) => error,
        Ended::Long => unreachable!("it may take as long as it likes"),
    });
    assert_eq!(shown(exactly, &after), said);
    said
}

fn shown(result: RunResult<()>, operands: &[Operand]) -> String {
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
fn integers_round_down_and_wrap() {
    let source = |op: &str| {
        format!(
            r#"
@T.prim_func
def f(a: T.Buffer((4,), "int32"), b: T.Buffer((4,), "int32"), c: T.Buffer((4,), "int32")):
    for i in range(4):
        c[i] = {op}
"#
        )
    };
    let run = |op: &str| {
        let a = i32s(&[4], &[7, -7, 7, -7]);
        let b = i32s(&[4], &[2, 2, -2, -2]);
        let all = outcome(&source(op), vec![a.clone(), b, zeros(&a)]);
        format!("{op}: {}\n", all.lines().last().unwrap_or_default())
    };
    let ops = [
        "a[i] // b[i]",
        "a[i] % b[i]",
        "T.truncdiv(a[i], b[i])",
        "T.truncmod(a[i], b[i])",
        "a[i] // 4",
        "a[i] % 4",
        "T.max(a[i], b[i])",
        "T.shift_right(a[i], 1)",
        "a[i] * 2147483647",
        "T.min_value(\"int32\") // b[i]",
        "T.Select(a[i] > 0, a[i], b[i])",
        "T.if_then_else(i < 2, a[i + 2], 0)",
        "T.Cast(\"int32\", T.Cast(\"int8\", a[i] * 100))",
        "T.Cast(\"int32\", T.Cast(\"float32\", a[i]) / T.float32(2))",
    ];
    expect![[r#"
        a[i] // b[i]: [4] [3, -4, -4, 3]
        a[i] % b[i]: [4] [1, 1, -1, -1]
        T.truncdiv(a[i], b[i]): [4] [3, -3, -3, 3]
        T.truncmod(a[i], b[i]): [4] [1, -1, 1, -1]
        a[i] // 4: [4] [1, -2, 1, -2]
        a[i] % 4: [4] [3, 1, 3, 1]
        T.max(a[i], b[i]): [4] [7, 2, 7, -2]
        T.shift_right(a[i], 1): [4] [3, -4, 3, -4]
        a[i] * 2147483647: [4] [2147483641, -2147483641, 2147483641, -2147483641]
        T.min_value("int32") // b[i]: [4] [-1073741824, -1073741824, 1073741824, 1073741824]
        T.Select(a[i] > 0, a[i], b[i]): [4] [7, 2, 7, -2]
        T.if_then_else(i < 2, a[i + 2], 0): [4] [7, -7, 0, 0]
        T.Cast("int32", T.Cast("int8", a[i] * 100)): [4] [-68, 68, -68, 68]
        T.Cast("int32", T.Cast("float32", a[i]) / T.float32(2)): [4] [3, -3, 3, -3]
    "#]]
    .assert_eq(&ops.map(run).concat());
}

#[test]
fn a_division_by_zero_and_the_least_number_do_not_end_the_process() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((2,), "int64"), b: T.Buffer((2,), "int64"), c: T.Buffer((2,), "int64")):
    for i in range(2):
        c[i] = a[i] // b[i]
"#;
    let run = |b: Vec<i64>| {
        let tensor = |values: Vec<i64>| Operand::Tensor(Tensor::from_vec(&[2], values).unwrap());
        outcome(
            source,
            vec![tensor(vec![i64::MIN, 5]), tensor(b), tensor(vec![0, 0])],
        )
    };
    expect![[r#"
        [2] [-9223372036854775808, 5]
        [2] [-1, -1]
        [2] [-9223372036854775808, -5]
        integer division by zero
    "#]]
    .assert_eq(&format!("{}{}", run(vec![-1, -1]), run(vec![1, 0])));
}

#[test]
fn functions_of_floats() {
    let source = |op: &str| {
        format!(
            r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
    for i in range(4):
        c[i] = {op}
"#
        )
    };
    let run = |op: &str| {
        let a = f32s(&[4], &[0.25, -1.5, 2.5, 4.0]);
        let all = outcome(&source(op), vec![a.clone(), zeros(&a)]);
        format!("{op}: {}\n", all.lines().last().unwrap_or_default())
    };
    let ops = [
        "T.exp(a[i])",
        "T.sigmoid(a[i])",
        "T.rsqrt(T.fabs(a[i]))",
        "T.round(a[i])",
        "T.floor(a[i]) + T.ceil(a[i]) + T.trunc(a[i])",
        "T.erf(a[i])",
        "T.pow(a[i], T.float32(2))",
        "T.max(a[i], 0.0)",
        "-a[i] / 2",
        "T.Cast(\"float32\", T.isnan(a[i]))",
        "T.Cast(\"float32\", T.Cast(\"float16\", a[i] * T.float32(1000.1)))",
        "T.atan2(a[i], T.float32(1))",
    ];
    expect![[r#"
        T.exp(a[i]): [4] [1.2840254306793213, 0.22313016653060913, 12.182494163513184, 54.598148345947266]
        T.sigmoid(a[i]): [4] [0.562176525592804, 0.18242552876472473, 0.9241418242454529, 0.9820137619972229]
        T.rsqrt(T.fabs(a[i])): [4] [2.0, 0.8164965510368347, 0.6324555277824402, 0.5]
        T.round(a[i]): [4] [0.0, -2.0, 2.0, 4.0]
        T.floor(a[i]) + T.ceil(a[i]) + T.trunc(a[i]): [4] [1.0, -4.0, 7.0, 12.0]
        T.erf(a[i]): [4] [0.27632638812065125, -0.9661051630973816, 0.9995930194854736, 1.0]
        T.pow(a[i], T.float32(2)): [4] [0.0625, 2.25, 6.25, 16.0]
        T.max(a[i], 0.0): [4] [0.25, 0.0, 2.5, 4.0]
        -a[i] / 2: [4] [-0.125, 0.75, -1.25, -2.0]
        T.Cast("float32", T.isnan(a[i])): [4] [0.0, 0.0, 0.0, 0.0]
        T.Cast("float32", T.Cast("float16", a[i] * T.float32(1000.1))): [4] [250.0, -1500.0, 2500.0, 4000.0]
        T.atan2(a[i], T.float32(1)): [4] [0.244978666305542, -0.9827937483787537, 1.1902899742126465, 1.3258177042007446]
    "#]].assert_eq(&ops.map(run).concat());
}

#[test]
fn half_floats_round_at_every_step() {
    let tensor = |values: &[f32]| {
        let values: Vec<half::f16> = values.iter().map(|&v| half::f16::from_f32(v)).collect();
        Operand::Tensor(Tensor::from_vec(&[values.len()], values).unwrap())
    };
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2,), "float16"), b: T.Buffer((2,), "float16")):
    for i in range(2):
        b[i] = a[i] + T.float16(1) - a[i]
"#,
        vec![tensor(&[2048.0, 3.0]), tensor(&[0.0, 0.0])],
        expect![[r#"
            [2] [2048.0, 3.0]
            [2] [0.0, 1.0]
        "#]],
    );
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
fn what_does_not_run_is_named() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32")):
    s = T.alloc_buffer((4,), "float32", scope="shared")
    for i in T.thread_binding(4, thread="threadIdx.x"):
        s[i] = a[i]
        a[i] = s[3 - i]
"#,
        vec![f32s(&[4], &[0.; 4])],
        expect![[r#"
            the threads of this loop exchange values through `s`, and run here one after the other at `for i in T.thread_binding(4, thread="threadIdx.x"):`
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
fn loops_run_over_the_shape_of_a_buffer_and_threads_to_the_end_of_their_suite() {
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
fn a_scalar_that_is_assigned_again_keeps_its_value_after_the_loop() {
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
fn every_operation_compiles_for_every_dtype_it_is_of() {
    let integers = [
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool",
    ];
    let floats = ["float16", "bfloat16", "float32", "float64"];
    let both = [
        "x + y",
        "x - y",
        "x * y",
        "x // y",
        "x % y",
        "T.truncdiv(x, y)",
        "T.truncmod(x, y)",
        "T.min(x, y)",
        "T.max(x, y)",
        "-x",
        "T.abs(x)",
        "T.Select(x < y, x, y)",
        "T.if_then_else(x == y, x, y)",
        "T.floor(x)",
        "T.pow(x, y)",
        "T.isnan(x)",
        "x != y",
        "x <= y and x > y",
        "not x >= y",
    ];
    let of_integers = [
        "x & y",
        "x | y",
        "x ^ y",
        "~x",
        "x << y",
        "x >> y",
        "T.popcount(x)",
        "T.clz(x)",
    ];
    let mut failed = String::new();
    let mut one = |dtype: &str, op: &str| {
        let source = format!(
            r#"
@T.prim_func
def f(a: T.Buffer((1,), "{dtype}"), b: T.Buffer((1,), "{dtype}"), c: T.Buffer((1,), "{dtype}")):
    x = a[0]
    y = b[0]
    c[0] = T.Cast("{dtype}", {op})
"#
        );
        let kind = crate::tensor::Kind::of(relax::dtype::DType::parse(dtype).unwrap()).unwrap();
        let one = || Operand::Tensor(Tensor::full(kind, &[1], Scalar::Int(1)).unwrap());
        match compile(&source) {
            Ok(compiled) => {
                if let Err((error, _)) = compiled.call(
                    &mut [one(), one(), one()],
                    &AtomicBool::default(),
                    &mut no_packed_functions,
                ) {
                    let _ = writeln!(failed, "{dtype} {op}: {error}");
                }
            }
            Err(error) => {
                let _ = write!(failed, "{dtype} {op}: {error}");
            }
        }
    };
    for dtype in integers {
        for op in both.iter().chain(&of_integers) {
            one(dtype, op);
        }
    }
    for dtype in floats {
        for op in both {
            one(dtype, op);
        }
        for function in hir::tir::Unary::ALL {
            if !matches!(function.name(), "popcount" | "clz" | "neg" | "bitwise_not") {
                one(dtype, &format!("T.{}(x)", function.name()));
            }
        }
        for function in hir::tir::Math::ALL {
            one(dtype, &format!("T.{}(x, y)", function.name()));
        }
    }
    for from in integers.iter().chain(&floats) {
        for to in integers.iter().chain(&floats) {
            one(from, &format!("T.Cast(\"{to}\", x)"));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn narrow_sums_are_checked_where_they_wrap() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((300,), "float32")):
    for i in T.serial(T.int8(100)):
        a[i * T.int8(2)] = T.float32(1)
"#,
        vec![f32s(&[300], &[0.; 300])],
        expect![[r#"
            index -128 is out of range for dimension 0 of buffer `a`, which is 300
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
    assert_eq!(error.to_string(), "the limit of time is reached");
    assert!(place.is_some());
}

/// The phases of a function that can be split, by whether they can; none where it is one whole.
fn splits(source: &str) -> Vec<bool> {
    let layout = compile(source).unwrap().layout;
    let phases = layout.map(|it| it.phases).unwrap_or_default();
    phases.iter().map(|it| it.cost.is_some()).collect()
}

#[test]
fn loops_whose_iterations_write_elements_of_their_own_are_split_between_threads() {
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
    assert_eq!(splits(source), [true, true]);
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
    assert_eq!(splits(sum), [] as [bool; 0]);
    assert_eq!(splits(total), [] as [bool; 0]);
}

#[test]
fn a_loop_marked_parallel_is_split_by_any_index_of_its_variable() {
    let source = r#"
@T.prim_func
def tiles(x: T.Buffer((1024,), "float32"), y: T.Buffer((1024,), "float32")):
    for o in T.parallel(32):
        for i in T.vectorized(32):
            y[o * 32 + i] = x[o * 32 + i]
"#;
    assert_eq!(splits(source), [true]);
    assert_eq!(
        splits(&source.replace("parallel", "serial")),
        [] as [bool; 0]
    );
}

#[test]
fn a_fault_in_one_part_is_told() {
    let source = r#"
@T.prim_func
def gather(x: T.Buffer((400,), "int64"), y: T.Buffer((400, 400), "int64")):
    for i, j in T.grid(400, 400):
        y[i, j] = x[x[i]]
"#;
    assert_eq!(splits(source), [true]);
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
fn threads_that_fill_shared_memory_before_others_read_it_run_in_order() {
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
fn what_is_computed_from_memory_of_a_thread_belongs_to_the_thread() {
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
fn a_local_buffer_with_an_element_for_each_thread_is_common_to_them() {
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
fn memory_of_as_many_threads_as_the_call_says_has_no_value_outside_of_their_loops() {
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
            each thread of `threadIdx.x` has a `x` of its own, which is read here outside of a loop over them at `x[0]`
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
