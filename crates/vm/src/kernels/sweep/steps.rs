//! Expressions as steps of a stack machine. Each entry of the stack is a run of numbers, so that a step is vectorised.
//!
//! A number has 32 bits: a float; an integer of up to 32 bits, extended by its sign if it has one; or a truth value as
//! a float, 0 or 1.

use super::elements::{Elements, Half};
use super::{Dim, LONG};
use crate::kernels::math::Math;
use crate::tensor::Truncate;

/// One step.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Load(usize),
    /// The value of an index, by its number.
    Index(usize),
    Constant(f32),
    IntConstant(i32),
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
    CompareInt(Order),
    Int(Int),
    Convert(Convert),
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

/// An operation on two integers, which wraps at 32 bits. Shifts are by less than 32, and divisions by more than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Int {
    Add,
    Sub,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    /// Fills with zeros.
    ShiftRightUnsigned,
    FloorDiv,
    FloorMod,
    TruncDiv,
    TruncMod,
}

/// A conversion of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convert {
    /// Wraps an integer to this number of bits, and extends it by its sign.
    Signed(u8),
    Unsigned(u8),
    IntAbs,
    IntToFloat,
    UnsignedToFloat,
    /// Rounds towards zero, by the rule of [`Truncate`].
    FloatToInt,
    FloatToUnsigned,
    IntToTruth,
    FloatToTruth,
    TruthToInt,
}

/// How the elements of a result are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Sum,
    Min,
    Max,
}

/// The elements of a run: in row-major order of the loops, from the element `first` on.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    /// The positions of each operand, and then the values of each index, in the first iteration.
    pub base: &'p [isize],
    pub dims: &'p [Dim],
    pub first: usize,
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
    pub(super) fn of(self, sum: f32, value: f32) -> f32 {
        match self {
            Fold::Sum => sum + value,
            Fold::Min if sum < value => sum,
            Fold::Max if sum > value => sum,
            Fold::Min | Fold::Max => value,
        }
    }
}

impl Place<'_> {
    /// Calls `visit` with each part of a run in which operand `k` moves by one stride: its first position, the stride,
    /// and the range in the run.
    pub fn parts(
        &self,
        k: usize,
        length: usize,
        mut visit: impl FnMut(isize, isize, std::ops::Range<usize>),
    ) {
        let Some((inner, outer)) = self.dims.split_last() else {
            return;
        };
        let step = inner.of[k];
        let mut done = 0;
        while done < length {
            let at = self.first + done;
            let (mut number, column) = (at / inner.extent, at % inner.extent);
            let mut position = self.base[k] + step * column as isize;
            for dim in outer.iter().rev() {
                position += dim.of[k] * (number % dim.extent) as isize;
                number /= dim.extent;
            }
            let count = (inner.extent - column).min(length - done);
            visit(position, step, done..done + count);
            done += count;
        }
    }
}

type Run = [f32; LONG];

/// The stack of an evaluation.
#[derive(Default)]
pub(super) struct Runs(Vec<Run>);

impl Runs {
    /// Calls `work` with the stack of this thread.
    pub fn within<T>(work: impl FnOnce(&mut Runs) -> T) -> T {
        thread_local! {
            static RUNS: std::cell::RefCell<Runs> = std::cell::RefCell::default();
        }
        RUNS.with_borrow_mut(work)
    }

