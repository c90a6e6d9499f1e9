//! Sums of products over a loop nest, `c[i] += a[i, k] * b[i, k]`, computed as batched matrix products.
//!
//! The position in each operand is linear in the loop counters. Loops that all operands depend on are the batch;
//! others are rows, columns or summed. An operand that is not laid out as a matrix (a window of a convolution) is
//! gathered into one, block by block. Knows no programs.

use std::borrow::Cow;

use ndarray::{ArrayView2, ShapeBuilder};

use super::gemm::Product;
use super::gemm::factor::{Factor, Gathered};
use super::map;
use super::narrow_operand::{Narrow, NarrowMatrix};
use crate::error::{RunError, RunResult};
use crate::tensor::alloc;
use crate::tensor::parallel;
use crate::tensor::stop::Stop;

/// The number of elements that are gathered at a time.
const BLOCK: usize = 1 << 21;

/// A loop, with the stride of each operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    pub extent: usize,
    pub a: isize,
    pub b: isize,
    pub c: isize,
}

/// A nonempty loop nest. Iterations that differ in a loop with a stride in `c` write different elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    pub dims: Vec<Dim>,
    /// The first positions in `a`, `b` and `c`.
    pub from: [isize; 3],
}

/// The initial value that the products are added to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start<T> {
    Value(T),
    /// The current value of `c`.
    Kept,
}

/// The loops by their role, each group sorted for its operands.
struct Plan {
    batch: Vec<Dim>,
    rows: Vec<Dim>,
    columns: Vec<Dim>,
    summed: Vec<Dim>,
    from: [isize; 3],
    /// `true` if `a` has the columns and `b` the rows.
    swapped: bool,
}

/// The elements of an operand.
pub enum Elements<'m, T: Clone> {
    Numbers(Cow<'m, [T]>),
    /// 16-bit floats, for sums in float32.
    Narrow(Narrow<'m>),
}

impl<T: Product> Elements<'_, T> {
    fn numbers(&self) -> RunResult<Cow<'_, [T]>> {
        let narrow = match self {
            Elements::Numbers(numbers) => return Ok(Cow::Borrowed(numbers)),
            Elements::Narrow(narrow) => *narrow,
        };
        let mut made = alloc::zeroed::<T>(narrow.len())?;
        if let Ok(made) = bytemuck::try_cast_slice_mut::<T, f32>(&mut made) {
            parallel::in_parts(made, 1, |start, part| narrow.widen(start, part));
        }
        Ok(Cow::Owned(made))
    }
}

pub fn contract<T: Product>(
    nest: &Nest,
    a: &Elements<'_, T>,
    b: &Elements<'_, T>,
    c: &mut [T],
    start: Start<T>,
) -> RunResult<()> {
    let plan = Plan::of(nest);
    let (a, b) = if plan.swapped { (b, a) } else { (a, b) };
    let target = plan.target();
    let total = target.iter().map(|dim| dim.extent).product::<usize>();
    let base = plan.from[2] as usize;
    if is_row_major(&target) && start == Start::Value(T::default()) {
        return plan.products(a, b, &mut c[base..base + total]);
    }
    let mut made = alloc::zeroed::<T>(total)?;
    plan.products(a, b, &mut made)?;
    let mut next = made.iter();
    runs(&target, |dim| dim.c, plan.from[2], &mut |at, dim| {
        for (i, &value) in (0..dim.extent).zip(next.by_ref()) {
            let slot = &mut c[(at + dim.c * i as isize) as usize];
            let before = match start {
                Start::Value(value) => value,
                Start::Kept => *slot,
            };
            *slot = T::sum_of(before, value);
        }
    });
    Ok(())
}

