//! Operators that take elements at regular positions: strided_slice, dynamic_strided_slice.

use super::join::ceildiv;
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Stop, opt, req, with_dims, with_ndim,
};
use crate::dtype::DType;
use crate::sinfo::{Prim, StructInfo, TensorShape};
use crate::sym::{Op, SymExpr};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/index.cc";

pub(super) static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.strided_slice",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("axes", Kind::Ints)
                .symbolic()
                .doc("The dimensions to slice, constants."),
            req("begin", Kind::Ints)
                .symbolic()
                .doc("The start of each slice."),
            req("end", Kind::Ints)
                .symbolic()
                .doc("The end of each slice, exclusive."),
            opt("strides", Kind::Ints, Default::None)
                .symbolic()
                .doc("The step of each slice; 1 if absent."),
            opt("assume_inbound", Kind::Bool, Default::Bool(false))
                .doc("Asserts that no index is out of range or negative."),
        ],
        strided_slice,
    )
    .doc(
        "Every n-th element between two indices, along given dimensions.",
        "x: (n, m) · axes=[0] · begin=[0] · end=[4] · strides=[2] → (2, m) if n ≥ 4",
        "R.strided_slice(x, axes=[0], begin=[0], end=[4], strides=[2])",
    )
    .source(SOURCE)
    .familiar(&["slice"])
    .usage(20),
    OpDef::new(
        "relax.dynamic_strided_slice",
        &[
            req("x", Kind::Tensor).doc("The input tensor."),
            req("begin", Kind::Tensor).doc("The start of the slice along each dimension, int64."),
            req("end", Kind::Tensor)
                .doc("The end of the slice along each dimension, exclusive, int64."),
            req("strides", Kind::Tensor).doc("The step along each dimension, int64."),
        ],
        dynamic_strided_slice,
    )
    .doc(
        "A slice along all dimensions whose bounds are values of tensors.",
        "x: rank r · begin, end, strides: (r,) of int64 → rank r",
        "R.dynamic_strided_slice(x, begin, end, strides)",
    )
    .source(SOURCE),
];

/// A tuple of int64 scalars.
struct Indices {
    /// The values, if they are known.
    values: Option<Vec<SymExpr>>,
    /// The number of elements, if it is explicit.
    len: Option<usize>,
}

fn indices(c: &Call<'_>, i: usize) -> Result<Indices, Stop> {
    let wanted = "a tuple of int64 values";
    let value = c.value(i);
    let literal = matches!(value, Value::List(_));
    let fields: Vec<StructInfo> = match value {
        Value::Unknown => {
            return Ok(Indices {
                values: None,
                len: None,
            });
        }
        value => match value.struct_info() {
            Some(StructInfo::Object | StructInfo::Unknown) => {
                return Ok(Indices {
                    values: None,
                    len: None,
                });
            }
            Some(StructInfo::Tuple(fields)) => fields.to_vec(),
            _ => return Err(c.wrong_kind(i, wanted)),
        },
    };
    let mut values = Some(Vec::with_capacity(fields.len()));
    for field in &fields {
        match field {
            StructInfo::Prim(Prim { dtype, value }) => {
                if dtype.is_some_and(|d| d != DType::I64) {
                    return Err(c.wrong_kind(i, wanted));
                }
                match value {
                    Some(value) => {
                        if let Some(values) = &mut values {
                            values.push(value.clone());
                        }
                    }
                    None => values = None,
                }
            }
            StructInfo::Object | StructInfo::Unknown => values = None,
            _ => return Err(c.wrong_kind(i, wanted)),
        }
    }
    Ok(Indices {
        values,
        len: literal.then_some(fields.len()),
    })
}

