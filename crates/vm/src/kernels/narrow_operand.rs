//! Operands of 16-bit floats of a PrimFunc, whose memory is untyped.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use ndarray::ArrayView2;

use super::gemm::row_product;
use crate::tensor::Kind;

/// The elements of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Narrow<'m> {
    F16(&'m [f16]),
    BF16(&'m [bf16]),
}

/// A matrix of them.
#[derive(Clone, Copy, Debug)]
pub enum NarrowMatrix<'m> {
    F16(ArrayView2<'m, f16>),
    BF16(ArrayView2<'m, bf16>),
}

impl<'m> Narrow<'m> {
    /// Returns `None` if the elements are of another kind.
    pub fn of_bytes(kind: Kind, bytes: &'m [u8]) -> Option<Narrow<'m>> {
        Some(match kind {
            Kind::F16 => Narrow::F16(bytemuck::try_cast_slice(bytes).ok()?),
            Kind::BF16 => Narrow::BF16(bytemuck::try_cast_slice(bytes).ok()?),
            _ => return None,
        })
    }

    pub fn len(self) -> usize {
        match self {
            Narrow::F16(elements) => elements.len(),
            Narrow::BF16(elements) => elements.len(),
        }
    }

    pub fn get(self, at: usize) -> f32 {
        match self {
            Narrow::F16(elements) => elements[at].to_f32(),
            Narrow::BF16(elements) => elements[at].to_f32(),
        }
    }

    /// Converts the elements from `start` on.
    pub fn widen(self, start: usize, to: &mut [f32]) {
        let range = start..start + to.len();
        match self {
            Narrow::F16(elements) => elements[range].convert_to_f32_slice(to),
            Narrow::BF16(elements) => elements[range].convert_to_f32_slice(to),
        }
    }
}

impl NarrowMatrix<'_> {
    /// Multiplies a row with the matrix. Returns `false` if neither its rows nor its columns are contiguous.
    pub fn row_product(self, row: &[f32], out: &mut [f32]) -> bool {
        match self {
            NarrowMatrix::F16(matrix) => row_product(row, matrix, out),
            NarrowMatrix::BF16(matrix) => row_product(row, matrix, out),
        }
    }
}
