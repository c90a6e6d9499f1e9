//! The geometry of sliding windows: layouts, padding, strides, dilation, in up to three spatial dimensions.

use super::Args;
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;

/// Returns the permutation of axes from `layout` to `canonical`.
pub fn layout_order(layout: &str, canonical: &str) -> RunResult<Vec<usize>> {
    let order: Option<Vec<usize>> = canonical.chars().map(|c| layout.find(c)).collect();
    match order {
        Some(order) if layout.len() == canonical.len() => Ok(order),
        _ => Err(RunError::unsupported(format!(
            "layout {layout:?} is no order of {canonical:?}"
        ))),
    }
}

/// Returns the inverse of a permutation.
pub fn inverse(order: &[usize]) -> Vec<usize> {
    let mut undo = vec![0; order.len()];
    for (to, &from) in order.iter().enumerate() {
        undo[from] = to;
    }
    undo
}

/// Transposes `tensor` from `layout` to `canonical`.
pub fn to_layout(tensor: &Tensor, layout: &str, canonical: &str) -> RunResult<Tensor> {
    let order = layout_order(layout, canonical)?;
    if tensor.ndim() != order.len() {
        return Err(RunError::shape(format!(
            "layout {layout:?} has {} dimensions, and the tensor {}",
            order.len(),
            tensor.ndim()
        )));
    }
    if layout == canonical {
        return Ok(tensor.clone());
    }
    tensor.permuted(&order)
}

/// Transposes `tensor` from `canonical` to `layout`.
pub fn from_layout(tensor: &Tensor, layout: &str, canonical: &str) -> RunResult<Tensor> {
    if layout == canonical {
        return Ok(tensor.clone());
    }
    tensor.permuted(&inverse(&layout_order(layout, canonical)?))
}

/// Returns a prefix such as `"NC"` with the letters of the spatial dimensions appended.
pub fn canonical(prefix: &str, spatial: usize) -> String {
    format!("{prefix}{}", &"DHW"[3 - spatial.min(3)..])
}

/// A window along each of three axes. Missing leading axes have extent 1.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub kernel: [usize; 3],
    pub stride: [usize; 3],
    pub dilation: [usize; 3],
    pub before: [usize; 3],
    pub after: [usize; 3],
}

/// Extends one, two or three extents to three.
pub fn three(values: &[usize], fill: usize) -> [usize; 3] {
    let mut all = [fill; 3];
    for (slot, &value) in all.iter_mut().rev().zip(values.iter().rev()) {
        *slot = value;
    }
    all
}

/// Returns an attribute that has one number for all spatial dimensions or one for each.
fn per_dimension(
    args: &Args<'_>,
    name: &str,
    spatial: usize,
    default: usize,
) -> RunResult<Vec<usize>> {
    let values = match args.opt_ints(name)? {
        None => return Ok(vec![default; spatial]),
        Some(values) if values.is_empty() => return Ok(vec![default; spatial]),
        Some(values) => values,
    };
    let values = values
        .iter()
        .map(|&v| {
            usize::try_from(v)
                .ok()
                .filter(|&v| v >= default && v < 1 << 31)
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| RunError::argument(format!("{name} {values:?} is out of range")))?;
    match values.len() {
        1 => Ok(vec![values[0]; spatial]),
        n if n == spatial => Ok(values),
        n => Err(RunError::argument(format!(
            "{name} has {n} numbers for {spatial} dimensions"
        ))),
    }
}

impl Window {
    /// Reads the attributes `strides`, `dilation` and `padding`.
    pub fn of(args: &Args<'_>, kernel: &[usize]) -> RunResult<Window> {
        let spatial = kernel.len();
        let padding = args.opt_ints("padding")?.unwrap_or(vec![0]);
        let (before, after) = if padding.len() == 2 * spatial && spatial > 0 {
            let sides = padding
                .iter()
                .map(|&p| usize::try_from(p).ok().filter(|&p| p < 1 << 31))
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| {
                    RunError::argument(format!("padding {padding:?} is out of range"))
                })?;
            (sides[..spatial].to_vec(), sides[spatial..].to_vec())
        } else {
            let both = per_dimension(args, "padding", spatial, 0)?;
            (both.clone(), both)
        };
        Ok(Window {
            kernel: three(kernel, 1),
            stride: three(&per_dimension(args, "strides", spatial, 1)?, 1),
            dilation: three(&per_dimension(args, "dilation", spatial, 1)?, 1),
            before: three(&before, 0),
            after: three(&after, 0),
        })
    }

    /// Returns the extent that a dilated kernel covers along an axis.
    pub fn reach(&self, axis: usize) -> usize {
        (self.kernel[axis].max(1) - 1).saturating_mul(self.dilation[axis]) + 1
    }

    /// Returns the extents of a convolution's result.
    pub fn output(&self, input: [usize; 3]) -> RunResult<[usize; 3]> {
        let mut out = [0; 3];
        for axis in 0..3 {
            let padded = input[axis] + self.before[axis] + self.after[axis];
            let Some(slack) = padded.checked_sub(self.reach(axis)) else {
                return Err(RunError::shape(format!(
                    "a window of {} does not fit an extent of {padded}",
                    self.reach(axis)
                )));
            };
            out[axis] = slack / self.stride[axis] + 1;
        }
        Ok(out)
    }

    /// Returns the outputs `lo..hi` for which tap `k` reads inside the input.
    pub fn valid(&self, axis: usize, k: usize, input: usize, output: usize) -> (usize, usize) {
        let shift = (k * self.dilation[axis]) as isize - self.before[axis] as isize;
        let stride = self.stride[axis] as isize;
        let lo = if shift < 0 {
            (-shift + stride - 1) / stride
        } else {
            0
        };
        let hi = (input as isize - shift + stride - 1).max(0) / stride;
        let hi = hi.clamp(0, output as isize);
        (lo.min(hi) as usize, hi as usize)
    }

    /// Returns the input position that output `o` reads through tap `k`. Only for valid outputs.
    pub fn input(&self, axis: usize, k: usize, o: usize) -> usize {
        o * self.stride[axis] + k * self.dilation[axis] - self.before[axis]
    }
}
