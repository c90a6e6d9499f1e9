//! Operators that take elements at indices from a tensor: take, gather, index_tensor.

use super::create::integer_operand;
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req,
    show_dims, with_dims, with_ndim, with_shape,
};
use crate::dtype::{Code, DType};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::{SymExpr, Tri};

const INDEX: &str = "src/relax/op/tensor/index.cc";
const SOURCE: &str = "src/relax/op/tensor/manipulate.cc";

const TAKEN: Param = req("x", Kind::Tensor).doc("The input tensor.");
const TAKEN_AT: Param =
    req("indices", Kind::Expr).doc("The indices, a tensor of integers or an integer.");
const TAKEN_ALONG: Param = opt("axis", Kind::Int, Default::None)
    .doc("The dimension of the indices; optional if `x` has only one.");

const fn take(params: &'static [Param]) -> OpDef {
    OpDef::new("relax.take", params, infer_take)
        .doc(
            "Takes the elements at indices along a dimension.",
            "x: (a, n, b) · indices: (i, j) · axis=1 → (a, i, j, b)",
            "R.take(x, indices, axis=0)",
        )
        .source(INDEX)
}

pub(super) static OPS: &[OpDef] = &[
    take(&[TAKEN, TAKEN_AT, TAKEN_ALONG])
        .releases(Releases::until(Release::V0_21))
        .usage(26),
    take(&[
        TAKEN,
        TAKEN_AT,
        TAKEN_ALONG,
        opt("mode", Kind::Str, Default::Str("fast"))
            .doc("The handling of an index out of range: `fast`, `wrap`, `clip` or `nan`."),
    ])
    .releases(Releases::since(Release::V0_22))
    .usage(26),
    OpDef::new(
        "relax.gather_elements",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("indices", Kind::Tensor).doc("The indices along `axis`, of the rank of `data`."),
            opt("axis", Kind::Int, Default::Int(0)).doc("The dimension to gather along."),
        ],
        gather_elements,
    )
    .releases(Releases::since(Release::V0_19))
    .doc(
        "Gathers elements whose index along one dimension comes from another tensor.",
        "data: (n, m) · indices: (i, j) · axis=0 → (i, j)",
        "R.gather_elements(data, indices, axis=1)",
    )
    .source(SOURCE)
    .familiar(&["gather"]),
    OpDef::new(
        "relax.gather_nd",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("indices", Kind::Tensor).doc("The coordinates, int64, in the last dimension."),
            opt("batch_dims", Kind::Int, Default::Int(0))
                .doc("The number of leading dimensions shared by data and indices."),
        ],
        gather_nd,
    )
    .releases(Releases::since(Release::V0_19))
    .doc(
        "Gathers slices at coordinates.",
        "data: (a, b, c) · indices: (n, 2) → (n, c)",
        "R.gather_nd(data, indices, batch_dims=0)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.index_tensor",
        &[
            req("data", Kind::Tensor).doc("The input tensor."),
            req("indices", Kind::Tensors)
                .doc("An index tensor for each leading dimension; their shapes broadcast."),
        ],
        index_tensor,
    )
    .doc(
        "Indexes the leading dimensions with tensors, as NumPy does.",
        "data: (a, b, c) · indices: (n,), (n,) → (n, c)",
        "R.index_tensor(data, (rows, columns))",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
];

fn infer_take(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let indices = match c.value(1).struct_info() {
        Some(StructInfo::Prim(prim)) => {
            if let Some(dtype) = prim.dtype.filter(|d| !d.is_int()) {
                let message = format!("`{}` is `{dtype}` but must be an integer", c.name(1));
                return Err(c.error(OpErrorKind::DType, At::param(1), message));
            }
            Tensor::new(Vec::new(), prim.dtype)
        }
        Some(StructInfo::Tensor(_) | StructInfo::DTensor(_)) => integer_operand(c, 1)?,
        Some(StructInfo::Unknown) => return Err(Stop::Unknown),
        _ => return Err(c.wrong_kind(1, "a Tensor or a scalar")),
    };
    if !c.is_given(2) && data.ndim() != Some(1) {
        let message = match data.ndim() {
            Some(ndim) => format!(
                "`{}` has rank {ndim}: `axis` must say which dimension to take along",
                c.name(0)
            ),
            None => format!(
                "the rank of `{}` is not known: `axis` must say which dimension to take along",
                c.name(0)
            ),
        };
        return Err(c.error(OpErrorKind::Rank, At::param(0), message));
    }
    let (Some(rank), Some(index_rank)) = (data.ndim(), indices.ndim()) else {
        return Ok(with_ndim(&data, None));
    };
    let axis = c.axis(2, rank)?.unwrap_or(0);
    let (Some(dims), Some(index_dims)) = (explicit_dims(&data), explicit_dims(&indices)) else {
        return Ok(with_ndim(
            &data,
            Some((rank + index_rank).saturating_sub(1)),
        ));
    };
    let mut out = dims[..axis].to_vec();
    out.extend_from_slice(index_dims);
    out.extend_from_slice(dims.get(axis + 1..).unwrap_or_default());
    Ok(with_dims(&data, out))
}

fn gather_elements(c: &Call<'_>) -> Infer {
    let (data, indices) = (c.tensor(0)?, c.tensor(1)?);
    signed_indices(c, At::param(1), &indices)?;
    let (Some(rank), Some(index_rank)) = (data.ndim(), indices.ndim()) else {
        return Ok(with_ndim(&data, None));
    };
    c.axis(2, rank)?;
    if rank != index_rank {
        return Err(other_rank(c, 0, rank, 1, index_rank));
    }
    Ok(with_shape(&data, indices.shape))
}

