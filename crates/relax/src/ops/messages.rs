//! Tests of the messages of inference rules.

#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use crate::release::Release;
use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{At, Call, Rule, Stop};
use crate::notation;
use crate::sinfo::StructInfo;
use crate::sym::SymCx;
use crate::value::Value;

/// Calls an operator with operands in the notation of the records (numbers, lists and strings as in JSON), and prints
/// the error with its places.
#[track_caller]
fn check(spelling: &str, operands: &[&str], expect: Expect) {
    let op = super::by_script(spelling, Release::NEWEST).expect("an operator");
    let Rule::Infer(rule) = op.rule else {
        panic!("{spelling} has no rule of its own");
    };
    let args: Vec<Option<Value>> = operands
        .iter()
        .map(|text| match *text {
            "_" => None,
            text => Some(operand(text)),
        })
        .collect();
    let cx = SymCx::default();
    let call = Call {
        op,
        args: &args,
        cx: &cx,
        release: Release::NEWEST,
        oldest: Release::NEWEST,
        vdevices: &[],
    };
    let Err(Stop::Error(error)) = rule(&call) else {
        panic!("R.{spelling} is accepted");
    };
    let place = |at: &At| {
        let mut out = call.name(at.param).to_owned();
        if let Some(element) = at.element {
            let _ = write!(out, "[{element}]");
        }
        if let Some(dim) = at.dim {
            let _ = write!(out, ".shape[{dim}]");
        }
        out
    };
    let mut shown = format!(
        "{:?} at {}: {}",
        error.kind,
        place(&error.at),
        error.message
    );
    for (at, note) in &error.related {
        let _ = write!(shown, "\n  {}: {note}", place(at));
    }
    expect.assert_eq(&shown);
}

fn operand(text: &str) -> Value {
    if text.starts_with(char::is_uppercase) {
        return match notation::read(text).expect("StructInfo") {
            StructInfo::Tuple(fields) => {
                Value::List(fields.iter().cloned().map(Value::Expr).collect())
            }
            sinfo => Value::Expr(sinfo),
        };
    }
    let json: serde_json::Value = serde_json::from_str(text).expect("JSON");
    super::recorded::attribute(&json)
}

