//! Operators that write elements to a copy of a tensor: scatter, slice_scatter, index_put.

use super::broadcast::mismatch;
use super::create::integer_operand;
use super::gather::other_rank;
use super::join::ceildiv;
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req,
    show_dims, with_dims, with_ndim,
};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::{SymExpr, Tri};

const SOURCE: &str = "src/relax/op/tensor/manipulate.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input tensor.");
const UPDATES: Param = req("updates", Kind::Tensor).doc("The elements to write.");
const REDUCTION: Param = opt("reduction", Kind::Str, Default::Str("update"))
    .doc("The reduction of old and new element: `update`, `add`, `mul`, `mean`, `max` or `min`.");

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.scatter_elements",
        &[
            DATA,
            req("indices", Kind::Tensor).doc("The indices along `axis`."),
            UPDATES,
            opt("axis", Kind::Int, Default::Int(0)).doc("The dimension to scatter along."),
            REDUCTION,
        ],
        scatter_elements,
    )
    .doc(
        "Writes elements whose index along one dimension comes from another tensor.",
        "data: (n, m) · indices, updates: (i, j) → (n, m)",
        "R.scatter_elements(data, indices, updates, axis=0, reduction=\"update\")",
    )
    .source(SOURCE)
    .familiar(&["scatter"]),
    OpDef::new(
        "relax.scatter_nd",
        &[
            DATA,
            req("indices", Kind::Tensor).doc("The coordinates, in the last dimension."),
            UPDATES,
            REDUCTION,
        ],
        scatter_nd,
    )
    .releases(Releases::since(Release::V0_18))
    .doc(
        "Writes slices at coordinates.",
        "data: (a, b, c) · indices: (n, 2) · updates: (n, c) → (a, b, c)",
        "R.scatter_nd(data, indices, updates, reduction=\"update\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.slice_scatter",
        &[
            req("input_tensor", Kind::Tensor).doc("The input tensor."),
            req("src", Kind::Tensor).doc("The elements to write."),
            req("start", Kind::Int)
                .symbolic()
                .doc("The start of the slice."),
            req("end", Kind::Int)
                .symbolic()
                .doc("The end of the slice, exclusive."),
            req("step", Kind::Int)
                .symbolic()
                .doc("The step of the slice, at least 1."),
            opt("axis", Kind::Int, Default::Int(0)).doc("The dimension of the slice."),
        ],
        slice_scatter,
    )
    .doc(
        "Writes a tensor into a slice.",
        "input_tensor: (n, m) · src: ((end - start + step - 1) // step, m) → (n, m)",
        "R.slice_scatter(x, src, 0, 4, 1, axis=0)",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
    OpDef::new(
        "relax.index_put",
        &[
            DATA,
            req("indices", Kind::Tensors).doc("An index tensor for each dimension of `data`."),
            req("values", Kind::Tensor).doc("The elements to write."),
            opt("accumulate", Kind::Bool, Default::Bool(false))
                .doc("Adds to the old elements rather than replacing them."),
        ],
        index_put,
    )
    .doc(
        "Writes elements at the positions of index tensors.",
        "data: (n, m) · indices: (i,), (i,) · values: (i,) → (n, m)",
        "R.index_put(data, (rows, columns), values)",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
];

/// Returns `data`, where a shape given by a variable is reduced to its rank.
fn copied(data: &Tensor) -> StructInfo {
    match explicit_dims(data) {
        Some(dims) => with_dims(data, dims.to_vec()),
        None => with_ndim(data, data.ndim()),
    }
}

/// Checks that two operands have the same dtype, if both are known.
fn same_dtype(c: &Call<'_>, a: usize, x: &Tensor, b: usize, y: &Tensor) -> Result<(), Stop> {
    match (x.dtype, y.dtype) {
        (Some(x), Some(y)) if x != y => {
            let message = format!("`{}` is `{x}` but `{}` is `{y}`", c.name(a), c.name(b));
            let error = c.error_with(
                OpErrorKind::DType,
                At::param(b),
                message,
                At::param(a),
                format!("`{x}` here"),
            );
            Err(error.between(x, y))
        }
        _ => Ok(()),
    }
}

fn scatter_elements(c: &Call<'_>) -> Infer {
    let (data, indices, updates) = (c.tensor(0)?, c.tensor(1)?, c.tensor(2)?);
    // TVM checks nothing more if the rank of the data is unknown.
    let Some(rank) = data.ndim() else {
        return Ok(with_ndim(&data, None));
    };
    integer_operand(c, 1)?;
    if let (Some(i), Some(u)) = (indices.ndim(), updates.ndim()) {
        if i != rank {
            return Err(other_rank(c, 0, rank, 1, i));
        }
        if i != u {
            return Err(other_rank(c, 1, i, 2, u));
        }
    }
    same_dtype(c, 0, &data, 2, &updates)?;
    if let (Some(a), Some(b)) = (explicit_dims(&indices), explicit_dims(&updates)) {
        for (d, (x, y)) in a.iter().zip(b).enumerate() {
            if c.cx.equal(x, y) == Tri::No {
                return Err(mismatch(c, 1, d, x, 2, d, y));
            }
        }
    }
    Ok(copied(&data))
}

fn scatter_nd(c: &Call<'_>) -> Infer {
    let (data, updates) = (c.tensor(0)?, c.tensor(2)?);
    let indices = integer_operand(c, 1)?;
    for (i, tensor) in [(0, &data), (2, &updates)] {
        if tensor.dtype.is_none() {
            let message = format!("the dtype of `{}` must be known", c.name(i));
            return Err(c.error(OpErrorKind::DType, At::param(i), message));
        }
    }
    same_dtype(c, 0, &data, 2, &updates)?;
    let known = (
        explicit_dims(&data),
        explicit_dims(&indices),
        explicit_dims(&updates),
    );
    if let (Some(dims), Some(index_dims), Some(update_dims)) = known {
        let last = index_dims.len().saturating_sub(1);
        let Some(depth) = index_dims.last().and_then(SymExpr::as_int) else {
            let message = format!("the last dimension of `{}` must be a constant", c.name(1));
            return Err(c.error(OpErrorKind::Shape, At::dim(1, last), message));
        };
        let Some(depth) = usize::try_from(depth).ok().filter(|&d| d <= dims.len()) else {
            let message = format!(
                "the last dimension of `{}` is `{depth}`, but `{}` has only {} to index",
                c.name(1),
                c.name(0),
                dims.len()
            );
            return Err(c.error(OpErrorKind::Shape, At::dim(1, last), message));
        };
        let mut expected = index_dims[..last].to_vec();
        expected.extend_from_slice(&dims[depth..]);
        let fits = expected.len() == update_dims.len()
            && expected
                .iter()
                .zip(update_dims)
                .all(|(a, b)| c.cx.equal(a, b) == Tri::Yes);
        if !fits {
            let message = format!(
                "`{}` has shape `{}` but must have `{}`: the dimensions of `{}` but the last, then those of `{}` from {depth} on",
                c.name(2),
                show_dims(update_dims),
                show_dims(&expected),
                c.name(1),
                c.name(0)
            );
            return Err(c.error(OpErrorKind::Shape, At::param(2), message));
        }
    }
    Ok(copied(&data))
}

fn slice_scatter(c: &Call<'_>) -> Infer {
    let (data, src) = (c.tensor(0)?, c.tensor(1)?);
    let Some(rank) = data.ndim() else {
        return Ok(with_ndim(&data, None));
    };
    let axis = c.axis(5, rank)?.unwrap_or(0);
    if let Some(other) = src.ndim().filter(|&n| n != rank) {
        return Err(other_rank(c, 0, rank, 1, other));
    }
    same_dtype(c, 0, &data, 1, &src)?;
    for i in 2..=4 {
        if let Some(dtype) = c.prim(i)?.dtype.filter(|d| !d.is_int()) {
            let message = format!("`{}` is `{dtype}` but must be an integer", c.name(i));
            return Err(c.error(OpErrorKind::DType, At::param(i), message));
        }
    }
    let bound = |i: usize| c.value(i).sym();
    let (start, end, step) = (bound(2), bound(3), bound(4));
    let one = SymExpr::int(1);
    if let Some(step) = &step
        && c.cx.less(step, &one) == Tri::Yes
    {
        let message = format!("`{}` is `{step}` but must be at least 1", c.name(4));
        return Err(c.error(OpErrorKind::Value, At::param(4), message));
    }
    if let (Some(start), Some(end)) = (&start, &end)
        && c.cx.less(end, start) == Tri::Yes
    {
        let message = format!("the slice begins at `{start}`, after its end `{end}`");
        return Err(c.error(OpErrorKind::Value, At::param(3), message));
    }
    if let (Some(a), Some(b)) = (explicit_dims(&data), explicit_dims(&src)) {
        for (d, (x, y)) in a.iter().zip(b).enumerate() {
            if d != axis && c.cx.equal(x, y) == Tri::No {
                return Err(mismatch(c, 0, d, x, 1, d, y));
            }
        }
        if let (Some(start), Some(end), Some(step)) = (start, end, step)
            && let Some(found) = b.get(axis)
        {
            let count = ceildiv(&end.sub(&start), &step);
            if c.cx.equal(found, &count) == Tri::No {
                let message = format!(
                    "dimension {axis} of `{}` is `{found}`, but the slice has `{count}` elements",
                    c.name(1)
                );
                let error = c.error(OpErrorKind::Shape, At::dim(1, axis), message);
                return Err(error.between(count, found));
            }
        }
    }
    Ok(data.into())
}

fn index_put(c: &Call<'_>) -> Infer {
    let (data, values) = (c.tensor(0)?, c.tensor(2)?);
    let indices = match c.sinfo(1)? {
        StructInfo::Tensor(one) => vec![one],
        _ => c.tensors(1)?,
    };
    let Some(rank) = data.ndim() else {
        return Ok(with_ndim(&data, None));
    };
    for (at, index) in indices.iter().enumerate() {
        if index.ndim() == Some(0) {
            let message = format!("index tensor {at} must have at least one dimension");
            return Err(c.error(OpErrorKind::Rank, At::element(1, at), message));
        }
        if let Some(rank) = index.ndim().filter(|it| *it > 1)
            && c.release < Release::V0_23
        {
            let message = format!(
                "index tensor {at} has rank {rank}: until TVM 0.22 it must have one dimension"
            );
            return Err(c.error(OpErrorKind::Rank, At::element(1, at), message));
        }
        if let Some(dtype) = index.dtype.filter(|d| !d.is_int()) {
            let message = format!("index tensor {at} is `{dtype}` but must hold integers");
            return Err(c.error(OpErrorKind::DType, At::element(1, at), message));
        }
    }
    if indices.len() != rank {
        let message = format!(
            "`{}` has rank {rank}, but the number of index tensors is {}",
            c.name(0),
            indices.len()
        );
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    same_dtype(c, 0, &data, 2, &values)?;
    Ok(copied(&data))
}
