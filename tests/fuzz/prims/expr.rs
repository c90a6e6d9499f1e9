//! Generates integer and boolean expressions.

use super::write::{FLOATS, INTS, Writer, bits, is_float};

/// Returns the smallest and the largest value of an integer dtype.
fn bounds(dtype: &str) -> (i128, i128) {
    let bits = bits(dtype);
    if dtype.starts_with('u') {
        (0, (1 << bits) - 1)
    } else {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }
}

impl Writer<'_, '_> {
    /// Generates a value of any dtype.
    pub fn value(&mut self, dtype: &'static str, depth: u32) -> String {
        if dtype == "bool" {
            self.truth(depth)
        } else if is_float(dtype) {
            self.float(dtype, depth)
        } else {
            self.int(dtype, depth)
        }
    }

    pub fn int(&mut self, dtype: &'static str, depth: u32) -> String {
        if depth == 0 || self.choice.one_in(4) {
            return self.int_leaf(dtype);
        }
        let depth = depth - 1;
        let a = self.int(dtype, depth);
        match self.choice.below(19) {
            0..=4 => {
                let b = self.int(dtype, depth);
                let op = self.choice.pick(&["+", "-", "*", "+", "-"]);
                format!("({a} {op} {b})")
            }
            5 | 6 => {
                let b = if self.choice.one_in(3) {
                    self.int(dtype, depth)
                } else {
                    let by = self.choice.pick(&["1", "2", "3", "4", "7", "8", "127"]);
                    format!("T.{dtype}({by})")
                };
                match self.choice.below(6) {
                    0 | 1 => format!("({a} // {b})"),
                    2 | 3 => format!("({a} % {b})"),
                    4 => format!("T.truncdiv({a}, {b})"),
                    _ => format!("T.truncmod({a}, {b})"),
                }
            }
            7 => {
                let b = self.int(dtype, depth);
                let op = self.choice.pick(&["min", "max"]);
                format!("T.{op}({a}, {b})")
            }
            8 => {
                let b = self.int(dtype, depth);
                let op = self.choice.pick(&["&", "|", "^"]);
                format!("({a} {op} {b})")
            }
            9 => {
                let op = self.choice.pick(&["<<", ">>"]);
                let b = if self.choice.one_in(3) {
                    self.int(dtype, depth)
                } else {
                    format!("T.{dtype}({})", self.choice.below(9))
                };
                format!("({a} {op} {b})")
            }
            10 => match self.choice.below(4) {
                0 => format!("(-{a})"),
                1 => format!("(~{a})"),
                2 => format!("T.abs({a})"),
                _ => format!("(-(-{a}))"),
            },
            11 => {
                let (test, b) = (self.truth(depth), self.int(dtype, depth));
                self.choose(&test, &a, &b)
            }
            12 | 13 => self.cast(dtype, depth),
            14 => {
                // TVM chooses the common dtype of the two.
                let (one, other) = (self.choice.pick(&INTS), self.choice.pick(&INTS));
                let (x, y) = (self.int(one, depth), self.int(other, depth));
                let op = self.choice.pick(&["+", "-", "*", "&", "|"]);
                format!("T.Cast(\"{dtype}\", {x} {op} {y})")
            }
            15 => {
                let literal = self.choice.pick(&["1", "2", "-1", "-3", "100"]);
                let op = self.choice.pick(&["+", "-", "*"]);
                format!("T.Cast(\"{dtype}\", {a} {op} {literal})")
            }
            16 => self.bits_of(dtype, depth),
            17 => {
                let function = self.choice.pick(&["popcount", "clz", "bitwise_not"]);
                format!("T.{function}({a})")
            }
            _ => {
                let power = self.choice.below(4);
                format!("T.pow({a}, T.{dtype}({power}))")
            }
        }
    }

    fn int_leaf(&mut self, dtype: &'static str) -> String {
        let fit: Vec<String> = self
            .vars
            .iter()
            .filter(|var| var.dtype == dtype)
            .map(|var| var.name.clone())
            .collect();
        match self.choice.below(8) {
            0..=2 if !fit.is_empty() => {
                let at = self.choice.below(fit.len());
                fit[at].clone()
            }
            3 if !self.vars.is_empty() => {
                let at = self.choice.below(self.vars.len());
                let name = self.vars[at].name.clone();
                if is_float(self.vars[at].dtype) {
                    return format!("T.Cast(\"{dtype}\", {name})");
                }
                format!("{name}.astype(\"{dtype}\")")
            }
            4 | 5 => match self.element(|it| it == dtype, 0) {
                Some((element, _)) => element,
                None => self.int_literal(dtype),
            },
            _ => self.int_literal(dtype),
        }
    }