impl Plan {
    fn of(nest: &Nest) -> Plan {
        let mut plan = Plan {
            batch: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            summed: Vec::new(),
            from: nest.from,
            swapped: false,
        };
        for dim in nest.dims.iter().filter(|dim| dim.extent > 1) {
            let dim = plan.upwards(*dim);
            let group = match (dim.c != 0, dim.a != 0, dim.b != 0) {
                (false, ..) => &mut plan.summed,
                (true, true, true) => &mut plan.batch,
                (true, _, false) => &mut plan.rows,
                (true, false, true) => &mut plan.columns,
            };
            group.push(dim);
        }
        // Prefer as columns the loops that are contiguous in the result.
        let least = |dims: &[Dim]| dims.iter().map(|dim| dim.c).min().unwrap_or(isize::MAX);
        if least(&plan.rows) < least(&plan.columns) {
            plan.swap();
        }
        for group in [&mut plan.batch, &mut plan.rows, &mut plan.columns] {
            group.sort_by_key(|dim| std::cmp::Reverse(dim.c));
            *group = fused(group, |dim| [dim.a, dim.b, dim.c]);
        }
        plan.summed
            .sort_by_key(|dim| std::cmp::Reverse((dim.b.abs(), dim.a.abs())));
        if step(&plan.summed, |dim| dim.b).is_none() {
            plan.summed
                .sort_by_key(|dim| std::cmp::Reverse((dim.a.abs(), dim.b.abs())));
        }
        plan.summed = fused(&plan.summed, |dim| [dim.a, dim.b, dim.c]);
        plan
    }

    /// Reverses a loop that has a negative stride in the result.
    fn upwards(&mut self, dim: Dim) -> Dim {
        if (dim.c, dim.a) >= (0, 0) {
            return dim;
        }
        let last = dim.extent as isize - 1;
        for (from, step) in self.from.iter_mut().zip([dim.a, dim.b, dim.c]) {
            *from += step * last;
        }
        Dim {
            extent: dim.extent,
            a: -dim.a,
            b: -dim.b,
            c: -dim.c,
        }
    }

    fn swap(&mut self) {
        self.swapped = true;
        self.from.swap(0, 1);
        std::mem::swap(&mut self.rows, &mut self.columns);
        let groups = [
            &mut self.batch,
            &mut self.rows,
            &mut self.columns,
            &mut self.summed,
        ];
        for dim in groups.into_iter().flatten() {
            std::mem::swap(&mut dim.a, &mut dim.b);
        }
    }

    /// Returns the loops of the result, in the order in which the products are computed.
    fn target(&self) -> Vec<Dim> {
        [&self.batch[..], &self.rows, &self.columns].concat()
    }

    /// Writes all products, row-major by batch, row and column.
    fn products<T: Product>(
        &self,
        a: &Elements<'_, T>,
        b: &Elements<'_, T>,
        out: &mut [T],
    ) -> RunResult<()> {
        if let (Elements::Narrow(b), Ok(out)) = (b, bytemuck::try_cast_slice_mut(&mut *out))
            && self.narrow_row(a, *b, out)
        {
            return Ok(());
        }
        let (a, b) = (&a.numbers()?[..], &b.numbers()?[..]);
        let size = count(&self.rows) * count(&self.columns);
        let firsts = (
            offsets(&self.batch, |dim| dim.a),
            offsets(&self.batch, |dim| dim.b),
        );
        parallel::in_blocks(out, size, |i, out| {
            let (from_a, from_b) = (self.from[0] + firsts.0[i], self.from[1] + firsts.1[i]);
            self.product((a, from_a), (b, from_b), out)
        })
    }

    /// Computes the product of one row with a matrix that is read where it is. Returns `false` if it is another product.
    fn narrow_row<T: Product>(&self, a: &Elements<'_, T>, b: Narrow<'_>, out: &mut [f32]) -> bool {
        if !self.batch.is_empty() || !self.rows.is_empty() {
            return false;
        }
        let sides = (&self.summed[..], &self.columns[..]);
        let b = match b {
            Narrow::F16(b) => matrix(b, self.from[1], sides, |dim| dim.b).map(NarrowMatrix::F16),
            Narrow::BF16(b) => matrix(b, self.from[1], sides, |dim| dim.b).map(NarrowMatrix::BF16),
        };
        let places = offsets(&self.summed, |dim| dim.a);
        let places = places.into_iter().map(|at| (self.from[0] + at) as usize);
        let row: Vec<f32> = match a {
            Elements::Narrow(a) => places.map(|at| a.get(at)).collect(),
            Elements::Numbers(a) => places.map(|at| a[at].to_f32()).collect(),
        };
        b.is_some_and(|b| b.row_product(&row, out))
    }

