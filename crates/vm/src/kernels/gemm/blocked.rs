//! Matrix products of float32 by blocks that stay in the caches, on all threads.
//!
//! All threads share the packed right matrix, and each packs the rows of the left one that it multiplies. With few
//! rows, each thread packs some columns of the right matrix and multiplies them while they are in the fastest cache.

mod panels;
mod tile;

use std::cell::Cell;
use std::ops::Range;

use ndarray::{ArrayViewMut1, ArrayViewMut2, Axis, s};
use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, ParallelIterator, ParallelSliceMut,
};

pub use self::tile::Processor;
use self::tile::{CACHE_LINE, Tile, Write};
use super::PARALLEL;
use super::factor::Factor;
use crate::error::RunResult;
use crate::tensor::stop::Stop;

/// The maximum number of columns of the right matrix that are packed for all threads: 2.5 or 3 MiB.
const SHARED_COLUMNS: usize = 2048;
/// The number of columns that a thread packs at a time.
const PACKED_COLUMNS: usize = 64;

/// The panels that a thread packs.
#[derive(Default)]
struct Buffers {
    left: Vec<f32>,
    right: Vec<f32>,
}

thread_local! {
    static BUFFERS: Cell<Buffers> = const { Cell::new(Buffers { left: Vec::new(), right: Vec::new() }) };
    /// The right matrix that a product packs for all threads. New memory for each product would be cleared first.
    static SHARED: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
}

/// A part of the result, with its first row and column.
type Part<'c> = (usize, usize, ArrayViewMut2<'c, f32>);

/// The right matrix of a part.
#[derive(Clone, Copy)]
enum Columns<'r, const COLUMNS: usize> {
    Packed(&'r [[f32; COLUMNS]]),
    Unpacked(Factor<'r, f32>),
}

/// Writes the product of two factors to `c`, whose rows are contiguous.
pub fn product(
    processor: Processor,
    factors: (Factor<'_, f32>, Factor<'_, f32>),
    c: ArrayViewMut2<'_, f32>,
) -> RunResult<()> {
    match processor {
        Processor::Avx2(tile) => product_by(tile, factors, c),
        Processor::Avx512(tile) => product_by(tile, factors, c),
    }
}

fn product_by<T: Tile<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    tile: T,
    (left, right): (Factor<'_, f32>, Factor<'_, f32>),
    mut c: ArrayViewMut2<'_, f32>,
) -> RunResult<()> {
    let ((rows, columns), depth) = (c.dim(), left.depth());
    if depth == 0 {
        c.fill(0.0);
        return Ok(());
    }
    let work = rows.saturating_mul(columns).saturating_mul(depth);
    let threads = if work < PARALLEL {
        1
    } else {
        rayon::current_num_threads().max(1)
    };
    let stop = Stop::of_thread();
    let run = |parts: Vec<Part<'_>>, columns: Columns<'_, COLUMNS>, depth: Range<usize>| {
        let multiply = |part: Part<'_>| multiply(tile, (left, columns), part, depth.clone(), &stop);
        if threads == 1 {
            return parts.into_iter().try_for_each(multiply);
        }
        parts.into_par_iter().try_for_each(multiply)
    };
    if rows <= T::BLOCK_ROWS {
        let parts = in_columns::<COLUMNS>((0, 0, c), columns.div_ceil(threads).min(SHARED_COLUMNS));
        return run(parts, Columns::Unpacked(right), 0..depth);
    }
    let most = columns.min(SHARED_COLUMNS).div_ceil(COLUMNS);
    let mut shared = SHARED.take();
    let packed = sized(&mut shared, most * depth.min(T::DEPTH));
    for first in (0..columns).step_by(SHARED_COLUMNS) {
        let columns = first..columns.min(first + SHARED_COLUMNS);
        for depth in blocks(0..depth, T::DEPTH) {
            let packed = &mut packed[..columns.len().div_ceil(COLUMNS) * depth.len()];
            pack_shared(
                tile,
                right,
                (columns.clone(), depth.clone()),
                packed,
                threads,
            );
            let parts =
                in_blocks::<T, ROWS, COLUMNS>(c.slice_mut(s![.., columns.clone()]), threads);
            run(parts, Columns::Packed(packed), depth)?;
        }
    }
    SHARED.set(shared);
    Ok(())
}

/// Packs columns of the right matrix on all threads.
fn pack_shared<T: Tile<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    tile: T,
    right: Factor<'_, f32>,
    (columns, depth): (Range<usize>, Range<usize>),
    packed: &mut [[f32; COLUMNS]],
    threads: usize,
) {
    let panels = packed.len() / depth.len();
    let panels = panels.div_ceil(threads).min(PACKED_COLUMNS / COLUMNS * 2);
    let pack = |(at, packed): (usize, &mut [[f32; COLUMNS]])| {
        let first = columns.start + at * panels * COLUMNS;
        let columns = first..columns.end.min(first + panels * COLUMNS);
        right.pack(tile, columns, depth.clone(), packed);
    };
    let parts = packed.par_chunks_mut(panels * depth.len()).enumerate();
    if threads == 1 {
        packed
            .chunks_mut(panels * depth.len())
            .enumerate()
            .for_each(pack);
    } else {
        parts.for_each(pack);
    }
}

