//! Values for parameters without an input and for constants without a source, by name, shape and use.
//!
//! A run should show what a program computes. So values belong to names, not to positions: without a parameter, the
//! others keep their values. Weights are scaled by the number of their elements that a sum takes, so that deep models
//! stay finite; vectors (scales, variances, biases) are near 1, since a negative variance makes all NaN, and a scale
//! of 0 hides everything before it; integers stay inside of what they index.

use crate::error::RunResult;
use crate::random::Random;
use crate::tensor::{Kind, Tensor};

/// The parameter that a value is for.
pub(crate) struct Leaf<'p> {
    pub name: &'p str,
    /// The field of a tuple.
    pub field: Option<usize>,
    /// `true` for the first parameter, which usually is the input of a model.
    pub is_first: bool,
    /// The extent that its elements index.
    pub below: Option<i64>,
}

/// Words in names of inputs, as opposed to weights.
const INPUT: &[&str] = &[
    "input", "inputs", "data", "image", "images", "pixel", "hidden", "states", "embeds", "sample",
    "features", "query", "key", "value", "audio", "mask",
];

/// Words in names of weights, whatever else is in the name: `attn_query_weight`.
const WEIGHT: &[&str] = &[
    "weight", "weights", "kernel", "param", "params", "const", "proj", "conv", "w", "p",
];

/// Integers whose use is not known fit the smallest table that they may index, such as that of token types.
const BELOW: i64 = 2;

impl Leaf<'_> {
    /// Returns a weight with a name.
    pub fn weight(name: &str) -> Leaf<'_> {
        Leaf {
            name,
            field: None,
            is_first: false,
            below: None,
        }
    }

    fn has_word(&self, words: &[&str]) -> bool {
        let mut parts = self.name.split(|c: char| !c.is_ascii_alphabetic());
        parts.any(|part| words.contains(&part.to_ascii_lowercase().as_str()))
    }

    pub fn generate(&self, seed: u64, kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        let mut random = Random::named(seed, self.name, self.field.unwrap_or(usize::MAX));
        if self.has_word(&["mask"]) && !kind.is_float() {
            // A row that hides everything has no result.
            let row = shape.last().copied().unwrap_or(1).max(1);
            return random.integers(kind, shape, &mut |random, at| {
                i64::from(at % row == 0 || random.next_u64() % 4 > 0)
            });
        }
        if kind.is_float() {
            let (low, high) = self.range(shape);
            return random.floats(kind, shape, low, high);
        }
        // Quantised weights fill their words.
        let below = match self.below {
            Some(below) => below.min(1 << (8 * kind.bytes() - 1).min(62)),
            None if kind == Kind::U32 => 1 << 32,
            None => BELOW,
        };
        random.integers(kind, shape, &mut |random, _| {
            (random.next_u64() % below.unsigned_abs()) as i64
        })
    }

    /// Returns the range of floats.
    fn range(&self, shape: &[usize]) -> (f64, f64) {
        let is_vector = shape.iter().filter(|it| **it != 1).count() < 2;
        let is_input = self.field.is_none() && self.has_word(INPUT) && !self.has_word(WEIGHT);
        if self.is_first || is_input && !is_vector {
            return (-1.0, 1.0);
        }
        if is_vector {
            return (0.5, 1.5);
        }
        let sum = match shape {
            // Either order is usual.
            [a, b] => *a.max(b),
            [_, rest @ ..] => rest.iter().product(),
            [] => 1,
        };
        let most = (3.0 / sum.max(1) as f64).sqrt();
        (-most, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(leaf: &Leaf<'_>, shape: &[usize]) -> Vec<f32> {
        let tensor = leaf.generate(3, Kind::F32, shape).unwrap();
        tensor.values::<f32>().unwrap().to_vec()
    }

    #[test]
    fn values_belong_to_names() {
        let (a, b) = (
            floats(&Leaf::weight("a"), &[8]),
            floats(&Leaf::weight("b"), &[8]),
        );
        assert_eq!(a, floats(&Leaf::weight("a"), &[8]));
        assert_ne!(a, b);
    }

    #[test]
    fn vectors_never_hide_what_is_before_them() {
        for shape in [&[1][..], &[64], &[1, 512, 1], &[]] {
            let values = floats(&Leaf::weight("const_4"), shape);
            assert!(values.iter().all(|it| (0.5..1.5).contains(it)), "{shape:?}");
        }
    }

    #[test]
    fn weights_are_scaled_by_the_length_of_their_sums() {
        let values = floats(&Leaf::weight("const_5"), &[64, 32, 3, 3]);
        let square: f32 = values.iter().map(|it| it * it).sum();
        let variance = square / values.len() as f32 * (32.0 * 9.0);
        assert!((0.9..1.1).contains(&variance), "{variance}");
        let most = |name| {
            floats(&Leaf::weight(name), &[1, 32, 3, 3])
                .into_iter()
                .fold(0.0, f32::max)
        };
        assert!(most("input_1") > 0.9 && most("input_proj_weight") < 0.2);
    }

    #[test]
    fn integers_stay_inside_of_what_they_index() {
        let ids = Leaf {
            below: Some(3),
            ..Leaf::weight("ids")
        };
        let tensor = ids.generate(0, Kind::I64, &[100]).unwrap();
        let values = tensor.values::<i64>().unwrap().to_vec();
        assert_eq!(
            (values.iter().min(), values.iter().max()),
            (Some(&0), Some(&2))
        );
    }

    #[test]
    fn integers_of_unknown_use_fit_a_table_of_two_rows() {
        let tensor = Leaf::weight("const_0").generate(0, Kind::I64, &[100]);
        let values = tensor.unwrap().values::<i64>().unwrap().to_vec();
        assert!(values.iter().all(|it| (0..2).contains(it)), "{values:?}");
    }

    #[test]
    fn no_row_of_a_mask_hides_everything() {
        let mask = Leaf::weight("attention_mask");
        let tensor = mask.generate(0, Kind::I64, &[5, 4]).unwrap();
        let values = tensor.values::<i64>().unwrap().to_vec();
        assert!(values.chunks(4).all(|row| row[0] == 1));
        assert!(values.contains(&0));
    }
}
