//! Numbers of eight bits and fewer: `float8_e4m3fn`, `float4_e2m1fn`, `int4`. A tensor holds one in each byte, as
//! ml_dtypes does.
//!
//! Floats are rounded to the nearest number, and to the even one of two. What is larger than every number becomes
//! infinity, NaN, or the largest number, whichever the type has first. TVM's code for processors only converts numbers
//! that are neither 0 nor denormal nor out of range; other targets follow this rule.

use std::sync::LazyLock;

use relax::dtype::{Code, DType, Tiny as Float};

/// A type of such numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tiny {
    Float(Float),
    Int4,
    UInt4,
}

/// What the codes beside numbers mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// The largest exponent is for infinities and NaN.
    Ieee,
    /// All ones are NaN.
    LastIsNan,
    /// The code of -0 is NaN.
    MinusZeroIsNan,
    /// Every code is a number.
    None,
}

/// Bits of exponent and mantissa, and the bias.
struct Format {
    float: Float,
    exponent: u32,
    mantissa: u32,
    bias: i32,
    special: Special,
}

const fn format(float: Float, exponent: u32, mantissa: u32, bias: i32, special: Special) -> Format {
    Format {
        float,
        exponent,
        mantissa,
        bias,
        special,
    }
}

const FORMATS: &[Format] = &[
    format(Float::E3m4, 3, 4, 3, Special::Ieee),
    format(Float::E4m3, 4, 3, 7, Special::Ieee),
    format(Float::E4m3b11fnuz, 4, 3, 11, Special::MinusZeroIsNan),
    format(Float::E4m3fn, 4, 3, 7, Special::LastIsNan),
    format(Float::E4m3fnuz, 4, 3, 8, Special::MinusZeroIsNan),
    format(Float::E5m2, 5, 2, 15, Special::Ieee),
    format(Float::E5m2fnuz, 5, 2, 16, Special::MinusZeroIsNan),
    format(Float::E2m3fn, 2, 3, 1, Special::None),
    format(Float::E3m2fn, 3, 2, 3, Special::None),
    format(Float::E2m1fn, 2, 1, 1, Special::None),
];

impl Format {
    fn sign(&self) -> u8 {
        1 << (self.exponent + self.mantissa)
    }

    fn value(&self, code: u8) -> f32 {
        let magnitude = code & (self.sign() - 1);
        let sign = if code & self.sign() == 0 { 1.0 } else { -1.0 };
        let exponent = i32::from(magnitude >> self.mantissa);
        let fraction = f32::from(magnitude & ((1 << self.mantissa) - 1));
        let highest = (1 << self.exponent) - 1;
        match self.special {
            Special::Ieee if exponent == highest => {
                return if fraction == 0.0 {
                    sign * f32::INFINITY
                } else {
                    f32::NAN
                };
            }
            Special::LastIsNan if magnitude == self.sign() - 1 => return f32::NAN,
            Special::MinusZeroIsNan if code == self.sign() => return f32::NAN,
            _ => {}
        }
        let (whole, power) = if exponent == 0 {
            (0.0, 1)
        } else {
            (1.0, exponent)
        };
        let scale = ((power - self.bias) as f32).exp2();
        sign * (whole + fraction / f32::from(1u8 << self.mantissa)) * scale
    }

    /// Returns the code of the nearest number.
    fn code(&self, values: &[f32; 256], value: f32) -> u8 {
        let least = self.sign() - 1;
        let is_number = |code: &u8| values[usize::from(*code)].is_finite();
        let most = (0..=least).rev().find(is_number).unwrap_or(0);
        let sign = if value.is_sign_negative() {
            self.sign()
        } else {
            0
        };
        let nan = (0..=u8::MAX).find(|&code| values[usize::from(code)].is_nan());
        if value.is_nan() {
            return nan.unwrap_or(self.sign());
        }
        let size = value.abs();
        // The first number that is larger; codes of positive numbers ascend.
        let above = (0..=most).find(|&code| values[usize::from(code)] > size);
        let magnitude = match above {
            Some(above) => {
                let (a, b) = (values[usize::from(above - 1)], values[usize::from(above)]);
                let (down, up) = (size - a, b - size);
                above - u8::from(down < up || down == up && above % 2 == 1)
            }
            None => {
                let (last, before) = (values[usize::from(most)], values[usize::from(most - 1)]);
                let (over, half) = (size - last, (last - before) / 2.0);
                let is_rounded_down = over < half || over == half && most % 2 == 0;
                match self.special {
                    _ if is_rounded_down => most,
                    Special::Ieee => most + 1,
                    Special::None => most,
                    Special::LastIsNan => least,
                    Special::MinusZeroIsNan => return self.sign(),
                }
            }
        };
        // A type without -0 has NaN in its place.
        if magnitude == 0 && self.special == Special::MinusZeroIsNan {
            return 0;
        }
        magnitude | sign
    }
}

fn bits(float: Float) -> u8 {
    let format = FORMATS.iter().find(|it| it.float == float);
    format.map_or(8, |it| (1 + it.exponent + it.mantissa) as u8)
}

