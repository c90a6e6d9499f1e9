//! Pooling, padding, dilation and resampling.

use super::conv::both_ends;
use super::{Op, op};
use crate::ops::layout::Layout;
use crate::relay::site::{Answer, Site, Stop, convert, dimensions};
use crate::relay::types::{Dim, Type};

const AVG_1D: &str = "pool_size: ints, strides: ints = [1], dilation: ints = [1], padding: ints = [0], layout: str = \"NCW\", out_layout: str = \"\", ceil_mode: bool = false, count_include_pad: bool = false";
pub(super) const AVG_2D: &str = "pool_size: ints, strides: ints = [1, 1], dilation: ints = [1, 1], padding: ints = [0, 0], layout: str = \"NCHW\", out_layout: str = \"\", ceil_mode: bool = false, count_include_pad: bool = false";
const AVG_3D: &str = "pool_size: ints, strides: ints = [1, 1, 1], dilation: ints = [1, 1, 1], padding: ints = [0, 0, 0], layout: str = \"NCDHW\", out_layout: str = \"\", ceil_mode: bool = false, count_include_pad: bool = false";
const MAX_1D: &str = "pool_size: ints, strides: ints = [1], dilation: ints = [1], padding: ints = [0], layout: str = \"NCW\", out_layout: str = \"\", ceil_mode: bool = false";
const MAX_2D: &str = "pool_size: ints, strides: ints = [1, 1], dilation: ints = [1, 1], padding: ints = [0, 0], layout: str = \"NCHW\", out_layout: str = \"\", ceil_mode: bool = false";
const MAX_3D: &str = "pool_size: ints, strides: ints = [1, 1, 1], dilation: ints = [1, 1, 1], padding: ints = [0, 0, 0], layout: str = \"NCDHW\", out_layout: str = \"\", ceil_mode: bool = false";
const GLOBAL: &str = "layout: str = \"NCHW\", out_layout: str = \"\"";
const ADAPTIVE_1D: &str = "output_size: ints = [], layout: str = \"NCW\", out_layout: str = \"\"";
const ADAPTIVE_2D: &str = "output_size: ints = [], layout: str = \"NCHW\", out_layout: str = \"\"";
const ADAPTIVE_3D: &str = "output_size: ints = [], layout: str = \"NCDHW\", out_layout: str = \"\"";
const SUB_PIXEL: &str = "block_size: int = 1, layout: str = \"NCHW\", mode: str = \"DCR\"";
pub(super) const UPSAMPLING: &str = "scale_h: float, scale_w: float, layout: str = \"NCHW\", method: str = \"nearest_neighbor\", align_corners: bool = false";
pub(super) const UPSAMPLING_3D: &str = "scale_d: float, scale_h: float, scale_w: float, layout: str = \"NCDHW\", method: str = \"nearest_neighbor\", coordinate_transformation_mode: str = \"half_pixel\"";
pub(super) const PAD: &str = "pad_width: lists, pad_mode: str = \"constant\"";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("nn.avg_pool1d", "data", AVG_1D, |site| pool(site, "W")),
    op("nn.avg_pool2d", "data", AVG_2D, |site| pool(site, "HW")),
    op("nn.avg_pool3d", "data", AVG_3D, |site| pool(site, "DHW")),
    op("nn.max_pool1d", "data", MAX_1D, |site| pool(site, "W")),
    op("nn.max_pool2d", "data", MAX_2D, |site| pool(site, "HW")),
    op("nn.max_pool3d", "data", MAX_3D, |site| pool(site, "DHW")),
    op("nn.avg_pool2d_grad", "data grad", AVG_2D, pool_grad),
    op("nn.max_pool2d_grad", "data grad", MAX_2D, pool_grad),
    op("nn.global_avg_pool2d", "data", GLOBAL, |site| resized(site, "HW", |_, _| Ok(Dim::Int(1)))),
    op("nn.global_max_pool2d", "data", GLOBAL, |site| resized(site, "HW", |_, _| Ok(Dim::Int(1)))),
    op("nn.adaptive_avg_pool1d", "data", ADAPTIVE_1D, |site| adaptive(site, "W")),
    op("nn.adaptive_avg_pool2d", "data", ADAPTIVE_2D, |site| adaptive(site, "HW")),
    op("nn.adaptive_avg_pool3d", "data", ADAPTIVE_3D, |site| adaptive(site, "DHW")),
    op("nn.adaptive_max_pool1d", "data", ADAPTIVE_1D, |site| adaptive(site, "W")),
    op("nn.adaptive_max_pool2d", "data", ADAPTIVE_2D, |site| adaptive(site, "HW")),
    op("nn.adaptive_max_pool3d", "data", ADAPTIVE_3D, |site| adaptive(site, "DHW")),
    op("nn.depth_to_space", "data", SUB_PIXEL, |site| sub_pixel(site, true)),
    op("nn.space_to_depth", "data", SUB_PIXEL, |site| sub_pixel(site, false)),
    op("nn.upsampling", "data", UPSAMPLING, |site| upsampling(site, "HW", &["scale_h", "scale_w"])),
    op("nn.upsampling3d", "data", UPSAMPLING_3D, |site| upsampling(site, "DHW", &["scale_d", "scale_h", "scale_w"])),
    op("nn.pad", "data pad_val", PAD, pad),
    op("nn.mirror_pad", "data", "mode: str = \"SYMMETRIC\", pad_width: lists", pad),
    op("nn.dilate", "x", "strides: ints = [1, 1], dilation_value: float = 0.0", dilate).keyed("relay.attrs.DilateAttrs"),
    op("nn.space_to_batch_nd", "data", "block_shape: ints = [1, 1], paddings: lists, pad_value: float = 0.0", space_to_batch),
    op("nn.batch_to_space_nd", "data", "block_shape: ints = [1, 1], crops: lists", batch_to_space),
];

