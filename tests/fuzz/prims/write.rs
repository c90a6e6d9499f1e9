//! Generates the text of a program: its parameters, its own buffers, its statements.

use std::fmt::Write;

use super::choice::Choice;
use super::shape::{Dim, Param, Program};

pub const INTS: [&str; 8] = [
    "int32", "int64", "int8", "uint8", "int16", "uint16", "uint32", "uint64",
];
pub const FLOATS: [&str; 4] = ["float32", "float64", "float16", "bfloat16"];

pub fn is_float(dtype: &str) -> bool {
    FLOATS.contains(&dtype)
}

/// Returns the number of bits of a dtype; 1 for booleans.
pub fn bits(dtype: &str) -> u32 {
    let digits = dtype.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.parse().unwrap_or(1)
}

/// A scalar variable.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub dtype: &'static str,
    /// The exclusive upper bound, as text, if the variable counts from 0.
    pub below: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Buffer {
    pub name: String,
    pub dtype: &'static str,
    /// The extents, as text.
    pub dims: Vec<String>,
}

pub struct Writer<'c, 'd> {
    pub choice: &'c mut Choice<'d>,
    pub text: String,
    pub indent: usize,
    /// Variables in scope, the innermost last.
    pub vars: Vec<Var>,
    pub buffers: Vec<Buffer>,
    /// The number of statements that may still be generated.
    pub left: usize,
    /// The number of generated names.
    pub names: usize,
    /// Whether loops may run on GPU threads.
    pub threads: bool,
}

/// Generates a program of a few statements.
pub fn program(choice: &mut Choice<'_>) -> Program {
    let vars = choice.below(3);
    let mut params = Vec::new();
    for _ in 0..=choice.below(3) {
        let dims = (0..choice.pick(&[1, 1, 1, 2, 2, 3, 0]))
            .map(|_| dim(choice, vars))
            .collect();
        let dtype = dtype(choice);
        params.push(Param::Buffer { dtype, dims });
    }
    // A shape variable gets its value from a dimension that consists of it alone.
    for var in 0..vars {
        let is_bound = |it: &Param| match it {
            Param::Buffer { dims, .. } => dims.contains(&Dim::Var(var)),
            Param::Scalar(_) => false,
        };
        if !params.iter().any(is_bound) {
            let dims = vec![Dim::Var(var)];
            let dtype = dtype(choice);
            params.push(Param::Buffer { dtype, dims });
        }
    }
    for _ in 0..choice.below(3) {
        params.push(Param::Scalar(dtype(choice)));
    }
    let left = 2 + choice.below(6);
    let mut writer = Writer {
        choice,
        text: String::new(),
        indent: 1,
        vars: Vec::new(),
        buffers: Vec::new(),
        left,
        names: 0,
        threads: false,
    };
    writer.head(&params, vars);
    writer.own_buffers(vars);
    while writer.left > 0 {
        writer.stmt(3);
    }
    Program {
        text: writer.text,
        params,
        vars,
        whole: false,
    }
}

