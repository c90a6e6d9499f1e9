//! Runs a phase of native code as a kernel, which computes the same over the same memory, as safe slices.
//!
//! The kernel runs only if the numbers of the call prove that it does what the loops do. Otherwise the phase's code
//! runs.

use std::borrow::Cow;

use half::{bf16, f16};
use hir::tir::VarId;
use relax::dtype::{Code, DType};

use super::super::nest::{Init, Numbers, Proven, Statement, Work};
use super::super::signature::Operand;
use super::buffer_slots::BufferSlots;
use super::memory;
use crate::error::RunResult;
use crate::kernels::contract::{self, Elements, Nest, Start, contract};
use crate::kernels::gemm::{Product, dispatch_product, product_kind};
use crate::kernels::narrow_operand::Narrow;
use crate::kernels::sweep::{self, Fold, Op, Rounded, Sweep};
use crate::tensor::stop::Stop;
use crate::tensor::{Element, Kind, Scalar, dispatch, dispatch_word};

/// The number of iterations from which the proof pays off, in total and in parallel.
const PAYS: usize = 1 << 12;
const RUN: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// Variables with the slots of their values.
    pub vars: Vec<(VarId, DType, usize)>,
    pub c: BufferSlots,
    pub reads: Vec<BufferSlots>,
    pub statement: Statement,
}

/// Which kernels run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernels {
    None,
    /// Only kernels that pay off.
    Worth,
    /// All kernels, however little they compute. Kernels that sum floats only if the sum is exact in any order.
    #[cfg(feature = "harness")]
    Any {
        sums: bool,
    },
}

/// The computation with the numbers of a call.
enum Task {
    Product(Nest),
    Sweep(Sweep),
}

impl Kernel {
    /// Runs instead of the phase. Returns `false` if it cannot.
    pub fn run(&self, which: Kernels, slots: &[u64], operands: &mut [Operand]) -> RunResult<bool> {
        if which == Kernels::None || self.is_small(which, slots) {
            return Ok(false);
        }
        let task = self.proven(slots).and_then(|it| self.task(it));
        let Some(task) = task.filter(|task| self.is_wanted(task, which)) else {
            return Ok(false);
        };
        let done = self.on_memory(slots, operands, |reads, c| self.compute(&task, reads, c));
        // Otherwise the loops run, which need no extra memory: so far nothing was written, or only what they set first.
        Stop::of_thread().check()?;
        Ok(done.unwrap_or(false))
    }

    /// Returns `true` if the computation is so small that the proof would take longer.
    fn is_small(&self, which: Kernels, slots: &[u64]) -> bool {
        let value = |var: VarId| {
            let found = self.vars.iter().find(|(it, ..)| *it == var);
            found.map(|&(_, dtype, slot)| number(slots[slot], dtype))
        };
        let iterations = self.statement.iterations(&value);
        which == Kernels::Worth && iterations.is_some_and(|it| it < PAYS as i128)
    }

    fn proven(&self, slots: &[u64]) -> Option<Proven> {
        let vars = self.vars.iter();
        self.statement.proven(&Numbers {
            vars: vars
                .map(|&(var, dtype, slot)| (var, number(slots[slot], dtype)))
                .collect(),
            c: self.c.place(slots),
            reads: self.reads.iter().map(|read| read.place(slots)).collect(),
        })
    }

    fn task(&self, it: Proven) -> Option<Task> {
        if !matches!(self.statement.work, Work::Product) {
            return Sweep::new(it.dims, it.from_c, it.from).map(Task::Sweep);
        }
        let dim = |dim: &sweep::Dim| contract::Dim {
            extent: dim.extent,
            a: dim.of[0],
            b: dim.of[1],
            c: dim.c,
        };
        Some(Task::Product(Nest {
            dims: it.dims.iter().map(dim).collect(),
            from: [it.from[0], it.from[1], it.from_c],
        }))
    }

