//! Tests that no program accesses memory outside of its buffers. Each program once did, or came close.

use std::fmt::Write;

use expect_test::expect;
use relax::dtype::DType;

use super::{assert_splits, check, compile, f32s, i32s, no_packed_functions, outcome, zeros};
use crate::tensor::{Kind, Tensor, Window};
use crate::tir::Operand;

/// The memory of another operand in this shape.
fn same(of: usize, shape: &[usize]) -> Operand {
    let window = Window {
        kind: Kind::F32,
        shape: shape.to_vec(),
        start: None,
    };
    Operand::Same(of, window)
}

fn i64s(shape: &[usize], values: &[i64]) -> Operand {
    Operand::Tensor(Tensor::from_vec(shape, values.to_vec()).unwrap())
}

#[test]
fn a_shape_variable_too_narrow_for_the_extent_stops_the_call() {
    for (dtype, held) in [("int8", -56), ("uint8", 200)] {
        let source = format!(
            r#"
@T.prim_func
def f(x: T.handle, o: T.Buffer((1,), "float32")):
    n = T.{dtype}()
    A = T.match_buffer(x, (n,), "float32")
    o[0] = A[T.int64(100000000)]
"#
        );
        let said = outcome(&source, vec![f32s(&[200], &[0.; 200]), f32s(&[1], &[0.])]);
        let wanted = if held == 200 {
            "index 100000000 is out of range for dimension 0 of buffer `A`, which is 200\n"
        } else {
            "dimension 0 of buffer `A` is 200, but the function says -56\n"
        };
        assert_eq!(said, wanted);
    }
}