static VALUES: LazyLock<Vec<[f32; 256]>> = LazyLock::new(|| {
    let codes = |format: &Format| std::array::from_fn(|code| format.value(code as u8));
    FORMATS.iter().map(codes).collect()
});

impl Tiny {
    pub const ALL: &[Tiny] = &[
        Tiny::Float(Float::E3m4),
        Tiny::Float(Float::E4m3),
        Tiny::Float(Float::E4m3b11fnuz),
        Tiny::Float(Float::E4m3fn),
        Tiny::Float(Float::E4m3fnuz),
        Tiny::Float(Float::E5m2),
        Tiny::Float(Float::E5m2fnuz),
        Tiny::Float(Float::E8m0fnu),
        Tiny::Float(Float::E2m3fn),
        Tiny::Float(Float::E3m2fn),
        Tiny::Float(Float::E2m1fn),
        Tiny::Int4,
        Tiny::UInt4,
    ];

    pub fn of(dtype: DType) -> Option<Tiny> {
        Tiny::ALL.iter().copied().find(|it| it.dtype() == dtype)
    }

    pub fn dtype(self) -> DType {
        match self {
            Tiny::Float(float) => DType::new(Code::Tiny(float), bits(float)),
            Tiny::Int4 => DType::new(Code::Int, 4),
            Tiny::UInt4 => DType::new(Code::UInt, 4),
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Tiny::Float(_))
    }

    /// Returns the number that a code stands for.
    pub fn decode(self, code: u8) -> f32 {
        match self {
            Tiny::Float(Float::E8m0fnu) if code == u8::MAX => f32::NAN,
            Tiny::Float(Float::E8m0fnu) => (f64::from(code) - 127.0).exp2() as f32,
            Tiny::Float(float) => {
                let at = FORMATS.iter().position(|it| it.float == float);
                at.map_or(f32::NAN, |at| VALUES[at][usize::from(code)])
            }
            Tiny::Int4 => f32::from((code << 4) as i8 >> 4),
            Tiny::UInt4 => f32::from(code & 15),
        }
    }

    /// Returns the code of the nearest number.
    pub fn encode(self, value: f32) -> u8 {
        match self {
            Tiny::Float(Float::E8m0fnu) => {
                // Powers of two: 0 and negative numbers have none.
                if !(value > 0.0 && value.is_finite()) {
                    return u8::MAX;
                }
                let value = f64::from(value);
                let (below, above) = (value.log2().floor(), value.log2().ceil());
                let (a, b) = (below.exp2(), above.exp2());
                let power = if value - a < b - value { below } else { above };
                (power + 127.0).clamp(0.0, 255.0) as u8
            }
            Tiny::Float(float) => {
                let at = FORMATS.iter().position(|it| it.float == float);
                at.map_or(0, |at| FORMATS[at].code(&VALUES[at], value))
            }
            Tiny::Int4 | Tiny::UInt4 => super::Truncate::whole_i32(value) as u8 & 15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Float, Tiny};

    #[test]
    fn every_code_is_the_code_of_its_number() {
        for &tiny in Tiny::ALL {
            assert_eq!(Tiny::of(tiny.dtype()), Some(tiny));
            let codes = 1u32 << tiny.dtype().bits;
            for code in (0..codes).map(|it| it as u8) {
                let value = tiny.decode(code);
                let back = tiny.decode(tiny.encode(value));
                let same = back == value || back.is_nan() && value.is_nan();
                assert!(same, "{tiny:?} {code}: {value} {back}");
            }
        }
    }

    /// The codes that ml_dtypes 0.6 gives.
    #[test]
    fn numbers_are_rounded_as_ml_dtypes_rounds_them() {
        const VALUES: [f32; 8] = [f32::NEG_INFINITY, 100.0, 5.1, -0.0, 0.26, 0.75, -7.0, 0.0];
        let codes = |float: Float| VALUES.map(|value| Tiny::Float(float).encode(value));
        assert_eq!(codes(Float::E2m1fn), [15, 7, 7, 8, 1, 2, 15, 0]);
        assert_eq!(codes(Float::E2m3fn), [63, 31, 26, 32, 2, 6, 62, 0]);
        assert_eq!(codes(Float::E3m2fn), [63, 31, 21, 32, 4, 10, 55, 0]);
        assert_eq!(codes(Float::E4m3fn), [255, 108, 74, 128, 40, 52, 206, 0]);
        assert_eq!(codes(Float::E4m3fnuz), [128, 116, 82, 0, 48, 60, 214, 0]);
        let powers = [0.7, 0.75, 1.4, 1.5, 3.0, 5.9, 2f32.powi(127), 3.4e38];
        let codes = powers.map(|value| Tiny::Float(Float::E8m0fnu).encode(value));
        assert_eq!(codes, [126, 127, 127, 128, 129, 129, 254, 255]);
        assert_eq!(
            Tiny::Float(Float::E4m3fn).decode(Tiny::Float(Float::E4m3fn).encode(464.0)),
            448.0
        );
        assert!(
            Tiny::Float(Float::E4m3fn)
                .decode(Tiny::Float(Float::E4m3fn).encode(465.0))
                .is_nan()
        );
    }
}