    #[cfg_attr(
        not(feature = "harness"),
        expect(clippy::unused_self, reason = "tests want tasks by what they compute")
    )]
    fn is_wanted(&self, task: &Task, which: Kernels) -> bool {
        match (which, task) {
            (Kernels::None, _) => false,
            (Kernels::Worth, Task::Product(nest)) => {
                let extents = nest.dims.iter().map(|dim| dim.extent);
                extents.fold(1usize, usize::saturating_mul) >= PAYS
            }
            (Kernels::Worth, Task::Sweep(sweep)) => {
                sweep.iterations() >= PAYS && sweep.run() >= RUN
            }
            #[cfg(feature = "harness")]
            (Kernels::Any { sums }, _) => match &self.statement.work {
                Work::Copy => true,
                Work::Product => sums || !self.c.dtype().is_float(),
                Work::Map(ops) => {
                    let mut ops = ops.iter().chain(self.statement.otherwise());
                    ops.all(|op| op.is_exact())
                }
                Work::Fold(_, ops) => sums && ops.iter().all(|op| op.is_exact()),
            },
        }
    }

    /// Calls a function with the bytes of the inputs and of the result.
    fn on_memory(
        &self,
        slots: &[u64],
        operands: &mut [Operand],
        work: impl FnOnce(&[&[u8]], &mut [u8]) -> RunResult<bool>,
    ) -> RunResult<bool> {
        let own = |held: &BufferSlots| held.address(slots);
        let read = memory::take(&self.reads.iter().filter_map(own).collect::<Vec<u64>>());
        let mut result = memory::take(own(&self.c).as_slice());
        // Take the result out of the operands, so that the others can be borrowed.
        let mut operand = None;
        if let BufferSlots::Param { at, .. } = self.c {
            let Some(it) = operands.get_mut(at) else {
                return Ok(false);
            };
            operand = Some((at, std::mem::replace(it, Operand::Scalar(Scalar::Int(0)))));
        }
        let seen = self
            .reads
            .iter()
            .map(|it| it.as_bytes(&read, slots, operands));
        let seen: Option<Vec<&[u8]>> = seen.collect();
        let c = match (&mut operand, own(&self.c)) {
            (Some((_, Operand::Tensor(tensor))), _) => tensor.bytes_mut().ok(),
            (None, Some(address)) => result.bytes(address),
            _ => None,
        };
        let done = match (seen, c) {
            (Some(seen), Some(c)) => work(&seen, c),
            _ => Ok(false),
        };
        if let Some((at, operand)) = operand {
            operands[at] = operand;
        }
        done
    }

    fn compute(&self, task: &Task, reads: &[&[u8]], c: &mut [u8]) -> RunResult<bool> {
        let kind = self.c.kind()?;
        match (task, &self.statement.work) {
            (Task::Product(nest), _) => dispatch_product!(product_kind(kind), T => {
                self.product::<T>(nest, reads, c)
            }),
            (Task::Sweep(sweep), Work::Copy) => {
                // A view of another dtype may have written any number to the truth values.
                if kind == Kind::Bool {
                    return Ok(false);
                }
                Ok(dispatch_word!(kind, W => {
                    let slices = (
                        bytemuck::try_cast_slice::<u8, W>(reads[0]),
                        bytemuck::try_cast_slice_mut::<u8, W>(c),
                    );
                    match slices {
                        (Ok(from), Ok(c)) => {
                            sweep::copy(sweep, from, c);
                            true
                        }
                        _ => false,
                    }
                }))
            }
            (Task::Sweep(sweep), Work::Map(ops)) => Ok(self.sweep(sweep, ops, reads, c)),
            (Task::Sweep(sweep), Work::Fold(_, ops)) => Ok(self.sweep(sweep, ops, reads, c)),
            (Task::Sweep(_), Work::Product) => Ok(false),
        }
    }

    fn sweep<'m>(&self, sweep: &Sweep, ops: &[Op], reads: &[&'m [u8]], c: &mut [u8]) -> bool {
        let elements = |(held, bytes): (&BufferSlots, &&'m [u8])| {
            sweep::Elements::of_bytes(held.kind().ok()?, bytes)
        };
        let reads: Option<Vec<_>> = self.reads.iter().zip(reads).map(elements).collect();
        let (Some(reads), Ok(kind)) = (reads, self.c.kind()) else {
            return false;
        };
        let both = (ops, self.statement.otherwise());
        match (&self.statement.work, kind) {
            (Work::Fold(how, _), Kind::F32) => {
                let fold = |c: &mut [f32]| sweep::fold(sweep, ops, &reads, c, (*how, self.start()));
                bytemuck::try_cast_slice_mut(c).map(fold).is_ok()
            }
            (Work::Fold(how, _), Kind::F16) => self.fold::<f16>(sweep, ops, &reads, c, *how),
            (Work::Fold(how, _), Kind::BF16) => self.fold::<bf16>(sweep, ops, &reads, c, *how),
            (Work::Fold(..), _) => false,
            (_, Kind::F32) => map(sweep, both, &reads, c, f32::write),
            (_, Kind::F16) => map(sweep, both, &reads, c, f16::write),
            (_, Kind::BF16) => map(sweep, both, &reads, c, bf16::write),
            (_, Kind::Bool) => map(sweep, both, &reads, c, sweep::write_truths),
            (_, Kind::F64) => false,
            (_, ints) => dispatch_word!(ints, W => {
                map(sweep, both, &reads, c, sweep::write_ints::<W>)
            }),
        }
    }

    /// Folds an expression into a result of 16-bit floats. Returns `false` if its elements are not aligned.
    fn fold<E: Rounded>(
        &self,
        sweep: &Sweep,
        ops: &[Op],
        reads: &[sweep::Elements<'_>],
        c: &mut [u8],
        how: Fold,
    ) -> bool {
        let start = match self.start::<E>() {
            Start::Value(value) => Start::Value(value.to_f32()),
            Start::Kept => Start::Kept,
        };
        let fold = |c: &mut [E]| sweep::fold_narrow(sweep, ops, reads, c, (how, start));
        bytemuck::try_cast_slice_mut(c).map(fold).is_ok()
    }

    fn product<T: Product>(&self, nest: &Nest, reads: &[&[u8]], c: &mut [u8]) -> RunResult<bool> {
        let factors = self.reads.iter().zip(reads);
        let mut factors = factors.map(|(held, bytes)| elements::<T>(held.kind().ok()?, bytes));
        let (Some(Some(a)), Some(Some(b))) = (factors.next(), factors.next()) else {
            return Ok(false);
        };
        let kind = self.c.kind()?;
        if kind == T::KIND {
            return match bytemuck::try_cast_slice_mut::<u8, T>(c) {
                Ok(c) => contract(nest, &a, &b, c, self.start()).map(|()| true),
                Err(_) => Ok(false),
            };
        }
        dispatch!(kind, E => {
            let Ok(elements) = bytemuck::try_cast_slice_mut::<u8, E>(c) else {
                return Ok(false);
            };
            let mut made: Vec<T> = elements.iter().map(|&it| from::<E, T>(it)).collect();
            contract(nest, &a, &b, &mut made, self.start())?;
            for (slot, &value) in elements.iter_mut().zip(&made) {
                *slot = from::<T, E>(value);
            }
        });
        Ok(true)
    }

    /// Returns the initial value of a fold.
    fn start<T: Element>(&self) -> Start<T> {
        match self.statement.init {
            Init::Kept => Start::Kept,
            Init::Int(value, _) if T::KIND.is_float() => Start::Value(from::<f64, T>(value as f64)),
            Init::Int(value, _) => Start::Value(T::from_i64(value as i64)),
            Init::Float(value, _) => Start::Value(from::<f64, T>(value)),
        }
    }
}