fn strided_slice(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let axes = indices(c, 1)?;
    let begin = indices(c, 2)?;
    let end = indices(c, 3)?;
    let strides = c.is_given(4).then(|| indices(c, 4)).transpose()?;
    let known = [
        (1, Some(&axes)),
        (2, Some(&begin)),
        (3, Some(&end)),
        (4, strides.as_ref()),
    ];
    let mut first: Option<(usize, usize)> = None;
    for (i, indices) in known {
        let Some(len) = indices.and_then(|x| x.len) else {
            continue;
        };
        match first {
            None => first = Some((i, len)),
            Some((_, expected)) if expected == len => {}
            Some((other, expected)) => {
                let message = format!(
                    "`{}` has {expected} elements but `{}` has {len}",
                    c.name(other),
                    c.name(i)
                );
                let note = format!("{expected} elements here");
                return Err(c.error_with(
                    OpErrorKind::Value,
                    At::param(i),
                    message,
                    At::param(other),
                    note,
                ));
            }
        }
    }
    let unknown = Ok(with_ndim(&data, data.ndim()));
    if matches!(data.shape, TensorShape::Unknown(_)) {
        return unknown;
    }
    let (Some(axes), Some(begin), Some(end)) = (axes.values, begin.values, end.values) else {
        return unknown;
    };
    let strides = match strides {
        None => vec![SymExpr::int(1); axes.len()],
        Some(Indices {
            values: Some(values),
            ..
        }) => values,
        Some(_) => return unknown,
    };
    for (i, list) in [(2, &begin), (3, &end), (4, &strides)] {
        if list.len() != axes.len() {
            let message = format!(
                "`{}` has {} elements but `{}` has {}",
                c.name(1),
                axes.len(),
                c.name(i),
                list.len()
            );
            return Err(c.error(OpErrorKind::Value, At::param(i), message));
        }
    }
    let axes: Option<Vec<i64>> = axes.iter().map(SymExpr::as_int).collect();
    let Some(axes) = axes else {
        let message = format!("the elements of `{}` must be constants", c.name(1));
        return Err(c.error(OpErrorKind::Value, At::param(1), message));
    };
    let Some(dims) = data.dims() else {
        return if axes.is_empty() {
            Ok(data.into())
        } else {
            unknown
        };
    };
    let axes = c.checked_axes(1, &axes, dims.len())?;
    let inbound = c.bool(5)?;
    let mut dims = dims.to_vec();
    for (at, axis) in axes.into_iter().enumerate() {
        let stride = &strides[at];
        if stride.as_int() == Some(0) {
            let place = At::element(4, at);
            return Err(c.error(OpErrorKind::Value, place, "a stride must not be `0`"));
        }
        let length = length(&begin[at], &end[at], stride, &dims[axis], inbound);
        dims[axis] = c.cx.simplify(&length);
    }
    Ok(with_dims(&data, dims))
}

/// Returns the number of elements of a slice.
fn length(
    begin: &SymExpr,
    end: &SymExpr,
    stride: &SymExpr,
    extent: &SymExpr,
    inbound: bool,
) -> SymExpr {
    if inbound {
        return ceildiv(&end.sub(begin), stride);
    }
    let zero = SymExpr::int(0);
    let bounds = |backward: bool| {
        (
            canonical(begin, extent, backward),
            canonical(end, extent, backward),
        )
    };
    let forward = || {
        let (begin, end) = bounds(false);
        ceildiv(&end.sub(&begin), stride)
    };
    let backward = || {
        let (begin, end) = bounds(true);
        ceildiv(&begin.sub(&end), &stride.neg())
    };
    match stride.as_int() {
        Some(stride) if stride < 0 => backward(),
        Some(_) => forward(),
        None => {
            let negative = SymExpr::apply(Op::Lt, &[stride.clone(), zero]);
            SymExpr::apply(Op::Select, &[negative, backward(), forward()])
        }
    }
}

/// Returns an index counted from the front and clipped to the dimension, or one beyond it for the end of a slice.
fn canonical(index: &SymExpr, extent: &SymExpr, backward: bool) -> SymExpr {
    let last = extent.sub(&SymExpr::int(1));
    if index == extent && matches!(index, SymExpr::Var(_)) {
        return if backward { last } else { index.clone() };
    }
    let (low, high) = if backward {
        (SymExpr::int(-1), last)
    } else {
        (SymExpr::int(0), extent.clone())
    };
    let index = match index.as_int() {
        Some(value) if value >= 0 => index.clone(),
        Some(_) => index.add(extent),
        None => {
            let negative = SymExpr::apply(Op::Lt, &[index.clone(), SymExpr::int(0)]);
            SymExpr::apply(Op::Select, &[negative, index.add(extent), index.clone()])
        }
    };
    SymExpr::min(&SymExpr::max(&index, &low), &high)
}

fn dynamic_strided_slice(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    let Some(rank) = data.ndim() else {
        return Ok(with_ndim(&data, None));
    };
    for i in 1..=3 {
        let bound = c.tensor(i)?;
        let name = c.name(i);
        if let Some(dtype) = bound.dtype.filter(|&d| d != DType::I64) {
            let message = format!("`{name}` is `{dtype}` but must be `int64`");
            let error = c.error(OpErrorKind::DType, At::param(i), message);
            return Err(error.between(DType::I64, dtype));
        }
        let count = match &bound.shape {
            TensorShape::Known(dims) if dims.len() == 1 => dims[0].as_int(),
            _ => None,
        };
        let Some(count) = count else {
            let message = format!("`{name}` must have one dimension of known extent");
            return Err(c.error(OpErrorKind::Shape, At::param(i), message));
        };
        if count != rank as i64 {
            let message = format!(
                "`{name}` has `{count}` elements, but `{}` has rank {rank}",
                c.name(0)
            );
            let error = c.error(OpErrorKind::Shape, At::dim(i, 0), message);
            return Err(error.between(count, rank));
        }
    }
    Ok(with_ndim(&data, Some(rank)))
}