    /// Computes one matrix product.
    fn product<T: Product>(
        &self,
        (a, from_a): (&[T], isize),
        (b, from_b): (&[T], isize),
        out: &mut [T],
    ) -> RunResult<()> {
        let (k, n) = (count(&self.summed), count(&self.columns));
        let rows = offsets(&self.rows, |dim| dim.a);
        let a_matrix = matrix(a, from_a, (&self.rows, &self.summed), |dim| dim.a);
        let b_matrix = matrix(b, from_b, (&self.summed, &self.columns), |dim| dim.b);
        let is_gathered = a_matrix.is_none() || b_matrix.is_none();
        if is_gathered && T::multiplies_in_place((rows.len(), n), k) {
            let lanes = |from: isize, dims: &[Dim], of: fn(&Dim) -> isize| {
                let lanes = offsets(dims, of).into_iter();
                lanes.map(|at| from + at).collect::<Vec<isize>>()
            };
            let lanes = (
                lanes(from_a, &self.rows, |dim| dim.a),
                lanes(from_b, &self.columns, |dim| dim.b),
            );
            let depth = (
                offsets(&self.summed, |dim| dim.a),
                offsets(&self.summed, |dim| dim.b),
            );
            let left = factor(a_matrix, a, &lanes.0, &depth.0);
            let right = factor(
                b_matrix.map(ArrayView2::reversed_axes),
                b,
                &lanes.1,
                &depth.1,
            );
            if let Some(done) = T::product_in_place(left, right, out) {
                return done;
            }
        }
        let Some(b_matrix) = b_matrix else {
            let held;
            let a_matrix = match a_matrix {
                Some(matrix) => matrix,
                None => {
                    held = gathered(a, from_a, &rows, &self.summed, |dim| dim.a)?;
                    view(&held, rows.len(), k)?
                }
            };
            return self.by_columns(a_matrix, (b, from_b), out);
        };
        let Some(a_matrix) = a_matrix else {
            let most = (BLOCK / k).max(1);
            for (rows, out) in rows.chunks(most).zip(out.chunks_mut(most * n)) {
                Stop::of_thread().check()?;
                let block = gathered(a, from_a, rows, &self.summed, |dim| dim.a)?;
                T::product(view(&block, rows.len(), k)?, b_matrix, out)?;
            }
            return Ok(());
        };
        T::product(a_matrix, b_matrix, out)
    }

    /// Computes one matrix product whose right side is gathered, some columns at a time.
    fn by_columns<T: Product>(
        &self,
        a: ArrayView2<'_, T>,
        (b, from_b): (&[T], isize),
        out: &mut [T],
    ) -> RunResult<()> {
        let summed = offsets(&self.summed, |dim| dim.b);
        let (k, n) = (summed.len(), count(&self.columns));
        if k * n <= BLOCK {
            let block = gathered(b, from_b, &summed, &self.columns, |dim| dim.b)?;
            return T::product(a, view(&block, k, n)?, out);
        }
        let columns = offsets(&self.columns, |dim| dim.b);
        let most = (BLOCK / k).max(1);
        let mut made = alloc::zeroed::<T>(a.nrows() * most)?;
        for (at, columns) in columns.chunks(most).enumerate() {
            Stop::of_thread().check()?;
            let width = columns.len();
            let mut block = alloc::zeroed::<T>(k * width)?;
            map::in_rows(&mut block, width, 1, |row, out| {
                for (slot, column) in out.iter_mut().zip(columns) {
                    *slot = b[(from_b + summed[row] + column) as usize];
                }
            });
            let made = &mut made[..a.nrows() * width];
            T::product(a, view(&block, k, width)?, made)?;
            for (row, made) in out.chunks_mut(n).zip(made.chunks(width)) {
                row[at * most..at * most + width].copy_from_slice(made);
            }
        }
        Ok(())
    }
}

fn count(dims: &[Dim]) -> usize {
    dims.iter().map(|dim| dim.extent).product()
}

