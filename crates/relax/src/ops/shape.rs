//! Operators that change the shape of a tensor: reshape, permute, squeeze, broadcast.

use rustc_hash::FxHashSet;

use super::broadcast::mismatch;
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Sharding, Stop, Topi, explicit_dims, opt,
    product, req, show_dims, with_dims, with_ndim, with_shape,
};
use crate::release::Release;
use crate::sinfo::{StructInfo, TensorShape};
use crate::sym::{SymExpr, Tri};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/manipulate.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.reshape",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("shape", Kind::Shape).doc(
                "The new shape; one `-1` is inferred, `0` keeps the dimension at its position.",
            ),
        ],
        reshape,
    )
    .doc(
        "Changes the shape, keeping the elements in row-major order.",
        "x: (…) · shape with the same number of elements → shape",
        "R.reshape(x, (2, -1))",
    )
    .source(SOURCE)
    .sharding(Sharding::Reshape)
    .topi(Topi::renamed(
        "reshape",
        &[("a", "x"), ("newshape", "shape")],
    ))
    .familiar(&["view"])
    .usage(7),
    OpDef::new(
        "relax.permute_dims",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            opt("axes", Kind::Ints, Default::None).doc(
                "For each dimension of the result its dimension in `x`; reversed order if absent.",
            ),
        ],
        permute_dims,
    )
    .doc(
        "Permutes the dimensions.",
        "x: (a, b, c) · axes=[2, 0, 1] → (c, a, b)",
        "R.permute_dims(x, axes=[0, 2, 1])",
    )
    .source(SOURCE)
    .sharding(Sharding::Permute)
    .topi(Topi::renamed("transpose", &[("a", "x"), ("axes", "axes")]))
    .familiar(&["permute", "swapaxes", "transpose"])
    .usage(5),
    OpDef::new(
        "relax.expand_dims",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("axis", Kind::Ints).doc("The positions of the new dimensions in the result."),
        ],
        expand_dims,
    )
    .doc(
        "Inserts dimensions of extent 1.",
        "x: (a, b) · axis=1 → (a, 1, b)",
        "R.expand_dims(x, axis=1)",
    )
    .source(SOURCE)
    .familiar(&["unsqueeze"])
    .usage(23),
    OpDef::new(
        "relax.squeeze",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            opt("axis", Kind::Ints, Default::None)
                .doc("The dimensions to remove; all of extent 1 if absent."),
        ],
        squeeze,
    )
    .doc(
        "Removes dimensions of extent 1.",
        "x: (a, 1, b) · axis=1 → (a, b)",
        "R.squeeze(x, axis=1)",
    )
    .source(SOURCE)
    .topi(Topi::renamed("squeeze", &[("a", "x"), ("axis", "axis")]))
    .usage(28),
    OpDef::new(
        "relax.flatten",
        &[req("x", Kind::Tensor).doc("The input tensor.")],
        flatten,
    )
    .doc(
        "Flattens the tensor to one dimension.",
        "x: (a, b, c) → (a * b * c,)",
        "R.flatten(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.broadcast_to",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("shape", Kind::Shape).doc("The target shape."),
        ],
        broadcast_to,
    )
    .doc(
        "Repeats the tensor along dimensions of extent 1 until it has the target shape.",
        "x: (1, b) · shape: (s, a, b) → (s, a, b)",
        "R.broadcast_to(x, (4, 2, 3))",
    )
    .source(SOURCE)
    .topi(Topi::renamed(
        "broadcast_to",
        &[("data", "x"), ("shape", "shape")],
    ))
    .familiar(&["expand"])
    .usage(30),
];

fn reshape(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let target = match c.target_shape(1)? {
        TensorShape::Known(dims) => TensorShape::Known(inferred(c, data.dims(), &dims)?.into()),
        // A variable with known values stands for these.
        TensorShape::Var {
            values: Some(dims), ..
        } => TensorShape::Known(dims),
        other => other,
    };
    if let (Some(old), Some(new)) = (data.dims(), target.dims()) {
        let (before, after) = (product(old), product(new));
        if c.cx.equal(&before, &after) == Tri::No {
            let (from, to) = (show_dims(old), show_dims(new));
            let message = format!("`{from}` has `{before}` elements, but `{to}` has `{after}`");
            let note = format!("`{from}` here");
            return Err(c.error_with(
                OpErrorKind::Shape,
                At::param(1),
                message,
                At::param(0),
                note,
            ));
        }
    }
    Ok(with_shape(&data, target))
}

/// Returns the new shape of a reshape, with `0` and `-1` replaced.
fn inferred(c: &Call<'_>, old: Option<&[SymExpr]>, new: &[SymExpr]) -> Result<Vec<SymExpr>, Stop> {
    let wrong = |message: String| c.error(OpErrorKind::Value, At::param(1), message);
    let mut free = None;
    for (at, dim) in new.iter().enumerate() {
        match dim.as_int() {
            Some(-1) if free.is_some() => {
                return Err(wrong(
                    "only one dimension of the new shape may be `-1`".into(),
                ));
            }
            Some(-1) => free = Some(at),
            Some(value) if value < -1 => {
                return Err(wrong(format!(
                    "`{value}` cannot be a dimension of the new shape"
                )));
            }
            _ => {}
        }
    }
    let mut new = new.to_vec();
    if free.is_none() && new.iter().all(|d| d.as_int() != Some(0)) {
        return Ok(new);
    }
    let Some(old) = old else {
        return Err(c.error(
            OpErrorKind::Shape,
            At::param(0),
            format!(
                "the shape of `{}` must be known for a dimension of the new shape to be inferred",
                c.name(0)
            ),
        ));
    };
    for (at, dim) in new.iter_mut().enumerate() {
        if dim.as_int() == Some(0) {
            let Some(kept) = old.get(at) else {
                return Err(wrong(format!(
                    "`0` keeps dimension {at}, but `{}` has rank {}",
                    c.name(0),
                    old.len()
                )));
            };
            *dim = kept.clone();
        }
    }
    if let Some(free) = free {
        let others: Vec<SymExpr> = new
            .iter()
            .filter(|d| d.as_int().is_none_or(|value| value > 0))
            .cloned()
            .collect();
        new[free] = product(old).floordiv(&product(&others));
    }
    Ok(new)
}

