//! Generates programs whose threads wait for each other, and the same computation as loops over arrays, one loop after
//! the other. Both engines must give the same elements for both.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use vm::tensor::Tensor;
use vm::tir::harness;
use vm::tir::{Exact, Operand};

use super::choice::Choice;
use super::compare::{Tally, assert_same, lower, no_packed_functions};

/// Names in expressions whose spelling differs between the two programs: `@T` is the number of the thread, `@L0@` an
/// element of memory that is private to it, and `@V0@` a value.
struct Pair<'c, 'd> {
    choice: &'c mut Choice<'d>,
    threads: usize,
    /// The program with threads, and the one with loops.
    texts: [String; 2],
    indents: [usize; 2],
    /// The values that are bound so far.
    values: usize,
    /// The counters of the loops around.
    counters: Vec<String>,
    names: usize,
    /// The number of private elements and of shared arrays.
    locals: usize,
    shared: usize,
}

pub fn run(choice: &mut Choice<'_>) -> Tally {
    let x = choice.pick(&[1, 2, 4, 8, 31, 32, 33, 40]);
    let y = choice.pick(&[0, 0, 1, 2, 3]);
    let mut pair = Pair {
        choice,
        threads: x * y.max(1),
        texts: [String::new(), String::new()],
        indents: [1, 1],
        values: 0,
        counters: Vec::new(),
        names: 0,
        locals: 2,
        shared: 2,
    };
    pair.head(x, y);
    for _ in 0..3 + pair.choice.below(5) {
        pair.step(2);
    }
    let value = pair.expr(2, None);
    pair.each(&format!("b[@T] = {value}"));
    let texts = pair.texts;
    let a: Vec<i32> = (0..pair.threads)
        .map(|_| (pair.choice.bits() % 100) as i32 - 50)
        .collect();
    compared(&texts, &a)
}

/// Runs both programs with both engines.
fn compared(texts: &[String; 2], a: &[i32]) -> Tally {
    let mut tally = Tally::default();
    let operands = |values: &[i32]| {
        let zeros = vec![0i32; values.len()];
        [values.to_vec(), zeros].map(|it| {
            let tensor = Tensor::from_vec(&[it.len()], it);
            Operand::Tensor(tensor.expect("as many elements as the shape has"))
        })
    };
    let mut wanted: Option<Vec<Operand>> = None;
    for text in texts.iter().rev() {
        let func = lower(text).unwrap_or_else(|| panic!("it is a program:\n{text}"));
        let exact = Exact::new(&func).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let compiled = harness::compile(&func, false);
        let compiled = compiled.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let stop = AtomicBool::default();
        let mut meant = operands(a).to_vec();
        let ended = exact.call(&mut meant, 1 << 20, &stop, &mut no_packed_functions);
        assert!(ended.is_ok(), "{ended:?}\n{text}");
        let mut given = operands(a).to_vec();
        let ended = compiled.call(&mut given, &stop, &mut no_packed_functions);
        assert!(ended.is_ok(), "{ended:?}\n{text}");
        assert_same(&given, &meant, text, &[]);
        match &wanted {
            Some(wanted) => assert_same(&meant, wanted, text, &[]),
            None => wanted = Some(meant),
        }
        tally.ended += 1;
    }
    tally
}

impl Pair<'_, '_> {
    fn head(&mut self, x: usize, y: usize) {
        let n = self.threads;
        let head = format!(
            "from tvm.script import tir as T\n\n@T.prim_func\ndef f(a: T.Buffer(({n},), \"int32\"), b: T.Buffer(({n},), \"int32\")):\n"
        );
        self.texts = [head.clone(), head];
        self.shared_arrays();
        for at in 0..self.locals {
            self.line(
                0,
                &format!("l{at} = T.alloc_buffer((1,), \"int32\", scope=\"local\")"),
            );
            self.line(1, &format!("l{at} = T.alloc_buffer(({n},), \"int32\")"));
        }
        if y > 0 {
            self.line(
                0,
                &format!("with T.launch_thread(\"threadIdx.y\", {y}) as ty:"),
            );
            self.indents[0] += 1;
        }
        self.line(
            0,
            &format!("with T.launch_thread(\"threadIdx.x\", {x}) as tx:"),
        );
        self.indents[0] += 1;
        let number = if y > 0 {
            format!("ty * {x} + tx")
        } else {
            "tx".to_owned()
        };
        self.line(0, &format!("t: T.let[T.int32] = {number}"));
        for at in 0..self.locals {
            self.each(&format!("@L{at}@ = a[@T] + {at}"));
        }
        for at in 0..self.shared {
            self.each(&format!("s{at}[@T] = a[@T] * {at}"));
        }
    }

