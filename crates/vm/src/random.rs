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

    /// Returns the generator of a name and a field of it.
    pub fn named(seed: u64, name: &str, field: usize) -> Random {
        // FNV-1a.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        let mut random = Random::new(hash ^ seed.rotate_left(17));
        Random::new(random.next_u64().wrapping_add(field as u64))
    }

    /// Returns a tensor of floats from `low` up to, but without, `high`.
    pub fn floats(
        &mut self,
        kind: Kind,
        shape: &[usize],
        low: f64,
        high: f64,
    ) -> RunResult<Tensor> {
        if let Kind::Tiny(tiny) = kind {
            return self.floats(wide(tiny), shape, low, high)?.cast(kind);
        }
        dispatch!(kind, T => Tensor::generate::<T>(shape, |out| {
            for slot in out {
                *slot = T::from_f64(low + self.next_f64() * (high - low));
            }
            Ok(())
        }))
    }

    /// Returns a tensor of integers or truth values, which `next` makes from the generator and the row-major index.
    pub fn integers(
        &mut self,
        kind: Kind,
        shape: &[usize],
        next: &mut dyn FnMut(&mut Random, usize) -> i64,
    ) -> RunResult<Tensor> {
        if let Kind::Tiny(tiny) = kind {
            return self.integers(wide(tiny), shape, next)?.cast(kind);
        }
        let tensor = dispatch!(kind, T => Tensor::generate::<T>(shape, |out| {
            for (at, slot) in out.iter_mut().enumerate() {
                let value = next(self, at);
                *slot = T::from_i64(if kind == Kind::Bool { value & 1 } else { value });
            }
            Ok(())
        })?);
        Ok(tensor.with_kind(kind))
    }

    /// Returns a tensor of floats in [-1, 1), integers in [0, 5), or truth values.
    pub fn tensor(&mut self, kind: Kind, shape: &[usize]) -> RunResult<Tensor> {
        if kind.is_float() {
            return self.floats(kind, shape, -1.0, 1.0);
        }
        let below = if kind == Kind::Bool { 2 } else { 5 };
        self.integers(kind, shape, &mut |random, _| {
            (random.next_u64() % below) as i64
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