#[test]
fn a_broadcast_names_both_dimensions() {
    check(
        "add",
        &["Tensor((2, 4), float32)", "Tensor((3,), float32)"],
        expect![[r#"
            Shape at x1.shape[1]: dimension 1 of `x1` is `4`, dimension 0 of `x2` is `3`: they must be equal
              x2.shape[0]: `3` here"#]],
    );
}

#[test]
fn operands_of_different_dtypes_name_both() {
    check(
        "multiply",
        &["Tensor((4,), float32)", "Tensor((4,), int64)"],
        expect![[r#"
            DType at x2: `x1` is `float32` but `x2` is `int64`: the operands must have the same dtype
              x1: `float32` here"#]],
    );
}

#[test]
fn an_operand_of_a_wrong_kind_names_the_expected_kind() {
    check(
        "exp",
        &["Shape((2, 3))"],
        expect!["Type at x: `x` must be a Tensor, but is a Shape"],
    );
    check(
        "add",
        &["Object", "Tensor((4,), int64)"],
        expect!["Type at x1: `x1` must be a Tensor or a scalar, but is an Object"],
    );
    check(
        "reshape",
        &["Tensor((4,), int64)", "Tensor((2,), int64)"],
        expect!["Type at shape: `shape` must be a Shape, but is a Tensor"],
    );
}

#[test]
fn a_real_function_requires_floats() {
    check(
        "sqrt",
        &["Tensor((4,), int64)"],
        expect!["DType at x: `x` is `int64` but must have a float dtype"],
    );
}

#[test]
fn a_product_names_the_dimensions_it_sums_over() {
    check(
        "matmul",
        &["Tensor((b, 4, 8), float32)", "Tensor((b, 16, 2), float32)"],
        expect![[r#"
            Shape at x1.shape[2]: dimension 2 of `x1` is `8`, dimension 1 of `x2` is `16`: they must be equal
              x2.shape[1]: `16` here"#]],
    );
    check(
        "matmul",
        &["Tensor((4, n), float32)", "Tensor((n + 1, 2), float32)"],
        expect![[r#"
            Shape at x1.shape[1]: dimension 1 of `x1` is `n`, dimension 0 of `x2` is `n + 1`: they must be equal
              x2.shape[0]: `n + 1` here"#]],
    );
    check(
        "matmul",
        &["Tensor((), float32)", "Tensor((4, 2), float32)"],
        expect!["Rank at x1: `x1` must not be a scalar"],
    );
    check(
        "linear",
        &["Tensor((4, 8), float32)", "Tensor((2, 16), float32)"],
        expect![[r#"
            Shape at data.shape[1]: dimension 1 of `data` is `8`, dimension 1 of `weight` is `16`: they must be equal
              weight.shape[1]: `16` here"#]],
    );
}

#[test]
fn a_reshape_reports_both_element_counts() {
    check(
        "reshape",
        &["Tensor((2, n), float32)", "Shape((2, n + 1))"],
        expect![[r#"
            Shape at shape: `(2, n)` has `n * 2` elements, but `(2, n + 1)` has `n * 2 + 2`
              x: `(2, n)` here"#]],
    );
    check(
        "reshape",
        &["Tensor((2, 3), float32)", "Shape((-1, -1))"],
        expect!["Value at shape: only one dimension of the new shape may be `-1`"],
    );
    check(
        "reshape",
        &["Tensor(ndim=2, dtype=float32)", "Shape((-1, 2))"],
        expect![
            "Shape at x: the shape of `x` must be known for a dimension of the new shape to be inferred"
        ],
    );
}

#[test]
fn an_axis_out_of_range_reports_the_rank() {
    check(
        "sum",
        &["Tensor((2, 3), float32)", "[0, 2]"],
        expect![
            "Value at axis: axis `2` is out of range for a tensor of rank 2: axes go from -2 to 1"
        ],
    );
    check(
        "permute_dims",
        &["Tensor((2, 3), float32)", "[0, 0]"],
        expect!["Value at axes: `axes` names axis 0 twice"],
    );
    check(
        "permute_dims",
        &["Tensor((2, 3), float32)", "[0, 1, 2]"],
        expect!["Rank at axes: the number of axes is 3, but `x` has rank 2"],
    );
    check(
        "expand_dims",
        &["Tensor((2, 3), float32)", "4"],
        expect![
            "Value at axis: axis `4` is out of range for a tensor of rank 3: axes go from -3 to 2"
        ],
    );
}

#[test]
fn concat_names_the_tensor_that_differs() {
    check(
        "concat",
        &[
            "Tuple(Tensor((2, 3), float32), Tensor((2, 4), float32), Tensor((5, 4), float32))",
            "1",
        ],
        expect![[r#"
            Shape at tensors[2].shape[0]: dimension 0 of tensor 0 is `2`, dimension 0 of tensor 2 is `5` (only dimension 1, the axis, may differ)
              tensors[0].shape[0]: `2` here"#]],
    );
    check(
        "concat",
        &["Tuple(Tensor((2, 3), float32), Tensor((2,), float32))", "0"],
        expect!["Rank at tensors[1]: tensor 1 has rank 1, but rank 2 is expected"],
    );
    check(
        "stack",
        &["Tuple(Tensor((2,), float32), Tensor((2,), int8))", "0"],
        expect![[r#"
            DType at tensors[1]: tensor 0 is `float32` but tensor 1 is `int8`: they must have the same dtype
              tensors[0]: `float32` here"#]],
    );
}

#[test]
fn indices_must_be_integers() {
    check(
        "take",
        &["Tensor((2, 3), float32)", "Tensor((2,), float32)", "0"],
        expect!["DType at indices: `indices` is `float32` but must have an integer dtype"],
    );
    check(
        "take",
        &["Tensor((2, 3), float32)", "Tensor((2,), int64)"],
        expect!["Rank at x: `x` has rank 2: `axis` must say which dimension to take along"],
    );
    check(
        "one_hot",
        &["Tensor((2,), float32)", "1", "0", "5"],
        expect!["DType at indices: `indices` is `float32` but must have an integer dtype"],
    );
}

#[test]
fn slices_require_one_bound_per_axis() {
    check(
        "strided_slice",
        &["Tensor((8, 8), float32)", "[0, 1]", "[0]", "[4, 4]"],
        expect![[r#"
            Value at begin: `axes` has 2 elements but `begin` has 1
              axes: 2 elements here"#]],
    );
    check(
        "strided_slice",
        &["Tensor((8, 8), float32)", "[0]", "[0]", "[4]", "[0]"],
        expect!["Value at strides[0]: a stride must not be `0`"],
    );
}

#[test]
fn values_put_into_a_tensor_must_fit() {
    check(
        "scatter_nd",
        &[
            "Tensor((8, 4), float32)",
            "Tensor((5, 1), int64)",
            "Tensor((5, 3), float32)",
        ],
        expect![
            "Shape at updates: `updates` has shape `(5, 3)` but must have `(5, 4)`: the dimensions of `indices` but the last, then those of `data` from 1 on"
        ],
    );
    check(
        "slice_scatter",
        &[
            "Tensor((8, 4), float32)",
            "Tensor((3, 4), float32)",
            "0",
            "4",
            "1",
            "0",
        ],
        expect![
            "Shape at src.shape[0]: dimension 0 of `src` is `3`, but the slice has `4` elements"
        ],
    );
}

#[test]
fn an_equation_must_fit_its_operands() {
    let two = "Tuple(Tensor((2, 3), float32), Tensor((4, 5), float32))";
    check(
        "einsum",
        &[two, "\"ij,jk->ik\""],
        expect![
            "Shape at operands[1].shape[0]: dimension 0 of tensor 1 is `4`, but the same letter was `3` before"
        ],
    );
    check(
        "einsum",
        &[two, "\"ij->i\""],
        expect!["Value at subscripts: the equation has 1 operands, but 2 are given"],
    );
    check(
        "einsum",
        &[two, "\"ij,kl->im\""],
        expect!["Value at subscripts: `m` of the result does not occur in any operand"],
    );
    check(
        "einsum",
        &[two, "\"ij,k->ik\""],
        expect![
            "Rank at operands[1]: tensor 1 has rank 2, but the equation names 1 of its dimensions"
        ],
    );
    check(
        "einsum",
        &[two, "\"i1,kl->ik\""],
        expect!["Value at subscripts: `1` is not a letter"],
    );
}

#[test]
fn invalid_dtypes_are_named() {
    check(
        "astype",
        &["Tensor((2,), float32)", "\"flaot16\""],
        expect!["DType at dtype: `flaot16` is not a dtype"],
    );
    check(
        "quantize",
        &[
            "Tensor((2,), float32)",
            "Tensor((), float32)",
            "Tensor((), int8)",
            "-1",
            "\"int4\"",
        ],
        expect![
            "DType at out_dtype: `out_dtype` is `int4` but must be `int8` or `uint8` or `int16` or `uint16` or `float8_e4m3fn` or `float8_e5m2`"
        ],
    );
}
