//! Generates programs with one loop nest, usually a sum of products: matrix products, convolutions, batches, split
//! loops, unusual layouts, and programs that are almost one of these. The numbers are small integers, so the order of a
//! sum does not change its value.

use super::choice::Choice;
use super::shape::{Dim, Param, Program};
use super::write::{Writer, tuple};

/// A loop of the sum, and the operands that it indexes.
#[derive(Clone)]
struct Axis {
    extent: Dim,
    in_a: bool,
    in_b: bool,
    in_c: bool,
    /// The number of inner iterations, if the axis is two loops.
    split: Option<i64>,
}

/// An operand: its extents, and its indices over the names of the axes.
struct Operand {
    name: String,
    dtype: &'static str,
    indices: Vec<String>,
    dims: Vec<Dim>,
}

const SUMS: [(&str, &[&str]); 11] = [
    ("float32", &["float32", "float16", "bfloat16", "float64"]),
    ("float32", &["float32"]),
    ("float64", &["float64", "float32"]),
    ("int32", &["int32", "int8", "uint8", "int64"]),
    ("int64", &["int64", "int32", "uint16"]),
    ("uint8", &["uint8"]),
    ("int8", &["int8", "uint8", "int32"]),
    ("int16", &["int16", "int8", "bool"]),
    ("uint32", &["uint32", "uint16", "int32"]),
    ("bool", &["int32", "bool", "uint32", "float32"]),
    ("float16", &["float16"]),
];

pub fn program(choice: &mut Choice<'_>) -> Program {
    let vars = choice.below(3);
    let count = 2 + choice.below(4);
    let (sum, factors) = choice.pick(&SUMS);
    // Short sums of half floats are exact in any order.
    let extents: &[i64] = if sum == "float16" {
        &[1, 2, 3]
    } else {
        &[1, 2, 3, 4, 5, 7]
    };
    let axes: Vec<Axis> = (0..count).map(|_| axis(choice, vars, extents)).collect();
    let (of_a, of_b) = (choice.pick(factors), choice.pick(factors));
    let a = operand(choice, "b0", of_a, &axes, |it| it.in_a);
    let b = operand(choice, "b1", of_b, &axes, |it| it.in_b);
    let c = operand(choice, "b2", sum, &axes, |it| it.in_c);
    let mut params: Vec<Param> = [&a, &b, &c]
        .iter()
        .map(|it| Param::Buffer {
            dtype: it.dtype,
            dims: it.dims.clone(),
        })
        .collect();
    for var in 0..vars {
        let dims = vec![Dim::Var(var)];
        params.push(Param::Buffer {
            dtype: "int8",
            dims,
        });
    }
    let twin = choice.one_in(4).then(|| {
        params.push(Param::Buffer {
            dtype: c.dtype,
            dims: c.dims.clone(),
        });
        format!("b{}", params.len() - 1)
    });
    let mut writer = Writer {
        choice,
        text: String::new(),
        indent: 1,
        vars: Vec::new(),
        buffers: Vec::new(),
        left: 0,
        names: 0,
        threads: false,
    };
    writer.head(&params, vars);
    writer.sum(&axes, a, b, c, twin);
    Program {
        text: writer.text,
        params,
        vars,
        whole: true,
    }
}

fn axis(choice: &mut Choice<'_>, vars: usize, extents: &[i64]) -> Axis {
    let extent = if vars > 0 && choice.one_in(3) {
        Dim::Var(choice.below(vars))
    } else {
        Dim::Int(choice.pick(extents))
    };
    let (in_a, in_b, in_c) = match choice.below(16) {
        0..=3 => (true, false, true),
        4..=7 => (false, true, true),
        8..=11 => (true, true, false),
        12 | 13 => (true, true, true),
        14 => (true, false, false),
        _ => (false, false, true),
    };
    let is_long = extents.len() > 3;
    let split = (is_long && choice.one_in(5)).then(|| choice.pick(&[1, 2, 3]));
    Axis {
        extent,
        in_a,
        in_b,
        in_c,
        split,
    }
}

