//! Operators that reduce a tensor along dimensions: sum, mean, max, scans, argmax.

use rustc_hash::FxHashSet;

use super::{
    Call, Default, Infer, Kind, OpDef, Param, Sharding, Stop, Topi, explicit_dims, opt, product,
    req, tuple, with_dims, with_ndim,
};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/tensor/statistical.cc";
const SEARCH: &str = "src/relax/op/tensor/search.cc";

const KEEPDIMS: Param = opt("keepdims", Kind::Bool, Default::Bool(false))
    .doc("Keeps each reduced dimension, with extent 1.");

const REDUCED: &[Param] = &[
    req("x", Kind::Tensor).doc("The input tensor."),
    opt("axis", Kind::Ints, Default::None).doc("The dimensions to reduce; all if absent."),
    KEEPDIMS,
];

const FOUND: &[Param] = &[
    req("x", Kind::Tensor).doc("The input tensor."),
    opt("axis", Kind::Int, Default::None)
        .doc("The dimension to search; the whole tensor if absent."),
    KEEPDIMS,
];

const SCANNED: &[Param] = &[
    req("data", Kind::Tensor).doc("The input tensor."),
    opt("axis", Kind::Int, Default::None)
        .doc("The dimension to scan; the flattened tensor if absent."),
    opt("dtype", Kind::DType, Default::None)
        .doc("The dtype of the result; that of `data` if absent."),
    opt("exclusive", Kind::Bool, Default::Bool(false)).doc("Excludes the element itself."),
];

const fn fold(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, REDUCED, infer_fold)
        .doc(summary, "x: (a, b, c) · axis=1 → (a, c)", example)
        .source(SOURCE)
}

const fn find(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, FOUND, infer_find)
        .doc(summary, "x: (a, b, c) · axis=1 → (a, c), int64", example)
        .source(SEARCH)
}

const fn scan(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, SCANNED, infer_scan)
        .doc(summary, "data: (a, b) · axis=1 → (a, b)", example)
        .source(SOURCE)
}

pub(super) static OPS: &[OpDef] = &[
    fold(
        "relax.sum",
        "The sum over dimensions.",
        "R.sum(x, axis=[1])",
    )
    .sharding(Sharding::Reduce)
    .topi(Topi::renamed("sum", Topi::REDUCTION))
    .usage(9),
    fold(
        "relax.mean",
        "The mean over dimensions.",
        "R.mean(x, axis=[1])",
    )
    .sharding(Sharding::Reduce),
    fold(
        "relax.max",
        "The maximum over dimensions.",
        "R.max(x, axis=[1])",
    )
    .sharding(Sharding::Reduce)
    .topi(Topi::renamed("max", Topi::REDUCTION))
    .familiar(&["amax"]),
    fold(
        "relax.min",
        "The minimum over dimensions.",
        "R.min(x, axis=[1])",
    )
    .sharding(Sharding::Reduce)
    .topi(Topi::renamed("min", Topi::REDUCTION))
    .familiar(&["amin"]),
    fold(
        "relax.prod",
        "The product over dimensions.",
        "R.prod(x, axis=[1])",
    )
    .sharding(Sharding::Reduce),
    fold(
        "relax.std",
        "The standard deviation over dimensions.",
        "R.std(x, axis=[1])",
    )
    .sharding(Sharding::Reduce),
    fold(
        "relax.variance",
        "The variance over dimensions.",
        "R.variance(x, axis=[1])",
    )
    .sharding(Sharding::Reduce)
    .familiar(&["var"]),
    OpDef::new("relax.median", REDUCED, infer_median)
        .doc(
            "The median over dimensions; along one dimension also its index.",
            "x: (a, b) · axis=1 → (a,), (a,) of int64; without axis: ()",
            "R.median(x, axis=1)",
        )
        .releases(Releases::since(Release::V0_23))
        .source(SOURCE),
    find(
        "relax.argmax",
        "The index of the greatest element.",
        "R.argmax(x, axis=1)",
    ),
    find(
        "relax.argmin",
        "The index of the least element.",
        "R.argmin(x, axis=1)",
    ),
    scan(
        "relax.cumsum",
        "The running sum along a dimension.",
        "R.cumsum(x, axis=0)",
    ),
    scan(
        "relax.cumprod",
        "The running product along a dimension.",
        "R.cumprod(x, axis=0)",
    ),
];