/// Returns the data with other extents along the axes that `letters` name in its layout.
pub(super) fn resized(
    site: &Site<'_>,
    letters: &str,
    mut extent: impl FnMut(usize, &Dim) -> Result<Dim, Stop>,
) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let layout = site.layout("layout")?;
    if data.rank() != layout.ndim() {
        return site.wrong_rank(0, &dimensions(layout.ndim() as i64));
    }
    let mut shape = data.shape.to_vec();
    for (at, letter) in letters.chars().enumerate() {
        let Some(axis) = layout.position(letter) else {
            return site.wrong_value("layout", format!("has no axis `{letter}`"));
        };
        shape[axis] = extent(at, &shape[axis])?;
    }
    Answer::tensor(shape, data.dtype)
}

pub(super) fn pool(site: &Site<'_>, letters: &str) -> Result<Answer, Stop> {
    site.tensor(0)?;
    let count = letters.len();
    let (size, strides) = (
        site.ints_of("pool_size", count)?,
        site.ints_of("strides", count)?,
    );
    let (dilation, padding) = (site.ints_of("dilation", count)?, both_ends(site, count)?);
    let ceil = site.bool("ceil_mode")?;
    if strides.iter().any(|it| *it < 1) {
        return site.wrong_value("strides", "have to be at least 1".into());
    }
    resized(site, letters, |at, extent| {
        let stride = strides[at];
        Ok(extent.map(|extent| {
            let reach = (size[at] - 1).checked_mul(dilation[at])?.checked_add(1)?;
            let room = extent + padding[at] - reach + if ceil { stride - 1 } else { 0 };
            (room / stride).checked_add(1)
        }))
    })
}

fn pool_grad(site: &Site<'_>) -> Result<Answer, Stop> {
    Ok(Type::Tensor(site.tensor(1)?.clone()).into())
}

fn adaptive(site: &Site<'_>, letters: &str) -> Result<Answer, Stop> {
    let size = site.opt_dims("output_size")?.unwrap_or_default();
    if size.len() > letters.len() {
        return site.wrong_value(
            "output_size",
            format!("must have {} values, but has {}", letters.len(), size.len()),
        );
    }
    resized(site, letters, |at, extent| {
        Ok(match size.as_slice() {
            [] => extent.clone(),
            [one] => one.clone(),
            more => more.get(at).cloned().ok_or(Stop::Unknown)?,
        })
    })
}

