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
        let inputs = node.inputs.iter().filter_map(|it| self.seen.get(it));
        let inputs = inputs.fold(ValueNoise::default(), |a, b| ValueNoise {
            absolute: a.absolute.max(b.absolute),
            relative: a.relative.max(b.relative),
        });
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
