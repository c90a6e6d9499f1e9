//! Data layouts: `NCHW`, `NHWC`, `NCHW4c`, `OIHW[4o2i]`.
//!
//! Reads a layout string and carries shapes between two layouts of the same axes. Knows no operators.

use crate::sym::SymExpr;

/// The order of a tensor's axes. An axis may be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    axes: Vec<Axis>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Axis {
    /// An axis, or the outer part of a split axis: `C`.
    Primal(u8),
    /// The inner parts of split axes, packed into one dimension: `4c`, `[4o2i]`.
    Split(Vec<(u8, i64)>),
}

impl Axis {
    fn extent(&self) -> Option<i64> {
        match self {
            Axis::Primal(_) => None,
            Axis::Split(parts) => Some(parts.iter().fold(1, |product: i64, (_, factor)| {
                product.saturating_mul(*factor)
            })),
        }
    }
}

/// A shape that does not fit its layout: the dimension, and its required value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    pub dim: usize,
    pub wanted: i64,
}

impl Layout {
    /// Parses a layout. The error describes the problem.
    pub fn parse(text: &str) -> Result<Layout, String> {
        let mut axes = Vec::new();
        let mut packed: Option<Vec<(u8, i64)>> = None;
        let mut factor: i64 = 0;
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => {
                    factor = factor
                        .saturating_mul(10)
                        .saturating_add(i64::from(byte - b'0'));
                }
                b'A'..=b'Z' if factor == 0 && packed.is_none() => axes.push(Axis::Primal(byte)),
                b'A'..=b'Z' => {
                    return Err(format!(
                        "`{}` is a whole axis and cannot have a factor",
                        byte as char
                    ));
                }
                b'a'..=b'z' if factor > 0 => {
                    let part = (byte.to_ascii_uppercase(), factor);
                    factor = 0;
                    match &mut packed {
                        Some(parts) => parts.push(part),
                        None => axes.push(Axis::Split(vec![part])),
                    }
                }
                b'a'..=b'z' => {
                    return Err(format!(
                        "the split axis `{}` needs a factor before it",
                        byte as char
                    ));
                }
                b'[' if packed.is_none() => packed = Some(Vec::new()),
                b']' if packed.as_ref().is_some_and(|parts| parts.len() > 1) => {
                    axes.push(Axis::Split(packed.take().unwrap_or_default()));
                }
                _ => return Err("a layout is letters, factors and brackets".to_owned()),
            }
        }
        if factor != 0 || packed.is_some() || axes.is_empty() {
            return Err("it is not complete".to_owned());
        }
        let layout = Layout { axes };
        for axis in &layout.axes {
            if let Axis::Split(parts) = axis
                && let Some((letter, _)) = parts.iter().find(|(letter, _)| !layout.has(*letter))
            {
                return Err(format!("the axis `{}` is missing", *letter as char));
            }
        }
        Ok(layout)
    }

    pub fn ndim(&self) -> usize {
        self.axes.len()
    }

    /// Returns the dimension of the axis `letter` (of its outer part if it is split).
    pub fn position(&self, letter: char) -> Option<usize> {
        self.axes
            .iter()
            .position(|axis| matches!(axis, Axis::Primal(l) if *l as char == letter))
    }

    fn has(&self, letter: u8) -> bool {
        self.position(letter as char).is_some()
    }

    /// Returns the factor by which `letter` is split; 1 if it is not split.
    fn factor(&self, letter: u8) -> i64 {
        self.axes
            .iter()
            .filter_map(|axis| match axis {
                Axis::Split(parts) => Some(parts),
                Axis::Primal(_) => None,
            })
            .flatten()
            .filter(|(l, _)| *l == letter)
            .fold(1, |product: i64, (_, factor)| {
                product.saturating_mul(*factor)
            })
    }

    fn letters(&self) -> impl Iterator<Item = u8> {
        self.axes.iter().filter_map(|axis| match axis {
            Axis::Primal(letter) => Some(*letter),
            Axis::Split(_) => None,
        })
    }

    /// Returns `true` if both have the same axes.
    pub fn converts_to(&self, other: &Layout) -> bool {
        let same = |a: &Layout, b: &Layout| a.letters().all(|letter| b.has(letter));
        same(self, other) && same(other, self) && self.letters().count() == other.letters().count()
    }

    /// Converts `dims` from this layout to `to`.
    ///
    /// An axis that `to` splits further is rounded up, as padding would do.
    pub fn convert(&self, dims: &[SymExpr], to: &Layout) -> Result<Vec<SymExpr>, Misfit> {
        for (dim, (axis, extent)) in self.axes.iter().zip(dims).enumerate() {
            if let (Some(wanted), Some(found)) = (axis.extent(), extent.as_int())
                && wanted != found
            {
                return Err(Misfit { dim, wanted });
            }
        }
        let whole = |letter: u8| -> SymExpr {
            let dim = self
                .position(letter as char)
                .and_then(|i| dims.get(i).cloned())
                .unwrap_or(SymExpr::int(1));
            scale(dim, self.factor(letter), to.factor(letter))
        };
        Ok(to
            .axes
            .iter()
            .map(|axis| match axis {
                Axis::Primal(letter) => whole(*letter),
                Axis::Split(_) => SymExpr::int(axis.extent().unwrap_or(1)),
            })
            .collect())
    }
}

