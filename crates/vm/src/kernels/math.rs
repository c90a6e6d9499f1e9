//! Math functions that the standard library lacks, or cannot vectorise.
//!
//! The float32 versions have no branches and no calls, so that loops over them are vectorised.

/// Functions of both `f32` and `f64`. Half floats use `f32`.
pub trait Math: Copy {
    /// Converts a constant to this type.
    fn like(self, value: f64) -> Self;
    fn fast_exp(self) -> Self;
    fn fast_tanh(self) -> Self;
    fn logistic(self) -> Self;
    fn error_function(self) -> Self;
}

impl Math for f32 {
    #[inline]
    fn like(self, value: f64) -> f32 {
        value as f32
    }

    /// Accurate to 2 units in the last place.
    #[inline]
    fn fast_exp(self) -> f32 {
        const SHIFT: f32 = 12_582_912.0;
        let x = if self < -104.0 { -104.0 } else { self };
        let x = if x > 89.0 { 89.0 } else { x };
        // Adding 1.5 * 2^23 leaves the nearest integer in the low bits.
        let shifted = x * std::f32::consts::LOG2_E + SHIFT;
        let n = shifted - SHIFT;
        let exponent = (shifted.to_bits() as i32).wrapping_sub(SHIFT.to_bits() as i32);
        let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
        let mut p = 1.987_569_1e-4f32;
        p = p * r + 1.398_199_9e-3;
        p = p * r + 8.333_452e-3;
        p = p * r + 4.166_579_6e-2;
        p = p * r + 1.666_666_5e-1;
        p = p * r + 0.5;
        let y = p * r * r + r + 1.0;
        // Scale in two steps, so that results reach 0 and infinity through the subnormals.
        let half = exponent >> 1;
        let scale = |e: i32| f32::from_bits((e.wrapping_add(127) as u32) << 23);
        y * scale(half) * scale(exponent.wrapping_sub(half))
    }

    #[inline]
    fn fast_tanh(self) -> f32 {
        let a = self.abs();
        let e = (-2.0 * a).fast_exp();
        let far = (1.0 - e) / (1.0 + e);
        let z = self * self;
        let mut p = -5.704_988_7e-3f32;
        p = p * z + 2.063_908_8e-2;
        p = p * z - 5.373_971_6e-2;
        p = p * z + 1.333_144_2e-1;
        p = p * z - 3.333_328e-1;
        let near = p * z * self + self;
        // TVM's has no -0.
        (if a < 0.625 { near } else { far.copysign(self) }) + 0.0
    }

    #[inline]
    fn logistic(self) -> f32 {
        1.0 / (1.0 + (-self).fast_exp())
    }

    #[inline]
    fn error_function(self) -> f32 {
        libm::erff(self)
    }
}

impl Math for f64 {
    #[inline]
    fn like(self, value: f64) -> f64 {
        value
    }

    #[inline]
    fn fast_exp(self) -> f64 {
        self.exp()
    }

    #[inline]
    fn fast_tanh(self) -> f64 {
        self.tanh() + 0.0
    }

    #[inline]
    fn logistic(self) -> f64 {
        1.0 / (1.0 + (-self).exp())
    }

    #[inline]
    fn error_function(self) -> f64 {
        libm::erf(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Math;

    #[test]
    fn fast_exp_and_tanh_match_the_library() {
        for i in -2000..2000 {
            let x = i as f32 * 0.053;
            let (exp, tanh) = ((x as f64).exp() as f32, (x as f64).tanh() as f32);
            let close =
                |a: f32, b: f32| a == b || ((a - b) / b).abs() < 4e-7 || (a - b).abs() < 1e-44;
            assert!(close(x.fast_exp(), exp), "exp {x}: {} {exp}", x.fast_exp());
            assert!(
                close(x.fast_tanh(), tanh),
                "tanh {x}: {} {tanh}",
                x.fast_tanh()
            );
        }
        assert_eq!(f32::NEG_INFINITY.fast_exp(), 0.0);
        assert_eq!(f32::INFINITY.fast_exp(), f32::INFINITY);
        assert!(f32::NAN.fast_exp().is_nan() && f32::NAN.fast_tanh().is_nan());
    }
}
