//! Operators that combine several tensors into one, or split one: concat, stack, split, meshgrid.

use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Stop, common_vdevice, explicit_dims, opt,
    req, tuple, with_dims, with_ndim,
};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor, TensorShape, VDevice};
use crate::sym::{SymExpr, Tri};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/manipulate.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.concat",
        &[
            req("tensors", Kind::Tensors).doc("The tensors, a tuple or a list."),
            opt("axis", Kind::Int, Default::Int(0)).doc(
                "The dimension of the concatenation; `None` requires tensors of one dimension.",
            ),
        ],
        concat,
    )
    .doc(
        "Concatenates tensors along an existing dimension.",
        "tensors: (a, n), (b, n) · axis=0 → (a + b, n)",
        "R.concat((x, y), axis=1)",
    )
    .source(SOURCE)
    .familiar(&["cat", "concatenate"])
    .usage(11),
    OpDef::new(
        "relax.stack",
        &[
            req("tensors", Kind::Tensors).doc("The tensors, all of one shape, a tuple or a list."),
            opt("axis", Kind::Int, Default::Int(0))
                .doc("The position of the new dimension in the result."),
        ],
        stack,
    )
    .doc(
        "Stacks tensors along a new dimension.",
        "tensors: (n, m), (n, m) · axis=0 → (2, n, m)",
        "R.stack((x, y), axis=0)",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
    OpDef::new(
        "relax.split",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("indices_or_sections", Kind::Ints)
                .doc("The number of parts, or the start of each part except the first."),
            opt("axis", Kind::Int, Default::Int(0)).doc("The dimension to split."),
        ],
        split,
    )
    .doc(
        "Splits a tensor along a dimension into a tuple.",
        "x: (6, n) · indices_or_sections=2 → (3, n), (3, n)",
        "R.split(x, 2, axis=0)",
    )
    .source(SOURCE)
    .usage(16),
    OpDef::new(
        "relax.meshgrid",
        &[
            req("tensors", Kind::Tensors).doc("The coordinates, tensors of one dimension."),
            opt("indexing", Kind::Str, Default::Str("ij"))
                .doc("The order of the axes: `ij` or `xy`."),
        ],
        meshgrid,
    )
    .doc(
        "Makes a grid of coordinates.",
        "tensors: (n,), (m,) → (n, m), (n, m)",
        "R.meshgrid((x, y))",
    )
    .releases(Releases::since(Release::V0_21))
    .source(SOURCE),
];

/// The tensors of a list operand, and what they have in common.
struct Parts {
    tensors: Vec<Tensor>,
    dtype: Option<DType>,
    vdevice: Option<VDevice>,
    /// The tensors with known dimensions, with their indices.
    dims: Vec<(usize, Vec<SymExpr>)>,
    /// `true` if the dimensions of every tensor are explicit.
    explicit: bool,
}

fn parts(c: &Call<'_>) -> Result<Parts, Stop> {
    let tensors = c.tensors(0)?;
    if tensors.is_empty() {
        let message = format!("`{}` must contain at least one tensor", c.name(0));
        return Err(c.error(OpErrorKind::Value, At::param(0), message));
    }
    let mut first: Option<(usize, DType)> = None;
    for (at, tensor) in tensors.iter().enumerate() {
        match (tensor.dtype, first) {
            (Some(dtype), None) => first = Some((at, dtype)),
            (Some(dtype), Some((other, expected))) if dtype != expected => {
                let message = format!(
                    "tensor {other} is `{expected}` but tensor {at} is `{dtype}`: they must have the same dtype"
                );
                let error = c.error_with(
                    OpErrorKind::DType,
                    At::element(0, at),
                    message,
                    At::element(0, other),
                    format!("`{expected}` here"),
                );
                return Err(error.between(expected, dtype));
            }
            _ => {}
        }
    }
    Ok(Parts {
        dtype: first
            .map(|(_, dtype)| dtype)
            .filter(|_| tensors.iter().all(|t| t.dtype.is_some())),
        vdevice: common_vdevice(&tensors),
        dims: tensors
            .iter()
            .enumerate()
            .filter_map(|(at, t)| Some((at, t.dims()?.to_vec())))
            .collect(),
        explicit: tensors.iter().all(|t| explicit_dims(t).is_some()),
        tensors,
    })
}

