//! How much two programs may differ at a node: as much as rounding allows, and as much as the differences of its
//! inputs, which earlier nodes are blamed for or which are rounding themselves, can grow to.

use rustc_hash::FxHashMap;
use vm::tensor::{Kind, Tensor};

use super::reference::Node;
use crate::run::tolerance::{RequestedTolerance, Tolerance, scale};

/// A node may make the differences of its inputs this many times larger.
const GROWTH: f64 = 8.0;

/// Operators whose results are near 1 at some inputs, so that fast implementations are off by rounding of 1, not of the
/// result: `1 - x` near 1.
const BOUNDED: [&str; 9] = [
    "sigmoid", "softmax", "tanh", "erf", "gelu", "silu", "swish", "mish", "exp",
];

/// Operators that make steps of numbers, where rounding can decide for the next one.
const ROUNDING: [&str; 6] = ["quantize", "round", "floor", "ceil", "cast", "_to_copy"];

/// The shares of elements that rounding can change: in an index or a condition, and by one step of a rounded number.
const FEW: f64 = 0.01;
const SOME: f64 = 0.3;

/// The difference of a value on both sides.
#[derive(Clone, Copy, Default)]
struct ValueNoise {
    absolute: f64,
    /// Relative to the scale of the tensor.
    relative: f64,
}

pub struct Noise {
    asked: RequestedTolerance,
    seen: FxHashMap<String, ValueNoise>,
}

impl Noise {
    pub fn new(asked: RequestedTolerance) -> Noise {
        Noise {
            asked,
            seen: FxHashMap::default(),
        }
    }

    /// Returns the tolerance at a value of a node.
    pub fn allowed(&self, node: &Node, ours: &Tensor, theirs: &Tensor) -> Tolerance {
        let usual = self.asked.of(ours.kind());
        if self.asked.rtol.is_some() || self.asked.atol.is_some() || usual.rtol == 0.0 {
            return usual;
        }
        let inputs = self.of_inputs(node);
        let scale = floats(theirs).map_or(0.0, |it| scale(&it));
        let op = node.op.to_lowercase();
        let is_bounded = BOUNDED.iter().any(|it| op.contains(it));
        let of_one = if is_bounded {
            4.0 * epsilon(ours.kind())
        } else {
            0.0
        };
        let grown = GROWTH * (inputs.relative * scale).max(inputs.absolute);
        Tolerance {
            atol: Some((usual.rtol * scale).max(grown).max(of_one)),
            ..usual
        }
    }

    /// Returns `true` if rounding of the inputs explains that few elements of a rounded or chosen value differ.
    pub fn explains(&self, node: &Node, ours: &Tensor, theirs: &Tensor) -> bool {
        let inputs = self.of_inputs(node);
        let is_exact = inputs.absolute == 0.0;
        let op = node.op.to_lowercase();
        let is_rounded = ROUNDING.iter().any(|it| op.contains(it));
        let is_chosen = RequestedTolerance::default().of(ours.kind()).rtol == 0.0;
        let asks = self.asked.rtol.is_some() || self.asked.atol.is_some();
        if is_exact || asks || !(is_rounded || is_chosen) || ours.shape() != theirs.shape() {
            return false;
        }
        let (Some(a), Some(b)) = (floats(ours), floats(theirs)) else {
            return false;
        };
        let steps = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
        let differing: Vec<f64> = steps.filter(|it| *it > 0.0).collect();
        let share = differing.len() as f64 / a.len().max(1) as f64;
        // Differences of the inputs can be larger than a step.
        let grown = GROWTH * inputs.relative * scale(&b);
        let is_near = || {
            differing
                .iter()
                .all(|it| *it <= 1.0 + (2.0 * grown).round())
        };
        share <= FEW || is_rounded && share <= SOME + grown && is_near()
    }

    /// Returns the largest differences of a node's inputs.
    fn of_inputs(&self, node: &Node) -> ValueNoise {
        let inputs = node.inputs.iter().filter_map(|it| self.seen.get(it));
        inputs.fold(ValueNoise::default(), |a, b| ValueNoise {
            absolute: a.absolute.max(b.absolute),
            relative: a.relative.max(b.relative),
        })
    }