fn operand(
    choice: &mut Choice<'_>,
    name: &str,
    dtype: &'static str,
    axes: &[Axis],
    has: impl Fn(&Axis) -> bool,
) -> Operand {
    let mut own: Vec<usize> = (0..axes.len()).filter(|&at| has(&axes[at])).collect();
    for at in (1..own.len()).rev() {
        own.swap(at, choice.below(at + 1));
    }
    let mut made = Operand {
        name: name.to_owned(),
        dtype,
        indices: Vec::new(),
        dims: Vec::new(),
    };
    let mut left = own.into_iter();
    while let Some(at) = left.next() {
        let extent = iterations(&axes[at]);
        let (index, dim) = match extent {
            Dim::Int(extent) => {
                let window = if choice.one_in(3) { left.next() } else { None };
                let inner = window.map(|at| (at, iterations(&axes[at])));
                let stride = choice.pick(&[1, 1, 2, 3]);
                match inner {
                    // A window, or two merged dimensions.
                    Some((inner, Dim::Int(size))) => {
                        let by = if choice.one_in(2) { stride } else { size };
                        (
                            format!("v{at} * {by} + v{inner}"),
                            Dim::Int((extent - 1) * by + size),
                        )
                    }
                    Some((inner, dim)) => {
                        made.indices.push(format!("v{inner}"));
                        made.dims.push(dim);
                        (format!("v{at}"), Dim::Int(extent))
                    }
                    None => match choice.below(10) {
                        0 => (format!("{} - v{at}", extent - 1), Dim::Int(extent)),
                        1 => (format!("v{at} + {stride}"), Dim::Int(extent + stride)),
                        2 => (format!("v{at} // 2"), Dim::Int((extent + 1) / 2)),
                        3 => (format!("v{at} % 2"), Dim::Int(2)),
                        4 => (
                            format!("v{at} * {stride}"),
                            Dim::Int((extent - 1) * stride + 1),
                        ),
                        _ => (format!("v{at}"), Dim::Int(extent)),
                    },
                }
            }
            Dim::Var(var) if choice.one_in(8) => (format!("n{var} - 1 - v{at}"), Dim::Var(var)),
            Dim::Var(var) if choice.one_in(8) => (format!("v{at} + 2"), Dim::Plus(var, 2)),
            dim => (format!("v{at}"), dim),
        };
        made.indices.push(index);
        made.dims.push(dim);
    }
    if made.dims.is_empty() || choice.one_in(12) {
        made.indices.push(choice.pick(&["0", "0", "1"]).to_owned());
        made.dims.push(Dim::Int(choice.pick(&[1, 2])));
    }
    // Some extents are too small, and some larger than necessary.
    if choice.one_in(8) {
        let at = choice.below(made.dims.len());
        let by = choice.pick(&[1, 1, -1]);
        made.dims[at] = match made.dims[at] {
            Dim::Int(value) => Dim::Int((value + by).max(0)),
            Dim::Var(var) => Dim::Plus(var, by),
            ref other => other.clone(),
        };
    }
    made
}

/// Returns the iterations of an axis over both of its loops.
fn iterations(axis: &Axis) -> Dim {
    match (&axis.extent, axis.split) {
        (Dim::Int(extent), Some(by)) => Dim::Int(extent * by),
        (dim, _) => dim.clone(),
    }
}