    /// Computes a run. An empty `place` is enough for steps that read nothing.
    pub fn evaluate(
        &mut self,
        ops: &[Op],
        operands: &[Elements<'_>],
        place: Place<'_>,
        length: usize,
    ) -> &Run {
        let mut depth = 0;
        for &op in ops {
            match op {
                Op::Load(_) | Op::Index(_) | Op::Constant(_) | Op::IntConstant(_) => {
                    if depth == self.0.len() {
                        self.0.push([0.0; LONG]);
                    }
                    let run = &mut self.0[depth][..length];
                    match op {
                        Op::Load(k) => place.parts(k, length, |at, step, part| {
                            operands[k].load(&mut run[part], at, step);
                        }),
                        Op::Index(k) => {
                            place.parts(operands.len() + k, length, |from, step, part| {
                                for (i, slot) in (0..).zip(ints(&mut run[part])) {
                                    *slot = (from + step * i) as i32;
                                }
                            });
                        }
                        Op::Constant(value) => run.fill(value),
                        Op::IntConstant(value) => ints(run).fill(value),
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
                | Op::CompareInt(_)
                | Op::Int(_)
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

fn ints(run: &mut [f32]) -> &mut [i32] {
    bytemuck::cast_slice_mut(run)
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
        Op::Convert(how) => convert(how, run),
        _ => {}
    }
}

fn convert(how: Convert, run: &mut [f32]) {
    fn each(run: &mut [f32], of: impl Fn(i32) -> i32) {
        for value in ints(run) {
            *value = of(*value);
        }
    }
    let to_float = |x: f32| x.to_bits() as i32;
    let truth = |it: bool| to_float(f32::from(u8::from(it)));
    let float = |x: i32| f32::from_bits(x as u32);
    match how {
        Convert::Signed(bits) => each(run, |x| (x << (32 - bits)) >> (32 - bits)),
        Convert::Unsigned(bits) => each(run, |x| ((x as u32) << (32 - bits) >> (32 - bits)) as i32),
        Convert::IntAbs => each(run, i32::wrapping_abs),
        Convert::IntToFloat => each(run, |x| to_float(x as f32)),
        Convert::UnsignedToFloat => each(run, |x| to_float(x as u32 as f32)),
        Convert::FloatToInt => each(run, |x| float(x).whole_i32()),
        Convert::FloatToUnsigned => each(run, |x| float(x).whole_i64() as i32),
        Convert::IntToTruth => each(run, |x| truth(x != 0)),
        Convert::FloatToTruth => each(run, |x| truth(float(x) != 0.0)),
        Convert::TruthToInt => each(run, |x| i32::from(float(x) != 0.0)),
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
        Op::Compare(order) => match order {
            Order::Eq => each(a, b, |a, b| truth(a == b)),
            #[expect(clippy::double_comparisons, reason = "NaN is not unequal to anything")]
            Order::Ne => each(a, b, |a, b| truth(a < b || a > b)),
            Order::Lt => each(a, b, |a, b| truth(a < b)),
            Order::Le => each(a, b, |a, b| truth(a <= b)),
        },
        Op::CompareInt(order) => compare_ints(order, a, b),
        Op::Int(op) => integers(op, ints(a), bytemuck::cast_slice(b)),
        Op::Two(of) => each(a, b, |a, b| of(a, b)),
        _ => {}
    }
}

fn truth(it: bool) -> f32 {
    f32::from(u8::from(it))
}

fn compare_ints(order: Order, a: &mut [f32], b: &[f32]) {
    fn each(a: &mut [f32], b: &[f32], of: impl Fn(i32, i32) -> bool) {
        for (a, b) in a.iter_mut().zip(b) {
            *a = truth(of(a.to_bits() as i32, b.to_bits() as i32));
        }
    }
    match order {
        Order::Eq => each(a, b, |a, b| a == b),
        Order::Ne => each(a, b, |a, b| a != b),
        Order::Lt => each(a, b, |a, b| a < b),
        Order::Le => each(a, b, |a, b| a <= b),
    }
}

fn integers(op: Int, a: &mut [i32], b: &[i32]) {
    fn each(a: &mut [i32], b: &[i32], of: impl Fn(i32, i32) -> i32) {
        for (a, &b) in a.iter_mut().zip(b) {
            *a = of(*a, b);
        }
    }
    match op {
        Int::Add => each(a, b, i32::wrapping_add),
        Int::Sub => each(a, b, i32::wrapping_sub),
        Int::Mul => each(a, b, i32::wrapping_mul),
        Int::Min => each(a, b, Ord::min),
        Int::Max => each(a, b, Ord::max),
        Int::And => each(a, b, |a, b| a & b),
        Int::Or => each(a, b, |a, b| a | b),
        Int::Xor => each(a, b, |a, b| a ^ b),
        Int::ShiftLeft => each(a, b, |a, b| a.wrapping_shl(b as u32)),
        Int::ShiftRight => each(a, b, |a, b| a.wrapping_shr(b as u32)),
        Int::ShiftRightUnsigned => each(a, b, |a, b| (a as u32).wrapping_shr(b as u32) as i32),
        Int::FloorDiv => each(a, b, |a, b| a.wrapping_div_euclid(b.max(1))),
        Int::FloorMod => each(a, b, |a, b| a.wrapping_rem_euclid(b.max(1))),
        Int::TruncDiv => each(a, b, |a, b| a / b.max(1)),
        Int::TruncMod => each(a, b, |a, b| a % b.max(1)),
    }
}

/// Replaces each truth value by the number that it chooses.
fn select(test: &mut [f32], a: &[f32], b: &[f32]) {
    for ((test, &a), &b) in test.iter_mut().zip(a).zip(b) {
        *test = if *test == 0.0 { b } else { a };
    }
}
