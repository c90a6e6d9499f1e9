//! Operators that read or write elements at indices.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::dtype::{Code as DTypeCode, DType};
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Tensor, Type};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("argwhere", "condition", "", argwhere),
    op("gather", "data indices", "axis: int = None", gather),
    op("gather_nd", "data indices", "batch_dims: int = 0, index_rank: int = None", gather_nd),
    op("scatter_elements", "data indices updates", "axis: int = 0, reduction: str = \"update\"", scatter_elements).keyed("relay.attrs.ScatterElementsAttrs"),
    op("scatter_nd", "data indices updates", "mode: str = \"update\"", scatter_nd).keyed("relay.attrs.ScatterNDAttrs"),
    op("sequence_mask", "data valid_length", "mask_value: float = 0, axis: int = 0", sequence_mask),
    op("take", "data indices", "batch_dims: int = 0, axis: int = None, mode: str = \"clip\"", take),
    op("unravel_index", "data shape", "", unravel_index),
];

fn argwhere(site: &Site<'_>) -> Result<Answer, Stop> {
    let rank = site.tensor(0)?.rank();
    Answer::tensor([Dim::Any, Dim::Int(rank as i64)], DType::I32)
}

/// Returns an input of signed or unsigned integers.
fn indices<'a>(site: &Site<'a>, at: usize) -> Result<&'a Tensor, Stop> {
    let indices = site.tensor(at)?;
    match indices.dtype.code {
        DTypeCode::Int | DTypeCode::UInt => Ok(indices),
        _ => site.wrong_dtype(at, "an integer"),
    }
}

fn take(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, indices) = (site.tensor(0)?, indices(site, 1)?);
    let Some(axis) = site.opt_int("axis")? else {
        return Answer::tensor(indices.shape.clone(), data.dtype);
    };
    let axis = site.axis("axis", axis, data.rank())?;
    let batch = site.int("batch_dims")?;
    let batch = if batch < 0 {
        batch + indices.rank() as i64
    } else {
        batch
    };
    if batch < 0 || batch as usize > indices.rank() || batch as usize > axis {
        return site.wrong_value("batch_dims", format!("{batch} is out of range"));
    }
    let mut shape = data.shape[..axis].to_vec();
    shape.extend_from_slice(&indices.shape[batch as usize..]);
    shape.extend_from_slice(&data.shape[axis + 1..]);
    Answer::tensor(shape, data.dtype)
}

fn gather(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, indices) = (site.tensor(0)?, site.tensor(1)?);
    if !indices.dtype.is_int() {
        return site.wrong_dtype(1, "an integer");
    }
    if data.rank() != indices.rank() {
        return Mistake::new(
            Code::RankMismatch,
            format!(
                "`data` has {} dimensions and `indices` has {}",
                data.rank(),
                indices.rank()
            ),
        )
        .of([0, 1])
        .between(data.rank(), indices.rank())
        .stop();
    }
    let axis = site.axis("axis", site.int("axis")?, data.rank())?;
    for at in (0..data.rank()).filter(|it| *it != axis) {
        site.same_dim((1, at), (0, at))?;
    }
    Answer::tensor(indices.shape.clone(), data.dtype)
}

fn gather_nd(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, indices) = (site.tensor(0)?, site.tensor(1)?);
    let Some(count) = indices.shape.first().and_then(Dim::as_int) else {
        return Err(Stop::Unknown);
    };
    let batch = site.int("batch_dims")?;
    if batch < 0 || count < 0 || count + batch > data.rank() as i64 {
        return Mistake::new(
            Code::ShapeMismatch,
            format!(
                "dimension 0 of `indices` is {count}, `data` has only {} dimensions",
                data.rank()
            ),
        )
        .at_dims([(1, 0)])
        .between(count, data.rank())
        .stop();
    }
    for at in 0..batch as usize {
        site.same_dim((0, at), (1, at + 1))?;
    }
    let mut shape = indices.shape[1..].to_vec();
    shape.extend_from_slice(&data.shape[(count + batch) as usize..]);
    Answer::tensor(shape, data.dtype)
}

fn scatter_elements(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    indices(site, 1)?;
    site.tensor(2)?;
    Ok(Type::Tensor(data.clone()).into())
}

fn scatter_nd(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let indices = indices(site, 1)?;
    site.tensor(2)?;
    if let Some(count) = indices.shape.first().and_then(Dim::as_int)
        && count > data.rank() as i64
    {
        return Mistake::new(
            Code::ShapeMismatch,
            format!(
                "dimension 0 of `indices` is {count}, `data` has only {} dimensions",
                data.rank()
            ),
        )
        .at_dims([(1, 0)])
        .between(count, data.rank())
        .stop();
    }
    Ok(Type::Tensor(data.clone()).into())
}

fn sequence_mask(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, lengths) = (site.tensor(0)?, site.tensor(1)?);
    let axis = site.int("axis")?;
    if axis != 0 && axis != 1 {
        return site.wrong_value("axis", format!("{axis} is neither 0 nor 1"));
    }
    let Some(batch) = data.shape.get(1 - axis as usize) else {
        return site.wrong_rank(0, "at least 2 dimensions");
    };
    let wanted = Type::tensor([batch.clone()], lengths.dtype);
    Ok(Answer::from(Type::Tensor(data.clone())).expecting(1, wanted))
}

fn unravel_index(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, shape) = (indices(site, 0)?, indices(site, 1)?);
    let Some(rank) = shape.shape.first() else {
        return site.wrong_rank(1, "1 dimension");
    };
    let mut out = vec![rank.clone()];
    out.extend(data.shape.first().cloned());
    Answer::tensor(out, data.dtype)
}
