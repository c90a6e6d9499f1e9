//! Generates floating-point expressions.

use super::write::{FLOATS, INTS, Writer, bits};

const LITERALS: [&str; 12] = [
    "0.0", "1.0", "-1.0", "0.5", "3.25", "-0.0", "65504.0", "1e30", "1e-40", "\"inf\"", "\"-inf\"",
    "\"nan\"",
];

const FUNCTIONS: [&str; 24] = [
    "abs", "floor", "ceil", "trunc", "round", "sqrt", "rsqrt", "exp", "exp2", "exp10", "log",
    "log2", "log10", "log1p", "sigmoid", "tanh", "erf", "sin", "cos", "tan", "atan", "sinh",
    "asinh", "cosh",
];

impl Writer<'_, '_> {
    pub fn float(&mut self, dtype: &'static str, depth: u32) -> String {
        if depth == 0 || self.choice.one_in(4) {
            return self.float_leaf(dtype);
        }
        let depth = depth - 1;
        let a = self.float(dtype, depth);
        match self.choice.below(12) {
            0..=3 => {
                let b = self.float(dtype, depth);
                let op = self.choice.pick(&["+", "-", "*", "/", "//", "%"]);
                format!("({a} {op} {b})")
            }
            4 => {
                let b = self.float(dtype, depth);
                let op = self.choice.pick(&["min", "max"]);
                format!("T.{op}({a}, {b})")
            }
            5 => {
                let function = self.choice.pick(&FUNCTIONS);
                format!("T.{function}({a})")
            }
            6 => {
                let b = self.float_leaf(dtype);
                match self.choice.below(8) {
                    // The sign of NaN depends on the machine.
                    0 => {
                        format!("T.copysign({a}, T.if_then_else(T.isnan({b}), T.{dtype}(-1), {b}))")
                    }
                    1 => format!("T.ldexp({a}, {b})"),
                    2 => format!("T.nextafter({a}, {b})"),
                    3 => format!("T.fmod({a}, {b})"),
                    4 => format!("T.hypot({a}, {b})"),
                    5 => format!("T.atan2({a}, {b})"),
                    6 => format!("T.truncmod({a}, {b})"),
                    _ => format!("T.pow({a}, {b})"),
                }
            }
            7 => format!("(-{a})"),
            8 => {
                let (test, b) = (self.truth(depth), self.float(dtype, depth));
                self.choose(&test, &a, &b)
            }
            9 | 10 => {
                let from = match self.choice.below(5) {
                    0 => "bool",
                    1 | 2 => self.choice.pick(&FLOATS),
                    _ => self.choice.pick(&INTS),
                };
                let value = self.value(from, depth);
                format!("T.Cast(\"{dtype}\", {value})")
            }
            _ => {
                let from = match bits(dtype) {
                    32 => self.choice.pick(&["int32", "uint32"]),
                    64 => self.choice.pick(&["int64", "uint64"]),
                    _ => return format!("({a} + T.Cast(\"{dtype}\", 2.5))"),
                };
                let value = self.int(from, depth);
                format!("T.reinterpret(\"{dtype}\", {value})")
            }
        }
    }

    fn float_leaf(&mut self, dtype: &'static str) -> String {
        let fit: Vec<String> = self
            .vars
            .iter()
            .filter(|var| var.dtype == dtype)
            .map(|var| var.name.clone())
            .collect();
        match self.choice.below(6) {
            0 | 1 if !fit.is_empty() => {
                let at = self.choice.below(fit.len());
                fit[at].clone()
            }
            2 | 3 => match self.element(|it| it == dtype, 0) {
                Some((element, _)) => element,
                None => format!("T.{dtype}({})", self.choice.below(5)),
            },
            4 if !self.vars.is_empty() => {
                let at = self.choice.below(self.vars.len());
                let name = self.vars[at].name.clone();
                format!("T.Cast(\"{dtype}\", {name})")
            }
            _ => format!("T.{dtype}({})", self.choice.pick(&LITERALS)),
        }
    }
}