pub fn dtype(choice: &mut Choice<'_>) -> &'static str {
    match choice.below(12) {
        0..=6 => choice.pick(&INTS),
        7..=10 => choice.pick(&FLOATS),
        _ => "bool",
    }
}

fn dim(choice: &mut Choice<'_>, vars: usize) -> Dim {
    if vars == 0 || choice.one_in(3) {
        return Dim::Int(choice.pick(&[1, 2, 3, 4, 5, 7, 8, 16, 0]));
    }
    let var = choice.below(vars);
    match choice.below(10) {
        0 => Dim::Plus(var, choice.pick(&[1, 2, -1])),
        1 => Dim::Times(var, choice.pick(&[2, 3])),
        2 => Dim::Product(var, choice.below(vars)),
        3 => Dim::Half(var),
        _ => Dim::Var(var),
    }
}

impl Writer<'_, '_> {
    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4);
    }

    pub fn name(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// Generates the signature, with parameters as buffers or as matched handles, and declares the shape variables.
    pub(super) fn head(&mut self, params: &[Param], vars: usize) {
        let mut list = Vec::new();
        let mut matches = Vec::new();
        for (at, param) in params.iter().enumerate() {
            match param {
                Param::Scalar(dtype) => {
                    list.push(format!("s{at}: T.{dtype}"));
                    self.vars.push(Var {
                        name: format!("s{at}"),
                        dtype,
                        below: None,
                    });
                }
                Param::Buffer { dtype, dims } => {
                    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
                    let shape = tuple(&dims);
                    let is_plain = dims.iter().all(|it| it.parse::<i64>().is_ok());
                    if is_plain && !self.choice.one_in(3) {
                        list.push(format!("b{at}: T.Buffer({shape}, \"{dtype}\")"));
                    } else {
                        list.push(format!("h{at}: T.handle"));
                        matches.push((at, shape, *dtype, dims.clone()));
                    }
                    self.buffers.push(Buffer {
                        name: format!("b{at}"),
                        dtype,
                        dims,
                    });
                }
            }
        }
        // Blocks use variables of the loops around them. TVM runs that, but rejects it as not well-formed.
        let head = "@T.prim_func(check_well_formed=False)";
        let _ = writeln!(self.text, "{head}\ndef f({}):", list.join(", "));
        for var in 0..vars {
            let dtype = self.choice.pick(&["int64", "int32", "int64", "int32"]);
            let narrow = self.choice.one_in(3);
            let dtype = if narrow {
                self.choice.pick(&INTS)
            } else {
                dtype
            };
            self.line(&format!("n{var} = T.{dtype}()"));
            self.vars.push(Var {
                name: format!("n{var}"),
                dtype,
                below: None,
            });
        }
        for (at, shape, dtype, dims) in matches {
            let layout = self.layout(at, &dims);
            let handle = if self.choice.one_in(6) {
                self.line(&format!("g{at} = h{at}"));
                format!("g{at}")
            } else {
                format!("h{at}")
            };
            self.line(&format!(
                "b{at} = T.match_buffer({handle}, {shape}, \"{dtype}\"{layout})"
            ));
            // Matching a buffer twice is an error: only one would be checked against the argument.
            if self.choice.one_in(200) {
                self.line(&format!("b{at} = T.match_buffer(h{at}, (3,), \"int8\")"));
            }
        }
    }

    /// Generates the strides and the offset of a parameter: variables, or the values of a row-major tensor.
    fn layout(&mut self, at: usize, dims: &[String]) -> String {
        let mut layout = String::new();
        if !dims.is_empty() && self.choice.one_in(4) {
            let mut strides = Vec::new();
            for k in 0..dims.len() {
                if self.choice.one_in(2) {
                    let dtype = self.choice.pick(&INTS);
                    let name = format!("t{at}_{k}");
                    self.line(&format!("{name} = T.{dtype}()"));
                    self.vars.push(Var {
                        name: name.clone(),
                        dtype,
                        below: None,
                    });
                    strides.push(name);
                } else {
                    let inner: Vec<String> =
                        dims[k + 1..].iter().map(|dim| format!("({dim})")).collect();
                    let product = inner.join(" * ");
                    strides.push(if product.is_empty() {
                        "1".into()
                    } else {
                        product
                    });
                }
            }
            let _ = write!(layout, ", strides=[{}]", strides.join(", "));
        }
        if self.choice.one_in(12) {
            let name = format!("o{at}");
            self.line(&format!("{name} = T.int32()"));
            self.vars.push(Var {
                name: name.clone(),
                dtype: "int32",
                below: None,
            });
            let _ = write!(layout, ", elem_offset={name}");
        }
        layout
    }

    fn own_buffers(&mut self, vars: usize) {
        for _ in 0..self.choice.below(3) {
            let count = self.choice.pick(&[1, 1, 2, 0]);
            let mut dims = Vec::new();
            for _ in 0..count {
                let vars = if self.choice.one_in(2) { vars } else { 0 };
                dims.push(dim(self.choice, vars).to_string());
            }
            let dtype = dtype(self.choice);
            let name = self.name("a");
            let form = self
                .choice
                .pick(&["alloc_buffer", "alloc_buffer", "decl_buffer"]);
            self.line(&format!("{name} = T.{form}({}, \"{dtype}\")", tuple(&dims)));
            self.buffers.push(Buffer { name, dtype, dims });
        }
    }
}

/// Formats a tuple.
pub fn tuple(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        items => format!("({})", items.join(", ")),
    }
}