/// Writes an expression to the elements of the result. Returns `false` if they are not aligned.
fn map<E: Element>(
    sweep: &Sweep,
    ops: (&[Op], &[Op]),
    reads: &[sweep::Elements<'_>],
    c: &mut [u8],
    write: fn(&[f32], &mut [E]),
) -> bool {
    let map = |c: &mut [E]| sweep::map(sweep, ops, reads, c, write);
    bytemuck::try_cast_slice_mut(c).map(map).is_ok()
}

/// Decodes the number of a slot.
fn number(bits: u64, dtype: DType) -> i128 {
    match dtype.code {
        Code::UInt => i128::from(bits),
        _ => i128::from(bits as i64),
    }
}

/// Converts a number: integers wrap, floats are rounded.
fn from<E: Element, U: Element>(value: E) -> U {
    match (E::KIND, U::KIND) {
        (Kind::F64, _) | (_, Kind::F64) => U::from_f64(value.to_f64()),
        (from, _) if from.is_float() => U::from_f32(value.to_f32()),
        _ => U::from_i64(value.to_i64()),
    }
}

/// Returns the elements as numbers of the type in which products are computed, or as 16-bit floats.
fn elements<T: Element>(kind: Kind, bytes: &[u8]) -> Option<Elements<'_, T>> {
    if kind == T::KIND {
        let numbers = bytemuck::try_cast_slice(bytes).ok()?;
        return Some(Elements::Numbers(Cow::Borrowed(numbers)));
    }
    if T::KIND == Kind::F32
        && let Some(narrow) = Narrow::of_bytes(kind, bytes)
    {
        return Some(Elements::Narrow(narrow));
    }
    dispatch!(kind, E => {
        let elements = bytemuck::try_cast_slice::<u8, E>(bytes).ok()?;
        let numbers = elements.iter().map(|&it| from::<E, T>(it)).collect();
        Some(Elements::Numbers(Cow::Owned(numbers)))
    })
}