fn sub_pixel(site: &Site<'_>, is_to_space: bool) -> Result<Answer, Stop> {
    let block = site.int("block_size")?;
    if !(1..=4096).contains(&block) {
        return site.wrong_value("block_size", format!("{block} is out of range"));
    }
    resized(site, "CHW", |at, extent| {
        Ok(extent.map(|it| match (at == 0, is_to_space) {
            (true, true) => it.checked_div(block * block),
            (true, false) => it.checked_mul(block * block),
            (false, true) => it.checked_mul(block),
            (false, false) => it.checked_div(block),
        }))
    })
}

fn upsampling(site: &Site<'_>, letters: &str, scales: &[&str]) -> Result<Answer, Stop> {
    resized(site, letters, |at, extent| {
        let scale = site.float(scales[at])?;
        Ok(extent.map(|it| Some((it as f64 * scale).round() as i64)))
    })
}

/// Changes the spatial axes, in the order of `NC...`, to what `extent` returns.
pub(super) fn spatial(
    site: &Site<'_>,
    home: &str,
    mut extent: impl FnMut(usize) -> Result<Dim, Stop>,
) -> Result<Vec<Dim>, Stop> {
    let data = site.tensor(0)?;
    let home = Layout::parse(home).map_err(|_| Stop::Unknown)?;
    let layout = site.layout("layout")?;
    if !layout.converts_to(&home) {
        return site.wrong_value("layout", "does not convert to the axes of the data".into());
    }
    let Some(mut shape) = convert(&data.shape, &layout, &home) else {
        return site.wrong_rank(0, &dimensions(layout.ndim() as i64));
    };
    for (at, dim) in shape[2..].iter_mut().enumerate() {
        *dim = extent(at)?;
    }
    convert(&shape, &home, &layout).ok_or(Stop::Unknown)
}

fn pad(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let widths = site.pairs("pad_width")?;
    if widths.len() != data.rank() {
        return site.wrong_value(
            "pad_width",
            format!("has {} pairs, `data` is {data}", widths.len()),
        );
    }
    let mut shape = Vec::new();
    for (dim, (before, after)) in data.shape.iter().zip(widths) {
        let padded = dim.map(|it| it.checked_add(before)?.checked_add(after));
        if padded.as_int().is_some_and(|it| it < 0) {
            return site.wrong_value("pad_width", format!("makes an extent of {padded}"));
        }
        shape.push(padded);
    }
    Answer::tensor(shape, data.dtype)
}

fn dilate(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let strides = site.ints_of("strides", data.rank())?;
    let pairs = data.shape.iter().zip(strides);
    let shape: Vec<Dim> = pairs
        .map(|(dim, by)| dim.map(|it| (it - 1).checked_mul(by)?.checked_add(1)))
        .collect();
    Answer::tensor(shape, data.dtype)
}

fn space_to_batch(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let (blocks, paddings) = (site.ints("block_shape")?, site.pairs("paddings")?);
    if blocks.len() != paddings.len() || blocks.len() >= data.rank() {
        return site.wrong_value(
            "paddings",
            "has not one pair for each extent of the block".into(),
        );
    }
    let mut shape = data.shape.to_vec();
    for (at, (block, (before, after))) in blocks.iter().zip(paddings).enumerate() {
        shape[0] = shape[0].map(|it| it.checked_mul(*block));
        shape[at + 1] = shape[at + 1].map(|it| (it + before + after).checked_div(*block));
    }
    Answer::tensor(shape, data.dtype)
}

fn batch_to_space(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let (blocks, crops) = (site.ints("block_shape")?, site.pairs("crops")?);
    if blocks.len() != crops.len() || blocks.len() >= data.rank() {
        return site.wrong_value(
            "crops",
            "has not one pair for each extent of the block".into(),
        );
    }
    let mut shape = data.shape.to_vec();
    for (at, (block, (before, after))) in blocks.iter().zip(crops).enumerate() {
        shape[0] = shape[0].map(|it| it.checked_div(*block));
        shape[at + 1] = shape[at + 1].map(|it| it.checked_mul(*block)?.checked_sub(before + after));
    }
    Answer::tensor(shape, data.dtype)
}
