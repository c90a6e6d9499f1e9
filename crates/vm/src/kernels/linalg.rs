//! Matrix products: `matmul`, `linear`, `outer`, `einsum`.

use ndarray::{ArrayView2, ArrayViewD, Axis, Ix2};

use super::gemm::{Product, dispatch_product, product_kind};
use super::narrow::row_times_matrix;
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::parallel;
use crate::tensor::{Kind, Tensor, show_shape};
use crate::value::Value;

fn mat_mul(args: &Args<'_>) -> RunResult<Value> {
    let (a, b) = (args.operand(0)?, args.operand(1)?);
    let out = args.dtype("out_dtype")?;
    Ok(matmul(&a, &b, out)?.into())
}

/// Computes `numpy.matmul`, as if both operands were cast to `out` first.
pub(super) fn matmul(a: &Tensor, b: &Tensor, out: Option<Kind>) -> RunResult<Tensor> {
    if out.is_none() && a.kind() != b.kind() {
        return Err(RunError::dtype(format!(
            "operands are {} and {}",
            a.dtype(),
            b.dtype()
        )));
    }
    let kind = out.unwrap_or(a.kind());
    let compute = product_kind(kind);
    let cast = |x: &Tensor| {
        // A narrowing `out_dtype` rounds the operands; a widening one does not.
        if x.kind() == compute {
            Ok(x.clone())
        } else {
            x.cast(kind)?.cast(compute)
        }
    };
    // A widening `out_dtype` rounds nothing, so a row may be multiplied with weights as they are stored.
    let is_read_in_place = a.kind() == b.kind() && (kind == b.kind() || kind == Kind::F32);
    if is_read_in_place && let Some(product) = row_times_matrix(a, b) {
        return product.cast(kind);
    }
    let (a, b) = (cast(a)?, cast(b)?);
    let product = dispatch_product!(compute, T => {
        products::<T>(&a.array::<T>()?.view(), &b.array::<T>()?.view())
    })?;
    product.cast(kind)
}

fn products<T: Product>(a: &ArrayViewD<'_, T>, b: &ArrayViewD<'_, T>) -> RunResult<Tensor> {
    let misfit = || {
        RunError::shape(format!(
            "shapes {} and {} have no matrix product",
            show_shape(a.shape()),
            show_shape(b.shape())
        ))
    };
    if a.ndim() == 0 || b.ndim() == 0 {
        return Err(misfit());
    }
    let (a_vector, b_vector) = (a.ndim() == 1, b.ndim() == 1);
    let a = if a_vector {
        a.clone().insert_axis(Axis(0))
    } else {
        a.clone()
    };
    let b = if b_vector {
        b.clone().insert_axis(Axis(1))
    } else {
        b.clone()
    };
    let (m, k) = (a.shape()[a.ndim() - 2], a.shape()[a.ndim() - 1]);
    let (k_of_b, n) = (b.shape()[b.ndim() - 2], b.shape()[b.ndim() - 1]);
    if k != k_of_b {
        return Err(RunError::shape(format!(
            "the last dimension of {} is {k}, and {} has {k_of_b} rows",
            show_shape(a.shape()),
            show_shape(b.shape())
        )));
    }
    let batch = map::broadcast_shape(&a.shape()[..a.ndim() - 2], &b.shape()[..b.ndim() - 2])?;
    let mut shape = batch.clone();
    if !a_vector {
        shape.push(m);
    }
    if !b_vector {
        shape.push(n);
    }
    Tensor::generate::<T>(&shape, |out| {
        if out.is_empty() || k == 0 {
            return Ok(());
        }
        // With one matrix for all batches, this is a single product over all rows.
        if b.ndim() == 2
            && a.is_standard_layout()
            && let (Ok(rows), Ok(b)) = (
                a.view().into_shape_with_order((out.len() / n, k)),
                b.view().into_dimensionality::<Ix2>(),
            )
        {
            return T::product(rows, b, out);
        }
        parallel::in_blocks(out, m * n, |i, out| {
            T::product(matrix_at(&a, &batch, i)?, matrix_at(&b, &batch, i)?, out)
        })
    })
}

/// Returns the matrix of one batch by its row-major index in the broadcast batch shape.
fn matrix_at<'a, T>(
    x: &'a ArrayViewD<'_, T>,
    batch: &[usize],
    mut index: usize,
) -> RunResult<ArrayView2<'a, T>> {
    let mut view = x.view();
    let own = x.ndim() - 2;
    for level in (0..batch.len()).rev() {
        let at = index % batch[level];
        index /= batch[level];
        if let Some(axis) = (level + own).checked_sub(batch.len()) {
            let at = if x.shape()[axis] == 1 { 0 } else { at };
            view.index_axis_inplace(Axis(axis), at);
        }
    }
    view.into_dimensionality::<Ix2>()
        .map_err(|error| RunError::shape(error.to_string()))
}

/// Computes `data @ weight.T + bias`.
fn linear(args: &Args<'_>) -> RunResult<Value> {
    let (data, weight) = (args.operand(0)?, args.operand(1)?);
    if weight.ndim() != 2 {
        return Err(RunError::shape("the weight must have two dimensions"));
    }
    let product = matmul(&data, &weight.permuted(&[1, 0])?, args.dtype("out_dtype")?)?;
    match args.opt_tensor("bias")? {
        None => Ok(product.into()),
        Some(bias) => Ok(super::binary::sum(&product, &bias)?.into()),
    }
}

fn outer(args: &Args<'_>) -> RunResult<Value> {
    let (a, b) = (args.operand(0)?, args.operand(1)?);
    if a.ndim() != 1 || b.ndim() != 1 {
        return Err(RunError::shape("both operands must have one dimension"));
    }
    let a = a.reshaped(&[a.len(), 1])?;
    let b = b.reshaped(&[1, b.len()])?;
    Ok(matmul(&a, &b, None)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.linear", linear),
    Kernel::new("relax.matmul", mat_mul),
    Kernel::new("relax.outer", outer),
];
