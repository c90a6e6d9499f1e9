//! Operators that sort and search.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::dtype::DType;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Type};

const SORT: &str = "axis: int = -1, is_ascend: bool = true, dtype: dtype = void";
pub(super) const TOPK: &str = "k: int, axis: int = -1, ret_type: str = \"both\", is_ascend: bool = false, dtype: dtype = void";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("argsort", "data", SORT, argsort),
    op("searchsorted", "sorted_sequence values", "right: bool = false, dtype: dtype = int32", searchsorted),
    op("sort", "data", SORT, sort),
    op("topk", "data", TOPK, topk),
    op("unique", "data", "sorted: bool = true, return_counts: bool = false", unique).keyed("relay.attrs.UniqueAttrs"),
];

fn argsort(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    Answer::tensor(site.tensor(0)?.shape.clone(), dtype)
}

fn sort(site: &Site<'_>) -> Result<Answer, Stop> {
    Ok(Type::Tensor(site.tensor(0)?.clone()).into())
}

fn topk(site: &Site<'_>) -> Result<Answer, Stop> {
    let k = site.int("k")?;
    topk_of(site, (k >= 1).then_some(Dim::Int(k)))
}

/// Returns the types for the `count` largest elements along `axis`, or for all if `None`.
pub(super) fn topk_of(site: &Site<'_>, count: Option<Dim>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let axis = site.axis("axis", site.int("axis")?, data.rank())?;
    let mut shape = data.shape.to_vec();
    if let Some(count) = count {
        shape[axis] = count;
    }
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    let values = Type::tensor(shape.clone(), data.dtype);
    let indices = Type::tensor(shape, dtype);
    let kind = site.str("ret_type")?;
    Ok(match kind.as_str() {
        "both" => Type::tuple([values, indices]),
        "values" => values,
        "indices" => indices,
        other => {
            return site.wrong_value(
                "ret_type",
                format!("`{other}` is none of \"both\", \"values\" and \"indices\""),
            );
        }
    }
    .into())
}

fn searchsorted(site: &Site<'_>) -> Result<Answer, Stop> {
    let (sorted, values) = (site.tensor(0)?, site.tensor(1)?);
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    if values.rank() == 0 {
        return site.wrong_rank(1, "at least 1 dimension");
    }
    if sorted.rank() > 1 {
        if sorted.rank() != values.rank() {
            return Mistake::new(
                Code::RankMismatch,
                format!(
                    "`sorted_sequence` has {} dimensions and `values` has {}",
                    sorted.rank(),
                    values.rank()
                ),
            )
            .of([0, 1])
            .stop();
        }
        for at in 0..sorted.rank() - 1 {
            site.same_dim((0, at), (1, at))?;
        }
    }
    Answer::tensor(values.shape.clone(), dtype)
}

fn unique(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.of_rank(0, 1)?;
    let indices = Type::tensor(data.shape.clone(), DType::I32);
    let mut fields = vec![
        Type::Tensor(data.clone()),
        indices.clone(),
        indices.clone(),
        Type::tensor([Dim::Int(1)], DType::I32),
    ];
    if site.bool("return_counts")? {
        fields.push(indices);
    }
    Ok(Type::tuple(fields).into())
}
