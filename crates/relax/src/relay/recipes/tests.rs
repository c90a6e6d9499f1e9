//! Tests that a recipe is a few calls of Relax operators, and that Relax infers the same as Relay.

use std::fmt::Write;

use smol_str::SmolStr;

use super::*;
use crate::dtype::DType;
use crate::relay::attrs::Value;
use crate::relay::ops;
use crate::relay::site::{Site, attribute};
use crate::relay::types::{Dim, Type};
use crate::release::Release;
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;

fn type_and_sinfo(dims: &[i64], dtype: DType) -> (Type, StructInfo) {
    let ty: Vec<Dim> = dims.iter().copied().map(Dim::Int).collect();
    let sinfo: Vec<SymExpr> = dims.iter().copied().map(SymExpr::int).collect();
    (
        Type::tensor(ty, dtype),
        StructInfo::Tensor(Tensor::new(sinfo, Some(dtype))),
    )
}

fn ints(values: &[i64]) -> Value {
    Value::List(values.iter().copied().map(Value::Int).collect())
}

/// Returns the names of the steps and the StructInfo of the result, or why there is no translation.
fn written(name: &str, inputs: &[&[i64]], attrs: &[(&str, Value)]) -> String {
    let (types, sinfos): (Vec<_>, Vec<_>) = inputs
        .iter()
        .map(|dims| type_and_sinfo(dims, DType::F32))
        .unzip();
    let attrs: Vec<(SmolStr, Value)> = attrs
        .iter()
        .map(|(name, value)| ((*name).into(), value.clone()))
        .collect();
    let site = Site {
        entry: ops::by_name(name).expect("the operator exists"),
        types: &types,
        given: &|name| attribute(&attrs, name),
        constant: &|_| None,
    };
    let mut build = Build::new(&site, sinfos, Release::NEWEST);
    match of(name).expect("it has a recipe").write(&mut build) {
        Ok(val) => {
            let mut text = String::new();
            for step in &build.steps {
                let _ = write!(text, "{} · ", step.op);
            }
            let dims = match &val.sinfo {
                StructInfo::Tensor(tensor) => tensor.dims().map(crate::ops::show_dims),
                _ => None,
            };
            text + &dims.unwrap_or_default()
        }
        Err(Refusal(why)) => why,
    }
}

#[test]
fn every_recipe_belongs_to_an_operator() {
    for (name, _) in all() {
        assert!(ops::by_name(name).is_some(), "{name}");
    }
}

#[test]
fn each_operator_has_a_recipe_or_a_reason() {
    for entry in ops::all() {
        let name = entry.op.name;
        assert!(of(name).is_some() != reason(name).is_some(), "{name}");
    }
    for name in lacking::names() {
        assert!(ops::by_name(name).is_some(), "{name}");
    }
}

#[test]
fn a_dense_layer_multiplies_with_the_transposed_weight() {
    let dense = written(
        "nn.dense",
        &[&[1, 784], &[128, 784]],
        &[("units", Value::Int(128))],
    );
    assert_eq!(dense, "permute_dims · matmul · (1, 128)");
}

#[test]
fn a_bias_is_reshaped_if_it_does_not_broadcast() {
    let axis = |at| [("axis", Value::Int(at))];
    assert_eq!(
        written("nn.bias_add", &[&[1, 3, 8, 8], &[3]], &axis(1)),
        "reshape · add · (1, 3, 8, 8)"
    );
    assert_eq!(
        written("nn.bias_add", &[&[1, 3], &[3]], &axis(-1)),
        "add · (1, 3)"
    );
}

#[test]
fn operators_without_a_relax_equivalent_are_refused_by_name() {
    let pad = [
        ("pad_width", Value::List(vec![ints(&[1, 1])])),
        ("mode", Value::Str("SYMMETRIC".into())),
    ];
    assert_eq!(
        written("nn.mirror_pad", &[&[4]], &pad),
        "`nn.mirror_pad` that repeats the edge"
    );
}

#[test]
fn a_layout_with_split_axes_is_merged_split_and_transposed() {
    let layouts = |from: &str, to: &str| {
        [
            ("src_layout", Value::Str(from.into())),
            ("dst_layout", Value::Str(to.into())),
        ]
    };
    assert_eq!(
        written(
            "layout_transform",
            &[&[1, 8, 5, 5]],
            &layouts("NCHW", "NHWC")
        ),
        "permute_dims · (1, 5, 5, 8)"
    );
    assert_eq!(
        written(
            "layout_transform",
            &[&[1, 2, 5, 5, 8]],
            &layouts("NCHW8c", "NCHW4c")
        ),
        "permute_dims · reshape · reshape · permute_dims · (1, 4, 5, 5, 4)"
    );
    let pool = [
        ("pool_size", ints(&[2, 2])),
        ("strides", ints(&[2, 2])),
        ("layout", Value::Str("NCHW4c".into())),
    ];
    assert_eq!(
        written("nn.max_pool2d", &[&[1, 2, 4, 4, 4]], &pool),
        "permute_dims · reshape · nn.max_pool2d · reshape · permute_dims · (1, 2, 2, 2, 4)"
    );
}

#[test]
fn an_index_over_several_axes_is_flattened() {
    let axes = [("axis", ints(&[0, 1])), ("keepdims", Value::Bool(true))];
    assert_eq!(
        written("argmax", &[&[2, 3, 4]], &axes),
        "permute_dims · reshape · argmax · astype · expand_dims · (1, 1, 4)"
    );
    let last = [("select_last_index", Value::Bool(true))];
    assert_eq!(
        written("argmin", &[&[5]], &last),
        "flip · argmin · astype · subtract · ()"
    );
}

#[test]
fn a_shape_is_read_with_the_codes_of_tvm() {
    let codes = |codes: &[i64]| [("newshape", ints(codes))];
    let reshaped = |given: &[i64]| written("reshape", &[&[2, 3, 4]], &codes(given));
    assert_eq!(reshaped(&[0, -3]), "reshape · (2, 12)");
    assert_eq!(reshaped(&[-4, 1, -1, -2]), "reshape · (1, 2, 3, 4)");
}
