//! Tests that the table is complete, and that relations agree with TVM 0.19.

use super::*;
use crate::dtype::DType;
use crate::relay::attrs::Value;
use crate::relay::site::{Site, Stop, attribute};
use crate::relay::types::{Dim, Type};

fn tensor(dims: &[i64], dtype: DType) -> Type {
    let dims: Vec<Dim> = dims
        .iter()
        .map(|&it| if it < 0 { Dim::Any } else { Dim::Int(it) })
        .collect();
    Type::tensor(dims, dtype)
}

fn floats(dims: &[i64]) -> Type {
    tensor(dims, DType::F32)
}

/// Returns the result or the error message.
fn infer(name: &str, types: &[Type], attrs: &[(&str, Value)]) -> String {
    let entry = by_name(name).expect("the operator exists");
    let attrs: Vec<_> = attrs
        .iter()
        .map(|(name, value)| ((*name).into(), value.clone()))
        .collect();
    let site = Site {
        entry,
        types,
        given: &|name| attribute(&attrs, name),
        constant: &|_| None,
    };
    match (entry.op.relation)(&site) {
        Ok(answer) => answer.out.to_string(),
        Err(Stop::Wrong(mistake)) => mistake.message,
        Err(stop) => format!("{stop:?}"),
    }
}

fn ints(values: &[i64]) -> Value {
    Value::List(values.iter().copied().map(Value::Int).collect())
}

#[test]
fn every_row_is_parsed_and_unique() {
    let rows: usize = FAMILIES.iter().map(|it| it.len()).sum();
    assert_eq!(all().count(), rows);
    assert!(rows > 280, "{rows}");
}

#[test]
fn broadcasting_follows_numpy_and_unknown_extents_take_the_known_one() {
    let add = |a: &[i64], b: &[i64]| infer("add", &[floats(a), floats(b)], &[]);
    assert_eq!(add(&[2, 1], &[3]), "Tensor[(2, 3), float32]");
    assert_eq!(add(&[-1, 3], &[5, 1]), "Tensor[(5, 3), float32]");
    assert_eq!(
        add(&[2, 3], &[4]),
        "`lhs` and `rhs` do not broadcast: dimension 1 of `lhs` is 3, dimension 0 of `rhs` is 4"
    );
}

#[test]
fn two_dtypes_do_not_add() {
    let types = [floats(&[2]), tensor(&[2], DType::BOOL)];
    assert_eq!(
        infer("add", &types, &[]),
        "`lhs` is float32 and `rhs` is bool: `add` takes one dtype"
    );
}

#[test]
fn reshape_codes_mean_the_same_as_in_tvm() {
    let reshape = |from: &[i64], codes: &[i64]| {
        infer("reshape", &[floats(from)], &[("newshape", ints(codes))])
    };
    for (from, codes, out) in [
        (&[2, 3, 4][..], &[4, 0, 2][..], "Tensor[(4, 3, 2), float32]"),
        (&[2, 3, 4], &[6, -1], "Tensor[(6, 4), float32]"),
        (&[2, 3, 4], &[-2], "Tensor[(2, 3, 4), float32]"),
        (&[2, 3, 4], &[-3, 4], "Tensor[(6, 4), float32]"),
        (&[2, 3, 4], &[-4, 1, 2, -2], "Tensor[(1, 2, 3, 4), float32]"),
        (
            &[2, 3, 4],
            &[2, -4, -1, 3, -2],
            "Tensor[(2, 1, 3, 4), float32]",
        ),
        (&[-1, 3], &[-1], "Tensor[(?), float32]"),
    ] {
        assert_eq!(reshape(from, codes), out, "{codes:?}");
    }
    assert_eq!(
        reshape(&[2, 3], &[7]),
        "Tensor[(2, 3), float32] has 6 elements, the shape (7) has 7"
    );
}

#[test]
fn a_convolution_follows_its_layouts() {
    let conv = |attrs: &[(&str, Value)], data: &[i64], weight: &[i64]| {
        infer("nn.conv2d", &[floats(data), floats(weight)], attrs)
    };
    assert_eq!(
        conv(
            &[("padding", ints(&[1, 1, 1, 1]))],
            &[1, 3, 8, 8],
            &[16, 3, 3, 3]
        ),
        "Tensor[(1, 16, 8, 8), float32]"
    );
    let nhwc = [
        ("data_layout", Value::Str("NHWC".into())),
        ("kernel_layout", Value::Str("HWIO".into())),
    ];
    assert_eq!(
        conv(&nhwc, &[1, 8, 8, 3], &[3, 3, 3, 16]),
        "Tensor[(1, 6, 6, 16), float32]"
    );
    assert_eq!(
        conv(&[], &[1, 4, 8, 8], &[16, 3, 3, 3]),
        "the data has 4 channels in 1 group(s), so the kernel has to take 4; it takes 3"
    );
}

