//! Generates loops of all kinds, and blocks with their axes.

use super::write::{INTS, Var, Writer, bits};

impl Writer<'_, '_> {
    /// Returns the text of an extent, and its dtype.
    fn extent(&mut self) -> (String, &'static str) {
        let dims: Vec<String> = self.buffers.iter().flat_map(|it| it.dims.clone()).collect();
        match self.choice.below(16) {
            0..=9 if !dims.is_empty() => {
                let at = self.choice.below(dims.len());
                let dim = dims[at].clone();
                let dtype = self.dtype_of_dim(&dim);
                (dim, dtype)
            }
            10 | 11 => {
                let dtype = self.choice.pick(&INTS);
                (format!("T.{dtype}({})", self.choice.below(6)), dtype)
            }
            12 | 13 => {
                let dtype = self.choice.pick(&INTS);
                let value = self.int(dtype, 2);
                let most = self.choice.below(6);
                (format!("T.min({value}, T.{dtype}({most}))"), dtype)
            }
            14 => {
                let dtype = self.choice.pick(&INTS);
                (self.int(dtype, 2), dtype)
            }
            _ => (self.choice.below(7).to_string(), "int32"),
        }
    }

    /// Returns the dtype of a dimension by TVM's rules.
    fn dtype_of_dim(&self, dim: &str) -> &'static str {
        let of = |name: &str| {
            self.vars
                .iter()
                .find(|var| var.name == name)
                .map(|it| it.dtype)
        };
        let met = |a: &'static str, b: &'static str| match bits(a).cmp(&bits(b)) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal if a.starts_with('u') => a,
            std::cmp::Ordering::Equal => b,
        };
        let mut parts = dim.split(' ');
        let first = parts
            .next()
            .map_or("int32", |name| of(name).unwrap_or("int32"));
        match parts.nth(1) {
            Some(second) => met(first, of(second).unwrap_or("int32")),
            None => first,
        }
    }

    pub fn loop_stmt(&mut self, depth: u32) {
        let (extent, mut dtype) = self.extent();
        let name = self.name("i");
        let mut below = Some(extent.clone());
        let header = match self.choice.below(12) {
            0 => format!("T.parallel({extent})"),
            1 => format!("T.vectorized({extent})"),
            2 => format!("T.unroll({extent})"),
            3 | 4 => {
                below = None;
                let start = self.choice.pick(&["1", "-2", "0"]);
                let start = if dtype.starts_with('u') { "1" } else { start };
                if dtype != "int32" && dtype != "int64" && dtype != "uint32" && dtype != "uint64" {
                    dtype = "int32";
                }
                format!("T.serial({start}, {extent})")
            }
            5 => {
                below = None;
                let step = 2 + self.choice.below(3);
                format!("T.serial(0, {extent}, step={step})")
            }
            6 if self.indent == 1 => {
                self.threads = true;
                format!("T.thread_binding({extent}, thread=\"threadIdx.x\")")
            }
            _ => format!("range({extent})"),
        };
        if header.contains("step=") && bits(dtype) < 32 {
            dtype = "int32";
        }
        self.line(&format!("for {name} in {header}:"));
        self.vars.push(Var { name, dtype, below });
        self.body(depth);
        self.vars.pop();
    }

    /// Generates a loop nest around a block with axes.
    pub fn block(&mut self, depth: u32) {
        let count = 1 + self.choice.below(2);
        let (indent, vars, buffers) = (self.indent, self.vars.len(), self.buffers.len());
        let axes: Vec<(String, &'static str)> = (0..count).map(|_| self.extent()).collect();
        let loops: Vec<String> = (0..count).map(|_| self.name("i")).collect();
        let names: Vec<String> = (0..count).map(|_| self.name("v")).collect();
        let extents: Vec<String> = axes.iter().map(|(extent, _)| extent.clone()).collect();
        self.line(&format!(
            "for {} in T.grid({}):",
            loops.join(", "),
            extents.join(", ")
        ));
        self.indent += 1;
        let block = self.name("k");
        self.line(&format!("with T.block(\"{block}\"):"));
        self.indent += 1;
        let mut kinds = String::new();
        for _ in 0..count {
            kinds.push(self.choice.pick(&['S', 'S', 'R']));
        }
        for ((name, (extent, dtype)), of) in loops.iter().zip(&axes).zip(&names) {
            for name in [name, of] {
                self.vars.push(Var {
                    name: name.clone(),
                    dtype,
                    below: Some(extent.clone()),
                });
            }
        }
        if self.choice.one_in(3) {
            for ((kind, name), (of, (extent, dtype))) in
                kinds.chars().zip(&names).zip(loops.iter().zip(&axes))
            {
                let axis = if kind == 'R' { "reduce" } else { "spatial" };
                let value = if self.choice.one_in(3) {
                    // Generated before the names of the block are in scope.
                    format!("T.max({of} - T.{dtype}(1), T.{dtype}(0))")
                } else {
                    of.clone()
                };
                self.line(&format!("{name} = T.axis.{axis}({extent}, {value})"));
            }
        } else {
            self.line(&format!(
                "{} = T.axis.remap(\"{kinds}\", [{}])",
                names.join(", "),
                loops.join(", ")
            ));
        }
        if self.choice.one_in(4) {
            let test = self.truth(2);
            self.line(&format!("T.where({test})"));
        }
        if self.choice.one_in(3) {
            self.line("with T.init():");
            self.indent += 1;
            self.store();
            self.indent -= 1;
        }
        self.indent -= 1;
        self.body(depth);
        self.vars.truncate(vars);
        self.buffers.truncate(buffers);
        self.indent = indent;
    }
}
