//! Recipes of operators of images.

use smol_str::{SmolStr, format_smolstr};

use super::Recipe::Made;
use super::arithmetic::{bordered, borders, extents};
use super::elementwise::as_dtype;
use super::shapes::converted;
use super::{Arg, Build, Refusal, Rows, Val};

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("image.resize1d", Made(resize1d)),
    ("image.resize2d", Made(resize2d)),
    ("image.resize3d", Made(resize3d)),
    ("image.affine_grid", Made(|b| { let (x, size) = (b.input(0)?, b.ints("target_shape")?); b.op("image.affine_grid", vec![x.into(), size.into()], []) })),
    ("image.grid_sample", Made(grid_sample)),
    ("image.dilation2d", Made(dilation2d)),
];

fn resize2d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let size = b.ints("size")?;
    resized_to(b, size)
}

pub(super) fn resized_to(b: &mut Build<'_>, size: Vec<i64>) -> Result<Val, Refusal> {
    let (x, layout) = (b.input(0)?, b.str("layout")?);
    resized(b, "image.resize2d", &x, size, layout)
}

/// Resizes an image that is one pixel high. Relax resizes no fewer than two axes.
fn resize1d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, layout) = (b.input(0)?, b.str("layout")?);
    let size: Vec<i64> = [1].into_iter().chain(b.ints("size")?).collect();
    let Some(at) = layout.find('W') else {
        return Refusal::new(format!("`image.resize1d` of the layout {layout}"));
    };
    let layout = format_smolstr!("{}H{}", &layout[..at], &layout[at..]);
    let axis = || [("axis", vec![at as i64].into())];
    let rows = b.op("expand_dims", vec![x.into()], axis())?;
    let rows = resized(b, "image.resize2d", &rows, size, layout)?;
    b.op("squeeze", vec![rows.into()], axis())
}

fn resize3d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, layout, size) = (b.input(0)?, b.str("layout")?, b.ints("size")?);
    resized(b, "image.resize3d", &x, size, layout)
}

fn resized(
    b: &mut Build<'_>,
    op: &'static str,
    x: &Val,
    size: Vec<i64>,
    layout: SmolStr,
) -> Result<Val, Refusal> {
    let mut named: Vec<(&'static str, Arg)> = vec![
        ("layout", layout.into()),
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
    b.op_with(op, vec![x.into(), size.into()], named)
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

/// The most elements of a kernel that are added one after the other.
const MOST_ADDED: i64 = 64;

/// Returns the largest sum of a pixel in the window and its element of the kernel.
fn dilation2d(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (x, kernel) = (b.input(0)?, b.input(1)?);
    let (layout, kernel_layout) = (b.str("data_layout")?, b.str("kernel_layout")?);
    let mut x = converted(b, &x, &layout, "NCHW")?;
    let mut kernel = converted(b, &kernel, &kernel_layout, "IHW")?;
    if let Some(dtype) = b.opt_dtype("out_dtype")? {
        x = as_dtype(b, &x, dtype)?;
        kernel = as_dtype(b, &kernel, dtype)?;
    }
    let borders = borders(b)?;
    x = bordered(b, &x, borders)?;
    let ([_, _, height, width], [_, rows, columns]) = (extents(b, &x)?, extents(b, &kernel)?);
    let (strides, dilations) = (b.ints("strides")?, b.ints("dilations")?);
    let (&[down, across], &[row_step, column_step]) = (&strides[..], &dilations[..]) else {
        return Refusal::new("`image.dilation2d` of images that have not two axes");
    };
    if !(1..=MOST_ADDED).contains(&(rows.max(1) * columns.max(1))) || down < 1 || across < 1 {
        return Refusal::new("`image.dilation2d` with a large kernel");
    }
    let last = |extent: i64, count: i64, step: i64| extent - (count - 1) * step;
    let (height, width) = (
        last(height, rows, row_step),
        last(width, columns, column_step),
    );
    let mut largest: Option<Val> = None;
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let (top, left) = (row * row_step, column * column_step);
        let args = vec![
            Arg::from(&x),
            vec![2, 3].into(),
            vec![top, left].into(),
            vec![top + height, left + width].into(),
        ];
        let part = b.op(
            "strided_slice",
            args,
            [("strides", vec![down, across].into())],
        )?;
        let args = vec![
            Arg::from(&kernel),
            vec![1, 2].into(),
            vec![row, column].into(),
            vec![row + 1, column + 1].into(),
        ];
        let element = b.op("strided_slice", args, [])?;
        let sum = b.call("add", &[&part, &element])?;
        largest = Some(match largest {
            Some(largest) => b.call("maximum", &[&largest, &sum])?,
            None => sum,
        });
    }
    match largest {
        Some(largest) => converted(b, &largest, "NCHW", &layout),
        None => Refusal::new("`image.dilation2d` without a kernel"),
    }
}