/// The remaining tensor after a reduction.
struct Left {
    data: Tensor,
    dims: Option<Vec<SymExpr>>,
    ndim: Option<usize>,
    /// The number of reduced axes; `None` if all axes are reduced.
    axes: Option<usize>,
}

/// Reduces `data` along `axes` (all if `None`).
fn reduce_axes(data: Tensor, axes: Option<&[i64]>, checked: &[usize], keep: bool) -> Left {
    let ndim = match (axes, keep, data.ndim()) {
        (_, true, ndim) => ndim,
        (None, false, _) => Some(0),
        (Some(_), false, ndim) => ndim.map(|n| n.saturating_sub(checked.len())),
    };
    let one = SymExpr::int(1);
    let folded: FxHashSet<usize> = checked.iter().copied().collect();
    let dims = match (explicit_dims(&data), axes) {
        (Some(dims), _) => Some(
            dims.iter()
                .enumerate()
                .filter_map(|(at, dim)| {
                    if axes.is_some() && !folded.contains(&at) {
                        Some(dim.clone())
                    } else {
                        keep.then(|| one.clone())
                    }
                })
                .collect(),
        ),
        (None, None) if keep => ndim.map(|n| vec![one; n]),
        (None, _) => (ndim == Some(0)).then(Vec::new),
    };
    Left {
        axes: axes.map(<[i64]>::len),
        data,
        dims,
        ndim,
    }
}

impl Left {
    fn of(&self, dtype: Option<DType>) -> StructInfo {
        let data = Tensor {
            dtype,
            ..self.data.clone()
        };
        match &self.dims {
            Some(dims) => with_dims(&data, dims.clone()),
            None => with_ndim(&data, self.ndim),
        }
    }
}

fn folded(c: &Call<'_>) -> Result<Left, Stop> {
    let data = c.tensor(0)?;
    let axes = c.ints(1)?;
    let keep = c.bool(2)?;
    let checked = match (&axes, data.ndim()) {
        (Some(axes), Some(ndim)) => c.checked_axes(1, axes, ndim)?,
        _ => Vec::new(),
    };
    Ok(reduce_axes(data, axes.as_deref(), &checked, keep))
}

fn infer_fold(c: &Call<'_>) -> Infer {
    let left = folded(c)?;
    Ok(left.of(left.data.dtype))
}

fn infer_median(c: &Call<'_>) -> Infer {
    let left = folded(c)?;
    let values = left.of(left.data.dtype);
    let alone = if explicit_dims(&left.data).is_some() {
        left.axes.is_none_or(|axes| axes > 1)
    } else {
        left.dims.is_some()
    };
    Ok(if alone {
        values
    } else {
        tuple(vec![values, left.of(Some(DType::I64))])
    })
}

fn infer_find(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let axis = c.int(1)?;
    let keep = c.bool(2)?;
    let checked = match (axis, data.ndim()) {
        (Some(axis), Some(ndim)) => vec![c.checked_axis(1, axis, ndim)?],
        _ => Vec::new(),
    };
    let axes = axis.map(|axis| [axis]);
    let left = reduce_axes(data, axes.as_ref().map(|a| &a[..]), &checked, keep);
    Ok(left.of(Some(DType::I64)))
}

fn infer_scan(c: &Call<'_>) -> Infer {
    let mut data = c.tensor(0)?;
    if let Some(dtype) = c.dtype(2)? {
        data.dtype = Some(dtype);
    }
    // As in TVM, the axis may be out of range.
    if c.int(1)?.is_some() {
        return Ok(data.into());
    }
    Ok(match explicit_dims(&data) {
        Some(dims) => with_dims(&data, vec![product(dims)]),
        None => with_ndim(&data, data.ndim()),
    })
}
