//! Operators of images.

use super::conv::both_ends;
use super::pool::spatial;
use super::{Op, op};
use crate::ops::layout::Layout;
use crate::relay::site::{Answer, Site, Stop, convert};
use crate::relay::types::Dim;

const RESIZE_1D: &str = "size: ints = None, roi: floats = None, layout: str = \"NCW\", method: str = \"linear\", coordinate_transformation_mode: str = \"half_pixel\", rounding_method: str = \"round\", cubic_alpha: float = -0.5, cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: dtype = void";
pub(super) const RESIZE_2D: &str = "size: ints = None, roi: floats = None, layout: str = \"NCHW\", method: str = \"linear\", coordinate_transformation_mode: str = \"half_pixel\", rounding_method: str = \"round\", cubic_alpha: float = -0.5, cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: dtype = void";
const RESIZE_3D: &str = "size: ints = None, roi: floats = None, layout: str = \"NCDHW\", method: str = \"linear\", coordinate_transformation_mode: str = \"half_pixel\", rounding_method: str = \"round\", cubic_alpha: float = -0.5, cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: dtype = void";
const CROP: &str = "crop_size: ints = None, layout: str = \"NCHW\", method: str = \"bilinear\", extrapolation_value: float = 0.0, out_dtype: dtype = void";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("image.affine_grid", "data", "target_shape: ints", affine_grid),
    op("image.crop_and_resize", "data boxes box_indices", CROP, crop_and_resize),
    op("image.dilation2d", "data weight", "strides: ints = [1, 1], padding: ints = [0, 0], dilations: ints = [1, 1], data_layout: str = \"NCHW\", kernel_layout: str = \"IHW\", out_dtype: dtype = void", dilation2d),
    op("image.grid_sample", "data grid", "method: str = \"bilinear\", layout: str = \"NCHW\", padding_mode: str = \"zeros\", align_corners: bool = true", grid_sample),
    op("image.resize1d", "data", RESIZE_1D, |site| resize(site, "NCW")),
    op("image.resize2d", "data", RESIZE_2D, |site| resize(site, "NCHW")),
    op("image.resize3d", "data", RESIZE_3D, |site| resize(site, "NCDHW")),
];

fn resize(site: &Site<'_>, home: &str) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let count = home.len() - 2;
    let size = site.dims("size")?;
    if size.len() != count {
        return site.wrong_value(
            "size",
            format!("must have {count} values, but has {}", size.len()),
        );
    }
    let shape = spatial(site, home, |at| Ok(size[at].clone()))?;
    Answer::tensor(shape, site.dtype("out_dtype")?.unwrap_or(data.dtype))
}

fn crop_and_resize(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, boxes) = (site.tensor(0)?, site.tensor(1)?);
    site.tensor(2)?;
    let size = site.dims("crop_size")?;
    let home = Layout::parse("NCHW").map_err(|_| Stop::Unknown)?;
    let layout = site.layout("layout")?;
    let [height, width] = size.as_slice() else {
        return site.wrong_value("crop_size", "has not two values".into());
    };
    let mut shape = convert(&data.shape, &layout, &home).ok_or(Stop::Unknown)?;
    shape[0] = boxes.shape.first().cloned().ok_or(Stop::Unknown)?;
    (shape[2], shape[3]) = (height.clone(), width.clone());
    let dtype = site.dtype("out_dtype")?.unwrap_or(data.dtype);
    Answer::tensor(convert(&shape, &home, &layout).ok_or(Stop::Unknown)?, dtype)
}

fn affine_grid(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.of_rank(0, 3)?;
    let target = site.dims("target_shape")?;
    let [height, width] = target.as_slice() else {
        return site.wrong_value("target_shape", "has not two values".into());
    };
    let shape = [
        data.shape[0].clone(),
        Dim::Int(2),
        height.clone(),
        width.clone(),
    ];
    Answer::tensor(shape, data.dtype)
}

fn grid_sample(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, grid) = (site.tensor(0)?, site.tensor(1)?);
    let home = match data.rank() {
        4 => "NCHW",
        5 => "NCDHW",
        _ => return site.wrong_rank(0, "4 or 5 dimensions"),
    };
    let shape = spatial(site, home, |at| {
        grid.shape.get(at + 2).cloned().ok_or(Stop::Unknown)
    })?;
    Answer::tensor(shape, data.dtype)
}

fn dilation2d(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, weight) = (site.tensor(0)?, site.tensor(1)?);
    let parse = |text| Layout::parse(text).map_err(|_| Stop::Unknown);
    let (home, kernel_home) = (parse("NCHW")?, parse("IHW")?);
    let (layout, kernel) = (site.layout("data_layout")?, site.layout("kernel_layout")?);
    let shape = convert(&data.shape, &layout, &home).ok_or(Stop::Unknown)?;
    let kernel = convert(&weight.shape, &kernel, &kernel_home).ok_or(Stop::Unknown)?;
    let (strides, dilations) = (site.ints_of("strides", 2)?, site.ints_of("dilations", 2)?);
    let padding = both_ends(site, 2)?;
    let mut out = vec![shape[0].clone(), kernel[0].clone()];
    for (at, extent) in shape[2..].iter().enumerate() {
        out.push(extent.with(&kernel[at + 1], |extent, size| {
            let reach = (size - 1).checked_mul(dilations[at])?.checked_add(1)?;
            let room = extent + padding[at] - reach;
            room.checked_div_euclid(strides[at])?.checked_add(1)
        }));
    }
    let dtype = site.dtype("out_dtype")?.unwrap_or(data.dtype);
    Answer::tensor(convert(&out, &home, &layout).ok_or(Stop::Unknown)?, dtype)
}
