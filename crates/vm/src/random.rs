//! Generated inputs: seeded random numbers, and the formula of recorded results.

use crate::error::RunResult;
use crate::tensor::{Element, Kind, Tensor, Tiny, dispatch};

/// SplitMix64: small, seedable, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number in [0, 1).
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a tensor of floats in [-1, 1), integers in [0, 5), or truth values.
    pub fn tensor(&mut self, kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        if let Kind::Tiny(tiny) = kind {
            return self.tensor(wide(tiny), shape)?.cast(kind);
        }
        let tensor = dispatch!(kind, T => Tensor::generate::<T>(shape, |out| {
            for slot in out {
                *slot = match kind {
                    Kind::Bool => T::from_i64((self.next_u64() >> 63) as i64),
                    _ if kind.is_float() => T::from_f64(self.next_f64() * 2.0 - 1.0),
                    _ => T::from_i64((self.next_u64() % 5) as i64),
                };
            }
            Ok(())
        })?);
        Ok(if kind == Kind::Bool {
            tensor.as_bool()
        } else {
            tensor
        })
    }
}

/// Returns a kind that can represent all numbers of a tiny one.
fn wide(tiny: Tiny) -> Kind {
    if tiny.is_float() { Kind::F32 } else { Kind::I8 }
}

/// Returns parameter `k` by formula: floats `((i*7 + k*13) % 17 - 8) / divisor`, integers `(i*7 + k*13) % 5`, bool `(i
/// + k) % 2`, for row-major index `i`.
pub fn formula(k: usize, kind: Kind, shape: &[usize], divisor: f64) -> RunResult<Tensor> {
    if let Kind::Tiny(tiny) = kind {
        return formula(k, wide(tiny), shape, divisor)?.cast(kind);
    }
    let at = |i: usize, modulus: usize| (i % modulus * 7 + k % modulus * 13) % modulus;
    let tensor = dispatch!(kind, T => Tensor::from_fn::<T>(shape, |i| match kind {
        Kind::Bool => T::from_i64(((i + k) % 2) as i64),
        _ if kind.is_float() => T::from_f64((at(i, 17) as f64 - 8.0) / divisor),
        _ => T::from_i64(at(i, 5) as i64),
    })?);
    Ok(if kind == Kind::Bool {
        tensor.as_bool()
    } else {
        tensor
    })
}

#[cfg(test)]
mod tests {
    use super::{Random, formula};
    use crate::tensor::Kind;

    #[test]
    fn a_seed_gives_the_same_tensor_again() {
        let a = Random::new(7).tensor(Kind::F32, &[4]).unwrap();
        let b = Random::new(7).tensor(Kind::F32, &[4]).unwrap();
        let c = Random::new(8).tensor(Kind::F32, &[4]).unwrap();
        assert_eq!(a.values::<f32>().unwrap(), b.values::<f32>().unwrap());
        assert_ne!(a.values::<f32>().unwrap(), c.values::<f32>().unwrap());
    }

    #[test]
    fn the_formula_is_that_of_the_recorded_results() {
        let x = formula(1, Kind::F32, &[3], 64.0).unwrap();
        assert_eq!(
            &*x.values::<f32>().unwrap(),
            &[5.0 / 64.0, -5.0 / 64.0, 2.0 / 64.0]
        );
        let x = formula(1, Kind::I32, &[3], 64.0).unwrap();
        assert_eq!(&*x.values::<i32>().unwrap(), &[3, 0, 2]);
    }
}
