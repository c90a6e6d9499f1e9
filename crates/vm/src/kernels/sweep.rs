//! Expressions of numbers of up to 32 bits over a nest of loops, `c[i] = f(x[i], y[i], ...)` and
//! `c[i] = c[i] + f(x[i, k], ...)`, a run of elements at a time, so that each step is vectorised; and copies of elements of
//! any dtype.
//!
//! The position in each operand is linear in the loop counters. Knows no programs.

mod elements;
mod steps;

use std::ops::Range;

pub use elements::{Elements, Half, Rounded, write_ints, write_truths};
pub use steps::{Convert, Fold, Int, Op, Order};
use steps::{Place, Runs};

use super::contract::Start;
use super::{extreme, turned};
use crate::tensor::Kind;
use crate::tensor::parallel::{self, in_parts};

/// The run length for contiguous operands. The second length is for other operands: short enough that cache lines are
/// still present for the next row.
const LONG: usize = 512;
const SHORT: usize = 32;

/// A loop: its iterations, its strides in the result and in each operand, and how each index changes.
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
    /// The first positions in the result and in each operand, followed by the first values of indices.
    from: (usize, Vec<isize>),
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

    /// Returns the maximum number of elements of a run.
    pub fn run(&self) -> usize {
        let folded = self.folded.last().map_or(1, |dim| dim.extent);
        count(self.split().1).max(folded)
    }

    /// Returns the outer loops of the result, and the inner ones that make a row: as many as make it long.
    fn split(&self) -> (&[Dim], &[Dim]) {
        let has_ranges = self.kept.iter().any(|dim| dim.inside.is_some());
        let (mut first, mut size) = (self.kept.len(), 1);
        while first > 0 && size < 2 * SHORT && !(has_ranges && first < self.kept.len()) {
            first -= 1;
            size *= self.kept[first].extent;
        }
        self.kept.split_at(first)
    }

    fn result<'c, T>(&self, c: &'c mut [T]) -> &'c mut [T] {
        &mut c[self.from.0..self.from.0 + count(&self.kept)]
    }

    /// Adds the position of each operand in a row of the result.
    fn row(&self, row: usize, to: &mut Vec<isize>) {
        place(self.split().0, row, &self.from.1, to);
    }

    /// Returns the columns of a row in which the expression is computed.
    fn columns(&self, mut row: usize) -> Range<usize> {
        let (outer, inner) = self.split();
        for dim in outer.iter().rev() {
            let i = row % dim.extent;
            row /= dim.extent;
            if dim.inside.as_ref().is_some_and(|it| !it.contains(&i)) {
                return 0..0;
            }
        }
        let inside = inner.last().and_then(|dim| dim.inside.clone());
        inside.unwrap_or(0..count(inner))
    }

    fn inner(&self) -> &Dim {
        &self.kept[self.kept.len() - 1]
    }
}

/// Copies the only operand.
pub fn copy<T: Copy + Send + Sync>(sweep: &Sweep, from: &[T], c: &mut [T]) {
    if let [.., outer, inner] = &sweep.kept[..]
        && outer.of[0] == 1
        && inner.of[0].unsigned_abs() > 1
    {
        let outer_loops = &sweep.kept[..sweep.kept.len() - 1];
        let start = |row| {
            let mut position = Vec::with_capacity(1);
            place(outer_loops, row, &sweep.from.1, &mut position);
            position[0]
        };
        let columns = (inner.extent, inner.of[0]);
        return turned::copy(from, start, outer.extent, columns, sweep.result(c));
    }
    by_runs(sweep, 1, c, &|place, _, out| {
        place.parts(0, out.len(), |at, step, part| {
            let out = &mut out[part];
            if step == 1 {
                out.copy_from_slice(&from[at as usize..][..out.len()]);
            } else {
                for (i, slot) in (0..).zip(out) {
                    *slot = from[(at + step * i) as usize];
                }
            }
        });
    });
}

