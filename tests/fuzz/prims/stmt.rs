//! Generates statements: stores, lets, conditions. Chooses the kind of the next one.

use super::write::{Var, Writer, dtype, is_float};

impl Writer<'_, '_> {
    pub fn stmt(&mut self, depth: u32) {
        self.left = self.left.saturating_sub(1);
        match self.choice.below(32) {
            0..=7 => self.store(),
            8..=11 => self.accumulate(),
            12..=14 => self.let_stmt(),
            15..=19 if depth > 0 => self.loop_stmt(depth),
            20..=22 if depth > 0 => self.block(depth),
            23 | 24 if depth > 0 => self.if_stmt(depth),
            25 if depth > 0 => self.while_stmt(depth),
            26 | 27 => self.view(),
            28 => {
                let test = self.truth(2);
                self.line(&format!("assert T.Or({test}, T.bool(True)), \"never\""));
            }
            29 if self.choice.one_in(4) => {
                let test = self.truth(2);
                self.line(&format!("assert {test}, \"asked\""));
            }
            30 => {
                let of = dtype(self.choice);
                let value = self.value(of, 2);
                self.line(&format!("T.evaluate({value})"));
            }
            31 if depth > 0 => self.let_with(depth),
            _ => self.store(),
        }
    }

    /// Generates nested statements. Names that they bind are not visible after them.
    pub fn body(&mut self, depth: u32) {
        let (vars, buffers) = (self.vars.len(), self.buffers.len());
        self.indent += 1;
        for _ in 0..=self.choice.below(2) {
            self.stmt(depth - 1);
        }
        self.indent -= 1;
        self.vars.truncate(vars);
        self.buffers.truncate(buffers);
    }

    pub fn store(&mut self) {
        let Some((element, dtype)) = self.element(|_| true, 2) else {
            return self.line("T.evaluate(0)");
        };
        let value = self.value(dtype, 3);
        if self.choice.one_in(8)
            && let Some((name, indices)) = element.split_once('[')
        {
            let indices = indices.trim_end_matches(']');
            let indices = if indices == "()" { "" } else { indices };
            // A wrong number of indices is an error.
            let indices = match self.choice.below(60) {
                0 => "0, 0",
                1 => "0",
                _ => indices,
            };
            return self.line(&format!("T.buffer_store({name}, {value}, [{indices}])"));
        }
        self.line(&format!("{element} = {value}"));
    }

    fn accumulate(&mut self) {
        let Some((element, dtype)) = self.element(|it| it != "bool", 1) else {
            return self.store();
        };
        let value = self.value(dtype, 2);
        let op = if is_float(dtype) {
            self.choice.pick(&["+", "*", "-"])
        } else {
            self.choice.pick(&["+", "*", "-", "^", "|"])
        };
        self.line(&format!("{element} = {element} {op} {value}"));
    }

    fn let_stmt(&mut self) {
        let dtype = dtype(self.choice);
        let value = self.value(dtype, 3);
        let name = self.name("x");
        if self.choice.one_in(2) {
            self.line(&format!("{name}: T.{dtype} = {value}"));
        } else {
            self.line(&format!("{name} = {value}"));
        }
        self.vars.push(Var {
            name,
            dtype,
            below: None,
        });
    }

    fn let_with(&mut self, depth: u32) {
        let dtype = dtype(self.choice);
        let value = self.value(dtype, 2);
        let name = self.name("x");
        self.line(&format!("with T.LetStmt({value}) as {name}:"));
        self.vars.push(Var {
            name,
            dtype,
            below: None,
        });
        self.body(depth);
        self.vars.pop();
    }

    fn if_stmt(&mut self, depth: u32) {
        let test = self.truth(2);
        self.line(&format!("if {test}:"));
        self.body(depth);
        if self.choice.one_in(2) {
            self.line("else:");
            self.body(depth);
        }
    }

    /// Generates a loop that counts in memory, so that it ends.
    fn while_stmt(&mut self, depth: u32) {
        let counter = self.name("w");
        let most = self.choice.below(5);
        self.line(&format!("{counter} = T.alloc_buffer((1,), \"int32\")"));
        let more = if self.choice.one_in(2) {
            format!("{counter}[0] < {most} and {}", self.truth(2))
        } else {
            format!("{counter}[0] < {most}")
        };
        self.line(&format!("while {more}:"));
        self.indent += 1;
        self.line(&format!("{counter}[0] = {counter}[0] + 1"));
        self.indent -= 1;
        self.body(depth);
    }
}
