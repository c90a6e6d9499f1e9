//! Floats become integers as TVM's code does it on x86: rounded towards zero; NaN and what is out of range become the
//! least integer of 32 bits, or of 64 for wider ones, and narrower integers are its lowest bits.
//!
//! LLVM leaves such casts undefined, and vectorised code of TVM has other results for integers of 8 and 16 bits. Every
//! cast of the vm follows this one rule.

/// A float that can be truncated.
pub trait Truncate: Copy {
    fn whole_i32(self) -> i32;
    fn whole_i64(self) -> i64;
    fn whole_u64(self) -> u64;
}

macro_rules! truncate {
    ($($T:ty),+) => {
        $(impl Truncate for $T {
            #[inline]
            fn whole_i32(self) -> i32 {
                // Also false for NaN.
                if self < 2_147_483_648.0 { self as i32 } else { i32::MIN }
            }

            #[inline]
            fn whole_i64(self) -> i64 {
                if self < 9_223_372_036_854_775_808.0 { self as i64 } else { i64::MIN }
            }

            #[inline]
            fn whole_u64(self) -> u64 {
                let low = self.whole_i64();
                let high = (self - 9_223_372_036_854_775_808.0).whole_i64();
                (low | (high & (low >> 63))) as u64
            }
        })+
    };
}
truncate!(f32, f64);

#[cfg(test)]
mod tests {
    use super::Truncate;

    #[test]
    fn what_is_out_of_range_becomes_the_least_integer() {
        for value in [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e30,
            -1e30,
            2_147_483_648.0,
        ] {
            assert_eq!(
                (value.whole_i32(), (value as f32).whole_i32()),
                (i32::MIN, i32::MIN)
            );
        }
        assert_eq!((-2.9f64.whole_i32(), 2.9f32.whole_i64()), (-2, 2));
        assert_eq!(
            (f64::NAN.whole_i64(), 1e30f32.whole_i64()),
            (i64::MIN, i64::MIN)
        );
        assert_eq!(
            (f64::NAN.whole_u64(), (-3.0f64).whole_u64()),
            (1 << 63, u64::MAX - 2)
        );
        assert_eq!(1.5e19f64.whole_u64(), 15_000_000_000_000_000_000);
    }
}