/// Divides a result into blocks of rows, about the same number for each thread, and into columns if there are fewer
/// blocks than threads.
fn in_blocks<T: Tile<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    c: ArrayViewMut2<'_, f32>,
    threads: usize,
) -> Vec<Part<'_>> {
    let (rows, columns) = c.dim();
    let blocks = rows.div_ceil(T::BLOCK_ROWS);
    let even = blocks.next_multiple_of(threads);
    let panels = rows.div_ceil(ROWS);
    let blocks = if even < 2 * blocks { even } else { blocks };
    let width = columns.div_ceil(threads.div_ceil(blocks));
    let (mut parts, mut rest, mut first) = (Vec::new(), c, 0);
    for block in 1..=blocks {
        let end = (panels * block / blocks * ROWS).min(rows);
        let (part, others) = rest.split_at(Axis(0), end - first);
        parts.extend(in_columns::<COLUMNS>((first, 0, part), width));
        (rest, first) = (others, end);
    }
    parts
}

/// Divides a part of a result into parts of about `width` columns, whole cache lines.
fn in_columns<const COLUMNS: usize>((row, column, c): Part<'_>, width: usize) -> Vec<Part<'_>> {
    let width = width.next_multiple_of(COLUMNS).max(COLUMNS);
    let (mut parts, mut rest, mut first) = (Vec::new(), c, column);
    while rest.ncols() > 0 {
        let count = width.min(rest.ncols());
        let (part, others) = rest.split_at(Axis(1), count);
        parts.push((row, first, part));
        (rest, first) = (others, first + count);
    }
    parts
}

/// Writes a part of the result, or adds to it if `depth` does not begin with the first products.
fn multiply<T: Tile<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    tile: T,
    (left, right): (Factor<'_, f32>, Columns<'_, COLUMNS>),
    (row, column, mut c): Part<'_>,
    depth: Range<usize>,
    stop: &Stop,
) -> RunResult<()> {
    let (rows, columns) = c.dim();
    let mut out: Vec<&mut [f32]> = Vec::with_capacity(rows);
    out.extend(
        c.rows_mut()
            .into_iter()
            .filter_map(ArrayViewMut1::into_slice),
    );
    let mut buffers = BUFFERS.take();
    for depth in blocks(depth, T::DEPTH) {
        // With many columns or a long depth, a part takes minutes.
        stop.check()?;
        let write = if depth.start == 0 {
            Write::Set
        } else {
            Write::Add
        };
        let panels = rows.div_ceil(ROWS);
        let packed = sized(&mut buffers.left, panels * depth.len());
        left.pack(tile, row..row + rows, depth.clone(), packed);
        match right {
            Columns::Packed(right) => {
                let right = &right[column / COLUMNS * depth.len()..];
                let right = &right[..columns.div_ceil(COLUMNS) * depth.len()];
                tile.multiply((packed, right), depth.len(), &mut out, write);
            }
            Columns::Unpacked(right) => {
                for first in (0..columns).step_by(PACKED_COLUMNS) {
                    let count = PACKED_COLUMNS.min(columns - first);
                    let size = count.div_ceil(COLUMNS) * depth.len();
                    let panels = sized(&mut buffers.right, size);
                    let from = column + first;
                    right.pack(tile, from..from + count, depth.clone(), panels);
                    let mut out: Vec<&mut [f32]> = out
                        .iter_mut()
                        .map(|row| &mut row[first..first + count])
                        .collect();
                    tile.multiply((packed, panels), depth.len(), &mut out, write);
                }
            }
        }
    }
    BUFFERS.set(buffers);
    Ok(())
}

fn blocks(depth: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let end = depth.end;
    depth
        .step_by(most)
        .map(move |first| first..end.min(first + most))
}

/// Returns a part of a buffer as `count` elements of panels, which begin at a line of the cache: reading a register from
/// two lines takes twice as long. The buffer grows if it is smaller.
fn sized<const W: usize>(buffer: &mut Vec<f32>, count: usize) -> &mut [[f32; W]] {
    let size = count * W + CACHE_LINE / size_of::<f32>();
    if buffer.len() < size {
        buffer.resize(size, 0.0);
    }
    let first = buffer.as_ptr().align_offset(CACHE_LINE);
    &mut buffer[first..].as_chunks_mut().0[..count]
}

#[cfg(test)]
mod tests;
