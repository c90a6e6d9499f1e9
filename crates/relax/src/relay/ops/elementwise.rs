//! Elementwise operators of one input or of two with broadcasting, and conversions of dtype.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::dtype::DType;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Tensor, Type};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("abs", "data", "", same),
    op("acos", "data", "", same),
    op("acosh", "data", "", same),
    op("asin", "data", "", same),
    op("asinh", "data", "", same),
    op("atan", "data", "", same),
    op("atanh", "data", "", same),
    op("bitwise_not", "data", "", same),
    op("ceil", "data", "", same),
    op("copy", "data", "", same),
    op("cos", "data", "", same),
    op("cosh", "data", "", same),
    op("erf", "data", "", same),
    op("exp", "data", "", same),
    op("fast_erf", "data", "", same),
    op("fast_exp", "data", "", same),
    op("fast_tanh", "data", "", same),
    op("floor", "data", "", same),
    op("log", "data", "", same),
    op("log10", "data", "", same),
    op("log2", "data", "", same),
    op("logical_not", "data", "", same),
    op("negative", "data", "", same),
    op("ones_like", "data", "", same),
    op("round", "data", "", same),
    op("rsqrt", "data", "", same),
    op("sigmoid", "data", "", same),
    op("sign", "data", "", same),
    op("sin", "data", "", same),
    op("sinh", "data", "", same),
    op("sqrt", "data", "", same),
    op("tan", "data", "", same),
    op("tanh", "data", "", same),
    op("trunc", "data", "", same),
    op("zeros_like", "data", "", same),
    op("clip", "data", "a_min: float, a_max: float", same),
    op("fixed_point_multiply", "data", "multiplier: int, shift: int", same),
    op("invert_permutation", "data", "", same),
    op("nn.relu", "data", "", same),
    op("nn.leaky_relu", "data", "alpha: float = 0.25", same),
    op("isfinite", "data", "", test),
    op("isinf", "data", "", test),
    op("isnan", "data", "", test),
    op("add", "lhs rhs", "", broadcast),
    op("bitwise_and", "lhs rhs", "", broadcast),
    op("bitwise_or", "lhs rhs", "", broadcast),
    op("bitwise_xor", "lhs rhs", "", broadcast),
    op("divide", "lhs rhs", "", broadcast),
    op("floor_divide", "lhs rhs", "", broadcast),
    op("floor_mod", "lhs rhs", "", broadcast),
    op("left_shift", "lhs rhs", "", broadcast),
    op("logical_and", "lhs rhs", "", broadcast),
    op("logical_or", "lhs rhs", "", broadcast),
    op("logical_xor", "lhs rhs", "", broadcast),
    op("maximum", "lhs rhs", "", broadcast),
    op("minimum", "lhs rhs", "", broadcast),
    op("mod", "lhs rhs", "", broadcast),
    op("multiply", "lhs rhs", "", broadcast),
    op("power", "lhs rhs", "", broadcast),
    op("right_shift", "lhs rhs", "", broadcast),
    op("subtract", "lhs rhs", "", broadcast),
    op("trunc_divide", "lhs rhs", "", broadcast),
    op("trunc_mod", "lhs rhs", "", broadcast),
    op("equal", "lhs rhs", "", compare),
    op("greater", "lhs rhs", "", compare),
    op("greater_equal", "lhs rhs", "", compare),
    op("less", "lhs rhs", "", compare),
    op("less_equal", "lhs rhs", "", compare),
    op("not_equal", "lhs rhs", "", compare),
    op("where", "condition x y", "", choose),
    op("cast", "data", "dtype: dtype", cast),
    op("reinterpret", "data", "dtype: dtype", cast),
    op("cast_like", "data dtype_like", "", cast_like),
    op("shape_of", "data", "dtype: dtype = void", shape_of),
    op("vm.shape_of", "tensor", "dtype: dtype = void", shape_of),
    op("ndarray_size", "data", "dtype: dtype = void", size),
];

/// Returns the type of the first input.
pub(super) fn same(site: &Site<'_>) -> Result<Answer, Stop> {
    match site.types.first() {
        Some(ty) => Ok(ty.clone().into()),
        None => Err(Stop::Unknown),
    }
}

fn test(site: &Site<'_>) -> Result<Answer, Stop> {
    Answer::tensor(site.tensor(0)?.shape.clone(), DType::BOOL)
}