impl Writer<'_, '_> {
    /// Generates the sum. `twin` is a buffer like the result, for a second sum in the same block.
    fn sum(
        &mut self,
        axes: &[Axis],
        mut a: Operand,
        mut b: Operand,
        mut c: Operand,
        twin: Option<String>,
    ) {
        let result = c.name.clone();
        self.change_operands(&mut a, &mut b);
        let own = self.choice.one_in(5);
        if own {
            c.name = self.name("a");
            let name = c.name.clone();
            self.declare_like(&name, &c);
        }
        if self.choice.one_in(12) {
            a.name.clone_from(&b.name);
            a.indices.clone_from(&b.indices);
            a.dtype = b.dtype;
        }
        let is_block = !self.choice.one_in(4);
        let init = self.choice.pick(&["0", "0", "0", "1", "3"]);
        // The dtype in which the value is computed.
        let sum = if c.dtype == "bool" { "int32" } else { c.dtype };
        let is_set = sum == c.dtype && !self.choice.one_in(3);
        let twin = twin.filter(|_| is_block && is_set);
        if is_set && !is_block {
            let (loops, indices) = self.grid(&c.dims);
            self.line(&loops);
            let element = format!("    {}[{}] = T.{}({init})", c.name, indices, c.dtype);
            self.line(&element);
        }
        let indent = self.indent;
        let values = self.loops(axes, is_block);
        if is_block {
            self.open_block(axes, &values);
            if is_set {
                self.initialize(&c, init, twin.as_deref());
            }
        } else {
            for (at, value) in values.iter().enumerate() {
                if *value != format!("v{at}") {
                    self.line(&format!("v{at} = {value}"));
                }
            }
        }
        let (x, y) = (factor(&a, sum), factor(&b, sum));
        let element = format!("{}[{}]", c.name, c.indices.join(", "));
        if let Some(twin) = &twin {
            let other = format!("{twin}[{}]", c.indices.join(", "));
            self.update_both(&element, &other, &x, &y);
        } else if sum != c.dtype {
            let value = self.test_of(&x, &y, axes.len());
            self.line(&format!("{element} = {value}"));
        } else if self.choice.one_in(3) {
            let value = self.other_value(&element, &x, &y, c.dtype, axes.len());
            self.line(&format!("{element} = {value}"));
        } else {
            self.add_product(&element, &x, &y, c.dtype);
        }
        self.indent = indent;
        if own {
            self.copy(&c.name, &result, &c);
        }
    }

    /// Replaces some operands by copies of them.
    fn change_operands(&mut self, a: &mut Operand, b: &mut Operand) {
        for it in [a, b] {
            if self.choice.one_in(6) {
                let own = self.name("a");
                self.declare_like(&own, it);
                self.copy(&it.name, &own, it);
                it.name = own;
            }
        }
    }

    /// Writes the header of a block and its axes. Some are of the wrong kind.
    fn open_block(&mut self, axes: &[Axis], values: &[String]) {
        self.line("with T.block(\"sum\"):");
        self.indent += 1;
        for (at, (axis, value)) in axes.iter().zip(values).enumerate() {
            let is_sum = !axis.in_c;
            let is_sum = if self.choice.one_in(24) {
                !is_sum
            } else {
                is_sum
            };
            let kind = if is_sum { "reduce" } else { "spatial" };
            let extent = iterations(axis);
            self.line(&format!("v{at} = T.axis.{kind}({extent}, {value})"));
        }
        if self.choice.one_in(16) {
            self.line("T.where(v0 < 2)");
        }
    }

    /// Writes the initial value of a block's sum, and of its second sum.
    fn initialize(&mut self, c: &Operand, init: &str, twin: Option<&str>) {
        self.line("with T.init():");
        let set = c.indices.join(", ");
        self.line(&format!("    {}[{set}] = T.{}({init})", c.name, c.dtype));
        // Without an initial value, the sum starts from the current elements.
        let twin = twin.filter(|_| !self.choice.one_in(16));
        if let Some(twin) = twin {
            self.line(&format!("    {twin}[{set}] = T.{}(2)", c.dtype));
        }
    }

    /// Writes updates of two sums by one block. Sometimes the second reads the first.
    fn update_both(&mut self, element: &str, other: &str, x: &str, y: &str) {
        let wrong = self.choice.one_in(16);
        let before = if wrong { element } else { other };
        self.line(&format!("w0 = {element} + {x} * {y}"));
        self.line(&format!("w1 = {before} + {x}"));
        self.line(&format!("{element} = w0"));
        self.line(&format!("{other} = w1"));
    }

