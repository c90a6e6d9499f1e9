//! Sparse matrices and Fourier transforms.

use super::{Op, op};
use crate::dtype::DType;
use crate::relay::site::{Answer, Site, Stop};
use crate::relay::types::{Dim, Type};

const COMPRESSED: &str = "dense_data sparse_data sparse_indices sparse_indptr";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("nn.sparse_add", COMPRESSED, "", sparse_add),
    op("nn.sparse_conv2d", COMPRESSED, "layout: str, kernel_size: ints = [1, 1]", sparse_conv2d),
    op("nn.sparse_dense", COMPRESSED, "sparse_lhs: bool = false", sparse_dense),
    op("nn.internal.sparse_dense_padded", "data weight_data weight_indices weight_indptr", "sparse_lhs: bool = false", sparse_dense),
    op("nn.sparse_transpose", "sparse_data sparse_indices sparse_indptr", "layout: str = \"NHWC\", kernel_size: ints = [1, 1]", sparse_transpose),
    op("nn.bitpack", "data", "bits: int = 1, pack_axis: int = 1, bit_axis: int = -1, pack_type: dtype = void, name: str = \"BitPack\"", bitpack),
    op("sparse_fill_empty_rows", "sparse_indices sparse_values dense_shape default_value", "", fill_empty_rows),
    op("sparse_reshape", "sparse_indices prev_shape new_shape", "", sparse_reshape),
    op("sparse_to_dense", "sparse_indices sparse_values default_value", "output_shape: ints", to_dense),
    op("dft", "re_data im_data", "inverse: bool = false", dft).keyed("relay.attrs.DFTAttrs"),
    op("stft", "data window", "n_fft: int = -1, hop_length: int = -1, win_length: int = -1, normalized: bool = false, onesided: bool = true", stft).keyed("relay.attrs.StftAttrs"),
    op("fixed_point_multiply_per_axis", "data fp_multiplier left_shift right_shift", "is_lshift_required: bool = false, is_rshift_required: bool = false, axes: ints", super::elementwise::same),
];

fn sparse_add(site: &Site<'_>) -> Result<Answer, Stop> {
    let (dense, sparse) = (site.tensor(0)?, site.of_rank(1, 1)?);
    super::elementwise::same_dtype(site, (0, dense), (1, sparse))?;
    site.of_rank(2, 1)?;
    Ok(Type::Tensor(dense.clone()).into())
}

fn sparse_dense(site: &Site<'_>) -> Result<Answer, Stop> {
    let (dense, sparse, pointers) = (site.tensor(0)?, site.tensor(1)?, site.tensor(3)?);
    let rows = pointers.shape.first().ok_or(Stop::Unknown)?;
    let rows = rows.map(|it| it.checked_sub(1));
    let rows = match &sparse.shape[..] {
        [_] => rows,
        [_, block, _] => rows.with(block, i64::checked_mul),
        _ => return site.wrong_rank(1, "1 or 3 dimensions"),
    };
    let other = dense.shape.first().cloned().ok_or(Stop::Unknown)?;
    let shape = if site.bool("sparse_lhs")? {
        [rows, other]
    } else {
        [other, rows]
    };
    Answer::tensor(shape, dense.dtype)
}

/// The kernel consists of blocks, whose rows are channels of the result.
fn sparse_conv2d(site: &Site<'_>) -> Result<Answer, Stop> {
    let (dense, sparse, pointers) = (site.of_rank(0, 4)?, site.tensor(1)?, site.of_rank(3, 1)?);
    if !matches!(sparse.rank(), 2 | 3) {
        return site.wrong_rank(1, "2 or 3 dimensions");
    }
    let rows = pointers.shape[0].map(|it| it.checked_sub(1));
    let channels = rows.with(&sparse.shape[1], i64::checked_mul);
    let mut shape = dense.shape.to_vec();
    match site.str("layout")?.as_str() {
        "NHWC" => shape[3] = channels,
        "NCHW" => shape[1] = channels,
        other => return site.wrong_value("layout", format!("`{other}` is neither NHWC nor NCHW")),
    }
    Answer::tensor(shape, dense.dtype)
}

fn sparse_transpose(site: &Site<'_>) -> Result<Answer, Stop> {
    let parts = (0..3).map(|at| Ok(Type::Tensor(site.tensor(at)?.clone())));
    Ok(Type::tuple(parts.collect::<Result<Vec<_>, Stop>>()?).into())
}

fn bitpack(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let dtype = site.dtype("pack_type")?.ok_or(Stop::Unknown)?;
    let (bits, pack, bit) = (
        site.int("bits")?,
        site.int("pack_axis")?,
        site.int("bit_axis")?,
    );
    let mut shape = Vec::new();
    for (at, dim) in data.shape.iter().enumerate() {
        if at as i64 == bit {
            shape.push(Dim::Int(bits));
        }
        shape.push(if at as i64 == pack {
            dim.map(|it| it.checked_div(i64::from(dtype.bits)))
        } else {
            dim.clone()
        });
    }
    if bit == data.rank() as i64 {
        shape.push(Dim::Int(bits));
    }
    Answer::tensor(shape, dtype)
}

fn fill_empty_rows(site: &Site<'_>) -> Result<Answer, Stop> {
    let indices = site.of_rank(0, 2)?;
    let row = Type::tensor([Dim::Any], DType::I64);
    let pairs = Type::tensor([Dim::Any, indices.shape[1].clone()], DType::I64);
    Ok(Type::tuple([pairs, row.clone(), row]).into())
}

fn sparse_reshape(site: &Site<'_>) -> Result<Answer, Stop> {
    let (indices, shape) = (site.of_rank(0, 2)?, site.of_rank(2, 1)?);
    site.of_rank(1, 1)?;
    let dims = [indices.shape[0].clone(), shape.shape[0].clone()];
    Ok(Type::tuple([
        Type::tensor(dims, indices.dtype),
        Type::Tensor(shape.clone()),
    ])
    .into())
}

fn to_dense(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtype = sparse_values(site)?;
    Answer::tensor(site.dims("output_shape")?, dtype)
}

/// Returns the dtype of a sparse tensor after checking its indices, values and default.
pub(super) fn sparse_values(site: &Site<'_>) -> Result<DType, Stop> {
    let (indices, values) = (site.tensor(0)?, site.tensor(1)?);
    if !indices.dtype.is_int() {
        return site.wrong_dtype(0, "an integer");
    }
    if indices.rank() > 3 {
        return site.wrong_rank(0, "at most 3 dimensions");
    }
    if values.rank() > 2 {
        return site.wrong_rank(1, "at most 2 dimensions");
    }
    site.of_rank(2, 0)?;
    Ok(values.dtype)
}

fn dft(site: &Site<'_>) -> Result<Answer, Stop> {
    let parts = (0..2).map(|at| Ok(Type::Tensor(site.tensor(at)?.clone())));
    Ok(Type::tuple(parts.collect::<Result<Vec<_>, Stop>>()?).into())
}

fn stft(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let (size, hop) = (site.int("n_fft")?, site.int("hop_length")?);
    let Some((length, batch)) = data.shape.split_last() else {
        return site.wrong_rank(0, "1 or 2 dimensions");
    };
    let mut shape = batch.to_vec();
    shape.push(Dim::Int(if site.bool("onesided")? {
        size / 2 + 1
    } else {
        size
    }));
    shape.push(length.map(|it| (it - size).checked_div(hop)?.checked_add(1)));
    shape.push(Dim::Int(2));
    Answer::tensor(shape, data.dtype)
}
