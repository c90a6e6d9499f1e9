//! Operators whose shapes are values, so that the extents of results are only known at run time.

use super::create::one_hot_shape;
use super::image::RESIZE_2D;
use super::pool::{PAD, UPSAMPLING, UPSAMPLING_3D, resized, spatial};
use super::search::{TOPK, topk_of};
use super::sparse::sparse_values;
use super::{Op, op};
use crate::relay::site::{Answer, Site, Stop};
use crate::relay::types::Dim;

const SHAPE: &str = "shape: ints, dtype: dtype = void";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("dyn.broadcast_to", "data shape", SHAPE, |site| of_shape(site, 1)),
    op("dyn.expand_dims", "data axis", "num_newaxis: int = 1", expand_dims).keyed("relay.attrs.DynExpandDimsAttrs"),
    op("dyn.full", "fill_value shape", SHAPE, full),
    op("dyn.image.resize2d", "data size roi", RESIZE_2D, resize),
    op("dyn.nn.pad", "data pad_width pad_val", PAD, pad),
    op("dyn.nn.upsampling", "data scale_h scale_w", UPSAMPLING, |site| upsampling(site, "HW")),
    op("dyn.nn.upsampling3d", "data scale_d scale_h scale_w", UPSAMPLING_3D, |site| upsampling(site, "DHW")),
    op("dyn.one_hot", "indices on_value off_value depth", "depth: int = 1, axis: int = -1, dtype: dtype = void", one_hot),
    op("dyn.ones", "shape", SHAPE, filled),
    op("dyn.reshape", "data newshape", "newshape: ints, allowzero: bool = false", |site| of_shape(site, 1)),
    op("dyn.sparse_to_dense", "sparse_indices sparse_values default_value output_shape", "", to_dense),
    op("dyn.squeeze", "data axes", "axis: ints = None", squeeze),
    op("dyn.strided_slice", "data begin end strides", "begin: ints, end: ints, strides: ints, slice_mode: str = \"end\", axes: ints", strided_slice),
    op("dyn.tile", "data reps", "reps: ints", tile),
    op("dyn.topk", "data k", TOPK, topk),
    op("dyn.zeros", "shape", SHAPE, filled),
];

/// Returns the length of the vector input at `at`, which contains a shape.
fn length(site: &Site<'_>, at: usize) -> Result<usize, Stop> {
    let vector = site.tensor(at)?;
    let Some(first) = vector.shape.first() else {
        return site.wrong_rank(at, "1 dimension");
    };
    let length = first.as_int().ok_or(Stop::Unknown)?;
    Ok(length.clamp(0, 64) as usize)
}

fn of_shape(site: &Site<'_>, shape: usize) -> Result<Answer, Stop> {
    let dtype = site.tensor(0)?.dtype;
    Answer::tensor(vec![Dim::Any; length(site, shape)?], dtype)
}

fn filled(site: &Site<'_>) -> Result<Answer, Stop> {
    let rank = length(site, 0)?;
    Answer::tensor(
        vec![Dim::Any; rank],
        site.dtype("dtype")?.ok_or(Stop::Unknown)?,
    )
}

fn full(site: &Site<'_>) -> Result<Answer, Stop> {
    let value = site.of_rank(0, 0)?;
    let dtype = site.dtype("dtype")?.unwrap_or(value.dtype);
    Answer::tensor(vec![Dim::Any; length(site, 1)?], dtype)
}

fn expand_dims(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.of_rank(1, 0)?;
    let rank = data.rank() + site.int("num_newaxis")?.clamp(0, 64) as usize;
    Answer::tensor(vec![Dim::Any; rank], data.dtype)
}

fn resize(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let shape = spatial(site, "NCHW", |_| Ok(Dim::Any))?;
    Answer::tensor(shape, site.dtype("out_dtype")?.unwrap_or(data.dtype))
}

fn upsampling(site: &Site<'_>, letters: &str) -> Result<Answer, Stop> {
    for scale in 1..=letters.len() {
        site.of_rank(scale, 0)?;
    }
    resized(site, letters, |_, _| Ok(Dim::Any))
}

fn pad(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.of_rank(1, 2)?;
    site.tensor(2)?;
    Answer::tensor(vec![Dim::Any; data.rank()], data.dtype)
}

fn one_hot(site: &Site<'_>) -> Result<Answer, Stop> {
    let (shape, dtype) = one_hot_shape(site, Dim::Any)?;
    Answer::tensor(shape, dtype)
}

fn to_dense(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtype = sparse_values(site)?;
    Answer::tensor(vec![Dim::Any; length(site, 3)?], dtype)
}

fn squeeze(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.of_rank(1, 1)?;
    let rank = data.rank().saturating_sub(length(site, 1)?);
    Answer::tensor(vec![Dim::Any; rank], data.dtype)
}

fn strided_slice(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let sliced = length(site, 1)?;
    let dims = data.shape.iter().enumerate();
    let shape: Vec<Dim> = dims
        .map(|(at, dim)| if at < sliced { Dim::Any } else { dim.clone() })
        .collect();
    Answer::tensor(shape, data.dtype)
}

fn tile(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let rank = data.rank().max(length(site, 1)?);
    Answer::tensor(vec![Dim::Any; rank], data.dtype)
}

fn topk(site: &Site<'_>) -> Result<Answer, Stop> {
    if site.tensor(1)?.rank() > 1 {
        return site.wrong_rank(1, "at most 1 dimension");
    }
    topk_of(site, Some(Dim::Any))
}