impl Parts {
    fn result(&self, shape: TensorShape) -> StructInfo {
        StructInfo::Tensor(Tensor {
            shape,
            dtype: self.dtype,
            vdevice: self.vdevice.clone(),
        })
    }

    /// Returns `true` if all tensors with known dimensions have the same extent at dimension `d`.
    fn agree(&self, c: &Call<'_>, d: usize, but: &str) -> Result<bool, Stop> {
        let mut agree = true;
        let Some((first, expected)) = self.dims.first() else {
            return Ok(true);
        };
        for (at, dims) in &self.dims[1..] {
            match c.cx.equal(&dims[d], &expected[d]) {
                Tri::Yes => {}
                Tri::Maybe => agree = false,
                Tri::No => {
                    let message = format!(
                        "dimension {d} of tensor {first} is `{}`, dimension {d} of tensor {at} is `{}`{but}",
                        expected[d], dims[d]
                    );
                    let place = |element: usize| At {
                        param: 0,
                        element: Some(element),
                        dim: Some(d),
                    };
                    let error = c.error_with(
                        OpErrorKind::Shape,
                        place(*at),
                        message,
                        place(*first),
                        format!("`{}` here", expected[d]),
                    );
                    return Err(error.between(&expected[d], &dims[d]));
                }
            }
        }
        Ok(agree)
    }
}

fn other_rank(c: &Call<'_>, expected: usize, at: usize, ndim: usize) -> Stop {
    let message = format!("tensor {at} has rank {ndim}, but rank {expected} is expected");
    c.error(OpErrorKind::Rank, At::element(0, at), message)
}

fn concat(c: &Call<'_>) -> Infer {
    let parts = parts(c)?;
    let mut rank = if c.is_given(1) { None } else { Some(1) };
    for (at, tensor) in parts.tensors.iter().enumerate() {
        match (rank, tensor.ndim()) {
            (None, ndim) => rank = ndim,
            (Some(expected), Some(ndim)) if ndim != expected => {
                return Err(other_rank(c, expected, at, ndim));
            }
            _ => {}
        }
    }
    let only = |parts: &Parts| StructInfo::Tensor(parts.tensors[0].clone());
    let Some(rank) = rank else {
        return Ok(if parts.tensors.len() == 1 {
            only(&parts)
        } else {
            parts.result(TensorShape::Unknown(None))
        });
    };
    let axis = c.axis(1, rank)?.unwrap_or(0);
    if parts.tensors.len() == 1 {
        return Ok(only(&parts));
    }
    let but = format!(" (only dimension {axis}, the axis, may differ)");
    let mut agree = true;
    for d in (0..rank).filter(|&d| d != axis) {
        agree &= parts.agree(c, d, &but)?;
    }
    if !agree || !parts.explicit {
        return Ok(parts.result(TensorShape::Unknown(Some(rank))));
    }
    let mut dims = parts.dims[0].1.clone();
    dims[axis] = parts
        .dims
        .iter()
        .map(|(_, dims)| dims[axis].clone())
        .reduce(|sum, dim| sum.add(&dim))
        .unwrap_or(SymExpr::int(0));
    Ok(parts.result(TensorShape::Known(dims.into())))
}

fn stack(c: &Call<'_>) -> Infer {
    let parts = parts(c)?;
    let Some(rank) = parts.tensors[0].ndim() else {
        let message = "the rank of tensor 0 must be known";
        return Err(c.error(OpErrorKind::Rank, At::element(0, 0), message));
    };
    for (at, tensor) in parts.tensors.iter().enumerate() {
        if let Some(ndim) = tensor.ndim().filter(|&n| n != rank) {
            return Err(other_rank(c, rank, at, ndim));
        }
    }
    let axis = c.axis(1, rank + 1)?.unwrap_or(0);
    let mut agree = true;
    for d in 0..rank {
        agree &= parts.agree(c, d, "")?;
    }
    if !agree || !parts.explicit {
        return Ok(parts.result(TensorShape::Unknown(Some(rank + 1))));
    }
    let mut dims = parts.dims[0].1.clone();
    dims.insert(axis, SymExpr::int(parts.tensors.len() as i64));
    Ok(parts.result(TensorShape::Known(dims.into())))
}

