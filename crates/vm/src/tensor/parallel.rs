//! Loops over the elements of a result, on all threads if it pays off. Knows nothing about what they compute.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::stop::Stop;
use crate::error::RunResult;

/// The number of elements per task.
const CHUNK: usize = 1 << 14;
/// Below this number of elements, waking a thread does not pay off.
const PARALLEL: usize = 1 << 16;

/// Work on a part of a result. A trait object, so that the thread pool's code exists once per element type.
type Work<'a, U> = &'a (dyn Fn(usize, &mut [U]) + Sync + Send);

/// Calls `work(start, part)` for parts of `out`, on all threads if there are many elements. `weight` is the cost of an
/// element relative to copying it.
pub fn in_parts<U: Send>(
    out: &mut [U],
    weight: usize,
    work: impl Fn(usize, &mut [U]) + Sync + Send,
) {
    divided(out, weight, &work);
}

fn divided<U: Send>(out: &mut [U], weight: usize, work: Work<'_, U>) {
    if out.len().saturating_mul(weight) >= PARALLEL && out.len() > 1 {
        on_all_threads(out, (CHUNK / weight.max(1)).max(1), work);
    } else {
        work(0, out);
    }
}

fn on_all_threads<U: Send>(out: &mut [U], chunk: usize, work: Work<'_, U>) {
    let stop = Stop::of_thread();
    out.par_chunks_mut(chunk).enumerate().for_each(|(i, part)| {
        if !stop.is_set() {
            stop.within(|| work(i * chunk, part));
        }
    });
}

/// Calls `work(number, block)` for each run of `block` elements of `out`, in parallel if there are several, since a
/// block is much work.
pub fn in_blocks<U: Send>(
    out: &mut [U],
    block: usize,
    work: impl Fn(usize, &mut [U]) -> RunResult<()> + Sync + Send,
) -> RunResult<()> {
    if block == 0 || out.len() <= block {
        return work(0, out);
    }
    let stop = Stop::of_thread();
    let blocks = out.par_chunks_mut(block).enumerate();
    blocks.try_for_each(|(i, block)| {
        stop.check()?;
        stop.within(|| work(i, block))
    })
}

/// Calls `work(row, part)` for each run of `row` elements of `out`, on all threads if there are many.
pub fn in_rows<U: Send>(
    out: &mut [U],
    row: usize,
    weight: usize,
    work: impl Fn(usize, &mut [U]) + Sync + Send,
) {
    if row == 0 {
        return;
    }
    let rows_in = |start: usize, part: &mut [U]| {
        for (i, part) in part.chunks_mut(row).enumerate() {
            work(start / row + i, part);
        }
    };
    if out.len().saturating_mul(weight) >= PARALLEL && out.len() > row {
        let rows = (CHUNK / row.saturating_mul(weight).max(1)).max(1);
        on_all_threads(out, rows * row, &rows_in);
    } else {
        rows_in(0, out);
    }
}