fn permute_dims(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let Some(axes) = c.ints(1)? else {
        return Ok(match (explicit_dims(&data), data.ndim()) {
            (_, Some(0 | 1)) => data.into(),
            (Some(dims), _) => with_dims(&data, dims.iter().rev().cloned().collect()),
            (None, ndim) => with_ndim(&data, ndim),
        });
    };
    let Some(ndim) = data.ndim() else {
        return Err(c.error(
            OpErrorKind::Rank,
            At::param(0),
            format!("the rank of `{}` must be known", c.name(0)),
        ));
    };
    if axes.len() != ndim {
        let message = format!(
            "the number of axes is {}, but `{}` has rank {ndim}",
            axes.len(),
            c.name(0)
        );
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    let axes = c.checked_axes(1, &axes, ndim)?;
    if axes.iter().enumerate().all(|(at, &axis)| at == axis) {
        return Ok(data.into());
    }
    Ok(match explicit_dims(&data) {
        Some(dims) => with_dims(&data, axes.iter().map(|&a| dims[a].clone()).collect()),
        None => with_ndim(&data, Some(ndim)),
    })
}

fn expand_dims(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let axes = c.ints(1)?.unwrap_or_default();
    if axes.is_empty() {
        return Ok(data.into());
    }
    let Some(ndim) = data.ndim() else {
        return Ok(with_ndim(&data, None));
    };
    let axes: FxHashSet<usize> = c
        .checked_axes(1, &axes, ndim + axes.len())?
        .into_iter()
        .collect();
    let Some(dims) = explicit_dims(&data) else {
        return Ok(with_ndim(&data, Some(ndim + axes.len())));
    };
    let mut rest = dims.iter();
    let dims = (0..ndim + axes.len())
        .map(|at| {
            let kept = if axes.contains(&at) {
                None
            } else {
                rest.next()
            };
            kept.cloned().unwrap_or(SymExpr::int(1))
        })
        .collect();
    Ok(with_dims(&data, dims))
}

fn squeeze(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let given = c.ints(1)?;
    if given.as_ref().is_some_and(Vec::is_empty) {
        return Ok(data.into());
    }
    let Some(ndim) = data.ndim() else {
        return Ok(with_ndim(&data, None));
    };
    let axes = given
        .as_ref()
        .map(|axes| c.checked_axes(1, axes, ndim))
        .transpose()?;
    let Some(dims) = data.dims() else {
        return Ok(with_ndim(&data, axes.map(|axes| ndim - axes.len())));
    };
    let mut removed = vec![false; ndim];
    match &axes {
        Some(axes) => {
            for &axis in axes {
                match dims[axis].as_int() {
                    Some(extent) if extent != 1 => {
                        // Since TVM 0.23, such a dimension is left as it is.
                        if c.release < Release::V0_23 {
                            return Err(c.error_with(
                                OpErrorKind::Shape,
                                At::param(1),
                                format!(
                                    "dimension {axis} of `{}` is `{extent}`, and only an extent of 1 can be removed",
                                    c.name(0)
                                ),
                                At::dim(0, axis),
                                format!("`{extent}` here"),
                            ));
                        }
                    }
                    _ => removed[axis] = true,
                }
            }
        }
        None => {
            for (axis, dim) in dims.iter().enumerate() {
                let Some(extent) = dim.as_int() else {
                    return Ok(with_ndim(&data, None));
                };
                removed[axis] = extent == 1;
            }
        }
    }
    let kept: Vec<SymExpr> = dims
        .iter()
        .zip(&removed)
        .filter(|(_, removed)| !**removed)
        .map(|(dim, _)| dim.clone())
        .collect();
    if explicit_dims(&data).is_some() {
        return Ok(with_dims(&data, kept));
    }
    Ok(if kept.len() == ndim {
        data.into()
    } else {
        with_ndim(&data, axes.map(|_| kept.len()))
    })
}

fn flatten(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    Ok(match (data.ndim(), explicit_dims(&data)) {
        (Some(0), _) => with_dims(&data, vec![SymExpr::int(1)]),
        (Some(1), _) => data.into(),
        (_, Some(dims)) => with_dims(&data, vec![product(dims)]),
        _ => with_ndim(&data, Some(1)),
    })
}

fn broadcast_to(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    if matches!(c.value(1), Value::Expr(StructInfo::Tensor(_))) {
        return Err(c.wrong_kind(1, "a Shape"));
    }
    let target = c.target_shape(1)?;
    if let (Some(from), Some(to)) = (data.ndim(), target.ndim())
        && to < from
    {
        let message = format!(
            "the target has rank {to}, less than the rank {from} of `{}`",
            c.name(0)
        );
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    if let (Some(old), Some(new)) = (data.dims(), target.dims()) {
        for (i, (x, y)) in old.iter().rev().zip(new.iter().rev()).enumerate() {
            if x.as_int() != Some(1) && c.cx.equal(x, y) == Tri::No {
                let (from, to) = (old.len() - 1 - i, new.len() - 1 - i);
                return Err(mismatch(c, 0, from, x, 1, to, y));
            }
        }
    }
    Ok(with_shape(&data, target))
}