#[test]
fn strides_that_the_argument_does_not_have_stop_the_call() {
    let source = |stride: &str| {
        format!(
            r#"
@T.prim_func
def f(x: T.handle, o: T.Buffer((1,), "float32")):
    A = T.match_buffer(x, (1, 2, 3), "float32", strides=[7, {stride}, 1])
    o[0] = A[0, 1, 0]
"#
        )
    };
    let run = |stride| {
        let x = f32s(&[1, 2, 3], &[1., 2., 3., 4., 5., 6.]);
        outcome(&source(stride), vec![x, f32s(&[1], &[0.])])
    };
    expect![[r#"
        [1, 2, 3] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
        [1] [4.0]
        stride 1 of buffer `A` is 3, but the function says 4
    "#]]
    .assert_eq(&(run("3") + &run("4")));
}

#[test]
fn a_sum_that_wraps_is_not_what_it_would_be_in_a_wider_dtype() {
    let run = |dtype: &str, index: &str| {
        let source = format!(
            r#"
@T.prim_func
def f(x: T.{dtype}, o: T.Buffer((4,), "float32")):
    o[{index}] = T.float32(1)
"#
        );
        let x = Operand::Scalar(crate::tensor::Scalar::Int(3));
        outcome(&source, vec![x, f32s(&[4], &[0.; 4])])
    };
    let wide = r#"T.Cast("int64", x - x - 2147483647 - 1 - 2147483647 - 1) + T.int64(4294967296)"#;
    let unsigned = r#"T.Cast("int64", x - x - T.uint32(1)) + T.int64(1)"#;
    expect![[r#"
        index 4294967296 is out of range for dimension 0 of buffer `o`, which is 4
        index 4294967296 is out of range for dimension 0 of buffer `o`, which is 4
    "#]]
    .assert_eq(&(run("int32", wide) + &run("uint32", unsigned)));
}

#[test]
fn a_buffer_store_has_an_index_for_each_dimension() {
    for indices in ["[3]", "[3, 3, 3]"] {
        let source = format!(
            r#"
@T.prim_func
def f(o: T.Buffer((4, 4), "float32")):
    T.buffer_store(o, T.float32(1), {indices})
"#
        );
        let given = match indices.matches('3').count() {
            1 => "1 index is".to_owned(),
            many => format!("{many} indices are"),
        };
        assert_eq!(
            compile(&source).unwrap_err(),
            format!("`o` has 2 dimensions, and {given} given at `{indices}`\n")
        );
    }
}

#[test]
fn the_least_and_the_greatest_integers_can_be_written() {
    check(
        r#"
@T.prim_func
def f(o: T.Buffer((2,), "int64"), u: T.Buffer((2,), "uint64")):
    o[0] = T.int64(-9223372036854775808)
    o[1] = T.max_value("int64")
    u[0] = T.uint64(18446744073709551615)
    u[1] = T.truncdiv(T.uint64(18446744073709551615), T.uint64(2))
"#,
        vec![
            i64s(&[2], &[0, 0]),
            Operand::Tensor(Tensor::from_vec(&[2], vec![0u64; 2]).unwrap()),
        ],
        expect![[r#"
            [2] [-9223372036854775808, 9223372036854775807]
            [2] [18446744073709551615, 9223372036854775807]
        "#]],
    );
}

#[test]
fn a_literal_is_a_value_of_its_dtype() {
    let said = |value: &str| {
        let source = format!(
            r#"
@T.prim_func
def f(o: T.Buffer((4,), "int32"), n: T.uint8):
    o[0] = {value}
"#
        );
        compile(&source).map_or_else(|error| error, |_| format!("`{value}` compiles\n"))
    };
    expect![[r#"
        200 is not a value of int8 at `200`
        -1 is not a value of uint8 at `-1`
        300 is not a value of uint8 at `300`
        3 is not a value of bool at `3`
        int32 has no such value here at `T.infinity("int32")`
        `T.Cast("int8", 300)` compiles
        `n + 300` compiles
        `2147483647 + 1` compiles
    "#]]
    .assert_eq(
        &[
            "T.int8(200)",
            "T.uint8(-1)",
            "T.Select(n < 300, 1, 2)",
            "T.bool(3)",
            r#"T.infinity("int32")"#,
            r#"T.Cast("int8", 300)"#,
            "n + 300",
            "2147483647 + 1",
        ]
        .map(said)
        .concat(),
    );
}

#[test]
fn truth_values_are_0_or_1_however_they_came_about() {
    check(
        r#"
@T.prim_func
def f(a: T.Buffer((2,), "uint8"), b: T.Buffer((4,), "bool"), o: T.Buffer((4,), "int32"), t: T.bool):
    v = T.decl_buffer((2,), "bool", data=a.data)
    b[0] = v[0]
    b[1] = T.bitwise_not(v[0])
    b[2] = v[0] == v[1]
    b[3] = ~t
    o[0] = T.Cast("int32", v[0])
    o[1] = T.Cast("int32", t)
    o[2] = -t
    o[3] = v[0] + v[1]
"#,
        vec![
            Operand::Tensor(Tensor::from_vec(&[2], vec![7u8, 2]).unwrap()),
            Operand::Tensor(Tensor::from_vec(&[4], vec![0_u8; 4]).unwrap().as_bool()),
            i32s(&[4], &[0; 4]),
            Operand::Scalar(crate::tensor::Scalar::Int(2)),
        ],
        expect![[r#"
            [2] [7, 2]
            [4] [True, False, True, False]
            [4] [1, 1, -1, 2]
        "#]],
    );
}

#[test]
fn a_sum_reads_what_another_name_of_its_element_wrote() {
    let source = r#"
@T.prim_func
def f(x: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
    for k in range(4):
        o[3] = o[3] + x[3]
"#;
    let compiled = compile(source).unwrap();
    let mut apart = vec![f32s(&[4], &[1.; 4]), f32s(&[4], &[1.; 4])];
    let mut one = vec![same(1, &[4]), f32s(&[4], &[1.; 4])];
    for operands in [&mut apart, &mut one] {
        let stop = std::sync::atomic::AtomicBool::default();
        compiled
            .call(operands, &stop, &mut no_packed_functions)
            .unwrap();
    }
    let last = |operand: &Operand| match operand {
        Operand::Tensor(tensor) => tensor.get(3).unwrap().as_f64(),
        _ => unreachable!("a tensor was given"),
    };
    assert_eq!((last(&apart[1]), last(&one[1])), (5.0, 16.0));
}

#[test]
fn what_two_arguments_share_is_written_only_where_it_may_be() {
    let source = r#"
@T.prim_func
def f(x: T.Buffer((2,), "float32"), o: T.Buffer((2,), "float32")):
    for k in range(2):
        o[k] = x[k] + T.float32(1)
"#;
    let kept = Tensor::from_vec(&[2], vec![1f32, 2.]).unwrap();
    let mut operands = vec![Operand::Tensor(kept.clone()), same(0, &[2])];
    let stop = std::sync::atomic::AtomicBool::default();
    compile(source)
        .unwrap()
        .call(&mut operands, &stop, &mut no_packed_functions)
        .unwrap();
    assert_eq!(kept.values::<f32>().unwrap().as_ref(), [1., 2.]);
}

#[test]
fn a_fault_comes_after_all_that_is_before_it() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((100, 800), "float32"), n: T.int32):
    for i, j in T.grid(100, 800):
        a[i, j] = T.float32(1)
    k = 5 // n
    for i, j in T.grid(100, 800):
        a[i, j] = a[i, j] + T.Cast("float32", k)
    m = 5 // (n - 1)
"#;
    let run = |n: i64| {
        let zeros = zeros(&Operand::Tensor(
            Tensor::from_vec(&[100, 800], vec![0f32; 80_000]).unwrap(),
        ));
        let mut operands = vec![zeros, Operand::Scalar(crate::tensor::Scalar::Int(n))];
        let stop = std::sync::atomic::AtomicBool::default();
        let result = compile(source)
            .unwrap()
            .call(&mut operands, &stop, &mut no_packed_functions);
        let Operand::Tensor(tensor) = &operands[0] else {
            unreachable!("a tensor was given")
        };
        assert_eq!(tensor.dtype(), DType::F32);
        let said = result.map_or_else(|(error, _)| error.to_string(), |()| "done".into());
        (tensor.get(79_999).unwrap().as_f64(), said)
    };
    let zero = "integer division by zero".to_owned();
    assert_eq!(run(0), (1.0, zero.clone()));
    assert_eq!(run(1), (6.0, zero));
    assert_eq!(run(2), (3.0, "done".to_owned()));
}

#[test]
fn what_doubles_at_each_line_is_not_written_out() {
    let mut aliases =
        "\n@T.prim_func\ndef f(o: T.Buffer((1,), \"int32\"), n: T.int32):\n".to_owned();
    let mut extents = aliases.clone();
    aliases += "    x0 = T.meta_var(n)\n";
    extents += "    x0 = T.alloc_buffer((n,), \"int8\")\n";
    for at in 0..60 {
        let next = at + 1;
        let _ = writeln!(aliases, "    x{next} = T.meta_var(x{at} + x{at})");
        let dim = format!("x{at}.shape[0] + x{at}.shape[0]");
        let _ = writeln!(extents, "    x{next} = T.alloc_buffer(({dim},), \"int8\")");
    }
    aliases += "    o[0] = x60\n";
    for source in [aliases, extents] {
        let said = compile(&source).unwrap_err();
        let first = "the value of this is too large to be written out";
        assert!(said.starts_with(first), "{said}");
    }
}

#[test]
fn a_sum_is_not_what_the_offset_of_a_view_reads_beside_it() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "float32"), at: T.Buffer((2,), "int64")):
    c = T.match_buffer(a[at[1]:at[1] + 2], (2,), "float32")
    for i in range(3):
        at[0] = at[0] + T.Cast("int64", c[0])
"#;
    let operands = || vec![f32s(&[4], &[1., 2., 3., 4.]), i64s(&[2], &[9, 1])];
    check(
        source,
        operands(),
        expect![[r#"
            [4] [1.0, 2.0, 3.0, 4.0]
            [2] [15, 1]
        "#]],
    );
}

#[test]
fn a_loop_whose_view_starts_where_it_writes_stays_whole() {
    let source = r#"
@T.prim_func
def f(a: T.Buffer((4,), "int64"), o: T.Buffer((4,), "int64")):
    c = T.match_buffer(a[o[0]:o[0] + 1], (1,), "int64")
    for i in range(4):
        o[i] = c[0] + T.int64(1)
"#;
    assert_splits(source, &[]);
    check(
        source,
        vec![i64s(&[4], &[0, 5, 6, 1]), i64s(&[4], &[0, 0, 0, 0])],
        expect![[r#"
            [4] [0, 5, 6, 1]
            [4] [1, 6, 6, 6]
        "#]],
    );
}
