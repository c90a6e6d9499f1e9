//! Generates programs whose indices are within bounds by arithmetic: an extent is a sum or a product of loop extents,
//! and the index is the same expression over their counters. The compiler may prove this and omit the check. Narrow
//! dtypes and numbers near their limits then show whether the proof was right.

use super::choice::Choice;
use super::shape::{Dim, Param, Program};
use super::write::{INTS, Writer, tuple};

/// A loop, as text.
#[derive(Clone)]
struct Loop {
    name: String,
    extent: String,
}

/// A buffer, and an index into it over loop counters.
struct Place {
    name: String,
    dtype: &'static str,
    indices: Vec<String>,
}

pub fn program(choice: &mut Choice<'_>) -> Program {
    let vars = 1 + choice.below(3);
    let mut params: Vec<Param> = (0..vars)
        .map(|var| Param::Buffer {
            dtype: "int8",
            dims: vec![Dim::Var(var)],
        })
        .collect();
    for _ in 0..choice.below(2) {
        params.push(Param::Buffer {
            dtype: choice.pick(&["int8", "float16", "int32"]),
            dims: vec![Dim::Product(0, choice.below(vars))],
        });
    }
    for _ in 0..choice.below(3) {
        params.push(Param::Scalar(choice.pick(&INTS)));
    }
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
    writer.nests();
    Program {
        text: writer.text,
        params,
        vars,
        whole: false,
    }
}