    fn int_literal(&mut self, dtype: &'static str) -> String {
        let (least, most) = bounds(dtype);
        match self.choice.below(10) {
            0 => format!("T.{dtype}({least})"),
            1 => format!("T.{dtype}({most})"),
            2 if least < 0 => format!("-T.{dtype}({least})"),
            3 => format!(
                "T.{}(\"{dtype}\")",
                self.choice.pick(&["min_value", "max_value"])
            ),
            4 if least < 0 => format!("-T.{dtype}({})", self.choice.below(9)),
            5 => format!("T.{dtype}({})", most / 2 + 1),
            6 if dtype == "int32" => self.choice.below(9).to_string(),
            _ => format!("T.{dtype}({})", self.choice.below(9)),
        }
    }

    /// Generates a cast from another dtype.
    fn cast(&mut self, dtype: &str, depth: u32) -> String {
        let from = match self.choice.below(6) {
            0 => "bool",
            1 => self.choice.pick(&FLOATS),
            _ => self.choice.pick(&INTS),
        };
        let value = self.value(from, depth);
        format!("T.Cast(\"{dtype}\", {value})")
    }

    /// Reinterprets the bits of a number of the same width. The bits of NaN are excluded, because machines differ in
    /// them.
    fn bits_of(&mut self, dtype: &'static str, depth: u32) -> String {
        let width = bits(dtype);
        let float = match width {
            32 => "float32",
            64 => "float64",
            _ => "",
        };
        if !float.is_empty() && self.choice.one_in(2) {
            let value = self.float(float, 0);
            return format!(
                "T.reinterpret(\"{dtype}\", T.if_then_else(T.isnan({value}), T.{float}(1), {value}))"
            );
        }
        let same: Vec<&'static str> = INTS.into_iter().filter(|it| bits(it) == width).collect();
        let from = self.choice.pick(&same);
        let value = self.int(from, depth);
        format!("T.reinterpret(\"{dtype}\", {value})")
    }

    pub fn choose(&mut self, test: &str, a: &str, b: &str) -> String {
        match self.choice.below(3) {
            0 => format!("T.Select({test}, {a}, {b})"),
            1 => format!("T.if_then_else({test}, {a}, {b})"),
            _ => format!("({a} if {test} else {b})"),
        }
    }

    pub fn truth(&mut self, depth: u32) -> String {
        if depth == 0 || self.choice.one_in(6) {
            return self.truth_leaf();
        }
        let depth = depth - 1;
        match self.choice.below(9) {
            0..=3 => {
                let dtype = match self.choice.below(5) {
                    0 => self.choice.pick(&FLOATS),
                    _ => self.choice.pick(&INTS),
                };
                let (a, b) = (self.value(dtype, depth), self.value(dtype, depth));
                let op = self.choice.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {op} {b})")
            }
            4 => format!("({} and {})", self.truth(depth), self.truth(depth)),
            5 => format!("T.Or({}, {})", self.truth(depth), self.truth(depth)),
            6 => format!("(not {})", self.truth(depth)),
            7 => {
                let (a, b) = (self.truth(depth), self.truth(depth));
                let op = self.choice.pick(&["&", "|", "^", "=="]);
                format!("({a} {op} {b})")
            }
            _ => {
                let dtype = self.choice.pick(&FLOATS);
                let function = self.choice.pick(&["isnan", "isinf", "isfinite"]);
                format!("T.{function}({})", self.float(dtype, depth))
            }
        }
    }

    fn truth_leaf(&mut self) -> String {
        let fit: Vec<String> = self
            .vars
            .iter()
            .filter(|var| var.dtype == "bool")
            .map(|var| var.name.clone())
            .collect();
        match self.choice.below(5) {
            0 | 1 if !fit.is_empty() => {
                let at = self.choice.below(fit.len());
                fit[at].clone()
            }
            2 => match self.element(|it| it == "bool", 0) {
                Some((element, _)) => element,
                None => "T.bool(True)".to_owned(),
            },
            3 if !self.vars.is_empty() => {
                let at = self.choice.below(self.vars.len());
                let (name, dtype) = (self.vars[at].name.clone(), self.vars[at].dtype);
                format!("T.Cast(\"bool\", {name} != T.Cast(\"{dtype}\", 1))")
            }
            _ => format!("T.bool({})", self.choice.pick(&["True", "False"])),
        }
    }
}
