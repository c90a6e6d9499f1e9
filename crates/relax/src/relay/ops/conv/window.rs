//! The attributes of a convolution: layouts, kernel, strides and padding.

use crate::ops::layout::Layout;
use crate::relay::site::{Site, Stop, convert, dimensions};
use crate::relay::types::Dim;

/// The layouts and the window of a convolution.
pub(super) struct Window {
    pub kernel: Layout,
    pub kernel_home: Layout,
    pub out: Layout,
    pub home: Layout,
    /// The shape of the data as `NC...`.
    pub data: Vec<Dim>,
    pub groups: i64,
    pub channels: Option<Dim>,
    pub kernel_size: Option<Vec<Dim>>,
    pub strides: Vec<i64>,
    pub dilation: Vec<i64>,
    /// The total padding of each spatial axis.
    pub padding: Vec<i64>,
}

/// Parses the attributes. The layouts of the kernel and of the data must have the same order of spatial axes.
pub(super) fn window(site: &Site<'_>, home: &str, kernel_home: &str) -> Result<Window, Stop> {
    let data = site.tensor(0)?;
    let count = home.len() - 2;
    let home = Layout::parse(home).map_err(|_| Stop::Unknown)?;
    let kernel_home = Layout::parse(kernel_home).map_err(|_| Stop::Unknown)?;
    let data_layout = site.layout("data_layout")?;
    if !data_layout.converts_to(&home) {
        return site.wrong_value(
            "data_layout",
            "does not convert to the axes of the data".into(),
        );
    }
    let kernel = site.layout("kernel_layout")?;
    if !kernel.converts_to(&kernel_home) {
        return site.wrong_value(
            "kernel_layout",
            "does not convert to the axes of the kernel".into(),
        );
    }
    let out = match site.str("out_layout")?.as_str() {
        "" => data_layout.clone(),
        _ => site.layout("out_layout")?,
    };
    if !out.converts_to(&home) {
        return site.wrong_value(
            "out_layout",
            "does not convert to the axes of the data".into(),
        );
    }
    let Some(shape) = convert(&data.shape, &data_layout, &home) else {
        return site.wrong_rank(0, &dimensions(data_layout.ndim() as i64));
    };
    let kernel_size = site.opt_dims("kernel_size")?;
    if let Some(size) = &kernel_size
        && size.len() != count
    {
        return site.wrong_value(
            "kernel_size",
            format!("must have {count} values, but has {}", size.len()),
        );
    }
    let groups = site.int("groups")?;
    if groups < 1 {
        return site.wrong_value("groups", format!("{groups} is less than 1"));
    }
    let strides = site.ints_of("strides", count)?;
    if strides.iter().any(|it| *it < 1) {
        return site.wrong_value("strides", "have to be at least 1".into());
    }
    Ok(Window {
        data: shape,
        kernel,
        kernel_home,
        out,
        home,
        groups,
        channels: site.opt_int("channels")?.map(Dim::Int),
        kernel_size,
        strides,
        dilation: site.ints_of("dilation", count)?,
        padding: both_ends(site, count)?,
    })
}

/// Returns the total padding of each spatial axis, given one number for all, one for each axis, or one for each end.
pub(in crate::relay::ops) fn both_ends(site: &Site<'_>, count: usize) -> Result<Vec<i64>, Stop> {
    let padding = site.ints("padding")?;
    let sums: Vec<i64> = match padding.len() {
        1 => vec![padding[0].saturating_mul(2); count],
        n if n == count => padding.iter().map(|it| it.saturating_mul(2)).collect(),
        n if n == 2 * count => (0..count)
            .map(|at| padding[at].saturating_add(padding[at + count]))
            .collect(),
        n => {
            return site.wrong_value(
                "padding",
                format!("must have 1, {count} or {} values, but has {n}", 2 * count),
            );
        }
    };
    Ok(sums)
}
