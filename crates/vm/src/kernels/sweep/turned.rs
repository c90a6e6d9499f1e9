//! Copies of transposed elements, a square at a time, so that both sides are accessed by whole cache lines.

use super::{Dim, Sweep};
use crate::tensor::parallel;

/// The side of a square: a cache line of 32-bit elements.
const SIDE: usize = 16;

/// Copies elements that are contiguous over the rows of the result, whose columns are an inner loop; `height` is the
/// number of such rows.
pub(super) fn copy<T: Copy + Default + Send + Sync>(
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
            for first in (0..width).step_by(SIDE) {
                let across = SIDE.min(width - first);
                let mut square = [[T::default(); SIDE]; SIDE];
                for (i, line) in (first as isize..).zip(&mut square[..across]) {
                    let at = (place[0] + step * i) as usize;
                    line[..count].copy_from_slice(&from[at..at + count]);
                }
                let square = transposed(&square);
                for (out, line) in rows.chunks_mut(width).zip(&square) {
                    out[first..first + across].copy_from_slice(&line[..across]);
                }
            }
            row += count;
            part = rest;
        }
    });
}

fn transposed<T: Copy + Default>(square: &[[T; SIDE]; SIDE]) -> [[T; SIDE]; SIDE] {
    let mut made = [[T::default(); SIDE]; SIDE];
    for (i, line) in square.iter().enumerate() {
        for (made, &value) in made.iter_mut().zip(line) {
            made[i] = value;
        }
    }
    made
}
