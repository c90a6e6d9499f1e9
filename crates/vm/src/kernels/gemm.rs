//! Matrix products over strided views, for the element types in which products are computed.
//!
//! Half floats are computed in float32. Integers are computed in a wrapping 32 or 64 bit integer.

#[cfg(target_arch = "x86_64")]
mod blocked;
pub mod factor;
#[cfg(not(target_arch = "x86_64"))]
mod unblocked;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, Axis, LinalgScalar};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use self::blocked::Processor;
use self::factor::Factor;
#[cfg(not(target_arch = "x86_64"))]
use self::unblocked as blocked;
use super::narrow::{Number, RUN};
use super::turned;
use crate::error::{RunError, RunResult};
use crate::tensor::stop::Stop;
use crate::tensor::{Element, Kind, alloc};

/// A type in which products are computed.
pub trait Product: Element {
    /// Writes `a * b` to the row-major `c`.
    fn product(a: ArrayView2<'_, Self>, b: ArrayView2<'_, Self>, c: &mut [Self]) -> RunResult<()>;
    /// Returns `true` if [`Product::product_in_place`] is faster than gathering the factors into matrices. `lanes` are
    /// the rows and columns of the product.
    fn multiplies_in_place(_lanes: (usize, usize), _depth: usize) -> bool {
        false
    }
    /// Writes a product with factors that need no matrices in memory to the row-major `c`. Returns `None` if
    /// [`Product::multiplies_in_place`] is `false`.
    fn product_in_place(
        _left: Factor<'_, Self>,
        _right: Factor<'_, Self>,
        _c: &mut [Self],
    ) -> Option<RunResult<()>> {
        None
    }
    fn mul_add(self, x: Self, sum: Self) -> Self;
    fn sum_of(a: Self, b: Self) -> Self;
}

/// Returns the kind in which products of `kind` are computed.
pub fn product_kind(kind: Kind) -> Kind {
    match kind {
        Kind::F64 => Kind::F64,
        Kind::F16 | Kind::BF16 | Kind::F32 => Kind::F32,
        Kind::I64 | Kind::U64 => Kind::I64,
        _ => Kind::I32,
    }
}

/// Runs `body` with `$T` bound to the type of a kind that [`product_kind`] returned.
macro_rules! dispatch_product {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            $crate::tensor::Kind::F64 => {
                type $T = f64;
                $body
            }
            $crate::tensor::Kind::F32 => {
                type $T = f32;
                $body
            }
            $crate::tensor::Kind::I64 => {
                type $T = i64;
                $body
            }
            _ => {
                type $T = i32;
                $body
            }
        }
    };
}
pub(crate) use dispatch_product;

const LANES: usize = 16;

/// The number of multiplications after which a product checks the stop flag: a few tenths of a second.
const BLOCK: u64 = 1 << 33;
/// The number of multiplications from which waking another thread pays off.
const PARALLEL: usize = 1 << 20;
/// The number of elements that are transposed at a time.
const PANEL: usize = 1 << 21;
/// The number of rows from which transposing the other matrix pays off.
const FEWEST_TURNED: usize = 16;
/// The minimum number of columns for which `blocked` pays off: it always computes a multiple of 16 or 32 columns.
const FEWEST_COLUMNS: usize = 5;
/// The minimum number of multiplications for which `blocked` is faster than `matrixmultiply`.
const FEWEST_PRODUCTS: usize = 1 << 18;
/// The minimum number of rows in a block. Preparing fewer would take longer than multiplying them.
const FEWEST_ROWS: usize = 128;

/// Returns the dot product, using several sums so that it is vectorised. The elements of `y` are converted some at a
/// time.
fn dot_with<T: Product, B: Number<T>>(x: &[T], y: &[B], buffer: &mut [T; RUN]) -> T {
    let mut sums = [T::default(); LANES];
    for (x, y) in x.chunks(RUN).zip(y.chunks(RUN)) {
        add_products(&mut sums, x, B::numbers(y, buffer));
    }
    sums.into_iter().fold(T::default(), T::sum_of)
}

