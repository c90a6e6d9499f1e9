//! Copies of transposed elements, a square at a time, so that both sides are accessed by whole cache lines.

use std::array::from_fn;

use crate::tensor::parallel;

/// The side of a square: a cache line of 32-bit elements.
const SIDE: usize = 16;

/// Copies `width` columns to the row-major `c`. The elements of a column lie next to each other in `from`, and `step`
/// elements behind those of the column before it. `height` rows lie next to each other; `start` returns the position of
/// the first element of a row.
pub(super) fn copy<T: Copy + Send + Sync>(
    from: &[T],
    start: impl Fn(usize) -> isize + Sync,
    height: usize,
    (width, step): (usize, isize),
    c: &mut [T],
) {
    parallel::in_rows(c, width * SIDE, 1, |number, mut part| {
        let mut row = number * SIDE;
        while !part.is_empty() {
            let count = (height - row % height).min(part.len() / width);
            let (rows, rest) = std::mem::take(&mut part).split_at_mut(count * width);
            let first_of_row = start(row);
            let line = |column: usize| &from[(first_of_row + step * column as isize) as usize..];
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