/// A split into more parts is assumed to be a mistake and not expanded.
const MOST_PARTS: i64 = 1 << 16;

fn split(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let axis = match data.ndim() {
        Some(ndim) => c.axis(2, ndim)?,
        None => None,
    };
    let extent = explicit_dims(&data).and_then(|dims| dims.get(axis?));
    let part = |extent: SymExpr| match (explicit_dims(&data), axis) {
        (Some(dims), Some(axis)) => {
            let mut dims = dims.to_vec();
            dims[axis] = extent;
            with_dims(&data, dims)
        }
        _ => with_ndim(&data, data.ndim()),
    };
    let whole = || {
        let data = StructInfo::Tensor(data.clone());
        // Since TVM 0.20, a split into one part returns the tensor itself.
        if c.release < Release::V0_20 {
            tuple(vec![data])
        } else {
            data
        }
    };
    if !matches!(c.value(1), Value::List(_)) {
        let sections = c
            .int(1)?
            .ok_or_else(|| c.wrong_kind(1, "an integer or a list"))?;
        if sections <= 0 {
            let message = format!("the number of parts must be positive, but is `{sections}`");
            return Err(c.error(OpErrorKind::Value, At::param(1), message));
        }
        if sections == 1 {
            return Ok(whole());
        }
        if sections > MOST_PARTS {
            return Err(Stop::Unknown);
        }
        let Some(extent) = extent else {
            let part = with_ndim(&data, data.ndim());
            return Ok(tuple(vec![part; sections as usize]));
        };
        let each = ceildiv(extent, &SymExpr::int(sections));
        let last = extent.sub(&each.mul(&SymExpr::int(sections - 1)));
        let mut fields = vec![part(each); sections as usize - 1];
        fields.push(part(last));
        return Ok(tuple(fields));
    }
    let indices = c.ints(1)?.unwrap_or_default();
    if indices.is_empty() {
        return Ok(whole());
    }
    let Some(extent) = extent else {
        return Ok(tuple(vec![
            with_ndim(&data, data.ndim());
            indices.len() + 1
        ]));
    };
    let zero = SymExpr::int(0);
    let within = |index: SymExpr| SymExpr::min(&SymExpr::max(&index, &zero), extent);
    let mut begin = SymExpr::min(&zero, extent);
    let mut fields = Vec::with_capacity(indices.len() + 1);
    let ends = indices.iter().map(|&i| SymExpr::int(i));
    for end in ends.chain([extent.clone()]) {
        let end = within(end);
        fields.push(part(c.cx.simplify(&SymExpr::max(&end.sub(&begin), &zero))));
        begin = end;
    }
    Ok(tuple(fields))
}

/// Returns a division that rounds up.
pub(super) fn ceildiv(a: &SymExpr, b: &SymExpr) -> SymExpr {
    a.add(b).sub(&SymExpr::int(1)).floordiv(b)
}

fn meshgrid(c: &Call<'_>) -> Infer {
    let parts = parts(c)?;
    let count = parts.tensors.len();
    for (at, tensor) in parts.tensors.iter().enumerate() {
        if tensor.ndim() != Some(1) {
            let message = match tensor.ndim() {
                Some(ndim) => format!("tensor {at} has rank {ndim} but must have one dimension"),
                None => format!("tensor {at} must be known to have one dimension"),
            };
            return Err(c.error(OpErrorKind::Rank, At::element(0, at), message));
        }
    }
    let known = parts.explicit && parts.dtype.is_some();
    let shape = if known {
        let dims: Vec<SymExpr> = parts.dims.iter().map(|(_, d)| d[0].clone()).collect();
        TensorShape::Known(dims.into())
    } else {
        TensorShape::Unknown(Some(count))
    };
    // Unlike similar rules, TVM's rule assumes that a tensor of unknown dtype has that of the others.
    let dtype = parts.tensors.iter().find_map(|t| t.dtype);
    let field = StructInfo::Tensor(Tensor {
        shape,
        dtype,
        vdevice: parts.vdevice.clone(),
    });
    Ok(tuple(vec![field; count]))
}