/// Writes the expression to each element of the result. Where it is not computed, writes `otherwise`, which reads no
/// operands; without steps, nothing.
pub fn map<E: Send>(
    sweep: &Sweep,
    (ops, otherwise): (&[Op], &[Op]),
    operands: &[Elements<'_>],
    c: &mut [E],
    write: impl Fn(&[f32], &mut [E]) + Sync,
) {
    by_runs(sweep, weight(ops), c, &|place, inside, out| {
        Runs::within(|runs| {
            if inside.len() < out.len() && !otherwise.is_empty() {
                let made = runs.evaluate(otherwise, &[], place, out.len());
                write(&made[..out.len()], out);
            }
            if !inside.is_empty() {
                let first = place.first + inside.start;
                let made = runs.evaluate(ops, operands, Place { first, ..place }, inside.len());
                write(&made[..inside.len()], &mut out[inside]);
            }
        });
    });
}

type WorkOnRun<'w, T> = &'w (dyn Fn(Place<'_>, Range<usize>, &mut [T]) + Sync);

/// Calls `work` for each run of the result, with its place and the part of it in which the expression is computed.
fn by_runs<T: Send>(sweep: &Sweep, weight: usize, c: &mut [T], work: WorkOnRun<'_, T>) {
    let dims = sweep.split().1;
    let is_long = sweep.inner().of.iter().all(|step| matches!(step, 0 | 1));
    let length = if is_long || dims.len() > 1 {
        LONG
    } else {
        SHORT
    };
    let width = count(dims);
    in_parts(sweep.result(c), weight, |start, part| {
        let end = start + part.len();
        let rows = start / width..end.div_ceil(width);
        let numbers = sweep.from.1.len();
        let mut bases = Vec::with_capacity(rows.len() * numbers);
        for row in rows.clone() {
            sweep.row(row, &mut bases);
        }
        let columns: Vec<Range<usize>> = rows.clone().map(|row| sweep.columns(row)).collect();
        for from in (0..width).step_by(length) {
            for (number, (row, columns)) in rows.clone().zip(&columns).enumerate() {
                let begin = (row * width + from).max(start);
                let end = (row * width + (from + length).min(width)).min(end);
                if begin >= end {
                    continue;
                }
                let (first, last) = (begin - row * width, end - row * width);
                let base = &bases[number * numbers..][..numbers];
                let inside = columns.start.clamp(first, last);
                let inside = inside - first..columns.end.clamp(inside, last) - first;
                let run = &mut part[begin - start..end - start];
                work(Place { base, dims, first }, inside, run);
            }
        }
    });
}

/// Folds the expression into each element of the result.
pub fn fold(
    sweep: &Sweep,
    ops: &[Op],
    operands: &[Elements<'_>],
    c: &mut [f32],
    how: (Fold, Start<f32>),
) {
    fold_as(sweep, ops, operands, c, how, None);
}

/// Rounds each sum to a narrower type, if one is given.
fn fold_as(
    sweep: &Sweep,
    ops: &[Op],
    operands: &[Elements<'_>],
    c: &mut [f32],
    (how, start): (Fold, Start<f32>),
    narrow: Option<Half>,
) {
    // The minimum and the maximum are one of the operands.
    let narrow = narrow.filter(|_| how == Fold::Sum);
    let width = sweep.inner().extent;
    // If the result and the operands are contiguous, fold several elements of the result at once.
    let is_beside = |dim: &Dim| dim.of.iter().all(|step| matches!(step, 0 | 1));
    let beside = width >= SHORT && is_beside(sweep.inner());
    let (outer, inner) = match sweep.folded.split_last() {
        Some((inner, outer)) if !beside => (outer, Some(inner)),
        _ => (&sweep.folded[..], None),
    };
    let zero = vec![0; sweep.from.1.len()];
    let moves = (0..count(outer)).map(|number| {
        let mut made = Vec::with_capacity(zero.len());
        place(outer, number, &zero, &mut made);
        made
    });
    let moves: Vec<Vec<isize>> = moves.collect();
    let of_row = std::slice::from_ref(sweep.inner());
    let work = |row: usize, out: &mut [f32]| {
        if let Start::Value(value) = start {
            out.fill(value);
        }
        let mut from = Vec::with_capacity(zero.len());
        place(
            &sweep.kept[..sweep.kept.len() - 1],
            row,
            &sweep.from.1,
            &mut from,
        );
        let mut base = zero.clone();
        Runs::within(|runs| match inner {
            None => {
                for (number, out) in out.chunks_mut(LONG).enumerate() {
                    for by in &moves {
                        for (base, (from, by)) in base.iter_mut().zip(from.iter().zip(by)) {
                            *base = from + by;
                        }
                        let place = Place {
                            base: &base,
                            dims: of_row,
                            first: number * LONG,
                        };
                        let made = runs.evaluate(ops, operands, place, out.len());
                        for (slot, &value) in out.iter_mut().zip(made) {
                            *slot = how.of(*slot, value);
                        }
                        if let Some(half) = narrow {
                            half.round(out);
                        }
                    }
                }
            }
            Some(inner) => {
                for (column, slot) in (0..).zip(out) {
                    for by in &moves {
                        for (k, base) in base.iter_mut().enumerate() {
                            *base = from[k] + by[k] + of_row[0].of[k] * column;
                        }
                        for first in (0..inner.extent).step_by(LONG) {
                            let place = Place {
                                base: &base,
                                dims: std::slice::from_ref(inner),
                                first,
                            };
                            let length = LONG.min(inner.extent - first);
                            let made = &runs.evaluate(ops, operands, place, length)[..length];
                            *slot = match narrow {
                                Some(half) => made
                                    .iter()
                                    .fold(*slot, |sum, &it| half.nearest(how.of(sum, it))),
                                None => folded(how, *slot, made),
                            };
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

/// Like `fold`, for narrower floats: each sum is rounded, as the loop rounds it when it stores it.
pub fn fold_narrow<E: Rounded>(
    sweep: &Sweep,
    ops: &[Op],
    operands: &[Elements<'_>],
    c: &mut [E],
    (how, start): (Fold, Start<f32>),
) {
    let own = sweep.result(c);
    let mut made: Vec<f32> = own.iter().map(|it| it.to_f32()).collect();
    let sweep = Sweep {
        from: (0, sweep.from.1.clone()),
        ..sweep.clone()
    };
    let narrow = match E::KIND {
        Kind::F16 => Some(Half::F16),
        Kind::BF16 => Some(Half::BF16),
        _ => None,
    };
    fold_as(&sweep, ops, operands, &mut made, (how, start), narrow);
    E::write(&made, own);
}

/// Folds a run in several lanes.
fn folded(how: Fold, start: f32, run: &[f32]) -> f32 {
    const LANES: usize = 16;
    if how != Fold::Sum {
        return extreme::fold(start, run, |found, it| how.of(found, it));
    }
    let (chunks, rest) = run.as_chunks::<LANES>();
    let Some((first, chunks)) = chunks.split_first() else {
        return rest.iter().fold(start, |sum, &it| sum + it);
    };
    let mut lanes = *first;
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    lanes.iter().chain(rest).fold(start, |sum, &it| sum + it)
}

/// Returns the cost relative to a copy.
fn weight(ops: &[Op]) -> usize {
    let of = |op: &Op| match op {
        Op::Exp | Op::Sigmoid | Op::Tanh => 8,
        Op::One(_) | Op::Two(_) => 16,
        Op::Int(Int::FloorDiv | Int::FloorMod | Int::TruncDiv | Int::TruncMod) => 4,
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

#[cfg(test)]
mod tests;
