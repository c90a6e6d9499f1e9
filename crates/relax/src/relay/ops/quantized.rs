//! Operators of quantized tensors: integers with a scale and a zero point, per tensor or per channel.

use super::conv::{CONV2D, CONV2D_TRANSPOSE, conv2d, conv2d_transpose};
use super::elementwise::{broadcast_shape, same};
use super::join::joined;
use super::linear::{BATCH_MATMUL, DENSE, batch_matmul, dense_pack, matmul};
use super::pool::{AVG_2D, pool};
use super::{Op, op};
use crate::diagnostics::Code;
use crate::dtype::DType;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Tensor, Type};

const UNARY: &str = "data scale zero_point output_scale output_zero_point";
const PRODUCT: &str = "data weight input_scale input_zero_point weight_scale weight_zero_point";
const BINARY: &str =
    "lhs rhs lhs_scale lhs_zero_point rhs_scale rhs_zero_point output_scale output_zero_point";
const AXES: &str = "lhs_axis: int = -1, rhs_axis: int = -1";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("qnn.abs", UNARY, "", unary),
    op("qnn.erf", UNARY, "", unary),
    op("qnn.exp", UNARY, "", unary),
    op("qnn.hardswish", UNARY, "", unary),
    op("qnn.log", UNARY, "", unary),
    op("qnn.rsqrt", UNARY, "", unary),
    op("qnn.sigmoid", UNARY, "", unary),
    op("qnn.sqrt", UNARY, "", unary),
    op("qnn.tanh", UNARY, "", unary),
    op("qnn.leaky_relu", "data input_scale input_zero_point output_scale output_zero_point", "alpha: float = 0.25", unary),
    op("qnn.softmax", UNARY, "axis: int = -1", unary),
    op("qnn.add", BINARY, AXES, binary),
    op("qnn.mul", BINARY, AXES, binary),
    op("qnn.subtract", BINARY, AXES, binary),
    op("qnn.avg_pool2d", "data input_scale input_zero_point output_scale output_zero_point", AVG_2D, avg_pool),
    op("qnn.batch_matmul", "x y x_zero_point y_zero_point x_scale y_scale", BATCH_MATMUL, batched),
    op("qnn.concatenate", "data input_scales input_zero_points output_scale output_zero_point", "axis: int = 0", concatenate),
    op("qnn.contrib_dense_pack", PRODUCT, "units: int, out_dtype: dtype = void, weight_layout: str = \"NC\"", dense_pack),
    op("qnn.conv2d", "data weight input_zero_point kernel_zero_point input_scale kernel_scale", CONV2D, |site| product(site, conv2d)),
    op("qnn.conv2d_transpose", "data weight input_zero_point kernel_zero_point input_scale kernel_scale", CONV2D_TRANSPOSE, |site| product(site, conv2d_transpose)),
    op("qnn.dense", "data weight input_zero_point kernel_zero_point input_scale kernel_scale", DENSE, |site| product(site, |it| matmul(it, false, true))),
    op("qnn.dequantize", "data input_scale input_zero_point", "out_dtype: dtype, axis: int = -1", dequantize),
    op("qnn.quantize", "data output_scale output_zero_point", "out_dtype: dtype, axis: int = -1", quantize),
    op("qnn.requantize", "data input_scale input_zero_point output_scale output_zero_point", "axis: int = -1, rounding: str = \"None\", compute_dtype: str = \"None\", out_dtype: dtype = void", requantize),
    op("qnn.simulated_dequantize", "data in_dtype input_scale input_zero_point", "out_dtype: dtype, axis: int = -1", simulated),
    op("qnn.simulated_quantize", "data out_dtype output_scale output_zero_point", "out_dtype: dtype = void, axis: int = -1", simulated),
];

/// Checks that an input is a scalar of the dtype.
fn scalar(site: &Site<'_>, at: usize, dtype: DType) -> Result<(), Stop> {
    let tensor = site.tensor(at)?;
    if tensor.dtype != dtype {
        return site.wrong_dtype(at, &dtype.to_string());
    }
    match &tensor.shape[..] {
        [] => Ok(()),
        _ => site.wrong_rank(at, "no dimensions"),
    }
}

/// Checks the four scalars after the data of an operator with one quantized input.
fn parameters(site: &Site<'_>) -> Result<(), Stop> {
    for (at, dtype) in [DType::F32, DType::I32, DType::F32, DType::I32]
        .iter()
        .enumerate()
    {
        scalar(site, at + 1, *dtype)?;
    }
    Ok(())
}