/// Returns the error for two operands with different ranks.
pub(super) fn other_rank(c: &Call<'_>, a: usize, rank_a: usize, b: usize, rank_b: usize) -> Stop {
    let message = format!(
        "`{}` has rank {rank_a} but `{}` has rank {rank_b}",
        c.name(a),
        c.name(b)
    );
    c.error_with(
        OpErrorKind::Rank,
        At::param(b),
        message,
        At::param(a),
        format!("rank {rank_a} here"),
    )
}

fn signed_indices(c: &Call<'_>, at: At, indices: &Tensor) -> Result<(), Stop> {
    match indices.dtype {
        Some(dtype) if dtype.code != Code::Int => {
            let message = format!("indices must be signed integers, but these are `{dtype}`");
            let error = c.error(OpErrorKind::DType, at, message);
            Err(error.between(dtype, DType::I64))
        }
        _ => Ok(()),
    }
}

fn gather_nd(c: &Call<'_>) -> Infer {
    let (data, indices) = (c.tensor(0)?, c.tensor(1)?);
    let batch = c.int(2)?.unwrap_or(0);
    if let Some(dtype) = indices.dtype.filter(|&d| d != DType::I64) {
        let message = format!("`{}` is `{dtype}` but must be `int64`", c.name(1));
        let error = c.error(OpErrorKind::DType, At::param(1), message);
        return Err(error.between(DType::I64, dtype));
    }
    if batch < 0 {
        let message = format!("`{}` must not be negative, but is `{batch}`", c.name(2));
        return Err(c.error(OpErrorKind::Value, At::param(2), message));
    }
    let (Some(rank), Some(index_rank)) = (data.ndim(), indices.ndim()) else {
        return Ok(with_ndim(&data, None));
    };
    let batch = usize::try_from(batch).unwrap_or(usize::MAX);
    if batch > rank || batch >= index_rank {
        let message = format!(
            "`{}` is `{batch}`, but `{}` has rank {rank} and `{}` has rank {index_rank}",
            c.name(2),
            c.name(0),
            c.name(1)
        );
        return Err(c.error(OpErrorKind::Value, At::param(2), message));
    }
    let Some(index_dims) = explicit_dims(&indices) else {
        return Ok(with_ndim(&data, None));
    };
    let Some(coordinates) = index_dims.last().and_then(SymExpr::as_int) else {
        return Ok(with_ndim(&data, None));
    };
    let dims = explicit_dims(&data);
    let left = (index_rank - 1 + rank - batch) as i64;
    let left = left.saturating_sub(coordinates);
    // As in TVM, -1 is an unknown number of dimensions.
    if dims.is_none() && left >= -1 {
        return Ok(with_ndim(&data, usize::try_from(left).ok()));
    }
    let kept = usize::try_from(coordinates)
        .ok()
        .and_then(|n| n.checked_add(batch))
        .filter(|&n| n <= rank);
    let (Some(kept), Some(dims)) = (kept, dims) else {
        let message = format!(
            "the last dimension of `{}` is `{coordinates}`, but `{}` has only {} to index",
            c.name(1),
            c.name(0),
            rank - batch
        );
        return Err(c.error_with(
            OpErrorKind::Shape,
            At::dim(1, index_rank - 1),
            message,
            At::param(0),
            format!("rank {rank} here"),
        ));
    };
    let mut out = index_dims[..index_rank - 1].to_vec();
    out.extend_from_slice(&dims[kept..]);
    Ok(with_dims(&data, out))
}

fn index_tensor(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let indices = c.tensors(1)?;
    if indices.is_empty() {
        let message = format!("`{}` must contain at least one tensor", c.name(1));
        return Err(c.error(OpErrorKind::Value, At::param(1), message));
    }
    for (at, index) in indices.iter().enumerate() {
        signed_indices(c, At::element(1, at), index)?;
    }
    if let Some(rank) = data.ndim().filter(|&rank| indices.len() > rank) {
        let message = format!(
            "the number of index tensors is {}, but `{}` has rank {rank}",
            indices.len(),
            c.name(0)
        );
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    let tail = data.ndim().map(|rank| rank - indices.len());
    let Some(joint) = joint_dims(c, &indices)? else {
        return Ok(with_ndim(&data, None));
    };
    Ok(match explicit_dims(&data) {
        Some(dims) => {
            let mut out = joint;
            out.extend_from_slice(&dims[indices.len()..]);
            with_dims(&data, out)
        }
        None => with_ndim(&data, tail.map(|tail| joint.len() + tail)),
    })
}

/// Returns the shape that all index tensors broadcast to, or `None` if it is unknown.
fn joint_dims(c: &Call<'_>, indices: &[Tensor]) -> Result<Option<Vec<SymExpr>>, Stop> {
    let mut joint: Vec<SymExpr> = Vec::new();
    for (at, index) in indices.iter().enumerate() {
        let Some(dims) = explicit_dims(index) else {
            return Ok(None);
        };
        while joint.len() < dims.len() {
            joint.insert(0, SymExpr::int(1));
        }
        let rank = joint.len();
        for (back, dim) in dims.iter().rev().enumerate() {
            let slot = &mut joint[rank - 1 - back];
            if slot.as_int() == Some(1) {
                *slot = dim.clone();
            } else if dim.as_int() != Some(1) && c.cx.equal(slot, dim) != Tri::Yes {
                if slot.as_int().is_none() || dim.as_int().is_none() {
                    return Ok(None);
                }
                let message = format!(
                    "index tensor {at} has shape `{}`, which does not broadcast: its dimension {} is `{dim}`, that of an earlier one `{slot}`",
                    show_dims(dims),
                    dims.len() - 1 - back
                );
                let error = c.error(OpErrorKind::Shape, At::element(1, at), message);
                return Err(error.between(slot, dim));
            }
        }
    }
    Ok(Some(joint))
}
