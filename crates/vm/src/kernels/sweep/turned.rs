//! Copies of transposed elements, a square at a time, so that both sides are accessed by whole cache lines.

use std::array::from_fn;

use super::{Dim, Sweep};
use crate::tensor::parallel;

/// The side of a square: a cache line of 32-bit elements.
const SIDE: usize = 16;

/// Copies elements that are contiguous over the rows of the result, whose columns are an inner loop; `height` is the
/// number of such rows.
pub(super) fn copy<T: Copy + Send + Sync>(
    sweep: &Sweep,
    (height, inner): (usize, &Dim),
    from: &[T],
    c: &mut [T],
) {
    let (width, step) = (inner.extent, inner.of[0]);
    let outer = &sweep.kept[..sweep.kept.len() - 1];
    parallel::in_rows(sweep.result(c), width * SIDE, 1, |number, mut part| {
        let mut row = number * SIDE;
        let mut place = Vec::with_capacity(1);
        while !part.is_empty() {
            let count = (height - row % height).min(part.len() / width);
            let (rows, rest) = std::mem::take(&mut part).split_at_mut(count * width);
            place.clear();
            super::place(outer, row, &sweep.from.1, &mut place);
            let line = |column: usize| &from[(place[0] + step * column as isize) as usize..];
            for first in (0..width).step_by(SIDE) {
                if count == SIDE && width - first >= SIDE {
                    let lines: [&[T; SIDE]; SIDE] =
                        from_fn(|j| &line(first + j).as_chunks::<SIDE>().0[0]);
                    for (i, out) in rows.chunks_exact_mut(width).enumerate().take(SIDE) {
                        out[first..].as_chunks_mut::<SIDE>().0[0] = from_fn(|j| lines[j][i]);
                    }
                    continue;
                }
                for column in first..width.min(first + SIDE) {
                    let line = line(column);
                    for (out, &value) in rows.chunks_exact_mut(width).zip(line) {
                        out[column] = value;
                    }
                }
            }
            row += count;
            part = rest;
        }
    });
}