fn add_products<T: Product>(sums: &mut [T; LANES], x: &[T], y: &[T]) {
    let (xs, ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let (x_rest, y_rest) = (xs.remainder(), ys.remainder());
    for (x, y) in xs.zip(ys) {
        for i in 0..LANES {
            sums[i] = x[i].mul_add(y[i], sums[i]);
        }
    }
    for (sum, (&x, &y)) in sums.iter_mut().zip(x_rest.iter().zip(y_rest)) {
        *sum = x.mul_add(y, *sum);
    }
}

/// Adds `x * row` to `out`.
pub fn add_scaled<T: Product>(out: &mut [T], x: T, row: &[T]) {
    for (slot, &value) in out.iter_mut().zip(row) {
        *slot = x.mul_add(value, *slot);
    }
}

/// Multiplies one row with a matrix, for cases in which packing the matrix would cost more than the product. Returns
/// `false` if neither the rows nor the columns of the matrix are contiguous.
pub(super) fn row_product<T: Product, B: Number<T>>(
    a: &[T],
    b: ArrayView2<'_, B>,
    c: &mut [T],
) -> bool {
    let n = c.len();
    let threads = rayon::current_num_threads().max(1);
    let parallel = a.len() * n > (1 << 17);
    let part = if parallel {
        n.div_ceil(threads).max(16)
    } else {
        n.max(1)
    };
    if b.is_empty() {
        return false;
    }
    if b.column(0).to_slice().is_some() {
        let columns = |start: usize, c: &mut [T]| {
            let mut buffer = [T::default(); RUN];
            for (j, slot) in c.iter_mut().enumerate() {
                if let Some(column) = b.column(start + j).to_slice() {
                    *slot = dot_with(a, column, &mut buffer);
                }
            }
        };
        c.par_chunks_mut(part)
            .enumerate()
            .for_each(|(i, c)| columns(i * part, c));
        true
    } else if b.row(0).to_slice().is_some() {
        c.par_chunks_mut(part).enumerate().for_each(|(i, c)| {
            let mut buffer = [T::default(); RUN];
            c.fill(T::default());
            for (k, &x) in a.iter().enumerate() {
                if let Some(row) = b.row(k).to_slice() {
                    let row = &row[i * part..i * part + c.len()];
                    for (c, row) in c.chunks_mut(RUN).zip(row.chunks(RUN)) {
                        add_scaled(c, x, B::numbers(row, &mut buffer));
                    }
                }
            }
        });
        true
    } else {
        false
    }
}

/// Writes a product with a matrix that is stored by columns, some of them at a time. They are transposed first, since
/// reading a row across columns would need more cache lines than the fastest cache has for some strides.
fn with_columns<T: Element + LinalgScalar>(
    a: ArrayView2<'_, T>,
    columns: &[T],
    mut c: ArrayViewMut2<'_, T>,
) -> RunResult<()> {
    let (threads, stop) = (rayon::current_num_threads(), Stop::of_thread());
    let depth = a.ncols();
    let most = (PANEL / depth.max(1)).max(LANES).min(c.ncols());
    let mut panel = alloc::zeroed::<T>(depth * most)?;
    let parts = columns.chunks(depth * most);
    for (columns, c) in parts.zip(c.axis_chunks_iter_mut(Axis(1), most)) {
        let (width, panel) = (c.ncols(), &mut panel[..columns.len()]);
        let start = |row: usize| row as isize;
        turned::copy(columns, start, depth, (width, depth as isize), panel);
        let Ok(b) = ArrayView2::from_shape((depth, width), &*panel) else {
            return Err(RunError::shape(
                "a matrix has another shape than its elements",
            ));
        };
        on_threads(a, b, c, threads, &stop)?;
    }
    Ok(())
}

/// Writes a product with several threads: halves the longer side of the result until there is a part for each.
fn on_threads<T: LinalgScalar + Send + Sync>(
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
    c: ArrayViewMut2<'_, T>,
    threads: usize,
    stop: &Stop,
) -> RunResult<()> {
    let (rows, columns) = c.dim();
    let axis = Axis(usize::from(columns >= rows));
    let side = rows.max(columns);
    // A part of a full number of cache lines.
    let first = (side * threads.div_ceil(2) / threads.max(1)).next_multiple_of(LANES);
    if threads < 2 || first >= side || a.len().saturating_mul(columns) < PARALLEL {
        return in_turn(a, b, c, stop);
    }
    let (a, b) = match axis {
        Axis(0) => {
            let (first, second) = a.split_at(axis, first);
            ((first, second), (b, b))
        }
        _ => ((a, a), b.split_at(axis, first)),
    };
    let (c, other) = c.split_at(axis, first);
    let (first, second) = rayon::join(
        || on_threads(a.0, b.0, c, threads.div_ceil(2), stop),
        || on_threads(a.1, b.1, other, threads / 2, stop),
    );
    first.and(second)
}

/// Writes a product with this thread, some rows at a time.
fn in_turn<T: LinalgScalar>(
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
    mut c: ArrayViewMut2<'_, T>,
    stop: &Stop,
) -> RunResult<()> {
    let rows = BLOCK / (b.len().max(1) as u64);
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    let rows = rows.max(FEWEST_ROWS);
    let blocks = a.axis_chunks_iter(Axis(0), rows);
    for (a, mut c) in blocks.zip(c.axis_chunks_iter_mut(Axis(0), rows)) {
        stop.check()?;
        general_mat_mul(T::one(), &a, &b, T::zero(), &mut c);
    }
    Ok(())
}

macro_rules! float_product {
    ($($T:ty { $($in_place:item)* })+) => {
        $(impl Product for $T {
            $($in_place)*

            fn product(
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
                c: &mut [Self],
            ) -> RunResult<()> {
                let shape = (a.nrows(), b.ncols());
                if shape.0 == 1
                    && let Some(row) = a.row(0).to_slice()
                    && row_product(row, b, c)
                {
                    return Ok(());
                }
                let factors = (Factor::Matrix(a), Factor::Matrix(b.reversed_axes()));
                if let Some(done) = Self::product_in_place(factors.0, factors.1, c) {
                    return done;
                }
                let Ok(c) = ArrayViewMut2::from_shape(shape, c) else {
                    return Ok(());
                };
                match b.t().to_slice() {
                    Some(columns) if shape.0 >= FEWEST_TURNED && shape.1 > 1 && !b.is_empty() => {
                        with_columns(a, columns, c)
                    }
                    _ => on_threads(a, b, c, rayon::current_num_threads(), &Stop::of_thread()),
                }
            }
            #[inline]
            fn mul_add(self, x: Self, sum: Self) -> Self {
                self * x + sum
            }
            #[inline]
            fn sum_of(a: Self, b: Self) -> Self {
                a + b
            }
        })+
    };
}

macro_rules! int_product {
    ($($T:ty),+) => {
        $(impl Product for $T {
            fn product(
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
                c: &mut [Self],
            ) -> RunResult<()> {
                let n = b.ncols();
                if n == 0 {
                    return Ok(());
                }
                let b = b.as_standard_layout();
                super::map::in_rows(c, n, a.ncols().max(1), |i, c| {
                    c.fill(0);
                    for (k, &x) in a.row(i).iter().enumerate() {
                        if let Some(row) = b.row(k).to_slice() {
                            add_scaled(c, x, row);
                        }
                    }
                });
                Ok(())
            }
            #[inline]
            fn mul_add(self, x: Self, sum: Self) -> Self {
                self.wrapping_mul(x).wrapping_add(sum)
            }
            #[inline]
            fn sum_of(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
        })+
    };
}

float_product! {
    f32 {
        fn multiplies_in_place(lanes: (usize, usize), depth: usize) -> bool {
            let work = lanes.0.saturating_mul(lanes.1).saturating_mul(depth);
            let is_large = lanes.0 > 1 && lanes.1 >= FEWEST_COLUMNS && work >= FEWEST_PRODUCTS;
            is_large && Processor::for_columns(lanes.1).is_some()
        }
        fn product_in_place(
            left: Factor<'_, f32>,
            right: Factor<'_, f32>,
            c: &mut [f32],
        ) -> Option<RunResult<()>> {
            let shape = (left.lanes(), right.lanes());
            let in_place = Self::multiplies_in_place(shape, left.depth());
            let processor = Processor::for_columns(shape.1).filter(|_| in_place)?;
            let c = ArrayViewMut2::from_shape(shape, c).ok()?;
            Some(blocked::product(processor, (left, right), c))
        }
    }
    f64 {}
}
int_product!(i32, i64);

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn a_matrix_by_columns_gives_the_same_product() {
        for (rows, depth, columns) in [(16, 90, 200), (33, 1, 40), (20, 17, 1), (17, 9000, 300)] {
            let a = Array2::from_shape_fn((rows, depth), |(i, k)| ((i * 3 + k) % 11) as f32 - 5.0);
            let b =
                Array2::from_shape_fn((columns, depth), |(j, k)| ((k * 5 + j) % 7) as f32 - 3.0);
            let mut c = vec![f32::NAN; rows * columns];
            f32::product(a.view(), b.t(), &mut c).unwrap();
            assert_eq!(c, a.dot(&b.t()).into_iter().collect::<Vec<f32>>());
            let (a, b) = (a.mapv(f64::from), b.mapv(f64::from));
            let mut wide = vec![f64::NAN; rows * columns];
            f64::product(a.view(), b.t(), &mut wide).unwrap();
            assert!(wide.into_iter().eq(c.into_iter().map(f64::from)));
        }
    }

    #[test]
    fn parts_of_a_product_are_the_product() {
        for (rows, columns) in [(130, 200), (203, 131), (400, 70)] {
            let a = Array2::from_shape_fn((rows, 90), |(i, k)| ((i * 3 + k) % 11) as f32 - 5.0);
            let b = Array2::from_shape_fn((90, columns), |(k, j)| ((k * 5 + j) % 7) as f32 - 3.0);
            let wanted = a.dot(&b);
            for threads in [1, 2, 3, 8] {
                let mut c = Array2::from_elem((rows, columns), f32::NAN);
                let view = c.view_mut();
                on_threads(a.view(), b.view(), view, threads, &Stop::default()).unwrap();
                assert_eq!(c, wanted, "{threads}");
            }
        }
    }
}