    /// Notes the difference of a value.
    pub fn add(&mut self, name: &str, ours: &Tensor, theirs: &Tensor) {
        let (Some(a), Some(b)) = (floats(ours), floats(theirs)) else {
            return;
        };
        if a.len() != b.len() {
            return;
        }
        let differences = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
        let absolute = differences.filter(|it| it.is_finite()).fold(0.0, f64::max);
        let scale = scale(&b);
        let relative = if scale > 0.0 { absolute / scale } else { 0.0 };
        let seen = self.seen.entry(name.to_owned()).or_default();
        seen.absolute = seen.absolute.max(absolute);
        seen.relative = seen.relative.max(relative);
    }
}

fn floats(tensor: &Tensor) -> Option<Vec<f64>> {
    let tensor = tensor.cast(Kind::F64).ok()?;
    let values = tensor.values::<f64>().ok()?;
    Some(values.into_owned())
}

fn epsilon(kind: Kind) -> f64 {
    match kind {
        Kind::F16 => 2f64.powi(-10),
        Kind::BF16 => 2f64.powi(-7),
        Kind::F64 => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tolerance;

    fn node(op: &str) -> Node {
        let node = serde_json::json!({"node": "n", "op": op, "inputs": ["x"], "values": []});
        serde_json::from_value(node).unwrap()
    }

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_vec(&[values.len()], values.to_vec()).unwrap()
    }

    fn noisy(ours: &[f32], theirs: &[f32]) -> Noise {
        let mut noise = Noise::new(RequestedTolerance::default());
        noise.add("x", &floats(ours), &floats(theirs));
        noise
    }

    fn differs(noise: &Noise, op: &str, ours: &[f32], theirs: &[f32]) -> bool {
        let (ours, theirs) = (floats(ours), floats(theirs));
        let allowed = noise.allowed(&node(op), &ours, &theirs);
        let names = ["here", "there"];
        tolerance::compare(&ours, &theirs, allowed, names)
            .difference
            .is_some()
    }

    #[test]
    fn a_node_is_not_blamed_for_the_differences_of_its_inputs() {
        let exact = noisy(&[1.0, 2.0], &[1.0, 2.0]);
        let off = noisy(&[1.0, 2.0], &[1.0, 2.01]);
        assert!(differs(&exact, "Add", &[1.0, 2.0], &[1.0, 2.01]));
        assert!(!differs(&off, "Add", &[1.0, 2.0], &[1.0, 2.01]));
        // Nothing makes them this much larger.
        assert!(differs(&off, "Add", &[1.0, 2.0], &[1.0, 3.0]));
    }

    #[test]
    fn a_bounded_operator_may_be_off_by_rounding_of_one() {
        let exact = noisy(&[-9.0], &[-9.0]);
        assert!(!differs(&exact, "Sigmoid", &[1.0e-7], &[3.0e-7]));
        assert!(differs(&exact, "Mul", &[1.0e-7], &[3.0e-7]));
    }

    #[test]
    fn rounding_explains_a_step_of_few_elements_only() {
        let ours: Vec<i8> = (0..100).collect();
        let changed = |count: usize, by: i8| {
            let mut theirs = ours.clone();
            theirs[..count].iter_mut().for_each(|it| *it += by);
            Tensor::from_vec(&[100], theirs).unwrap()
        };
        let tensor = Tensor::from_vec(&[100], ours.clone()).unwrap();
        let explains =
            |noise: &Noise, op, theirs: &Tensor| noise.explains(&node(op), &tensor, theirs);
        let off = noisy(&[0.5], &[0.500_001]);
        assert!(explains(&off, "QuantizeLinear", &changed(4, 1)));
        assert!(!explains(&off, "QuantizeLinear", &changed(4, 2)));
        assert!(!explains(&off, "QuantizeLinear", &changed(40, 1)));
        assert!(!explains(
            &noisy(&[0.5], &[0.5]),
            "QuantizeLinear",
            &changed(1, 1)
        ));
        assert!(explains(&off, "ArgMax", &changed(1, 50)));
        assert!(!explains(&off, "ArgMax", &changed(2, 50)));
    }
}
