//! Expressions of floats of up to 32 bits over a nest of loops, `c[i] = f(x[i], y[i], ...)` and
//! `c[i] = c[i] + f(x[i, k], ...)`, a run of elements at a time, so that each step is vectorised; and copies of elements of
//! any dtype.
//!
//! The position in each operand is linear in the loop counters. Knows no programs.

mod floats;
mod turned;

use std::ops::Range;

pub use floats::{Floats, Half, Rounded};

use super::contract::Start;
use super::math::Math;
use crate::tensor::parallel::{self, in_parts};

/// The run length for contiguous operands. The second length is for other operands: short enough that cache lines are
/// still present for the next row.
const LONG: usize = 512;
const SHORT: usize = 32;

/// A loop: its iterations, and its strides in the result and in each operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    pub extent: usize,
    pub c: isize,
    pub of: Vec<isize>,
    /// The iterations in which an expression is computed, if not all.
    pub inside: Option<Range<usize>>,
}

/// A nonempty loop nest. The result is row-major over the loops that have a stride in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The loops with a stride in the result, outer ones first.
    kept: Vec<Dim>,
    /// The other loops.
    folded: Vec<Dim>,
    /// The first positions in the result and in each operand.
    from: (usize, Vec<isize>),
}

/// One step of an expression, on a stack of runs.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Load(usize),
    Constant(f32),
    Neg,
    Abs,
    Sqrt,
    Rsqrt,
    Exp,
    Sigmoid,
    Tanh,
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    /// 1 where the comparison holds, else 0.
    Compare(Order),
    /// Chooses between two numbers by a truth value, which is 0 or 1.
    Select,
    One(extern "C" fn(f32) -> f32),
    Two(extern "C" fn(f32, f32) -> f32),
    /// Rounds to a narrower type.
    Round(Half),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Eq,
    Ne,
    Lt,
    Le,
}

/// How the elements of a result are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Sum,
    Min,
    Max,
}

#[cfg(feature = "harness")]
impl Op {
    /// Returns `true` if the result is bitwise equal to the standard library's.
    pub fn is_exact(self) -> bool {
        !matches!(self, Op::Exp | Op::Sigmoid | Op::Tanh)
    }
}

impl Fold {
    /// Combines as programs write it: an unordered pair gives the second operand.
    fn of(self, sum: f32, value: f32) -> f32 {
        match self {
            Fold::Sum => sum + value,
            Fold::Min if sum < value => sum,
            Fold::Max if sum > value => sum,
            Fold::Min | Fold::Max => value,
        }
    }
}

impl Sweep {
    /// Returns `None` if the result is not row-major.
    pub fn new(dims: Vec<Dim>, from_c: isize, from: Vec<isize>) -> Option<Sweep> {
        let mut dims: Vec<Dim> = dims.into_iter().filter(|dim| dim.extent > 1).collect();
        dims.sort_by_key(|dim| std::cmp::Reverse(dim.c));
        let (mut kept, folded): (Vec<Dim>, Vec<Dim>) = dims.into_iter().partition(|dim| dim.c != 0);
        if kept.is_empty() {
            kept.push(Dim {
                extent: 1,
                c: 1,
                of: vec![0; from.len()],
                inside: None,
            });
        }
        if folded.iter().any(|dim| dim.inside.is_some()) {
            return None;
        }
        let mut size = 1;
        for dim in kept.iter().rev() {
            if dim.c != size {
                return None;
            }
            size *= dim.extent as isize;
        }
        Some(Sweep {
            kept: fused(kept),
            folded: fused(folded),
            from: (usize::try_from(from_c).ok()?, from),
        })
    }

    pub fn iterations(&self) -> usize {
        count(&self.kept).saturating_mul(count(&self.folded))
    }

    /// Returns the number of iterations of the innermost loop.
    pub fn run(&self) -> usize {
        let of = |dims: &[Dim]| dims.last().map_or(1, |dim| dim.extent);
        of(&self.kept).max(of(&self.folded))
    }

    fn result<'c, T>(&self, c: &'c mut [T]) -> &'c mut [T] {
        &mut c[self.from.0..self.from.0 + count(&self.kept)]
    }

    /// Adds the position of each operand in a row of the result.
    fn row(&self, row: usize, to: &mut Vec<isize>) {
        let outer = &self.kept[..self.kept.len() - 1];
        place(outer, row, &self.from.1, to);
    }

    /// Returns the columns of a row in which the expression is computed.
    fn columns(&self, mut row: usize) -> Range<usize> {
        let inner = self.inner();
        for dim in self.kept[..self.kept.len() - 1].iter().rev() {
            let i = row % dim.extent;
            row /= dim.extent;
            if dim.inside.as_ref().is_some_and(|it| !it.contains(&i)) {
                return 0..0;
            }
        }
        inner.inside.clone().unwrap_or(0..inner.extent)
    }

    fn inner(&self) -> &Dim {
        &self.kept[self.kept.len() - 1]
    }
}

