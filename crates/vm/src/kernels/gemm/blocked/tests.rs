//! Compares products by blocks with plain loops, whose sums float32 represents exactly.

use ndarray::{Array2, ArrayView2, s};
use rayon::ThreadPoolBuilder;

use super::super::factor::Gathered;
use super::tile::{Avx2, Avx512};
use super::*;

/// Small integers, whose products and sums float32 represents exactly.
fn filled(rows: usize, columns: usize, seed: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        ((i * 7 + j * 3 + seed) % 11) as f32 - 5.0
    })
}

fn plain(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>) -> Array2<f32> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
        a.row(i).iter().zip(b.column(j)).map(|(x, y)| x * y).sum()
    })
}

/// Returns the product as a part of a matrix, around which nothing may be written. Tiles of all sizes give the same.
fn product_of(
    left: Factor<'_, f32>,
    right: Factor<'_, f32>,
    threads: usize,
) -> Option<Array2<f32>> {
    let Some(small) = Avx2::detected().map(Processor::Avx2) else {
        testing::skip("this processor has no AVX2");
        return None;
    };
    let found = product_on(small, (left, right), threads);
    match Avx512::detected().map(Processor::Avx512) {
        Some(large) => {
            let other = product_on(large, (left, right), threads);
            let same = |(x, y): (&f32, &f32)| x == y || x.is_nan() && y.is_nan();
            assert!(found.iter().zip(&other).all(same));
        }
        None => testing::skip("this processor has no AVX-512"),
    }
    Some(found)
}

fn product_on(
    processor: Processor,
    (left, right): (Factor<'_, f32>, Factor<'_, f32>),
    threads: usize,
) -> Array2<f32> {
    let (rows, columns) = (left.lanes(), right.lanes());
    let mut around = Array2::from_elem((rows + 2, columns + 3), f32::MAX);
    let inside = s![1..=rows, 1..=columns];
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| product(processor, (left, right), around.slice_mut(inside)).unwrap());
    let found = around.slice(inside).to_owned();
    around.slice_mut(inside).fill(f32::MAX);
    assert!(around.iter().all(|&it| it == f32::MAX));
    found
}

#[test]
fn products_of_all_layouts_are_exact() {
    let sizes = [
        (1, 1, 1),
        (2, 0, 5),
        (6, 16, 16),
        (14, 16, 32),
        (7, 321, 33),
        (13, 5, 2100),
        (150, 350, 50),
        (300, 643, 17),
    ];
    for (rows, depth, columns) in sizes {
        let (a, b) = (filled(rows, depth, 0), filled(depth, columns, 1));
        let wanted = plain(a.view(), b.view());
        let turned =
            |of: &Array2<f32>| Array2::from_shape_fn((of.ncols(), of.nrows()), |(i, j)| of[[j, i]]);
        // Each second row and column of a larger matrix.
        let spread = |of: &Array2<f32>| {
            let shape = (of.nrows() * 2, of.ncols() * 2);
            Array2::from_shape_fn(shape, |(i, j)| match (i % 2, j % 2) {
                (0, 0) => of[[i / 2, j / 2]],
                _ => f32::NAN,
            })
        };
        let (turned_a, turned_b) = (turned(&a), turned(&b));
        let (spread_a, spread_b) = (spread(&a), spread(&b));
        let lefts = [a.view(), turned_a.t(), spread_a.slice(s![..;2, ..;2])];
        let rights = [
            b.t(),
            turned_b.view(),
            spread_b.slice(s![..;2, ..;2]).reversed_axes(),
        ];
        for (left, right) in lefts
            .into_iter()
            .flat_map(|left| rights.map(|right| (left, right)))
        {
            for threads in [1, 3] {
                let factors = (Factor::Matrix(left), Factor::Matrix(right));
                if let Some(found) = product_of(factors.0, factors.1, threads) {
                    assert_eq!(found, wanted, "{rows} {depth} {columns} {threads}");
                }
            }
        }
    }
}

#[test]
fn windows_of_a_line_are_multiplied_where_they_are() {
    let line: Vec<f32> = (0..900).map(|i| (i % 13) as f32 - 6.0).collect();
    let filters = filled(40, 90, 2);
    for step in [1, 2, -1] {
        // The window of each output begins `step` elements behind that of the output before it.
        let lanes: Vec<isize> = (0..400)
            .map(|at| if step < 0 { 500 - at } else { at * step })
            .collect();
        let depth: Vec<isize> = (0..90).collect();
        let windows = Array2::from_shape_fn((90, 400), |(i, j)| line[lanes[j] as usize + i]);
        let right = Gathered {
            values: &line,
            lanes: &lanes,
            depth: &depth,
        };
        let left = Factor::Matrix(filters.view());
        if let Some(found) = product_of(left, Factor::Gathered(right), 2) {
            assert_eq!(found, plain(filters.view(), windows.view()), "{step}");
        }
        let turned = product_of(Factor::Gathered(right), left, 2);
        if let Some(found) = turned {
            assert_eq!(found, plain(windows.t(), filters.t()), "{step}");
        }
    }
}

#[test]
fn what_is_not_finite_reaches_only_its_row_and_column() {
    let (mut a, mut b) = (filled(150, 40, 0), filled(40, 40, 1));
    (a[[3, 39]], b[[39, 7]], b[[0, 33]]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
    let Some(found) = product_of(Factor::Matrix(a.view()), Factor::Matrix(b.t()), 2) else {
        return;
    };
    for ((place, found), wanted) in found.indexed_iter().zip(&plain(a.view(), b.view())) {
        let same = found == wanted || found.is_nan() && wanted.is_nan();
        assert!(same, "{place:?}: {found} {wanted}");
    }
}
