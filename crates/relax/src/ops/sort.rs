//! Operators that order elements: sort, argsort, topk.

use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req,
    tuple, with_dims, with_ndim,
};
use crate::sinfo::Tensor;
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/tensor/sorting.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input tensor.");
const AXIS: Param = opt("axis", Kind::Int, Default::Int(-1)).doc("The dimension to sort along.");
const DESCENDING: Param =
    opt("descending", Kind::Bool, Default::Bool(false)).doc("Sorts in descending order.");
const INDEX_DTYPE: Param =
    opt("dtype", Kind::DType, Default::Str("int32")).doc("The dtype of the indices.");

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.sort",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            AXIS,
            DESCENDING,
        ],
        sort,
    )
    .doc(
        "Sorts along a dimension.",
        "x: (…) → (…)",
        "R.sort(x, axis=-1)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.argsort",
        &[DATA, AXIS, DESCENDING, INDEX_DTYPE],
        argsort,
    )
    .doc(
        "The indices that sort a tensor along a dimension.",
        "data: (…) → (…), int32",
        "R.argsort(x, axis=-1, dtype=\"int64\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.topk",
        &[
            DATA,
            opt("k", Kind::Int, Default::Int(1)).doc("The number of elements; all if less than 1."),
            AXIS,
            opt("ret_type", Kind::Str, Default::Str("both"))
                .doc("What to return: `both`, `values` or `indices`."),
            opt("largest", Kind::Bool, Default::Bool(true))
                .doc("Takes the greatest elements instead of the least."),
            INDEX_DTYPE,
        ],
        topk,
    )
    .doc(
        "The greatest elements along a dimension and their indices.",
        "data: (n, m) · k=3 → (n, 3), (n, 3) of int32",
        "R.topk(x, k=3, axis=-1, ret_type=\"both\")",
    )
    .source(SOURCE),
];

fn sort(c: &Call<'_>) -> Infer {
    c.tensor(0).map(Into::into)
}

/// Returns the dtype of the indices: as given, or else that of the data.
fn index_like(c: &Call<'_>, data: &Tensor, i: usize) -> Result<Tensor, Stop> {
    Ok(Tensor {
        dtype: c.dtype(i)?.or(data.dtype),
        ..data.clone()
    })
}

fn argsort(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    index_like(c, &data, 3).map(Into::into)
}

fn topk(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let indices = index_like(c, &data, 5)?;
    let count = c.int(1)?.unwrap_or(1);
    let (values, indices) = match explicit_dims(&data) {
        Some(dims) => {
            let mut dims = dims.to_vec();
            let axis = c.axis(2, dims.len())?.unwrap_or(0);
            if count > 0 && dims[axis].as_int().is_none_or(|extent| count < extent) {
                dims[axis] = SymExpr::int(count);
            }
            (with_dims(&data, dims.clone()), with_dims(&indices, dims))
        }
        None => (
            with_ndim(&data, data.ndim()),
            with_ndim(&indices, data.ndim()),
        ),
    };
    match c.str(3)?.as_deref() {
        Some("both") => Ok(tuple(vec![values, indices])),
        Some("values") => Ok(values),
        Some("indices") => Ok(indices),
        other => {
            let message = format!(
                "`{}` is not one of `both`, `values` and `indices`",
                other.unwrap_or("None")
            );
            Err(c.error(OpErrorKind::Value, At::param(3), message))
        }
    }
}
