//! Operands of 16-bit floats that products read where they are. A decode step of a language model reads each weight
//! once, and a copy in float32 would move several times as many bytes.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::gemm::row_product;
use crate::tensor::{Element, Kind, Tensor};

/// The number of elements that are converted at a time. They stay in the fastest cache.
pub const RUN: usize = 512;

/// An element that a product reads as a number of `T`.
pub trait Number<T>: Element {
    /// Returns the numbers of a run, which may be in the buffer.
    fn numbers<'r>(run: &'r [Self], buffer: &'r mut [T; RUN]) -> &'r [T];
}

macro_rules! same {
    ($($T:ty),+) => {
        $(impl Number<$T> for $T {
            fn numbers<'r>(run: &'r [$T], _: &'r mut [$T; RUN]) -> &'r [$T] {
                run
            }
        })+
    };
}
same!(f32, f64);

macro_rules! narrow {
    ($($T:ty),+) => {
        $(impl Number<f32> for $T {
            fn numbers<'r>(run: &'r [$T], buffer: &'r mut [f32; RUN]) -> &'r [f32] {
                let numbers = &mut buffer[..run.len()];
                run.convert_to_f32_slice(numbers);
                numbers
            }
        })+
    };
}
narrow!(f16, bf16);

/// Returns the product of one row with a matrix of 16-bit floats, in float32. `None` if the operands are others.
pub fn row_times_matrix(row: &Tensor, matrix: &Tensor) -> Option<Tensor> {
    let (&k, outer) = row.shape().split_last()?;
    let &[rows, columns] = matrix.shape() else {
        return None;
    };
    if rows != k || k == 0 || columns == 0 || outer.iter().any(|&it| it != 1) {
        return None;
    }
    let row = row.cast(Kind::F32).ok()?;
    let row = row.values::<f32>().ok()?;
    let mut shape = outer.to_vec();
    shape.push(columns);
    let mut is_done = false;
    let made = Tensor::generate::<f32>(&shape, |out| {
        is_done = match matrix.kind() {
            Kind::F16 => product_with::<f16>(&row, matrix, out),
            Kind::BF16 => product_with::<bf16>(&row, matrix, out),
            _ => false,
        };
        Ok(())
    });
    made.ok().filter(|_| is_done)
}

fn product_with<E: Number<f32>>(row: &[f32], matrix: &Tensor, out: &mut [f32]) -> bool {
    let Ok(array) = matrix.array::<E>() else {
        return false;
    };
    let view = array.view();
    let view = view.into_dimensionality::<ndarray::Ix2>();
    view.is_ok_and(|matrix| row_product(row, matrix, out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::linalg::matmul;
    use crate::random::formula;

    #[test]
    fn a_row_times_float16_weights_matches_float32() {
        for kind in [Kind::F16, Kind::BF16] {
            let row = formula(0, kind, &[1, 1, 700], 64.0).unwrap();
            let weights = formula(1, kind, &[700, 1100], 64.0).unwrap();
            let turned = formula(1, kind, &[1100, 700], 64.0).unwrap();
            for weights in [weights, turned.permuted(&[1, 0]).unwrap()] {
                let found = row_times_matrix(&row, &weights).unwrap();
                let wide = |x: &Tensor| x.cast(Kind::F32).unwrap();
                let wanted = matmul(&wide(&row), &wide(&weights), None).unwrap();
                assert_eq!(found.shape(), [1, 1, 1100]);
                assert_eq!(
                    found.values::<f32>().unwrap(),
                    wanted.values::<f32>().unwrap()
                );
                let rounded = matmul(&row, &weights, None).unwrap();
                assert_eq!(rounded.kind(), kind);
                assert_eq!(
                    wide(&rounded).values::<f32>().unwrap(),
                    wide(&wanted.cast(kind).unwrap()).values::<f32>().unwrap()
                );
            }
        }
    }

    #[test]
    fn other_shapes_use_the_general_matrix_product() {
        let zeros = |shape: &[usize]| Tensor::zeros(Kind::F16, shape).unwrap();
        assert!(row_times_matrix(&zeros(&[2, 3]), &zeros(&[3, 4])).is_none());
        assert!(row_times_matrix(&zeros(&[1, 3]), &zeros(&[1, 3, 4])).is_none());
        assert!(row_times_matrix(&zeros(&[1, 3]), &zeros(&[4, 4])).is_none());
        assert!(row_times_matrix(&zeros(&[]), &zeros(&[4, 4])).is_none());
    }
}
