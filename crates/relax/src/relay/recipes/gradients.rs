//! Recipes of gradients of pooling and of convolutions.

use super::Recipe::Made;
use super::arithmetic::extents;
use super::elementwise::as_dtype;
use super::windows::shared;
use super::{Arg, Build, Refusal, Rows, Val};
use crate::sym::SymExpr;

#[rustfmt::skip]
pub(super) const RECIPES: Rows = &[
    ("nn.max_pool2d_grad", Made(|b| pool(b, "grad.max_pool2d_backward"))),
    ("nn.avg_pool2d_grad", Made(|b| pool(b, "grad.avg_pool2d_backward"))),
    ("nn.conv2d_backward_weight", Made(backward_weight)),
];

fn pool(b: &mut Build<'_>, op: &'static str) -> Result<Val, Refusal> {
    let (grad, data) = (b.input(0)?, b.input(1)?);
    let mut names = vec![
        "pool_size",
        "strides",
        "padding",
        "dilation",
        "ceil_mode",
        "layout",
    ];
    if b.site().entry.attr("count_include_pad").is_some() {
        names.push("count_include_pad");
    }
    let named = shared(b, &names)?;
    b.op_with(op, vec![grad.into(), data.into()], named)
}

/// Convolves each channel of the data with each channel of the gradient, and sums over the batch.
fn backward_weight(b: &mut Build<'_>) -> Result<Val, Refusal> {
    let (grad, data) = (b.input(0)?, b.input(1)?);
    for (name, layout) in [
        ("data_layout", "NCHW"),
        ("kernel_layout", "NCHW"),
        ("out_layout", "OIHW"),
    ] {
        let given = b.str(name)?;
        if given != layout {
            return Refusal::new(format!("`{}` of the layout {given}", b.name()));
        }
    }
    let ([_, outputs, rows, columns], [batch, inputs, height, width]) =
        (extents(b, &grad)?, extents(b, &data)?);
    let (groups, size) = (b.int("groups")?.max(1), b.ints("kernel_size")?);
    let (&[kernel_rows, kernel_columns], per_group) = (&size[..], inputs / groups) else {
        return Refusal::new("`kernel_size` has not two values");
    };
    let dims = |dims: &[i64]| Arg::Dims(dims.iter().copied().map(SymExpr::int).collect());
    let args = vec![Arg::from(&grad), vec![1, per_group, 1, 1].into()];
    let kernels = b.op("tile", args, [])?;
    let args = vec![
        kernels.into(),
        dims(&[batch * outputs * per_group, 1, rows, columns]),
    ];
    let kernels = b.op("reshape", args, [])?;
    let args = vec![data.into(), dims(&[1, batch * inputs, height, width])];
    let channels = b.op("reshape", args, [])?;
    let mut named = shared(b, &["padding"])?;
    // A step of the gradient is a stride of the convolution.
    named.push(("strides", b.ints("dilation")?.into()));
    named.push(("dilation", b.ints("strides")?.into()));
    named.push(("groups", (batch * inputs).into()));
    let pairs = b.op_with("nn.conv2d", vec![channels.into(), kernels.into()], named)?;
    let [_, _, all_rows, all_columns] = extents(b, &pairs)?;
    let shape = dims(&[batch, per_group, outputs, all_rows, all_columns]);
    let pairs = b.op("reshape", vec![pairs.into(), shape], [])?;
    let sum = b.op("sum", vec![pairs.into()], [("axis", vec![0].into())])?;
    let axes = [("axes", vec![1, 0, 2, 3].into())];
    let mut weight = b.op("permute_dims", vec![sum.into()], axes)?;
    if (all_rows, all_columns) != (kernel_rows, kernel_columns) {
        let args = vec![
            weight.into(),
            vec![2, 3].into(),
            vec![0, 0].into(),
            vec![kernel_rows, kernel_columns].into(),
        ];
        weight = b.op("strided_slice", args, [])?;
    }
    match b.opt_dtype("out_dtype")? {
        Some(dtype) => as_dtype(b, &weight, dtype),
        None => Ok(weight),
    }
}
