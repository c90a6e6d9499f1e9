//! Operators that reduce axes, and those that accumulate along one.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::dtype::DType;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::Dim;

const REDUCE: &str = "axis: ints = None, keepdims: bool = false, exclude: bool = false";
const ARG_REDUCE: &str = "axis: ints = None, keepdims: bool = false, select_last_index: bool = false, exclude: bool = false";
const VARIANCE: &str =
    "axis: ints = None, keepdims: bool = false, exclude: bool = false, unbiased: bool = false";
const SCAN: &str = "axis: int = None, dtype: dtype = void, exclusive: bool = false";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("all", "data", REDUCE, reduce),
    op("any", "data", REDUCE, reduce),
    op("max", "data", REDUCE, reduce),
    op("mean", "data", REDUCE, reduce),
    op("min", "data", REDUCE, reduce),
    op("prod", "data", REDUCE, reduce),
    op("sum", "data", REDUCE, reduce),
    op("argmax", "data", ARG_REDUCE, arg_reduce),
    op("argmin", "data", ARG_REDUCE, arg_reduce),
    op("variance", "data mean", VARIANCE, variance),
    op("cumprod", "data", SCAN, scan).keyed("relay.attrs.ScanopAttrs"),
    op("cumsum", "data", SCAN, scan).keyed("relay.attrs.ScanopAttrs"),
];

fn reduce(site: &Site<'_>) -> Result<Answer, Stop> {
    Answer::tensor(reduced(site)?, site.tensor(0)?.dtype)
}

fn arg_reduce(site: &Site<'_>) -> Result<Answer, Stop> {
    if site.tensor(0)?.rank() == 0 {
        return site.wrong_rank(0, "at least 1 dimension");
    }
    Answer::tensor(reduced(site)?, DType::I32)
}

fn variance(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, mean) = (site.tensor(0)?, site.tensor(1)?);
    if data.rank() != mean.rank() {
        return Mistake::new(
            Code::RankMismatch,
            format!(
                "`data` of `variance` has {} dimensions and `mean` has {}",
                data.rank(),
                mean.rank()
            ),
        )
        .of([0, 1])
        .stop();
    }
    reduce(site)
}

/// Returns the remaining shape. If `exclude` is true, the axes that are not listed are reduced.
fn reduced(site: &Site<'_>) -> Result<Vec<Dim>, Stop> {
    let data = site.tensor(0)?;
    let (keep, exclude) = (site.bool("keepdims")?, site.bool("exclude")?);
    let is_reduced = match site.opt_ints("axis")? {
        None => vec![true; data.rank()],
        Some(axes) => {
            let mut listed = vec![false; data.rank()];
            for axis in axes {
                listed[site.axis("axis", axis, data.rank())?] = true;
            }
            listed.iter().map(|&it| it != exclude).collect()
        }
    };
    let dims = data.shape.iter().zip(is_reduced);
    Ok(dims
        .filter_map(|(dim, is_reduced)| {
            if is_reduced {
                keep.then_some(Dim::Int(1))
            } else {
                Some(dim.clone())
            }
        })
        .collect())
}

fn scan(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let dtype = site.dtype("dtype")?.unwrap_or(data.dtype);
    if site.opt_int("axis")?.is_some() {
        return Answer::tensor(data.shape.clone(), dtype);
    }
    Answer::tensor([product(&data.shape)], dtype)
}

/// Returns the number of elements.
pub(super) fn product(dims: &[Dim]) -> Dim {
    dims.iter().fold(Dim::Int(1), |product, dim| {
        product.with(dim, i64::checked_mul)
    })
}
