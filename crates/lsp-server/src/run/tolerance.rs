//! Compares two tensors: the only comparison of values, for runs in TVM, for the stages of a compilation, and for tests.
//!
//! Two programs that compute the same round differently: by the order of their sums, and by what they fuse. The
//! difference grows with the scale of the tensor, not only with each element, since a small element may be the
//! difference of large ones; and with the length of the sums.

use serde::Serialize;
use vm::tensor::{Kind, Tensor};
use vm::value::Value;

use super::outcome::short;

/// An element `x` may differ from the other's `y` by `atol + rtol * |y|`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tolerance {
    pub rtol: f64,
    /// `None` for `rtol` times the scale of the other's tensor.
    pub atol: Option<f64>,
}

const EXACT: Tolerance = Tolerance {
    rtol: 0.0,
    atol: Some(0.0),
};

/// For each kind of floats, the relative tolerance of short sums, and the distance between 1 and the next number.
fn rounding(kind: Kind) -> Option<(f64, f64)> {
    match kind {
        Kind::F16 => Some((1e-2, 2f64.powi(-10))),
        Kind::BF16 => Some((1e-2, 2f64.powi(-7))),
        Kind::F32 => Some((1e-4, f64::from(f32::EPSILON))),
        Kind::F64 => Some((1e-9, f64::EPSILON)),
        _ => None,
    }
}

/// Long sums of a narrow type are allowed at most this many times the tolerance of short ones.
const MOST: f64 = 8.0;

/// The tolerance that the user requests. Otherwise it depends on the dtype and on the length of sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedTolerance {
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
    /// The length of the longest sum.
    pub length: usize,
}

impl RequestedTolerance {
    /// Sets the length of sums from the inputs of a run: a weight has as many elements for each element of a result.
    #[must_use]
    pub fn for_inputs(self, inputs: &[Value]) -> RequestedTolerance {
        fn longest(value: &Value) -> usize {
            match value {
                Value::Tensor(it) if it.ndim() > 1 => {
                    let shape = it.shape();
                    let rows: usize = shape[1..].iter().product();
                    rows.max(if it.ndim() == 2 { shape[0] } else { 0 })
                }
                Value::Tuple(fields) => fields.iter().map(longest).max().unwrap_or(0),
                _ => 0,
            }
        }
        let length = inputs.iter().map(longest).max().unwrap_or(0);
        RequestedTolerance { length, ..self }
    }

    pub fn of(self, kind: Kind) -> Tolerance {
        let usual = match rounding(kind) {
            None => EXACT,
            Some((short, epsilon)) => Tolerance {
                rtol: (epsilon * (self.length as f64).sqrt()).clamp(short, MOST * short),
                atol: None,
            },
        };
        Tolerance {
            rtol: self.rtol.unwrap_or(usual.rtol),
            // Who asks for a tolerance of each element gets no other.
            atol: self.atol.or(self.rtol.map_or(usual.atol, |_| Some(0.0))),
        }
    }
}

/// The result of a comparison.
#[derive(Debug, Default, PartialEq)]
pub struct Compared {
    /// The number of elements that are numbers on both sides. NaN beside NaN shows nothing, and neither does infinity
    /// beside infinity.
    pub finite: usize,
    pub total: usize,
    /// How the tensors differ beyond the tolerance.
    pub difference: Option<String>,
    /// The element that differs the most, or for integers the first.
    pub worst: Option<Worst>,
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    pub index: Vec<usize>,
    pub ours: f64,
    pub theirs: f64,
}

impl Compared {
    fn differs(total: usize, difference: String) -> Compared {
        Compared {
            finite: total,
            total,
            difference: Some(difference),
            worst: None,
        }
    }
}

/// Compares two tensors. `names` are the names of the two sides: `here`, `in TVM`.
pub fn compare(ours: &Tensor, theirs: &Tensor, tolerance: Tolerance, names: [&str; 2]) -> Compared {
    let [here, there] = names;
    let total = ours.len();
    if ours.shape() != theirs.shape() {
        let (a, b) = (ours.shape(), theirs.shape());
        return Compared::differs(total, format!("shape {a:?} {here}, {b:?} {there}"));
    }
    // Floats cannot represent all 64-bit integers.
    if let (Ok(a), Ok(b)) = (ours.values::<i64>(), theirs.values::<i64>())
        && tolerance == EXACT
    {
        return integers(&a, &b, ours.shape(), names);
    }
    let floats = |tensor: &Tensor| tensor.cast(Kind::F64);
    let incomparable = || Compared::differs(total, "dtypes that cannot be compared".to_owned());
    let (Ok(a), Ok(b)) = (floats(ours), floats(theirs)) else {
        return incomparable();
    };
    let (Ok(a), Ok(b)) = (a.values::<f64>(), b.values::<f64>()) else {
        return incomparable();
    };
    let atol = tolerance.atol.unwrap_or_else(|| tolerance.rtol * scale(&b));
    let (mut finite, mut count, mut worst) = (0, 0, None);
    for (at, (&x, &y)) in a.iter().zip(b.iter()).enumerate() {
        if x.is_finite() && y.is_finite() {
            finite += 1;
        } else if x == y || x.is_nan() && y.is_nan() {
            continue;
        }
        let off = (x - y).abs();
        let beyond = off - (atol + tolerance.rtol * y.abs());
        if y.is_finite() && beyond <= 0.0 {
            continue;
        }
        count += 1;
        let beyond = if beyond.is_nan() {
            f64::INFINITY
        } else {
            beyond
        };
        if worst.is_none_or(|(_, most)| beyond > most) {
            worst = Some((at, beyond));
        }
    }
    let worst = worst.map(|(at, _)| Worst {
        index: index(at, ours.shape()),
        ours: a[at],
        theirs: b[at],
    });
    let difference = worst.as_ref().map(|it| {
        let (x, y, rtol) = (it.ours, it.theirs, tolerance.rtol);
        let (off, place) = ((x - y).abs(), &it.index);
        // As many digits as a float of 32 bits has.
        let [x, y] = [x, y].map(|it| short(it, 7));
        format!(
            "{count} of {total} elements are off by more than {atol:.3e} + {rtol:e} * |the value {there}|, the worst at \
             {place:?}: {x} {here}, {y} {there}, off by {off:.3e}"
        )
    });
    Compared {
        finite,
        total,
        difference,
        worst,
    }
}

