//! Operators between floats and the integers that stand for them: quantize, dequantize.

use super::broadcast::mismatch;
use super::{At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, Stop, opt, req};
use crate::dialect::Dialect;
use crate::dtype::{Code, DType, Tiny};
use crate::release::Release;
use crate::sinfo::{Tensor, TensorShape};
use crate::sym::Tri;

const SOURCE: &str = "src/relax/op/tensor/qdq.cc";

const DATA: Param = req("data", Kind::Tensor).doc("The input tensor.");
const SCALE: Param = req("scale", Kind::Tensor)
    .doc("The scale: a scalar, or a vector along `axis`; float16 or float32.");
const ZERO_POINT: Param = req("zero_point", Kind::Tensor)
    .doc("The integer for zero: a scalar, or a vector along `axis`.");
const AXIS: Param = opt("axis", Kind::Int, Default::Int(-1))
    .doc("The dimension along which scale and zero point vary.");

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.quantize",
        &[
            DATA,
            SCALE,
            ZERO_POINT,
            AXIS,
            opt("out_dtype", Kind::DType, Default::Str("int8")).doc("The dtype of the result."),
        ],
        quantize,
    )
    .doc(
        "Divides by the scale, adds the zero point, rounds and limits to the range of the dtype.",
        "data: (n, m) · scale: (m,) · zero_point: (m,) · axis=1 → (n, m), int8",
        "R.quantize(x, scale, zero_point, axis=1, out_dtype=\"int8\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.dequantize",
        &[
            DATA,
            SCALE,
            ZERO_POINT,
            AXIS,
            opt("out_dtype", Kind::DType, Default::Str("float32")).doc("The dtype of the result."),
        ],
        dequantize,
    )
    .doc(
        "Subtracts the zero point and multiplies by the scale.",
        "data: (n, m) · scale: (m,) · zero_point: (m,) · axis=1 → (n, m), float32",
        "R.dequantize(x, scale, zero_point, axis=1, out_dtype=\"float32\")",
    )
    .source(SOURCE),
];

const E4M3: DType = DType::new(Code::Tiny(Tiny::E4m3fn), 8);
const E5M2: DType = DType::new(Code::Tiny(Tiny::E5m2), 8);
const FLOATS: &[DType] = &[DType::F16, DType::F32];
const QUANTIZED: &[DType] = &[DType::I8, DType::U8, DType::I16, DType::U16, E4M3, E5M2];
const DEQUANTIZED: &[DType] = &[
    DType::I8,
    DType::U8,
    DType::I16,
    DType::U16,
    DType::I32,
    E4M3,
    E5M2,
    DType::F16,
    DType::F32,
];
const ZERO_POINTS: &[(Release, &[DType])] = &[
    (
        Release::V0_24,
        &[
            DType::I8,
            DType::U8,
            DType::I16,
            DType::U16,
            DType::I32,
            DType::U32,
            DType::F16,
        ],
    ),
    (Release::V0_17, &[DType::I8, DType::F16]),
    (Release::Rfc, &[DType::I8]),
];

fn quantize(c: &Call<'_>) -> Infer {
    convert(c, FLOATS, QUANTIZED)
}

fn dequantize(c: &Call<'_>) -> Infer {
    convert(c, DEQUANTIZED, FLOATS)
}

fn one_of(c: &Call<'_>, i: usize, dtype: DType, allowed: &[DType]) -> Result<(), Stop> {
    if allowed.contains(&dtype) {
        return Ok(());
    }
    let list: Vec<String> = allowed.iter().map(|d| format!("`{d}`")).collect();
    let message = format!(
        "`{}` is `{dtype}` but must be {}",
        c.name(i),
        list.join(" or ")
    );
    Err(c.error(OpErrorKind::DType, At::param(i), message))
}

fn convert(c: &Call<'_>, from: &[DType], to: &[DType]) -> Infer {
    let out = c.dtype(4)?;
    if let Some(dtype) = out {
        one_of(c, 4, dtype, to)?;
    }
    let (data, scale, zero) = (c.tensor(0)?, c.tensor(1)?, c.tensor(2)?);
    if c.release.dialect() == Dialect::StructInfo {
        for (i, operand) in [&data, &scale, &zero].into_iter().enumerate() {
            if operand.dtype.is_none() {
                let message = format!("the dtype of `{}` must be known", c.name(i));
                return Err(c.error(OpErrorKind::DType, At::param(i), message));
            }
        }
    }
    let (Some(d), Some(s), Some(z)) = (data.dtype, scale.dtype, zero.dtype) else {
        let unknown = Tensor {
            dtype: None,
            ..data
        };
        return Ok(unknown.into());
    };
    one_of(c, 0, d, from)?;
    one_of(c, 1, s, FLOATS)?;
    let row = ZERO_POINTS.iter().find(|(since, _)| c.release >= *since);
    one_of(c, 2, z, row.map_or(&[], |(_, dtypes)| dtypes))?;
    let Some(rank) = data.ndim() else {
        let message = format!(
            "the rank of `{}` must be known: `{}` is one of its dimensions",
            c.name(0),
            c.name(3)
        );
        return Err(c.error(OpErrorKind::Shape, At::param(0), message));
    };
    // Since TVM 0.27, a scalar is accepted, which has no axis.
    let axis = if rank == 0 && c.release >= Release::V0_27 {
        None
    } else {
        c.axis(3, rank)?
    };
    for (i, param) in [(1, &scale), (2, &zero)] {
        along(c, &data, axis, i, param)?;
    }
    let result = Tensor { dtype: out, ..data };
    Ok(result.into())
}

/// Checks that a scale or zero point is a scalar or has the extent of the axis.
fn along(
    c: &Call<'_>,
    data: &Tensor,
    axis: Option<usize>,
    i: usize,
    param: &Tensor,
) -> Result<(), Stop> {
    if param.ndim() == Some(0) {
        return Ok(());
    }
    if let TensorShape::Known(dims) = &param.shape
        && c.release >= Release::V0_24
        && !dims.is_empty()
        && dims.iter().all(|d| d.as_int() == Some(1))
    {
        return Ok(());
    }
    for (i, operand) in [(0, data), (i, param)] {
        if matches!(operand.shape, TensorShape::Unknown(_)) {
            let message = format!(
                "the shape of `{}` must be known: only a scalar is of no axis",
                c.name(i)
            );
            return Err(c.error(OpErrorKind::Shape, At::param(i), message));
        }
    }
    let Some(axis) = axis else {
        let message = format!("`{}` must be a scalar, as `{}` is", c.name(i), c.name(0));
        return Err(c.error(OpErrorKind::Shape, At::param(i), message));
    };
    if let (Some([count, ..]), Some(dims)) = (param.dims(), data.dims())
        && c.cx.equal(count, &dims[axis]) != Tri::Yes
    {
        return Err(mismatch(c, i, 0, count, 0, axis, &dims[axis]));
    }
    Ok(())
}