    /// Writes the addition of a product, in one of several forms.
    fn add_product(&mut self, element: &str, x: &str, y: &str, dtype: &str) {
        let product = match self.choice.below(8) {
            0..=5 => format!("{x} * {y}"),
            6 => format!("{y} * {x}"),
            _ => format!("{x} * T.{dtype}(2)"),
        };
        if self.choice.one_in(3) {
            self.line(&format!("{element} = {product} + {element}"));
        } else {
            self.line(&format!("{element} = {element} + {product}"));
        }
    }

    /// Generates other statements than a sum of products: reductions of expressions, expressions, copies.
    fn other_value(&mut self, element: &str, x: &str, y: &str, dtype: &str, axes: usize) -> String {
        let form = self.choice.below(8);
        // Sums of other numbers than small ones depend on the order.
        let mixed = form > 1 && self.choice.one_in(3);
        let term = match self.choice.below(8) {
            _ if mixed => self.mixed(x, y, dtype, axes),
            0 | 1 => x.to_owned(),
            6 => format!("T.Select({x} < {y}, {x}, T.{dtype}(2))"),
            7 => format!("T.Select(not ({x} == {y}) and {x} >= T.{dtype}(0), {y}, {x})"),
            2 => format!("{x} - {y}"),
            3 => format!("T.max({x}, {y} * T.{dtype}(2))"),
            4 => format!("({x} + T.{dtype}(1)) * {y} + {x}"),
            _ => format!("T.min({y}, {x})"),
        };
        match form {
            0 | 1 => format!("{element} + {term}"),
            2 => format!("T.max({element}, {term})"),
            3 => format!("T.min({element}, {term})"),
            4 => format!("T.min({term}, {element})"),
            5 => self.padded(&term, dtype, axes),
            _ => term,
        }
    }

    /// Generates a value that is computed in other dtypes, or depends on indices.
    fn mixed(&mut self, x: &str, y: &str, dtype: &str, axes: usize) -> String {
        let test = self.test_of(x, y, axes);
        let int = self.choice.pick(&["int32", "uint32", "int8", "uint16"]);
        let (p, q) = match int {
            _ if int == dtype => (x.to_owned(), y.to_owned()),
            _ => (
                format!("T.Cast(\"{int}\", {x})"),
                format!("T.Cast(\"{int}\", {y})"),
            ),
        };
        let by = self.choice.pick(&[1, 2, 3, 4, 7, 8]);
        let value = match self.choice.below(10) {
            0 => format!("T.bitwise_and(T.shift_right({p}, {q}), T.{int}({by}))"),
            1 => format!("T.shift_left({p}, T.{int}({by}))"),
            2 => format!("T.bitwise_xor({p}, T.bitwise_or({q}, T.{int}({by})))"),
            3 => format!("T.floordiv({p}, T.{int}({by}))"),
            4 => format!("T.floormod({p} - {q}, T.{int}({by}))"),
            5 => format!("T.truncdiv({p} * {q}, T.{int}({by}))"),
            6 => format!("T.bitwise_not({p}) * {q} - {p}"),
            7 => {
                let (at, other) = (self.choice.below(axes), self.choice.below(axes));
                format!("T.Cast(\"{int}\", v{at} * {by} - v{other}) + {p}")
            }
            8 => format!("T.Cast(\"{int}\", {test}) + {q}"),
            _ => return format!("T.Select({test}, {x}, {y})"),
        };
        if int == dtype {
            value
        } else {
            format!("T.Cast(\"{dtype}\", {value})")
        }
    }

    /// Generates a test of two numbers or of indices.
    fn test_of(&mut self, x: &str, y: &str, axes: usize) -> String {
        let (at, other) = (self.choice.below(axes), self.choice.below(axes));
        let by = self.choice.below(4);
        let compare = self.choice.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.choice.below(5) {
            0 => format!("v{at} {compare} v{other} + {by}"),
            1 => format!("v{at} % 2 {compare} v{other} // 2"),
            2 => format!("{x} {compare} {y} and v{at} {compare} {by}"),
            3 => format!("0 < T.Cast(\"int64\", {x} {compare} {y})"),
            _ => format!("{x} {compare} {y}"),
        }
    }

