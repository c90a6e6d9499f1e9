//! Operators that concatenate or stack tensors.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Tensor};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("concatenate", "data", "axis: int = 0", concatenate),
    op("stack", "data", "axis: int = 0", stack),
];

fn concatenate(site: &Site<'_>) -> Result<Answer, Stop> {
    joined(site, 0)
}

/// Concatenates tensors along `axis`.
pub(super) fn joined(site: &Site<'_>, input: usize) -> Result<Answer, Stop> {
    let parts = site.tensors(input)?;
    let Some(first) = parts.first() else {
        return Err(Stop::Unknown);
    };
    let axis = site.axis("axis", site.int("axis")?, first.rank())?;
    agree(site, input, &parts, Some(axis))?;
    let sum = parts.iter().fold(Dim::Int(0), |sum, part| {
        sum.with(&part.shape[axis], i64::checked_add)
    });
    let is_dynamic = sum == Dim::Any;
    let mut shape = first.shape.to_vec();
    for (at, dim) in shape.iter_mut().enumerate() {
        if at == axis {
            continue;
        }
        let known = parts
            .iter()
            .map(|it| &it.shape[at])
            .find(|it| **it != Dim::Any);
        let all_known = parts.iter().all(|it| it.shape[at] != Dim::Any);
        // TVM uses the known extent only if the result is dynamic along the axis anyway.
        *dim = match known {
            Some(known) if all_known || is_dynamic => known.clone(),
            _ => Dim::Any,
        };
    }
    shape[axis] = sum;
    Answer::tensor(shape, first.dtype)
}

/// Checks that tensors agree in rank, dtype, and all extents except the one along `axis`.
fn agree(
    site: &Site<'_>,
    input: usize,
    parts: &[&Tensor],
    axis: Option<usize>,
) -> Result<(), Stop> {
    let mismatch = |code, message: String, one: String, other: String| {
        Mistake::new(code, format!("`{}`: {message}", site.name()))
            .of([input])
            .between(one, other)
            .stop()
    };
    let first = parts[0];
    for (at, part) in parts.iter().enumerate().skip(1) {
        if part.rank() != first.rank() {
            return mismatch(
                Code::RankMismatch,
                format!(
                    "tensor 0 has {} dimensions, tensor {at} has {}",
                    first.rank(),
                    part.rank()
                ),
                first.rank().to_string(),
                part.rank().to_string(),
            );
        }
        if part.dtype != first.dtype {
            return mismatch(
                Code::DtypeMismatch,
                format!("tensor 0 is {}, tensor {at} is {}", first.dtype, part.dtype),
                first.dtype.to_string(),
                part.dtype.to_string(),
            );
        }
    }
    for dim in (0..first.rank()).filter(|it| Some(*it) != axis) {
        let known = parts.iter().position(|it| it.shape[dim].as_int().is_some());
        let Some(known) = known else { continue };
        let wanted = &parts[known].shape[dim];
        if let Some(at) = parts.iter().position(|it| it.shape[dim].differs(wanted)) {
            let other = &parts[at].shape[dim];
            return mismatch(
                Code::ShapeMismatch,
                format!(
                    "dimension {dim} of tensor {known} is {wanted}, dimension {dim} of tensor {at} is {other}"
                ),
                wanted.to_string(),
                other.to_string(),
            );
        }
    }
    Ok(())
}

fn stack(site: &Site<'_>) -> Result<Answer, Stop> {
    let parts = site.tensors(0)?;
    let Some(first) = parts.first() else {
        return Err(Stop::Unknown);
    };
    let axis = site.axis("axis", site.int("axis")?, first.rank() + 1)?;
    // TVM compares all extents except the one at the index of the new axis.
    agree(site, 0, &parts, Some(axis))?;
    let mut shape = first.shape.to_vec();
    shape.insert(axis, Dim::Int(parts.len() as i64));
    Answer::tensor(shape, first.dtype)
}