    /// Declares the shared arrays: each with its own memory, or as parts of one allocation, as TVM merges them.
    fn shared_arrays(&mut self) {
        let n = self.threads;
        let is_merged = self.choice.one_in(2);
        if is_merged {
            let bytes = 4 * n * self.shared;
            self.line(
                0,
                &format!("merged = T.allocate([{bytes}], \"uint8\", \"shared.dyn\")"),
            );
        }
        for at in 0..self.shared {
            let declared = if is_merged {
                let first = at * n;
                format!(
                    "T.Buffer(({n},), \"int32\", data=merged, scope=\"shared.dyn\", elem_offset={first})"
                )
            } else {
                format!("T.alloc_buffer(({n},), \"int32\", scope=\"shared\")")
            };
            self.line(0, &format!("s{at} = {declared}"));
            self.line(1, &format!("s{at} = T.alloc_buffer(({n},), \"int32\")"));
        }
    }

    fn line(&mut self, program: usize, line: &str) {
        let indent = "    ".repeat(self.indents[program]);
        let _ = writeln!(self.texts[program], "{indent}{line}");
    }

    /// Adds a statement of each thread.
    fn each(&mut self, line: &str) {
        let own = self.spelled(line, 0);
        self.line(0, &own);
        self.over_threads(line);
    }

    fn over_threads(&mut self, line: &str) {
        let looped = self.spelled(line, 1);
        let name = self.name("t");
        self.line(1, &format!("for {name} in range({}):", self.threads));
        self.indents[1] += 1;
        self.line(1, &looped.replace("@T", &name));
        self.indents[1] -= 1;
    }

