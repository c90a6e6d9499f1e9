//! Decisions: first from the bytes, so that a fuzzer can change a single one, then from a random generator.

use crate::random::Random;

pub struct Choice<'d> {
    data: &'d [u8],
    random: Random,
}

impl<'d> Choice<'d> {
    /// Up to eight bytes are only a seed.
    pub fn new(data: &'d [u8]) -> Choice<'d> {
        let seed = data.iter().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Choice {
            data: if data.len() > 8 { data } else { &[] },
            random: Random::new(seed),
        }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        match self.data {
            [first, rest @ ..] if limit <= 256 => {
                self.data = rest;
                usize::from(*first) % limit.max(1)
            }
            _ => self.random.below(limit),
        }
    }

    /// Returns `true` once in `times` on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn bits(&mut self) -> u64 {
        self.random.number()
    }
}