fn broadcast(site: &Site<'_>) -> Result<Answer, Stop> {
    let (lhs, rhs) = operands(site)?;
    Answer::tensor(broadcast_shape(site, (0, lhs), (1, rhs))?, lhs.dtype)
}

fn compare(site: &Site<'_>) -> Result<Answer, Stop> {
    let (lhs, rhs) = operands(site)?;
    Answer::tensor(broadcast_shape(site, (0, lhs), (1, rhs))?, DType::BOOL)
}

fn operands<'a>(site: &Site<'a>) -> Result<(&'a Tensor, &'a Tensor), Stop> {
    let pair = (site.tensor(0)?, site.tensor(1)?);
    same_dtype(site, (0, pair.0), (1, pair.1))?;
    Ok(pair)
}

/// Checks that two inputs have the same dtype.
pub(super) fn same_dtype(
    site: &Site<'_>,
    (a, one): (usize, &Tensor),
    (b, other): (usize, &Tensor),
) -> Result<(), Stop> {
    if one.dtype == other.dtype {
        return Ok(());
    }
    Mistake::new(
        Code::DtypeMismatch,
        format!(
            "{} is {} and {} is {}: `{}` takes one dtype",
            site.input(a),
            one.dtype,
            site.input(b),
            other.dtype,
            site.name()
        ),
    )
    .of([a, b])
    .between(one.dtype, other.dtype)
    .stop()
}

/// Returns the broadcast shape of two inputs by NumPy's rules. An unknown extent takes the other's.
pub(super) fn broadcast_shape(
    site: &Site<'_>,
    (a, one): (usize, &Tensor),
    (b, other): (usize, &Tensor),
) -> Result<Vec<Dim>, Stop> {
    let rank = one.rank().max(other.rank());
    let at = |tensor: &Tensor, from_back: usize| {
        let at = tensor.rank().checked_sub(from_back + 1)?;
        Some((at, tensor.shape[at].clone()))
    };
    let mut shape = Vec::with_capacity(rank);
    for from_back in (0..rank).rev() {
        shape.push(match (at(one, from_back), at(other, from_back)) {
            (Some((_, x)), None) | (None, Some((_, x))) => x,
            (Some((i, x)), Some((j, y))) => {
                if x.is(1) || x == y {
                    y
                } else if y.is(1) {
                    x
                } else if x == Dim::Any {
                    y
                } else if y == Dim::Any || !x.differs(&y) {
                    x
                } else {
                    return Mistake::new(
                        Code::ShapeMismatch,
                        format!(
                            "{} and {} do not broadcast: dimension {i} of {} is {x}, dimension {j} of {} is {y}",
                            site.input(a),
                            site.input(b),
                            site.input(a),
                            site.input(b),
                        ),
                    )
                    .at_dims([(a, i), (b, j)])
                    .between(x, y)
                    .stop();
                }
            }
            (None, None) => Dim::Any,
        });
    }
    Ok(shape)
}

fn choose(site: &Site<'_>) -> Result<Answer, Stop> {
    let (condition, x, y) = (site.tensor(0)?, site.tensor(1)?, site.tensor(2)?);
    same_dtype(site, (1, x), (2, y))?;
    let both = Tensor {
        shape: broadcast_shape(site, (1, x), (2, y))?.into(),
        dtype: x.dtype,
    };
    Answer::tensor(broadcast_shape(site, (0, condition), (1, &both))?, x.dtype)
}

fn cast(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    match site.dtype("dtype")? {
        Some(dtype) => Answer::tensor(data.shape.clone(), dtype),
        None => Err(Stop::Unknown),
    }
}

fn cast_like(site: &Site<'_>) -> Result<Answer, Stop> {
    Answer::tensor(site.tensor(0)?.shape.clone(), site.tensor(1)?.dtype)
}

fn shape_of(site: &Site<'_>) -> Result<Answer, Stop> {
    let rank = site.tensor(0)?.rank();
    let dtype = site.dtype("dtype")?.ok_or(Stop::Unknown)?;
    match rank {
        0 => Ok(Type::scalar(dtype).into()),
        _ => Answer::tensor([Dim::Int(rank as i64)], dtype),
    }
}

fn size(site: &Site<'_>) -> Result<Answer, Stop> {
    site.tensor(0)?;
    Ok(Type::scalar(site.dtype("dtype")?.ok_or(Stop::Unknown)?).into())
}