    fn spelled(&self, line: &str, program: usize) -> String {
        let mut line = line.to_owned();
        for at in 0..self.locals {
            let own = if program == 0 { "0" } else { "@T" };
            line = line.replace(&format!("@L{at}@"), &format!("l{at}[{own}]"));
        }
        for at in 0..self.values {
            let own = if program == 0 { "" } else { "[@T]" };
            line = line.replace(&format!("@V{at}@"), &format!("v{at}{own}"));
        }
        if program == 0 {
            line = line.replace("@T", "t");
        }
        line
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn sync(&mut self) {
        // TVM adds a barrier that is missing.
        if !self.choice.one_in(4) {
            self.line(0, "T.tvm_storage_sync(\"shared\")");
        }
    }

    fn step(&mut self, depth: usize) {
        match self.choice.below(if depth > 0 { 8 } else { 7 }) {
            0 | 1 => {
                let at = self.choice.below(self.shared);
                let value = self.expr(2, Some(at));
                self.sync();
                self.each(&format!("s{at}[@T] = {value}"));
                self.sync();
            }
            2 => {
                let at = self.choice.below(self.locals);
                let value = self.expr(2, None);
                self.each(&format!("@L{at}@ = {value}"));
            }
            3 => self.bind(),
            4 => {
                let (at, limit) = (self.choice.below(self.locals), self.choice.below(9));
                let value = self.expr(1, None);
                let own = self.spelled(&format!("@L{at}@ = {value}"), 0);
                self.line(0, &format!("if t % 10 < {limit}:"));
                self.indents[0] += 1;
                self.line(0, &own);
                self.indents[0] -= 1;
                let kept = format!("T.Select(@T % 10 < {limit}, {value}, @L{at}@)");
                self.over_threads(&format!("@L{at}@ = {kept}"));
            }
            5 => self.shuffle(),
            6 => self.reduce(),
            _ => self.repeat(depth),
        }
    }

    /// Binds a value, outside of loops: there a name is bound once.
    fn bind(&mut self) {
        if !self.counters.is_empty() {
            return;
        }
        let value = self.expr(2, None);
        let at = self.values;
        let n = self.threads;
        self.line(1, &format!("v{at} = T.alloc_buffer(({n},), \"int32\")"));
        let own = self.spelled(&value, 0);
        self.line(0, &format!("v{at}: T.let[T.int32] = {own}"));
        self.values += 1;
        self.over_threads(&format!("@V{at}@ = {value}"));
    }

    fn shuffle(&mut self) {
        let at = self.choice.below(self.locals);
        let value = self.expr(1, None);
        let width = self.choice.pick(&[4, 8, 32]);
        let mut by = self.choice.below(width);
        let (name, source) = match self.choice.below(4) {
            0 => ("", format!("@T - @T % {width} + {by}")),
            1 => (
                "_up",
                format!("T.Select(@T % {width} >= {by}, @T - {by}, @T)"),
            ),
            2 => {
                // The other lane may be one of another group. A lane reads no later one.
                by = self.choice.below(32);
                let other = format!("T.bitwise_xor(@T, {by})");
                let test = format!("{other} < @T - @T % {width} + {width}");
                ("_xor", format!("T.Select({test}, {other}, @T)"))
            }
            _ => (
                "_down",
                format!("T.Select(@T % {width} + {by} < {width}, @T + {by}, @T)"),
            ),
        };
        let own = self.spelled(&value, 0);
        let call = format!("T.tvm_warp_shuffle{name}(T.uint32(0), {own}, {by}, {width}, 32)");
        self.line(0, &format!("l{at}[0] = {call}"));
        let whole = self.name("x");
        let n = self.threads;
        self.line(1, &format!("{whole} = T.alloc_buffer(({n},), \"int32\")"));
        self.over_threads(&format!("{whole}[@T] = {value}"));
        let source = format!("T.Select({source} < {n}, {source}, @T)");
        self.over_threads(&format!("@L{at}@ = {whole}[{source}]"));
    }

    /// Reduces over all threads.
    fn reduce(&mut self) {
        let at = self.choice.below(self.locals);
        let value = self.expr(1, None);
        let (combined, neutral) = self
            .choice
            .pick(&[("p + q", "0"), ("T.max(p, q)", "-2147483648")]);
        let has_rows = self.texts[0].contains(" as ty:");
        let axes = if has_rows { "ty, tx" } else { "tx" };
        let own = self.spelled(&value, 0);
        self.line(0, &format!("with T.attr(T.comm_reducer(lambda p, q: {combined}, [T.int32({neutral})]), \"reduce_scope\", T.uint64(0)):"));
        self.indents[0] += 1;
        self.line(
            0,
            &format!("T.tvm_thread_allreduce(T.uint32(1), {own}, t % 3 < 2, l{at}[0], {axes})"),
        );
        self.indents[0] -= 1;
        let total = self.name("r");
        self.line(1, &format!("{total} = T.alloc_buffer((1,), \"int32\")"));
        self.line(1, &format!("{total}[0] = T.int32({neutral})"));
        let sum = match combined {
            "p + q" => format!("{total}[0] + {value}"),
            _ => format!("T.max({total}[0], {value})"),
        };
        self.over_threads(&format!(
            "{total}[0] = T.Select(@T % 3 < 2, {sum}, {total}[0])"
        ));
        self.over_threads(&format!("@L{at}@ = {total}[0]"));
    }

    fn repeat(&mut self, depth: usize) {
        let (counter, count) = (self.name("k"), 1 + self.choice.below(3));
        for program in 0..2 {
            self.line(program, &format!("for {counter} in range({count}):"));
            self.indents[program] += 1;
        }
        self.counters.push(counter);
        for _ in 0..2 + self.choice.below(3) {
            self.step(depth - 1);
        }
        self.each("@L0@ = @L0@ + 1");
        self.counters.pop();
        self.indents = self.indents.map(|it| it - 1);
    }

    /// Returns an expression that does not read the shared array `without`.
    fn expr(&mut self, depth: usize, without: Option<usize>) -> String {
        if depth > 0 && !self.choice.one_in(3) {
            let (a, b) = (self.expr(depth - 1, without), self.expr(depth - 1, without));
            let op = self.choice.pick(&["+", "-", "*"]);
            return format!("({a} {op} {b})");
        }
        let n = self.threads;
        match self.choice.below(6) {
            0 => "@T".to_owned(),
            1 => format!("@L{}@", self.choice.below(self.locals)),
            2 if self.values > 0 => format!("@V{}@", self.choice.below(self.values)),
            3 | 4 => {
                let at = self.choice.below(self.shared);
                let (by, more) = (1 + self.choice.below(3), self.choice.below(n));
                match without {
                    Some(without) if at == without => "a[@T]".to_owned(),
                    _ => format!("s{at}[(@T * {by} + {more}) % {n}]"),
                }
            }
            5 if !self.counters.is_empty() => {
                self.counters[self.choice.below(self.counters.len())].clone()
            }
            _ => format!("{}", self.choice.below(20)),
        }
    }
}
