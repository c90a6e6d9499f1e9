//! The geometry of sliding windows: layouts, padding, strides, dilation, in up to three spatial dimensions.

use super::Args;
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;

/// The mapping from the axes of a layout to those of the canonical layout.
struct Order {
    /// The axes of the layout in canonical order. Each is followed by its block, if it has one.
    axes: Vec<usize>,
    /// The block size of each canonical axis: of `NCHW16c`, 16 for `C`.
    blocks: Vec<Option<usize>>,
}

impl Order {
    fn of(layout: &str, canonical: &str) -> RunResult<Order> {
        let not_a_permutation = || {
            let message = format!("layout {layout:?} is not a permutation of {canonical:?}");
            RunError::unsupported(message)
        };
        let letters = letters(layout).ok_or_else(not_a_permutation)?;
        let find = |letter: char| letters.iter().position(|it| it.0 == letter);
        let mut order = Order {
            axes: Vec::with_capacity(letters.len()),
            blocks: Vec::with_capacity(canonical.len()),
        };
        for letter in canonical.chars() {
            order.axes.push(find(letter).ok_or_else(not_a_permutation)?);
            let inner = find(letter.to_ascii_lowercase());
            order.axes.extend(inner);
            order.blocks.push(inner.and_then(|at| letters[at].1));
        }
        let is_whole = order.axes.len() == letters.len();
        is_whole.then_some(order).ok_or_else(not_a_permutation)
    }

    fn is_identity(&self) -> bool {
        self.axes.is_sorted() && self.blocks.iter().all(Option::is_none)
    }
}

/// Returns the letters of a layout, those of blocks with their sizes. `None` if an axis has a size or a block has none.
fn letters(layout: &str) -> Option<Vec<(char, Option<usize>)>> {
    let mut found = Vec::new();
    let mut digits = String::new();
    for letter in layout.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let size = std::mem::take(&mut digits).parse().ok();
        if size.is_some_and(|it: usize| it > 0) != letter.is_ascii_lowercase() {
            return None;
        }
        found.push((letter, size));
    }
    digits.is_empty().then_some(found)
}

/// Returns the inverse of a permutation.
fn inverse(order: &[usize]) -> Vec<usize> {
    let mut undo = vec![0; order.len()];
    for (to, &from) in order.iter().enumerate() {
        undo[from] = to;
    }
    undo
}

/// Transposes `tensor` from `layout` to `canonical`, which has no blocks.
pub fn to_layout(tensor: &Tensor, layout: &str, canonical: &str) -> RunResult<Tensor> {
    let order = Order::of(layout, canonical)?;
    if tensor.ndim() != order.axes.len() {
        return Err(RunError::shape(format!(
            "layout {layout:?} has {} dimensions, and the tensor {}",
            order.axes.len(),
            tensor.ndim()
        )));
    }
    if order.is_identity() {
        return Ok(tensor.clone());
    }
    let made = tensor.permuted(&order.axes)?;
    let mut extents = made.shape().iter();
    let mut shape = Vec::with_capacity(order.blocks.len());
    for block in &order.blocks {
        let outer = extents.next().copied().unwrap_or(1);
        let inner = match block {
            Some(_) => extents.next().copied(),
            None => None,
        };
        if inner != *block {
            return Err(RunError::shape(format!(
                "a block of layout {layout:?} does not have an extent of {}",
                inner.unwrap_or(1)
            )));
        }
        shape.push(outer * inner.unwrap_or(1));
    }
    made.reshaped(&shape)
}

/// Transposes `tensor` from `canonical` to `layout`.
pub fn from_layout(tensor: &Tensor, layout: &str, canonical: &str) -> RunResult<Tensor> {
    let order = Order::of(layout, canonical)?;
    if order.is_identity() {
        return Ok(tensor.clone());
    }
    let mut shape = Vec::with_capacity(order.axes.len());
    for (&extent, block) in tensor.shape().iter().zip(&order.blocks) {
        match *block {
            None => shape.push(extent),
            Some(block) if extent.is_multiple_of(block) => shape.extend([extent / block, block]),
            Some(block) => {
                return Err(RunError::shape(format!(
                    "layout {layout:?} splits an extent of {extent} into blocks of {block}"
                )));
            }
        }
    }
    tensor.reshaped(&shape)?.permuted(&inverse(&order.axes))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_in_blocks_is_split_and_put_together() {
        let x = Tensor::from_fn::<f32>(&[1, 4, 1, 2], |i| i as f32).unwrap();
        let blocked = from_layout(&x, "NCHW2c", "NCHW").unwrap();
        assert_eq!(blocked.shape(), [1, 2, 1, 2, 2]);
        assert_eq!(
            blocked.values::<f32>().unwrap()[..],
            [0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0]
        );
        let back = to_layout(&blocked, "NCHW2c", "NCHW").unwrap();
        assert_eq!(back.shape(), x.shape());
        assert_eq!(back.values::<f32>().unwrap(), x.values::<f32>().unwrap());
        let weight = Tensor::zeros(crate::tensor::Kind::F32, &[2, 3, 1, 1, 4, 8]).unwrap();
        let plain = to_layout(&weight, "OIHW4i8o", "OIHW").unwrap();
        assert_eq!(plain.shape(), [16, 12, 1, 1]);
    }

    #[test]
    fn a_layout_that_does_not_fit_is_an_error() {
        let x = Tensor::zeros(crate::tensor::Kind::F32, &[1, 3, 1, 1]).unwrap();
        let message = |layout: &str| from_layout(&x, layout, "NCHW").unwrap_err().to_string();
        assert!(message("NCHW2c").contains("blocks of 2"));
        for layout in ["NCH", "NCHWc", "NCHW0c", "NC4HW", "NCHW4", "NCHW4x"] {
            assert!(
                message(layout).contains("is not a permutation of"),
                "{layout}"
            );
        }
    }
}