fn quantized<'a>(site: &Site<'a>, at: usize, dtypes: &[DType]) -> Result<&'a Tensor, Stop> {
    let data = site.tensor(at)?;
    if dtypes.contains(&data.dtype) {
        return Ok(data);
    }
    let names: Vec<String> = dtypes.iter().map(DType::to_string).collect();
    site.wrong_dtype(at, &format!("one of {}", names.join(", ")))
}

const BYTES: &[DType] = &[DType::I8, DType::U8];

fn unary(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtypes: &[DType] = match site.name() {
        "qnn.softmax" => &[DType::I8],
        _ => BYTES,
    };
    quantized(site, 0, dtypes)?;
    parameters(site)?;
    same(site)
}

fn avg_pool(site: &Site<'_>) -> Result<Answer, Stop> {
    quantized(site, 0, BYTES)?;
    parameters(site)?;
    pool(site, "HW")
}

/// Checks that a scale or zero point is a scalar, or a vector with one value per channel.
fn per_channel(
    site: &Site<'_>,
    at: usize,
    dtype: DType,
    channels: &Dim,
    answer: Answer,
) -> Result<Answer, Stop> {
    let tensor = site.tensor(at)?;
    if tensor.dtype != dtype {
        return site.wrong_dtype(at, &dtype.to_string());
    }
    Ok(match tensor.rank() {
        0 => answer,
        _ => answer.expecting(at, Type::tensor([channels.clone()], dtype)),
    })
}

/// Returns the number of channels of the data along `axis`.
fn channels(site: &Site<'_>, name: &'static str, data: &Tensor) -> Result<Dim, Stop> {
    if data.rank() == 0 {
        return Ok(Dim::Int(1));
    }
    let axis = site.axis(name, site.int(name)?, data.rank())?;
    Ok(data.shape[axis].clone())
}

fn binary(site: &Site<'_>) -> Result<Answer, Stop> {
    let (lhs, rhs) = (site.tensor(0)?, site.tensor(1)?);
    super::elementwise::same_dtype(site, (0, lhs), (1, rhs))?;
    let shape = broadcast_shape(site, (0, lhs), (1, rhs))?;
    let mut answer = Answer::tensor(shape, lhs.dtype)?;
    for (at, name, data) in [(2, "lhs_axis", lhs), (4, "rhs_axis", rhs)] {
        let plain = site.tensor(at)?.rank() == 0 && site.tensor(at + 1)?.rank() == 0;
        let channels = if plain {
            Dim::Int(1)
        } else {
            channels(site, name, data)?
        };
        answer = per_channel(site, at, DType::F32, &channels, answer)?;
        answer = per_channel(site, at + 1, DType::I32, &channels, answer)?;
    }
    scalar(site, 6, DType::F32)?;
    scalar(site, 7, DType::I32)?;
    Ok(answer)
}

