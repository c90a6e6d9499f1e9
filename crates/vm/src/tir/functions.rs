//! The table of math functions without a machine instruction, which native code and the interpreter call.

/// A math function with its `f32` and `f64` implementations.
pub(super) struct MathFunction {
    pub name: &'static str,
    pub body: Body,
}

#[derive(Clone, Copy)]
pub(super) enum Body {
    One(extern "C" fn(f32) -> f32, extern "C" fn(f64) -> f64),
    Two(
        extern "C" fn(f32, f32) -> f32,
        extern "C" fn(f64, f64) -> f64,
    ),
}

macro_rules! functions {
    ($($Arity:ident $name:ident($($x:ident),+): $body32:expr, $body64:expr;)+) => {
        $(mod $name {
            pub extern "C" fn single($($x: f32),+) -> f32 { $body32 }
            pub extern "C" fn double($($x: f64),+) -> f64 { $body64 }
        })+

        /// All functions.
        pub(super) const TABLE: &[MathFunction] = &[$(MathFunction {
            name: stringify!($name),
            body: Body::$Arity($name::single, $name::double),
        },)+];
    };
}

functions! {
    One exp(x): x.exp(), x.exp();
    One exp2(x): x.exp2(), x.exp2();
    One exp10(x): libm::exp10f(x), libm::exp10(x);
    One log(x): x.ln(), x.ln();
    One log2(x): x.log2(), x.log2();
    One log10(x): x.log10(), x.log10();
    One log1p(x): x.ln_1p(), x.ln_1p();
    // TVM's code for these has no -0.
    One tanh(x): x.tanh() + 0.0, x.tanh() + 0.0;
    One erf(x): libm::erff(x), libm::erf(x);
    One sin(x): x.sin(), x.sin();
    One cos(x): x.cos(), x.cos();
    One tan(x): x.tan(), x.tan();
    One asin(x): x.asin(), x.asin();
    One acos(x): x.acos(), x.acos();
    One atan(x): x.atan(), x.atan();
    One sinh(x): x.sinh(), x.sinh();
    One cosh(x): x.cosh(), x.cosh();
    One asinh(x): x.asinh(), x.asinh();
    One acosh(x): x.acosh(), x.acosh();
    One atanh(x): x.atanh() + 0.0, x.atanh() + 0.0;
    Two pow(x, y): x.powf(y), x.powf(y);
    Two atan2(x, y): x.atan2(y), x.atan2(y);
    Two hypot(x, y): x.hypot(y), x.hypot(y);
    Two fmod(x, y): x % y, x % y;
    Two nextafter(x, y): libm::nextafterf(x, y), libm::nextafter(x, y);
    Two ldexp(x, y): libm::ldexpf(x, y as i32), libm::ldexp(x, y as i32);
}

/// Returns the function with a name.
pub(super) fn of(name: &str) -> Option<Body> {
    let found = TABLE.iter().find(|function| function.name == name);
    found.map(|function| function.body)
}

/// Raises an integer to a power, wrapping. A negative exponent gives the result of integer division.
pub(super) extern "C" fn ipow(base: i64, exponent: i64) -> i64 {
    match (u64::try_from(exponent), base) {
        (Ok(exponent), _) => upow(base as u64, exponent) as i64,
        (Err(_), 1) => 1,
        (Err(_), -1) => upow(base as u64, exponent.unsigned_abs()) as i64,
        (Err(_), _) => 0,
    }
}

pub(super) extern "C" fn upow(base: u64, exponent: u64) -> u64 {
    let (mut power, mut base, mut left) = (1u64, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        left /= 2;
    }
    power
}