/// Merges loops that visit the same positions in the same order.
fn fused(dims: &[Dim], steps: impl Fn(&Dim) -> [isize; 3]) -> Vec<Dim> {
    let mut made: Vec<Dim> = Vec::with_capacity(dims.len());
    for dim in dims {
        if let Some(outer) = made.last_mut() {
            let whole = steps(dim).map(|step| step * dim.extent as isize);
            if steps(outer) == whole {
                *outer = Dim {
                    extent: outer.extent * dim.extent,
                    ..*dim
                };
                continue;
            }
        }
        made.push(*dim);
    }
    made
}

/// Returns the distance between neighbours if it is the same for all.
fn step(dims: &[Dim], of: impl Fn(&Dim) -> isize) -> Option<isize> {
    let inner = dims.last().map_or(1, &of);
    let is_nested = |pair: &[Dim]| of(&pair[0]) == of(&pair[1]) * pair[1].extent as isize;
    dims.windows(2).all(is_nested).then_some(inner)
}

fn is_row_major(dims: &[Dim]) -> bool {
    dims.is_empty() || step(dims, |dim| dim.c) == Some(1)
}

/// Returns the position of each iteration relative to the first.
fn offsets(dims: &[Dim], of: impl Fn(&Dim) -> isize) -> Vec<isize> {
    let mut made = Vec::with_capacity(count(dims));
    runs(dims, &of, 0, &mut |at, dim| {
        made.extend((0..dim.extent as isize).map(|i| at + of(&dim) * i));
    });
    made
}

/// Calls `visit` with the first position of each innermost loop.
fn runs(
    dims: &[Dim],
    of: impl Fn(&Dim) -> isize + Copy,
    at: isize,
    visit: &mut dyn FnMut(isize, Dim),
) {
    match dims {
        [] => {
            let once = Dim {
                extent: 1,
                a: 0,
                b: 0,
                c: 0,
            };
            visit(at, once);
        }
        [last] => visit(at, *last),
        [outer, inner @ ..] => {
            for i in 0..outer.extent as isize {
                runs(inner, of, at + of(outer) * i, visit);
            }
        }
    }
}

/// Returns an operand as a matrix view if its layout allows it.
fn matrix<'m, T>(
    values: &'m [T],
    from: isize,
    (rows, columns): (&[Dim], &[Dim]),
    of: impl Fn(&Dim) -> isize + Copy,
) -> Option<ArrayView2<'m, T>> {
    let steps = (step(rows, of)?, step(columns, of)?);
    let steps = (
        usize::try_from(steps.0).ok()?,
        usize::try_from(steps.1).ok()?,
    );
    let shape = (count(rows), count(columns));
    ArrayView2::from_shape(shape.strides(steps), values.get(from as usize..)?).ok()
}

/// Returns an operand as a factor: as a matrix of its lanes if it is one.
fn factor<'m, T>(
    matrix: Option<ArrayView2<'m, T>>,
    values: &'m [T],
    lanes: &'m [isize],
    depth: &'m [isize],
) -> Factor<'m, T> {
    match matrix {
        Some(matrix) => Factor::Matrix(matrix),
        None => Factor::Gathered(Gathered {
            values,
            lanes,
            depth,
        }),
    }
}

/// Returns a row-major copy of an operand: rows by position, columns by loops.
fn gathered<T: Product>(
    values: &[T],
    from: isize,
    rows: &[isize],
    columns: &[Dim],
    of: impl Fn(&Dim) -> isize + Copy + Sync + Send,
) -> RunResult<Vec<T>> {
    let width = count(columns);
    let mut made = alloc::zeroed::<T>(rows.len() * width)?;
    map::in_rows(&mut made, width, 1, |row, out| {
        let mut done = 0;
        runs(columns, of, from + rows[row], &mut |at, dim| {
            let out = &mut out[done..done + dim.extent];
            done += dim.extent;
            let (at, step) = (at as usize, of(&dim));
            if step == 1 {
                out.copy_from_slice(&values[at..at + dim.extent]);
            } else {
                for (i, slot) in out.iter_mut().enumerate() {
                    *slot = values[(at as isize + step * i as isize) as usize];
                }
            }
        });
    });
    Ok(made)
}

fn view<T>(values: &[T], rows: usize, columns: usize) -> RunResult<ArrayView2<'_, T>> {
    ArrayView2::from_shape((rows, columns), values).map_err(|it| RunError::shape(it.to_string()))
}

#[cfg(test)]
mod tests;
