//! Compares two tensors with a tolerance.

use serde::Serialize;
use vm::tensor::{Kind, Tensor};

/// An element `x` may differ from the other's `y` by `atol + rtol * |y|`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tolerance {
    pub rtol: f64,
    pub atol: f64,
}

/// Allows sums in another order.
const FLOAT: Tolerance = Tolerance {
    rtol: 1e-4,
    atol: 1e-4,
};
const FLOAT_16: Tolerance = Tolerance {
    rtol: 1e-2,
    atol: 1e-2,
};
const EXACT: Tolerance = Tolerance {
    rtol: 0.0,
    atol: 0.0,
};

/// The tolerance that the user requests. Otherwise it depends on the dtype.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedTolerance {
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
}

impl RequestedTolerance {
    pub fn of(self, kind: Kind) -> Tolerance {
        let usual = match kind {
            Kind::F16 | Kind::BF16 => FLOAT_16,
            kind if kind.is_float() => FLOAT,
            _ => EXACT,
        };
        Tolerance {
            rtol: self.rtol.unwrap_or(usual.rtol),
            atol: self.atol.unwrap_or(usual.atol),
        }
    }
}

/// Describes how two tensors differ beyond the tolerance. `names` are the names of the two sides: `here`, `in TVM`.
pub fn difference(
    ours: &Tensor,
    theirs: &Tensor,
    tolerance: Tolerance,
    names: [&str; 2],
) -> Option<String> {
    let [here, there] = names;
    if ours.shape() != theirs.shape() {
        return Some(format!(
            "shape {:?} {here}, {:?} {there}",
            ours.shape(),
            theirs.shape()
        ));
    }
    let incomparable = || Some("dtypes that cannot be compared".to_owned());
    // Floats cannot represent all 64-bit integers.
    if let (Ok(a), Ok(b)) = (ours.values::<i64>(), theirs.values::<i64>())
        && tolerance == EXACT
    {
        let unequal = |at: &usize| a[*at] != b[*at];
        let at = (0..a.len()).find(unequal)?;
        let count = (at..a.len()).filter(unequal).count();
        let place = place(at, ours.shape());
        let (x, y) = (a[at], b[at]);
        return Some(format!(
            "{count} of {} elements are not equal, the first at {place}: {x} {here}, {y} {there}",
            a.len()
        ));
    }
    let floats = |tensor: &Tensor| tensor.cast(Kind::F64);
    let (Ok(a), Ok(b)) = (floats(ours), floats(theirs)) else {
        return incomparable();
    };
    let (Ok(a), Ok(b)) = (a.values::<f64>(), b.values::<f64>()) else {
        return incomparable();
    };
    let same = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
    // How far an element exceeds the allowed difference.
    let beyond = |(at, (&x, &y)): (usize, (&f64, &f64))| {
        let allowed = tolerance.atol + tolerance.rtol * y.abs();
        let off = (x - y).abs();
        let near = same(x, y) || (y.is_finite() && off <= allowed);
        (!near).then_some((
            at,
            x,
            y,
            if off.is_nan() {
                f64::INFINITY
            } else {
                off - allowed
            },
        ))
    };
    let beyond: Vec<_> = a
        .iter()
        .zip(b.iter())
        .enumerate()
        .filter_map(beyond)
        .collect();
    let (at, x, y, _) = *beyond.iter().max_by(|p, q| p.3.total_cmp(&q.3))?;
    let Tolerance { rtol, atol } = tolerance;
    Some(format!(
        "{} of {} elements are off by more than {atol} + {rtol} * |the value {there}|, the worst at {}: {x} {here}, {y} {there}, off \
         by {:.3e}",
        beyond.len(),
        a.len(),
        place(at, ours.shape()),
        (x - y).abs()
    ))
}

/// Returns the indices of a row-major element.
fn place(mut at: usize, shape: &[usize]) -> String {
    let mut indices = Vec::with_capacity(shape.len());
    for &extent in shape.iter().rev() {
        indices.push((at % extent.max(1)).to_string());
        at /= extent.max(1);
    }
    indices.reverse();
    format!("[{}]", indices.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::from_vec(&[values.len()], values.to_vec()).unwrap()
    }

    fn differs(a: &Tensor, b: &Tensor) -> Option<String> {
        difference(
            a,
            b,
            RequestedTolerance::default().of(a.kind()),
            ["here", "in TVM"],
        )
    }

    #[test]
    fn rounding_is_tolerated_and_nan_equals_nan() {
        let a = tensor(&[1.0, f32::NAN, 1000.0, f32::INFINITY]);
        let b = tensor(&[1.000_01, f32::NAN, 1000.01, f32::INFINITY]);
        assert_eq!(differs(&a, &b), None);
    }

    #[test]
    fn the_tolerance_is_relative_to_each_element() {
        let a = tensor(&[1e6, 1.0]);
        let b = tensor(&[1e6, 1.01]);
        let what = differs(&a, &b).unwrap();
        assert!(what.contains("1 of 2 elements"), "{what}");
        assert!(
            what.contains("0.0001 + 0.0001 * |the value in TVM|"),
            "{what}"
        );
        let asked = RequestedTolerance {
            rtol: Some(0.1),
            atol: None,
        };
        assert_eq!(
            difference(&a, &b, asked.of(a.kind()), ["here", "in TVM"]),
            None
        );
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
