//! Tests of the arithmetic of each dtype: rounding, wrapping, division, math functions.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use expect_test::expect;

use super::super::Operand;
use super::{check, compile, f32s, i32s, no_packed_functions, outcome, zeros};
use crate::tensor::{Scalar, Tensor};

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
fn division_errors_do_not_end_the_process() {
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
        // TVM 0.27 refuses to divide conditions.
        let is_refused = |op: &str| dtype == "bool" && matches!(op, "x // y" | "x % y");
        for op in both.iter().chain(&of_integers).filter(|op| !is_refused(op)) {
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
