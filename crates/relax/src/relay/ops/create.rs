//! Operators that create tensors with a shape.

use super::transform::list;
use super::{Op, op};
use crate::diagnostics::Code;
use crate::dtype::DType;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Type};

const SHAPE: &str = "shape: ints, dtype: dtype = void";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("arange", "start end step", "start: any, stop: any, step: any, dtype: dtype", arange),
    op("full", "fill_value", SHAPE, full),
    op("full_like", "data fill_value", "", full_like),
    op("meshgrid", "data", "indexing: str = \"ij\"", meshgrid),
    op("one_hot", "indices on_value off_value", "depth: int = 1, axis: int = -1, dtype: dtype = void", one_hot),
    op("ones", "", SHAPE, filled),
    op("zeros", "", SHAPE, filled),
];

fn filled(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    Answer::tensor(site.dims("shape")?, dtype)
}

fn full(site: &Site<'_>) -> Result<Answer, Stop> {
    let value = site.of_rank(0, 0)?;
    let dtype = site.dtype("dtype")?.unwrap_or(value.dtype);
    Answer::tensor(site.dims("shape")?, dtype)
}

fn full_like(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.of_rank(1, 0)?;
    Ok(Type::Tensor(data.clone()).into())
}

fn arange(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    let ends = (0..3).map(|at| (site.constant)(at));
    let ends: Option<Vec<f64>> = ends.collect();
    let count = match ends.as_deref() {
        Some([start, stop, step]) if *step != 0.0 => {
            let count = ((stop - start) / step).ceil();
            if count <= 0.0 {
                return Mistake::new(
                    Code::ArgumentValue,
                    format!("from {start} to {stop} in steps of {step} there is no element"),
                )
                .of([0, 1, 2])
                .stop();
            }
            Dim::Int(count as i64)
        }
        _ => Dim::Any,
    };
    let answer = Answer::tensor([count], dtype)?;
    Ok((0..3).fold(answer, |answer, at| {
        answer.expecting(at, Type::scalar(dtype))
    }))
}

fn meshgrid(site: &Site<'_>) -> Result<Answer, Stop> {
    let parts = site.tensors(0)?;
    let Some(first) = parts.first() else {
        return Err(Stop::Unknown);
    };
    let mut grid = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if part.dtype != first.dtype {
            return Mistake::new(
                Code::DtypeMismatch,
                format!("tensor 0 is {}, tensor {at} is {}", first.dtype, part.dtype),
            )
            .of([0])
            .between(first.dtype, part.dtype)
            .stop();
        }
        grid.push(match &part.shape[..] {
            [] => Dim::Int(1),
            [one] => one.clone(),
            more => {
                return Mistake::new(
                    Code::RankMismatch,
                    format!(
                        "tensor {at} must be a vector, but has the shape ({})",
                        list(more)
                    ),
                )
                .of([0])
                .stop();
            }
        });
    }
    if site.str("indexing")? == "xy" && grid.len() >= 2 {
        grid.swap(0, 1);
    }
    let one = Type::tensor(grid, first.dtype);
    Ok(Type::tuple(vec![one; parts.len()]).into())
}

fn one_hot(site: &Site<'_>) -> Result<Answer, Stop> {
    let depth = site.int("depth")?;
    if depth < 1 {
        return site.wrong_value("depth", format!("{depth} is less than 1"));
    }
    let (shape, dtype) = one_hot_shape(site, Dim::Int(depth))?;
    Answer::tensor(shape, dtype)
}

/// Returns the shape of the indices with the depth inserted at `axis`.
pub(super) fn one_hot_shape(site: &Site<'_>, depth: Dim) -> Result<(Vec<Dim>, DType), Stop> {
    let indices = site.tensor(0)?;
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    let axis = match site.int("axis")? {
        -1 => indices.rank(),
        axis => site.axis("axis", axis, indices.rank() + 1)?,
    };
    let mut shape = indices.shape.to_vec();
    shape.insert(axis, depth);
    Ok((shape, dtype))
}
