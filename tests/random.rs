//! A seeded random generator, the same on every machine.

pub struct Random(vm::random::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(vm::random::Random::new(seed))
    }

    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    /// Returns `true` in `percent` of 100 cases on average.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// Returns one of `from`, with a probability in proportion to its weight.
    pub fn weighted<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for &(weight, it) in from {
            if left < weight {
                return it;
            }
            left -= weight;
        }
        from[0].1
    }
}
