//! Operators whose result size depends on the data: unique, nonzero.

use super::{
    Call, Default, Infer, Kind, Numbers, OpDef, Param, opt, req, tuple, with_dims, with_ndim,
};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::Tensor;
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/tensor/set.cc";

const INPUT: Param = req("x", Kind::Tensor).doc("The input tensor.");

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.unique",
        &[
            INPUT,
            opt("sorted", Kind::Bool, Default::Bool(true))
                .numbers(Numbers::NoShapeExprs)
                .doc("Sorts the elements."),
            opt("return_index", Kind::Bool, Default::Bool(false))
                .doc("Also returns the index of each element's first occurrence."),
            opt("return_inverse", Kind::Bool, Default::Bool(false))
                .doc("Also returns the position of each input element in the result."),
            opt("return_counts", Kind::Bool, Default::Bool(false))
                .doc("Also returns the count of each element."),
            opt("axis", Kind::Int, Default::None)
                .numbers(Numbers::NoShapeExprs)
                .doc("The dimension whose slices are compared; the flattened tensor if absent."),
        ],
        unique,
    )
    .doc(
        "The distinct elements of a tensor.",
        "x: (…) → rank 1, and one of int64 for each `return_*`",
        "R.unique(x)",
    )
    .source(SOURCE),
    OpDef::new("relax.nonzero", &[INPUT], nonzero)
        .releases(Releases::since(Release::V0_18))
        .doc(
            "The indices of the elements that are not zero.",
            "x: rank r → (r, ?), int64",
            "R.nonzero(x)",
        )
        .source(SOURCE),
];

fn unique(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    if let Some(ndim) = data.ndim() {
        match c.axis(5, ndim) {
            Ok(_) | Err(super::Stop::Unknown) => {}
            Err(error) => return Err(error),
        }
    }
    let scalar = data.ndim() == Some(0);
    let field = |dtype, ndim| {
        let like = Tensor {
            dtype,
            ..data.clone()
        };
        if scalar {
            with_dims(&like, vec![SymExpr::int(1)])
        } else {
            with_ndim(&like, ndim)
        }
    };
    let ndim = if c.is_given(5) { data.ndim() } else { Some(1) };
    let mut fields = vec![field(data.dtype, ndim)];
    for i in 2..=4 {
        if c.bool(i)? {
            fields.push(field(Some(DType::I64), Some(1)));
        }
    }
    Ok(match fields.len() {
        1 => fields.remove(0),
        _ => tuple(fields),
    })
}

fn nonzero(c: &Call<'_>) -> Infer {
    let data = Tensor {
        dtype: Some(DType::I64),
        ..c.tensor(0)?
    };
    let rank = match data.ndim() {
        Some(rank) if c.release < Release::V0_19 => Some(rank.max(1) + 1),
        None if c.release < Release::V0_19 => None,
        _ => Some(2),
    };
    Ok(with_ndim(&data, rank))
}
