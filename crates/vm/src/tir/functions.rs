//! What compiled code calls: functions of numbers that are no instruction of the machine, in one table.

use half::{bf16, f16};

/// A function of `f32` and the same of `f64`, by name.
pub(super) struct Function {
    pub name: &'static str,
    pub f32: *const u8,
    pub f64: *const u8,
}

macro_rules! functions {
    ($($name:ident($($x:ident),+): $body32:expr, $body64:expr;)+) => {
        $(mod $name {
            pub extern "C" fn single($($x: f32),+) -> f32 { $body32 }
            pub extern "C" fn double($($x: f64),+) -> f64 { $body64 }
        })+

        /// Every function.
        pub(super) fn table() -> Vec<Function> {
            vec![$(Function {
                name: stringify!($name),
                f32: $name::single as *const u8,
                f64: $name::double as *const u8,
            },)+]
        }
    };
}

functions! {
    exp(x): x.exp(), x.exp();
    exp2(x): x.exp2(), x.exp2();
    exp10(x): libm::exp10f(x), libm::exp10(x);
    log(x): x.ln(), x.ln();
    log2(x): x.log2(), x.log2();
    log10(x): x.log10(), x.log10();
    log1p(x): x.ln_1p(), x.ln_1p();
    tanh(x): x.tanh(), x.tanh();
    erf(x): libm::erff(x), libm::erf(x);
    sin(x): x.sin(), x.sin();
    cos(x): x.cos(), x.cos();
    tan(x): x.tan(), x.tan();
    asin(x): x.asin(), x.asin();
    acos(x): x.acos(), x.acos();
    atan(x): x.atan(), x.atan();
    sinh(x): x.sinh(), x.sinh();
    cosh(x): x.cosh(), x.cosh();
    asinh(x): x.asinh(), x.asinh();
    acosh(x): x.acosh(), x.acosh();
    atanh(x): x.atanh(), x.atanh();
    pow(x, y): x.powf(y), x.powf(y);
    atan2(x, y): x.atan2(y), x.atan2(y);
    hypot(x, y): x.hypot(y), x.hypot(y);
    fmod(x, y): x % y, x % y;
    nextafter(x, y): libm::nextafterf(x, y), libm::nextafter(x, y);
    ldexp(x, y): libm::ldexpf(x, y as i32), libm::ldexp(x, y as i32);
}

/// Integers to a power; a negative one gives what integer division would.
pub(super) extern "C" fn ipow(base: i64, exponent: i64) -> i64 {
    match u32::try_from(exponent) {
        Ok(exponent) => base.wrapping_pow(exponent),
        Err(_) => i64::from(base == 1),
    }
}

pub(super) extern "C" fn f16_to_f32(bits: u32) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}

pub(super) extern "C" fn f32_to_f16(value: f32) -> u32 {
    u32::from(f16::from_f32(value).to_bits())
}

pub(super) extern "C" fn bf16_to_f32(bits: u32) -> f32 {
    bf16::from_bits(bits as u16).to_f32()
}

pub(super) extern "C" fn f32_to_bf16(value: f32) -> u32 {
    u32::from(bf16::from_f32(value).to_bits())
}

/// As `f32`, rounded to the nearest `f16`.
pub(super) extern "C" fn round_f16(value: f32) -> f32 {
    f16::from_f32(value).to_f32()
}

pub(super) extern "C" fn round_bf16(value: f32) -> f32 {
    bf16::from_f32(value).to_f32()
}