impl Writer<'_, '_> {
    fn nests(&mut self) {
        let known: Vec<String> = self.vars.iter().map(|it| it.name.clone()).collect();
        let count = 1 + self.choice.below(3);
        let mut loops = Vec::new();
        for _ in 0..count {
            let name = self.name("i");
            let extent = self.extent_of(&known);
            loops.push(Loop { name, extent });
        }
        // A binding before the loops gives an extent another name.
        for it in &mut loops {
            if self.choice.one_in(4) {
                let name = self.name("x");
                let extent = std::mem::replace(&mut it.extent, name.clone());
                self.line(&format!("{name} = {extent}"));
            }
        }
        let params: Vec<(String, &'static str, Vec<String>)> = self
            .buffers
            .iter()
            .map(|it| (it.name.clone(), it.dtype, it.dims.clone()))
            .collect();
        let mut places = Vec::new();
        for _ in 0..=self.choice.below(3) {
            let place = self.own_place(&loops, &known, &params);
            places.push(place);
        }
        for (name, dtype, dims) in &params {
            if self.choice.one_in(2) {
                let indices = dims.iter().map(|_| self.reached(&loops).0).collect();
                places.push(Place {
                    name: name.clone(),
                    dtype,
                    indices,
                });
            }
        }
        for _ in 0..=self.choice.below(2) {
            self.nest(&loops, &places);
        }
    }

    /// Generates an extent from shape variables and numbers.
    fn extent_of(&mut self, known: &[String]) -> String {
        let var = |writer: &mut Self| {
            let at = writer.choice.below(known.len());
            known[at].clone()
        };
        let (a, b) = (var(self), var(self));
        let by = self.choice.pick(&["1", "2", "3", "8", "16", "100"]);
        let dtype = self.choice.pick(&INTS);
        match self.choice.below(14) {
            0..=4 => a,
            5 => by.to_owned(),
            6 => format!("{a} + {by}"),
            7 => format!("{a} - {by}"),
            8 => format!("T.Cast(\"{dtype}\", {a})"),
            9 => format!("T.min({a}, {by})"),
            10 => format!("({a} + {by}) // 2"),
            11 => format!("T.Cast(\"{dtype}\", {a} + {b})"),
            12 => format!("T.{dtype}({by})"),
            _ => format!("-(-{a})"),
        }
    }

    /// Returns an index over loop counters, and an extent that it is always below.
    fn reached(&mut self, loops: &[Loop]) -> (String, String) {
        let one = |writer: &mut Self| {
            let at = writer.choice.below(loops.len());
            loops[at].clone()
        };
        let (i, j) = (one(self), one(self));
        let (a, b) = (format!("({})", i.extent), format!("({})", j.extent));
        let by = self.choice.pick(&["1", "2", "3", "16"]);
        let (i, j) = (i.name, j.name);
        let (index, extent) = match self.choice.below(13) {
            0..=2 => (i, a),
            3 | 4 => (format!("{i} * {b} + {j}"), format!("{a} * {b}")),
            5 => (format!("{i} + {j}"), format!("{a} + {b}")),
            6 => (format!("{a} - 1 - {i}"), a),
            7 => (format!("{i} + {by}"), format!("{a} + {by}")),
            8 => (format!("{i} * {by}"), format!("{a} * {by}")),
            9 => (format!("({i} + {j}) % {a}"), a),
            10 => (format!("{i} // {by}"), a),
            11 => (format!("T.min({i}, {j})"), a),
            _ => (format!("T.max({i}, {j}) - T.min({i}, {j})"), a),
        };
        match self.choice.below(12) {
            0 => (format!("{index} + 1"), extent),
            1 => (index, format!("{extent} - 1")),
            2..=4 => {
                let dtype = self.choice.pick(&INTS);
                (format!("T.Cast(\"{dtype}\", {index})"), extent)
            }
            5 => (format!("-(-({index}))"), extent),
            6 => {
                let dtype = self.choice.pick(&["int64", "uint64", "int8", "uint8"]);
                (index, format!("T.Cast(\"{dtype}\", {extent})"))
            }
            _ => (index, extent),
        }
    }

    /// Declares a new buffer, or a view of a parameter, and returns it with an index.
    fn own_place(
        &mut self,
        loops: &[Loop],
        known: &[String],
        params: &[(String, &'static str, Vec<String>)],
    ) -> Place {
        let (mut indices, mut dims) = (Vec::new(), Vec::new());
        for _ in 0..self.choice.pick(&[1, 1, 2]) {
            let (index, extent) = self.reached(loops);
            // An extent is evaluated where the function begins, so it uses no variables of the body.
            let is_known = extent
                .split(|c: char| !c.is_ascii_alphanumeric())
                .all(|word| !word.starts_with('x') || known.iter().any(|it| it == word));
            indices.push(index);
            dims.push(if is_known {
                extent
            } else {
                let by = self.choice.pick(&["1", "4", "16"]);
                format!("{} * {by}", known[self.choice.below(known.len())])
            });
        }
        let name = self.name("a");
        let dtype = self.choice.pick(&["int8", "int32", "float16", "uint64"]);
        let shape = tuple(&dims);
        if self.choice.one_in(4)
            && let Some((of, "int8" | "int32", _)) = params.first()
        {
            let dtype = self.choice.pick(&["int8", "uint8", "int16", "int32"]);
            self.line(&format!(
                "{name} = T.decl_buffer({shape}, \"{dtype}\", data={of}.data)"
            ));
            return Place {
                name,
                dtype,
                indices,
            };
        }
        self.line(&format!("{name} = T.alloc_buffer({shape}, \"{dtype}\")"));
        Place {
            name,
            dtype,
            indices,
        }
    }

    fn nest(&mut self, loops: &[Loop], places: &[Place]) {
        let indent = self.indent;
        let mut order: Vec<usize> = (0..loops.len()).collect();
        for at in (1..order.len()).rev() {
            let other = self.choice.below(at + 1);
            order.swap(at, other);
        }
        for at in order {
            let kind = self.choice.pick(&[
                "range",
                "range",
                "T.serial",
                "T.unroll",
                "T.vectorized",
                "T.parallel",
            ]);
            let Loop { name, extent } = &loops[at];
            let line = format!("for {name} in {kind}({extent}):");
            self.line(&line);
            self.indent += 1;
        }
        if self.choice.one_in(4) {
            let at = self.choice.below(loops.len());
            let by = self.choice.pick(&["1", "2", "8"]);
            let op = self.choice.pick(&["<", ">=", "!="]);
            let line = format!("if {} {op} {by}:", loops[at].name);
            self.line(&line);
            self.indent += 1;
        }
        for _ in 0..=self.choice.below(2) {
            let to = &places[self.choice.below(places.len())];
            let from = &places[self.choice.below(places.len())];
            let read = format!("{}[{}]", from.name, from.indices.join(", "));
            let read = if from.dtype == to.dtype {
                read
            } else {
                format!("T.Cast(\"{}\", {read})", to.dtype)
            };
            let element = format!("{}[{}]", to.name, to.indices.join(", "));
            let zero = format!("T.{}(0)", to.dtype);
            let value = match self.choice.below(6) {
                0 => format!("{element} + {read}"),
                1 => {
                    let at = self.choice.below(loops.len());
                    let counter = &loops[at].name;
                    format!("T.if_then_else({counter} >= 1, {read}, {zero})")
                }
                2 => {
                    let at = self.choice.below(loops.len());
                    let counter = &loops[at].name;
                    format!("T.Cast(\"{}\", {counter}) + {read}", to.dtype)
                }
                _ => read,
            };
            self.line(&format!("{element} = {value}"));
        }
        self.indent = indent;
    }
}