/// Copies the only operand.
pub fn copy<T: Copy + Default + Send + Sync>(sweep: &Sweep, from: &[T], c: &mut [T]) {
    let step = sweep.inner().of[0];
    if let [.., outer, _] = &sweep.kept[..]
        && outer.of[0] == 1
        && step.unsigned_abs() > 1
    {
        return turned::copy(sweep, outer.extent, from, c);
    }
    by_runs(sweep, 1, c, &|places, _, out| {
        let at = places[0];
        if step == 1 {
            out.copy_from_slice(&from[at as usize..at as usize + out.len()]);
        } else {
            for (i, slot) in out.iter_mut().enumerate() {
                *slot = from[(at + step * i as isize) as usize];
            }
        }
    });
}

/// Writes the expression to each element of the result. Where it is not computed, writes `otherwise`, which reads no
/// operands; without steps, nothing.
pub fn map<E: Rounded>(
    sweep: &Sweep,
    (ops, otherwise): (&[Op], &[Op]),
    operands: &[Floats<'_>],
    c: &mut [E],
) {
    let steps = &sweep.inner().of;
    by_runs(sweep, weight(ops), c, &|places, inside, out| {
        Runs::within(|runs| {
            if inside.len() < out.len() && !otherwise.is_empty() {
                let made = runs.evaluate(otherwise, &[], (&[], &[]), out.len());
                E::write(&made[..out.len()], out);
            }
            if !inside.is_empty() {
                let made = runs.evaluate(ops, operands, (places, steps), inside.len());
                E::write(&made[..inside.len()], &mut out[inside]);
            }
        });
    });
}

type WorkOnRun<'w, T> = &'w (dyn Fn(&[isize], Range<usize>, &mut [T]) + Sync);

/// Calls `work` for each run of the result, with the part of the run in which the expression is computed and the
/// positions of the operands.
fn by_runs<T: Send>(sweep: &Sweep, weight: usize, c: &mut [T], work: WorkOnRun<'_, T>) {
    let inner = sweep.inner();
    let is_long = inner.of.iter().all(|step| matches!(step, 0 | 1));
    let length = if is_long { LONG } else { SHORT };
    let width = inner.extent;
    in_parts(sweep.result(c), weight, |start, part| {
        let end = start + part.len();
        let rows = start / width..end.div_ceil(width);
        let operands = inner.of.len();
        let mut places = Vec::with_capacity(rows.len() * operands);
        for row in rows.clone() {
            sweep.row(row, &mut places);
        }
        let columns: Vec<Range<usize>> = rows.clone().map(|row| sweep.columns(row)).collect();
        let mut at = vec![0; operands];
        for first in (0..width).step_by(length) {
            for (number, (row, columns)) in rows.clone().zip(&columns).enumerate() {
                let place = &places[number * operands..][..operands];
                let begin = (row * width + first).max(start);
                let end = (row * width + (first + length).min(width)).min(end);
                if begin >= end {
                    continue;
                }
                let (column, last) = (begin - row * width, end - row * width);
                let from = columns.start.clamp(column, last);
                let to = columns.end.clamp(from, last);
                for ((at, place), step) in at.iter_mut().zip(place).zip(&inner.of) {
                    *at = place + step * from as isize;
                }
                let run = &mut part[begin - start..end - start];
                work(&at, from - column..to - column, run);
            }
        }
    });
}

/// Folds the expression into each element of the result.
pub fn fold(
    sweep: &Sweep,
    ops: &[Op],
    operands: &[Floats<'_>],
    c: &mut [f32],
    (how, start): (Fold, Start<f32>),
) {
    let width = sweep.inner().extent;
    // If the result and the operands are contiguous, fold several elements of the result at once.
    let is_beside = |dim: &Dim| dim.of.iter().all(|step| matches!(step, 0 | 1));
    let beside = width >= SHORT && is_beside(sweep.inner());
    let (outer, inner) = match sweep.folded.split_last() {
        Some((inner, outer)) if !beside => (outer, Some(inner)),
        _ => (&sweep.folded[..], None),
    };
    let zero = vec![0; operands.len()];
    let moves = (0..count(outer)).map(|number| {
        let mut made = Vec::with_capacity(zero.len());
        place(outer, number, &zero, &mut made);
        made
    });
    let moves: Vec<Vec<isize>> = moves.collect();
    let work = |row: usize, out: &mut [f32]| {
        if let Start::Value(value) = start {
            out.fill(value);
        }
        let mut from = Vec::with_capacity(operands.len());
        sweep.row(row, &mut from);
        let mut at = vec![0; from.len()];
        Runs::within(|runs| match inner {
            None => {
                for (number, out) in out.chunks_mut(LONG).enumerate() {
                    for by in &moves {
                        let column = (number * LONG) as isize;
                        let steps = from.iter().zip(by).zip(&sweep.inner().of);
                        for (at, ((from, by), step)) in at.iter_mut().zip(steps) {
                            *at = from + by + step * column;
                        }
                        let places = (&at[..], &sweep.inner().of[..]);
                        let made = runs.evaluate(ops, operands, places, out.len());
                        for (slot, &value) in out.iter_mut().zip(made) {
                            *slot = how.of(*slot, value);
                        }
                    }
                }
            }
            Some(inner) => {
                for (column, slot) in out.iter_mut().enumerate() {
                    for by in &moves {
                        for first in (0..inner.extent).step_by(LONG) {
                            let length = LONG.min(inner.extent - first);
                            for (k, at) in at.iter_mut().enumerate() {
                                let step = sweep.inner().of[k] * column as isize;
                                *at = from[k] + by[k] + step + inner.of[k] * first as isize;
                            }
                            let made = runs.evaluate(ops, operands, (&at, &inner.of), length);
                            *slot = folded(how, *slot, &made[..length]);
                        }
                    }
                }
            }
        });
    };
    let out = sweep.result(c);
    let each = sweep.iterations() / out.len().max(1);
    parallel::in_rows(out, width, each.saturating_mul(weight(ops)), work);
}

/// Like `fold`, for narrower floats: computes in 32 bits and rounds once, as for sums of products.
pub fn fold_narrow<E: Rounded>(
    sweep: &Sweep,
    ops: &[Op],
    operands: &[Floats<'_>],
    c: &mut [E],
    (how, start): (Fold, Start<f32>),
) {
    let own = sweep.result(c);
    let mut made: Vec<f32> = own.iter().map(|it| it.to_f32()).collect();
    let sweep = Sweep {
        from: (0, sweep.from.1.clone()),
        ..sweep.clone()
    };
    fold(&sweep, ops, operands, &mut made, (how, start));
    E::write(&made, own);
}

/// Folds a run in several lanes.
fn folded(how: Fold, start: f32, run: &[f32]) -> f32 {
    const LANES: usize = 16;
    // Whether NaN propagates depends on its position.
    if how != Fold::Sum && run.iter().fold(false, |found, it| found | it.is_nan()) {
        return run.iter().fold(start, |sum, &it| how.of(sum, it));
    }
    let (chunks, rest) = run.as_chunks::<LANES>();
    let Some((first, chunks)) = chunks.split_first() else {
        return rest.iter().fold(start, |sum, &it| how.of(sum, it));
    };
    let mut lanes = *first;
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = how.of(*lane, value);
        }
    }
    let all = lanes.iter().chain(rest);
    let made = all.fold(start, |sum, &it| how.of(sum, it));
    // The sign of zero depends on the order, too.
    if how != Fold::Sum && made == 0.0 {
        return run.iter().fold(start, |sum, &it| how.of(sum, it));
    }
    made
}

/// Returns the cost relative to a copy.
fn weight(ops: &[Op]) -> usize {
    let of = |op: &Op| match op {
        Op::Exp | Op::Sigmoid | Op::Tanh => 8,
        Op::One(_) | Op::Two(_) => 16,
        _ => 1,
    };
    ops.iter().map(of).sum::<usize>().max(1)
}

fn count(dims: &[Dim]) -> usize {
    dims.iter().map(|dim| dim.extent).product()
}

/// Adds the position of each operand in an iteration, given its number.
fn place(dims: &[Dim], mut number: usize, from: &[isize], to: &mut Vec<isize>) {
    let first = to.len();
    to.extend(from);
    for dim in dims.iter().rev() {
        let i = (number % dim.extent) as isize;
        number /= dim.extent;
        for (place, step) in to[first..].iter_mut().zip(&dim.of) {
            *place += step * i;
        }
    }
}

/// Merges loops that visit the same positions in the same order.
fn fused(dims: Vec<Dim>) -> Vec<Dim> {
    let mut made: Vec<Dim> = Vec::with_capacity(dims.len());
    for dim in dims {
        let times = dim.extent as isize;
        let is_nested = |outer: &Dim| {
            if outer.inside.is_some() || dim.inside.is_some() {
                return false;
            }
            let mut steps = outer.of.iter().zip(&dim.of);
            outer.c == dim.c * times && steps.all(|(outer, inner)| *outer == inner * times)
        };
        match made.last_mut() {
            Some(outer) if is_nested(outer) => {
                *outer = Dim {
                    extent: outer.extent * dim.extent,
                    ..dim
                };
            }
            _ => made.push(dim),
        }
    }
    made
}

type Run = [f32; LONG];

/// The stack of an evaluation.
#[derive(Default)]
struct Runs(Vec<Run>);

impl Runs {
    /// Calls `work` with the stack of this thread.
    fn within<T>(work: impl FnOnce(&mut Runs) -> T) -> T {
        thread_local! {
            static RUNS: std::cell::RefCell<Runs> = std::cell::RefCell::default();
        }
        RUNS.with_borrow_mut(work)
    }

    fn evaluate(
        &mut self,
        ops: &[Op],
        operands: &[Floats<'_>],
        (places, steps): (&[isize], &[isize]),
        length: usize,
    ) -> &Run {
        let mut depth = 0;
        for &op in ops {
            match op {
                Op::Load(_) | Op::Constant(_) => {
                    if depth == self.0.len() {
                        self.0.push([0.0; LONG]);
                    }
                    let run = &mut self.0[depth][..length];
                    match op {
                        Op::Load(k) => operands[k].load(run, places[k], steps[k]),
                        Op::Constant(value) => run.fill(value),
                        _ => {}
                    }
                    depth += 1;
                }
                Op::Select => {
                    depth -= 2;
                    let (below, above) = self.0.split_at_mut(depth);
                    let (a, b) = (&above[0][..length], &above[1][..length]);
                    select(&mut below[depth - 1][..length], a, b);
                }
                Op::Add
                | Op::Sub
                | Op::Mul
                | Op::Div
                | Op::Min
                | Op::Max
                | Op::Compare(_)
                | Op::Two(_) => {
                    depth -= 1;
                    let (below, above) = self.0.split_at_mut(depth);
                    let (a, b) = (&mut below[depth - 1][..length], &above[0][..length]);
                    binary(op, a, b);
                }
                _ => unary(op, &mut self.0[depth - 1][..length]),
            }
        }
        &self.0[0]
    }
}

fn unary(op: Op, run: &mut [f32]) {
    fn each(run: &mut [f32], of: impl Fn(f32) -> f32) {
        for value in run {
            *value = of(*value);
        }
    }
    match op {
        Op::Neg => each(run, |x| -x),
        Op::Abs => each(run, f32::abs),
        Op::Sqrt => each(run, f32::sqrt),
        Op::Rsqrt => each(run, |x| 1.0 / x.sqrt()),
        Op::Exp => each(run, Math::fast_exp),
        Op::Sigmoid => each(run, Math::logistic),
        Op::Tanh => each(run, Math::fast_tanh),
        Op::One(of) => each(run, |x| of(x)),
        Op::Round(half) => half.round(run),
        _ => {}
    }
}

fn binary(op: Op, a: &mut [f32], b: &[f32]) {
    fn each(a: &mut [f32], b: &[f32], of: impl Fn(f32, f32) -> f32) {
        for (a, &b) in a.iter_mut().zip(b) {
            *a = of(*a, b);
        }
    }
    match op {
        Op::Add => each(a, b, |a, b| a + b),
        Op::Sub => each(a, b, |a, b| a - b),
        Op::Mul => each(a, b, |a, b| a * b),
        Op::Div => each(a, b, |a, b| a / b),
        Op::Min => each(a, b, |a, b| Fold::Min.of(a, b)),
        Op::Max => each(a, b, |a, b| Fold::Max.of(a, b)),
        Op::Compare(order) => {
            let truth = |it: bool| f32::from(u8::from(it));
            match order {
                Order::Eq => each(a, b, |a, b| truth(a == b)),
                Order::Ne => each(a, b, |a, b| truth(a != b)),
                Order::Lt => each(a, b, |a, b| truth(a < b)),
                Order::Le => each(a, b, |a, b| truth(a <= b)),
            }
        }
        Op::Two(of) => each(a, b, |a, b| of(a, b)),
        _ => {}
    }
}

/// Replaces each truth value by the number that it chooses.
fn select(test: &mut [f32], a: &[f32], b: &[f32]) {
    for ((test, &a), &b) in test.iter_mut().zip(a).zip(b) {
        *test = if *test == 0.0 { b } else { a };
    }
}

#[cfg(test)]
mod tests;
