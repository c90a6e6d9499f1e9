//! Random numbers for tests, the same on every machine.

pub struct Random(u64);

impl Random {
    /// `seed` must not be 0.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}
