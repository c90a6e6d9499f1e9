//! Copies of parts of a matrix in the order in which tiles of a product read them: for some lanes (rows of the left
//! matrix, columns of the right one), the elements of all of them at each depth lie next to each other.

use std::array::from_fn;
use std::ops::Range;

use ndarray::{ArrayView2, s};

use super::super::factor::Factor;
use super::tile::Transpose;

impl Factor<'_, f32> {
    /// Writes panels of `W` lanes each. The last one is filled up with zeros.
    pub fn pack<const W: usize>(
        &self,
        tile: impl Transpose,
        lanes: Range<usize>,
        depth: Range<usize>,
        out: &mut [[f32; W]],
    ) {
        match self {
            Factor::Matrix(matrix) => pack_matrix(tile, matrix.slice(s![lanes, depth]), out),
            Factor::Gathered(it) => {
                let from = it.values;
                let (lanes, depth) = (&it.lanes[lanes], &it.depth[depth]);
                let panels = out.chunks_exact_mut(depth.len().max(1));
                for (lanes, out) in lanes.chunks(W).zip(panels) {
                    gather(from, lanes, depth, out);
                }
            }
        }
    }
}

fn pack_matrix<const W: usize>(
    tile: impl Transpose,
    matrix: ArrayView2<'_, f32>,
    out: &mut [[f32; W]],
) {
    let (lanes, depth) = matrix.dim();
    if depth == 0 {
        return;
    }
    let first = matrix.column(0);
    if lanes > 1 && first.to_slice().is_some() {
        // Lanes lie next to each other: read them in the order of memory.
        for (at, column) in matrix.columns().into_iter().enumerate() {
            let Some(column) = column.to_slice() else {
                continue;
            };
            let (whole, rest) = column.as_chunks::<W>();
            for (panel, &lanes) in whole.iter().enumerate() {
                out[panel * depth + at] = lanes;
            }
            if !rest.is_empty() {
                out[whole.len() * depth + at] = filled(rest);
            }
        }
        return;
    }
    for (panel, out) in out.chunks_exact_mut(depth).enumerate() {
        let matrix = matrix.slice(s![panel * W..lanes.min((panel + 1) * W), ..]);
        if matrix.nrows() == W && matrix.row(0).to_slice().is_some() {
            let lanes = from_fn(|lane| matrix.row(lane).to_slice().unwrap_or_default());
            tile.transpose(lanes, out);
            continue;
        }
        for (slot, column) in out.iter_mut().zip(matrix.columns()) {
            *slot = from_fn(|lane| column.get(lane).copied().unwrap_or_default());
        }
    }
}

/// Writes a panel of at most `W` lanes.
fn gather<const W: usize>(from: &[f32], lanes: &[isize], depth: &[isize], out: &mut [[f32; W]]) {
    let Ok(places) = <&[isize; W]>::try_from(lanes) else {
        for (slot, &at) in out.iter_mut().zip(depth) {
            *slot = from_fn(|lane| {
                lanes
                    .get(lane)
                    .map_or(0.0, |&lane| from[(at + lane) as usize])
            });
        }
        return;
    };
    let step = places[1] - places[0];
    let step = places
        .windows(2)
        .all(|pair| pair[1] - pair[0] == step)
        .then_some(step);
    for (slot, &at) in out.iter_mut().zip(depth) {
        let run = &from[(at + places[0]) as usize..];
        *slot = match step {
            Some(1) => every::<1, W>(run),
            Some(2) => every::<2, W>(run),
            _ => places.map(|lane| from[(at + lane) as usize]),
        };
    }
}

/// Returns elements that are `STEP` apart.
fn every<const STEP: usize, const W: usize>(run: &[f32]) -> [f32; W] {
    let run = &run[..=(W - 1) * STEP];
    from_fn(|at| run[at * STEP])
}

fn filled<const W: usize>(values: &[f32]) -> [f32; W] {
    from_fn(|at| values.get(at).copied().unwrap_or_default())
}