#[test]
fn a_relation_waits_for_unknown_types() {
    assert_eq!(infer("cast", &[Type::Hole(0)], &[]), "Wait");
    assert_eq!(infer("nn.relu", &[Type::Unknown], &[]), "_");
}

#[test]
fn relatives_of_convolutions_have_their_shapes() {
    let kernel = [("kernel_size", ints(&[3, 3]))];
    let backward = [
        kernel[0].clone(),
        ("kernel_layout", Value::Str("NCHW".into())),
        ("out_layout", Value::Str("OIHW".into())),
    ];
    for (name, inputs, attrs, out) in [
        (
            "nn.conv2d_backward_weight",
            &[&[2, 8, 6, 6][..], &[2, 4, 8, 8]][..],
            &backward[..],
            "Tensor[(8, 4, 3, 3), float32]",
        ),
        (
            "nn.deformable_conv2d",
            &[&[1, 4, 8, 8], &[1, 18, 6, 6], &[8, 4, 3, 3]],
            &[],
            "Tensor[(1, 8, 6, 6), float32]",
        ),
        (
            "nn.deformable_conv2d",
            &[&[1, 4, 8, 8], &[1, 18, 6, 6], &[8, 3, 3, 3]],
            &[],
            "the data has 4 channels in 1 group(s), so the kernel has to take 4; it takes 3",
        ),
        (
            "nn.correlation",
            &[&[1, 3, 10, 10], &[1, 3, 10, 10]],
            &[
                ("max_displacement", Value::Int(4)),
                ("padding", ints(&[4, 4])),
            ],
            "Tensor[(1, 81, 10, 10), float32]",
        ),
        (
            "nn.sparse_conv2d",
            &[&[1, 8, 4, 4], &[5, 2, 4], &[5], &[4]],
            &[("layout", Value::Str("NCHW".into()))],
            "Tensor[(1, 6, 4, 4), float32]",
        ),
        (
            "nn.contrib_conv2d_winograd_weight_transform",
            &[&[8, 4, 3, 3]],
            &[("tile_size", Value::Int(4))],
            "Tensor[(6, 6, 8, 4), float32]",
        ),
        (
            "nn.contrib_conv3d_winograd_weight_transform",
            &[&[8, 4, 1, 3, 3]],
            &[("tile_size", Value::Int(4))],
            "Tensor[(6, 6, 1, 8, 4), float32]",
        ),
        (
            "nn.contrib_conv2d_gemm_weight_transform",
            &[&[3, 3, 4, 10]],
            &[("tile_N", Value::Int(4)), ("tile_K", Value::Int(16))],
            "Tensor[(3, 4, 16, 4), float32]",
        ),
    ] {
        let types: Vec<Type> = inputs.iter().map(|it| floats(it)).collect();
        assert_eq!(infer(name, &types, attrs), out, "{name}");
    }
}

#[test]
fn einsum_has_the_rule_of_relax() {
    let product = |a: &[i64], b: &[i64]| {
        let tensors = Type::tuple([floats(a), floats(b)]);
        infer(
            "einsum",
            &[tensors],
            &[("equation", Value::Str("ij,jk->ik".into()))],
        )
    };
    assert_eq!(product(&[2, 3], &[3, 4]), "Tensor[(2, 4), float32]");
    assert!(product(&[2, 3], &[5, 4]).starts_with("`einsum`: "));
    assert_eq!(product(&[-1, 3], &[3, 4]), "Unknown");
}

#[test]
fn calls_of_lowered_functions_have_the_results_of_the_functions() {
    let function = Type::function([], [floats(&[2])], floats(&[3]));
    let args = Type::tuple([floats(&[2])]);
    assert_eq!(
        infer("call_lowered", &[function, args], &[]),
        "Tensor[(3), float32]"
    );
    let scalar = Type::scalar(DType::I64);
    let storage = [scalar.clone(), floats(&[1]), scalar];
    assert_eq!(infer("memory.alloc_storage", &storage, &[]), "Storage[]");
    assert_eq!(infer("memory.kill", &[floats(&[2])], &[]), "()");
}