    /// Uses a term within ranges of the axes, and a constant outside of them.
    fn padded(&mut self, term: &str, dtype: &str, axes: usize) -> String {
        let (at, other) = (self.choice.below(axes), self.choice.below(axes));
        let by = self.choice.below(3);
        let moved = term.replace(&format!("v{at}"), &format!("(v{at} - {by})"));
        let low = self.choice.pick(&[by, by, by + 1, 0]);
        let high = self.choice.below(7);
        let test = match self.choice.below(6) {
            0 | 1 => format!("v{at} >= {low}"),
            2 => format!("{low} <= v{at} and v{at} < {high}"),
            3 => format!("v{at} * 2 > {low} * 2 - 1 and {high} - v{other} * 2 > 0"),
            4 => format!("v{at} == {low}"),
            _ => format!("v{at} + v{other} >= {low}"),
        };
        let constant = self.choice.pick(&["0", "1"]);
        match self.choice.below(4) {
            0 => format!("T.if_then_else({test}, {moved}, {term})"),
            1 => format!(
                "T.if_then_else({test}, {moved}, T.if_then_else(v{other} < {by}, T.{dtype}(2), {term}))"
            ),
            _ => format!("T.if_then_else({test}, {moved}, T.{dtype}({constant}))"),
        }
    }

    /// Generates the loops in some order, and returns the values of the axes.
    fn loops(&mut self, axes: &[Axis], is_block: bool) -> Vec<String> {
        let mut loops = Vec::new();
        let mut values = Vec::new();
        for (at, axis) in axes.iter().enumerate() {
            let extent = axis.extent.to_string();
            match (axis.split, &axis.extent) {
                (Some(by), Dim::Int(_)) => {
                    loops.push((format!("i{at}"), extent));
                    loops.push((format!("j{at}"), by.to_string()));
                    values.push(format!("i{at} * {by} + j{at}"));
                }
                _ => {
                    let name = if is_block { "i" } else { "v" };
                    loops.push((format!("{name}{at}"), extent));
                    values.push(format!("{name}{at}"));
                }
            }
        }
        for at in (1..loops.len()).rev() {
            let other = self.choice.below(at + 1);
            loops.swap(at, other);
        }
        if self.choice.one_in(2) {
            let (names, extents): (Vec<String>, Vec<String>) = loops.into_iter().unzip();
            self.line(&format!(
                "for {} in T.grid({}):",
                names.join(", "),
                extents.join(", ")
            ));
            self.indent += 1;
        } else {
            for (name, extent) in loops {
                let kind = self
                    .choice
                    .pick(&["T.serial", "range", "T.unroll", "T.vectorized"]);
                self.line(&format!("for {name} in {kind}({extent}):"));
                self.indent += 1;
            }
        }
        values
    }

    fn declare_like(&mut self, name: &str, like: &Operand) {
        let dims: Vec<String> = like.dims.iter().map(ToString::to_string).collect();
        self.line(&format!(
            "{name} = T.alloc_buffer({}, \"{}\")",
            tuple(&dims),
            like.dtype
        ));
    }

    fn copy(&mut self, from: &str, to: &str, like: &Operand) {
        let (loops, indices) = self.grid(&like.dims);
        self.line(&loops);
        self.line(&format!("    {to}[{indices}] = {from}[{indices}]"));
    }

    /// Returns the head of a loop over all elements, and their indices.
    fn grid(&mut self, dims: &[Dim]) -> (String, String) {
        let names: Vec<String> = dims.iter().map(|_| self.name("x")).collect();
        let extents: Vec<String> = dims.iter().map(ToString::to_string).collect();
        let indices = names.join(", ");
        (
            format!("for {indices} in T.grid({}):", extents.join(", ")),
            indices,
        )
    }
}

/// Returns an element, cast to the dtype of the sum.
fn factor(of: &Operand, dtype: &str) -> String {
    let element = format!("{}[{}]", of.name, of.indices.join(", "));
    if of.dtype == dtype {
        element
    } else {
        format!("T.Cast(\"{dtype}\", {element})")
    }
}