/// The result of a product has a wider integer type.
fn product(
    site: &Site<'_>,
    shape: impl FnOnce(&Site<'_>) -> Result<Answer, Stop>,
) -> Result<Answer, Stop> {
    quantized(site, 0, &[DType::I8, DType::U8, DType::I16, DType::U16])?;
    quantized(site, 1, &[DType::I8, DType::U8, DType::I16])?;
    wide(site, &[DType::I16, DType::I32, DType::I64])?;
    scalar_or_one(site, 2, DType::I32)?;
    if site.tensor(3)?.dtype != DType::I32 {
        return site.wrong_dtype(3, "int32");
    }
    scalar_or_one(site, 4, DType::F32)?;
    if site.tensor(5)?.dtype != DType::F32 {
        return site.wrong_dtype(5, "float32");
    }
    let answer = shape(site)?;
    match (site.name(), site.opt_int("groups")) {
        ("qnn.dense", _) => match site.opt_int("units")? {
            Some(units) => per_channel(site, 5, DType::F32, &Dim::Int(units), answer),
            None => Ok(answer),
        },
        (_, Ok(Some(1))) => {
            let layout = site.layout("kernel_layout")?;
            let axis = layout.position('O').ok_or(Stop::Unknown)?;
            let weight = site.tensor(1)?;
            let channels = weight.shape.get(axis).ok_or(Stop::Unknown)?;
            per_channel(site, 5, DType::F32, channels, answer)
        }
        _ => Ok(answer),
    }
}

fn scalar_or_one(site: &Site<'_>, at: usize, dtype: DType) -> Result<(), Stop> {
    let tensor = site.tensor(at)?;
    match &tensor.shape[..] {
        [one] if one.is(1) && tensor.dtype == dtype => Ok(()),
        _ => scalar(site, at, dtype),
    }
}

/// Returns `out_dtype`, which must be one of these.
fn wide(site: &Site<'_>, dtypes: &[DType]) -> Result<DType, Stop> {
    let names: Vec<String> = dtypes.iter().map(DType::to_string).collect();
    match site.dtype("out_dtype")? {
        Some(dtype) if dtypes.contains(&dtype) => Ok(dtype),
        Some(dtype) => site.wrong_value(
            "out_dtype",
            format!("{dtype} is none of {}", names.join(", ")),
        ),
        None => site.wrong_value(
            "out_dtype",
            format!("one of {} is needed", names.join(", ")),
        ),
    }
}

fn batched(site: &Site<'_>) -> Result<Answer, Stop> {
    quantized(site, 0, BYTES)?;
    quantized(site, 1, BYTES)?;
    wide(site, &[DType::I32])?;
    scalar(site, 2, DType::I32)?;
    scalar(site, 3, DType::I32)?;
    scalar(site, 4, DType::F32)?;
    scalar(site, 5, DType::F32)?;
    batch_matmul(site)
}

fn concatenate(site: &Site<'_>) -> Result<Answer, Stop> {
    for (at, dtype) in [(1, DType::F32), (2, DType::I32)] {
        if let Some(wrong) = site
            .tensors(at)?
            .iter()
            .find(|it| it.dtype != dtype || it.rank() > 0)
        {
            return Mistake::new(
                Code::ArgumentType,
                format!(
                    "{} must hold scalars of {dtype}, but holds {wrong}",
                    site.input(at)
                ),
            )
            .of([at])
            .stop();
        }
    }
    scalar(site, 3, DType::F32)?;
    scalar(site, 4, DType::I32)?;
    joined(site, 0)
}

fn dequantize(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = quantized(
        site,
        0,
        &[DType::I8, DType::U8, DType::I16, DType::U16, DType::I32],
    )?;
    let dtype = wide(site, &[DType::F16, DType::F32])?;
    let is_one =
        |at: usize| -> Result<bool, Stop> { Ok(site.tensor(at)?.shape.iter().all(|it| it.is(1))) };
    let channels = if is_one(1)? && is_one(2)? {
        Dim::Int(1)
    } else {
        channels(site, "axis", data)?
    };
    let answer = Answer::tensor(data.shape.clone(), dtype)?;
    let answer = per_channel(site, 1, DType::F32, &channels, answer)?;
    per_channel(site, 2, DType::I32, &channels, answer)
}

fn quantize(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = quantized(site, 0, &[DType::F32])?;
    let dtype = wide(
        site,
        &[DType::I8, DType::U8, DType::I16, DType::U16, DType::I32],
    )?;
    let plain = site.tensor(1)?.rank() == 0 && site.tensor(2)?.rank() == 0;
    let channels = if plain {
        Dim::Int(1)
    } else {
        channels(site, "axis", data)?
    };
    let answer = Answer::tensor(data.shape.clone(), dtype)?;
    let answer = per_channel(site, 1, DType::F32, &channels, answer)?;
    per_channel(site, 2, DType::I32, &channels, answer)
}

fn requantize(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtypes = [DType::I8, DType::U8, DType::I16, DType::I32, DType::I64];
    let data = quantized(site, 0, &dtypes)?;
    let dtype = wide(site, &[DType::I8, DType::U8, DType::I16, DType::I32])?;
    let channels = channels(site, "axis", data)?;
    let answer = Answer::tensor(data.shape.clone(), dtype)?;
    let answer = per_channel(site, 1, DType::F32, &channels, answer)?;
    let answer = per_channel(site, 2, DType::I32, &channels, answer)?;
    scalar(site, 3, DType::F32)?;
    scalar(site, 4, DType::I32)?;
    Ok(answer)
}

fn simulated(site: &Site<'_>) -> Result<Answer, Stop> {
    site.tensor(1)?;
    Ok(Type::Tensor(site.tensor(0)?.clone()).into())
}