fn integers(a: &[i64], b: &[i64], shape: &[usize], [here, there]: [&str; 2]) -> Compared {
    let unequal = |at: &usize| a[*at] != b[*at];
    let mut found = (0..a.len()).filter(unequal);
    let first = found.next();
    let difference = first.map(|at| {
        let (count, place) = (1 + found.count(), index(at, shape));
        let (x, y, total) = (a[at], b[at], a.len());
        format!(
            "{count} of {total} elements are not equal, the first at {place:?}: {x} {here}, {y} {there}"
        )
    });
    Compared {
        finite: a.len(),
        total: a.len(),
        difference,
        worst: first.map(|at| Worst {
            index: index(at, shape),
            ours: a[at] as f64,
            theirs: b[at] as f64,
        }),
    }
}

/// Returns the scale of a tensor: the root mean square of its finite elements, but not less than a hundredth of the
/// largest.
pub fn scale(values: &[f64]) -> f64 {
    let (mut sum, mut count, mut largest) = (0.0, 0_usize, 0.0_f64);
    for value in values.iter().filter(|it| it.is_finite()) {
        sum += value * value;
        count += 1;
        largest = largest.max(value.abs());
    }
    (sum / count.max(1) as f64).sqrt().max(largest / 100.0)
}

/// Returns the indices of a row-major element.
fn index(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut indices = Vec::with_capacity(shape.len());
    for &extent in shape.iter().rev() {
        indices.push(at % extent.max(1));
        at /= extent.max(1);
    }
    indices.reverse();
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::from_vec(&[values.len()], values.to_vec()).unwrap()
    }

    fn compared(a: &Tensor, b: &Tensor) -> Compared {
        let tolerance = RequestedTolerance::default().of(a.kind());
        compare(a, b, tolerance, ["here", "in TVM"])
    }

    fn differs(a: &Tensor, b: &Tensor) -> Option<String> {
        compared(a, b).difference
    }

    #[test]
    fn nan_beside_nan_shows_nothing() {
        let a = tensor(&[1.0, f32::NAN, 1000.0, f32::INFINITY]);
        let b = tensor(&[1.000_01, f32::NAN, 1000.01, f32::INFINITY]);
        let found = compared(&a, &b);
        assert_eq!((found.finite, found.total, found.difference), (2, 4, None));
    }

    #[test]
    fn the_tolerance_is_relative_to_the_scale_of_the_tensor() {
        // 1e-4 would accuse the first pair, and would not see the second.
        assert_eq!(
            differs(&tensor(&[935.0, 0.01]), &tensor(&[935.0, 0.02])),
            None
        );
        let small = [tensor(&[1e-5, 2e-5]), tensor(&[1e-5, 3e-5])];
        let what = differs(&small[0], &small[1]).unwrap();
        assert!(what.contains("1 of 2 elements"), "{what}");
    }

    #[test]
    fn a_requested_tolerance_is_that_of_each_element() {
        let asked = RequestedTolerance {
            rtol: Some(0.1),
            ..RequestedTolerance::default()
        };
        let near = |a: &[f32], b: &[f32]| {
            let (a, b) = (tensor(a), tensor(b));
            compare(&a, &b, asked.of(a.kind()), ["here", "there"])
                .difference
                .is_none()
        };
        assert!(near(&[1.0, 1000.0], &[1.05, 1000.0]));
        assert!(!near(&[1.0, 1000.0], &[1.2, 1000.0]));
    }

    #[test]
    fn long_sums_of_halves_round_more() {
        let of = |length| {
            let asked = RequestedTolerance {
                length,
                ..RequestedTolerance::default()
            };
            asked.of(Kind::F16).rtol
        };
        assert!(of(4096) > of(8) && of(1 << 40) <= MOST * of(8));
    }

    #[test]
    fn infinities_equal_only_themselves() {
        let (a, b) = (tensor(&[1.0]), tensor(&[f32::INFINITY]));
        assert!(differs(&a, &b).is_some());
        assert!(differs(&b, &a).is_some());
    }

    #[test]
    fn integers_are_compared_exactly() {
        let of = |value: i64| Tensor::from_vec(&[1, 1], vec![value]).unwrap();
        assert_eq!(differs(&of(1 << 60), &of(1 << 60)), None);
        let what = differs(&of((1 << 60) + 1), &of(1 << 60)).unwrap();
        assert!(what.contains("at [0, 0]"), "{what}");
    }

    #[test]
    fn the_worst_element_is_named() {
        let a = tensor(&[1.0, 2.0, 3.0]);
        let b = tensor(&[1.0, 2.5, 4.0]);
        let what = differs(&a, &b).unwrap();
        assert!(what.contains("at [2]: 3 here, 4 in TVM"), "{what}");
        assert!(differs(&a, &tensor(&[1.0])).unwrap().contains("shape"));
    }
}
