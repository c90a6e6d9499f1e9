//! Recipes of operators of images.

use super::Recipe::Made;
use super::{Arg, Build, Refusal, Rows, Val};

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("image.resize2d", Made(resize2d)),
    ("image.grid_sample", Made(grid_sample)),
];

fn resize2d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let size = b.ints("size")?;
    resized_to(b, size)
}

pub(super) fn resized_to(b: &mut Build<'_>, size: Vec<i64>) -> Result<Val, Refusal> {
    let x = b.input(0)?;
    let mut named: Vec<(&'static str, Arg)> = vec![
        ("layout", b.str("layout")?.into()),
        ("method", b.str("method")?.into()),
        (
            "coordinate_transformation_mode",
            b.str("coordinate_transformation_mode")?.into(),
        ),
        ("rounding_method", b.str("rounding_method")?.into()),
        ("cubic_alpha", b.float("cubic_alpha")?.into()),
        ("cubic_exclude", b.int("cubic_exclude")?.into()),
        (
            "extrapolation_value",
            b.float("extrapolation_value")?.into(),
        ),
    ];
    if let Some(dtype) = b.opt_dtype("out_dtype")? {
        named.push(("out_dtype", dtype.into()));
    }
    b.op_with("image.resize2d", vec![x.into(), size.into()], named)
}

fn grid_sample(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, grid) = (b.input(0)?, b.input(1)?);
    let named = vec![
        ("method", b.str("method")?.into()),
        ("layout", b.str("layout")?.into()),
        ("padding_mode", b.str("padding_mode")?.into()),
        ("align_corners", b.bool("align_corners")?.into()),
    ];
    b.op_with("image.grid_sample", vec![x.into(), grid.into()], named)
}