/// Returns `dim * times` divided by `by`, rounded up.
fn scale(dim: SymExpr, times: i64, by: i64) -> SymExpr {
    if times == by {
        return dim;
    }
    let product = if times == 1 {
        dim
    } else {
        dim.mul(&SymExpr::int(times))
    };
    if by == 1 {
        return product;
    }
    product
        .add(&SymExpr::int(by - 1))
        .floordiv(&SymExpr::int(by))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(dims: &[i64]) -> Vec<SymExpr> {
        dims.iter().map(|&d| SymExpr::int(d)).collect()
    }

    fn layout(text: &str) -> Layout {
        Layout::parse(text).unwrap_or_else(|reason| panic!("{text}: {reason}"))
    }

    #[test]
    fn a_permuted_layout_permutes_the_shape() {
        let dims = layout("NHWC").convert(&ints(&[1, 8, 9, 3]), &layout("NCHW"));
        assert_eq!(dims, Ok(ints(&[1, 3, 8, 9])));
    }

    #[test]
    fn split_axes_are_merged() {
        let dims = layout("NCHW16c").convert(&ints(&[1, 2, 8, 9, 16]), &layout("NCHW"));
        assert_eq!(dims, Ok(ints(&[1, 32, 8, 9])));
    }

    #[test]
    fn a_split_part_has_the_extent_its_layout_says() {
        let dims = layout("NCHW16c").convert(&ints(&[1, 2, 8, 9, 8]), &layout("NCHW"));
        assert_eq!(dims, Err(Misfit { dim: 4, wanted: 16 }));
    }

    #[test]
    fn only_layouts_of_the_same_axes_convert() {
        assert!(layout("NHWC").converts_to(&layout("NCHW")));
        assert!(layout("NCHW4c").converts_to(&layout("NCHW")));
        assert!(!layout("NHW").converts_to(&layout("NCHW")));
        assert!(!layout("OIHW").converts_to(&layout("NCHW")));
    }

    #[test]
    fn packed_parts_are_one_dimension() {
        assert_eq!(layout("OIHW[4o2i]").ndim(), 5);
    }

    #[test]
    fn an_invalid_layout_is_rejected() {
        for text in [
            "",
            "NCHWc",
            "NCH4W",
            "NCHW4",
            "N CHW",
            "NCHW4d",
            "NC[4c",
            "99999999999999999999",
        ] {
            assert!(Layout::parse(text).is_err(), "{text}");
        }
    }
}
