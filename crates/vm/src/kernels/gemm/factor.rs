//! Factors of a product that need not be matrices in memory.

use ndarray::ArrayView2;

/// A factor of a product: its lanes, each with the elements that are multiplied and summed.
#[derive(Clone, Copy, Debug)]
pub enum Factor<'m, T> {
    /// A matrix whose rows are the lanes.
    Matrix(ArrayView2<'m, T>),
    #[cfg_attr(
        not(feature = "native"),
        expect(dead_code, reason = "only native PrimFuncs gather factors")
    )]
    Gathered(Gathered<'m, T>),
}

/// Elements at any places: element `i` of a lane is at `lanes[lane] + depth[i]`.
#[derive(Clone, Copy, Debug)]
pub struct Gathered<'m, T> {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only products by blocks gather elements")
    )]
    pub values: &'m [T],
    pub lanes: &'m [isize],
    pub depth: &'m [isize],
}

impl<T> Factor<'_, T> {
    pub fn lanes(&self) -> usize {
        match self {
            Factor::Matrix(matrix) => matrix.nrows(),
            Factor::Gathered(it) => it.lanes.len(),
        }
    }

    pub fn depth(&self) -> usize {
        match self {
            Factor::Matrix(matrix) => matrix.ncols(),
            Factor::Gathered(it) => it.depth.len(),
        }
    }
}
