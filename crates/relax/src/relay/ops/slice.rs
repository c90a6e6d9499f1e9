//! Operators that take parts of a tensor by position.

use super::{Op, op};
use crate::diagnostics::Code;
use crate::relay::attrs::Value;
use crate::relay::site::{Answer, Mistake, Site, Stop};
use crate::relay::types::{Dim, Tensor, Type};

const STRIDED_SLICE: &str =
    "begin: ints, end: ints, strides: ints, slice_mode: str = \"end\", axes: ints";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("slice_like", "data shape_like", "axes: ints", slice_like),
    op("sliding_window", "data", "axis: int, window_shape: ints, strides: ints", sliding_window),
    op("split", "data", "indices_or_sections: sections, axis: int = 0", split),
    op("strided_set", "data v begin end strides", "", strided_set),
    op("strided_slice", "data", STRIDED_SLICE, strided_slice),
    op("adv_index", "inputs", "", adv_index),
    op("matrix_set_diag", "input diagonal", "k1: int = 0, k2: int = 0, super_diag_right_align: bool = true, sub_diag_right_align: bool = false", set_diagonal),
    op("trilu", "data k", "upper: bool = true", trilu).keyed("relay.attrs.TriluAttrs"),
];

fn slice_like(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, target) = (site.tensor(0)?, site.tensor(1)?);
    let axes = match site.opt_ints("axes")? {
        None => (0..data.rank().min(target.rank())).collect(),
        Some(axes) => {
            let axes = axes.into_iter();
            axes.map(|axis| site.axis("axes", axis, data.rank()))
                .collect::<Result<Vec<_>, _>>()?
        }
    };
    let mut shape = data.shape.to_vec();
    for axis in axes {
        let Some(wanted) = target.shape.get(axis) else {
            return site.wrong_value(
                "axes",
                format!("{axis} is out of range for `shape_like`, which is {target}"),
            );
        };
        if let (Some(from), Some(to)) = (shape[axis].as_int(), wanted.as_int())
            && to > from
        {
            return Mistake::new(
                Code::ShapeMismatch,
                format!("dimension {axis} of `shape_like` is {to}, that of `data` is only {from}"),
            )
            .at_dims([(0, axis), (1, axis)])
            .between(from, to)
            .stop();
        }
        shape[axis] = wanted.clone();
    }
    Answer::tensor(shape, data.dtype)
}

fn sliding_window(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let axis = site.axis("axis", site.int("axis")?, data.rank())?;
    let (window, strides) = (site.ints("window_shape")?, site.ints("strides")?);
    if axis + window.len() != data.rank() {
        return site.wrong_value(
            "window_shape",
            format!(
                "covers {} axes from {axis} on, `data` is {data}",
                window.len()
            ),
        );
    }
    if strides.len() != window.len() {
        return site.wrong_value(
            "strides",
            "has not one value for each extent of the window".into(),
        );
    }
    let mut shape = data.shape[..axis].to_vec();
    for (dim, (window, stride)) in data.shape[axis..].iter().zip(window.iter().zip(&strides)) {
        shape.push(dim.map(|dim| (dim - window).checked_div(*stride).map(|it| it + 1)));
    }
    shape.extend(window.iter().copied().map(Dim::Int));
    Answer::tensor(shape, data.dtype)
}

fn split(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let axis = site.axis("axis", site.int("axis")?, data.rank())?;
    let dim = &data.shape[axis];
    let part = |extent: Dim| {
        let mut shape = data.shape.to_vec();
        shape[axis] = extent;
        Type::tensor(shape, data.dtype)
    };
    let parts: Vec<Type> = match site.attr("indices_or_sections") {
        Value::Int(sections) => {
            if !(1..=65_536).contains(&sections) {
                return site.wrong_value(
                    "indices_or_sections",
                    format!("{sections} is not a valid number of parts"),
                );
            }
            if dim.as_int().is_some_and(|it| it % sections != 0) {
                return Mistake::new(
                    Code::ShapeMismatch,
                    format!(
                        "dimension {axis} of `data` is {dim}, which {sections} does not divide"
                    ),
                )
                .at_dims([(0, axis)])
                .between(dim, sections)
                .stop();
            }
            let extent = dim.map(|it| it.checked_div(sections));
            vec![part(extent); sections as usize]
        }
        Value::List(_) => {
            let mut begin = 0;
            let mut parts = Vec::new();
            for index in site.ints("indices_or_sections")? {
                if index <= begin {
                    return site.wrong_value(
                        "indices_or_sections",
                        format!("the indices must be positive and ascending, but {index} follows {begin}"),
                    );
                }
                parts.push(part(Dim::Int(index - begin)));
                begin = index;
            }
            if dim.as_int().is_some_and(|it| begin >= it) {
                return site.wrong_value(
                    "indices_or_sections",
                    format!("{begin} is out of range for the extent {dim}"),
                );
            }
            parts.push(part(dim.map(|it| it.checked_sub(begin))));
            parts
        }
        _ => return Err(Stop::Unknown),
    };
    Ok(Type::tuple(parts).into())
}

fn strided_set(site: &Site<'_>) -> Result<Answer, Stop> {
    match site.types.first() {
        Some(ty) => Ok(ty.clone().into()),
        None => Err(Stop::Unknown),
    }
}

fn strided_slice(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    let (begin, end) = (site.ints("begin")?, site.ints("end")?);
    let strides = site.ints("strides")?;
    let by_size = site.str("slice_mode")? == "size";
    let axes: Vec<usize> = match site.opt_ints("axes")? {
        Some(axes) => {
            if begin.len() != axes.len() || end.len() != axes.len() || strides.len() != axes.len() {
                return site.wrong_value(
                    "axes",
                    "has to be as long as `begin`, `end` and `strides`".into(),
                );
            }
            let axes = axes.into_iter();
            axes.map(|axis| site.axis("axes", axis, data.rank()))
                .collect::<Result<_, _>>()?
        }
        None => (0..data.rank()).collect(),
    };
    if begin.len() > data.rank() || end.len() > data.rank() || strides.len() > data.rank() {
        return Err(Stop::Unknown);
    }
    let mut shape = data.shape.to_vec();
    for (at, &axis) in axes.iter().enumerate() {
        let Some(extent) = shape[axis].as_int() else {
            shape[axis] = Dim::Any;
            continue;
        };
        // By size, TVM only uses the first stride.
        let stride = if by_size {
            1
        } else {
            strides.get(at).copied().unwrap_or(1)
        };
        if stride == 0 {
            return site.wrong_value("strides", "a stride must not be 0".into());
        }
        let first = begin.get(at).copied();
        let first = first.unwrap_or(if stride > 0 { 0 } else { i64::MAX });
        let last = match (by_size, end.get(at).copied()) {
            (_, None) => {
                if stride > 0 {
                    i64::MAX
                } else {
                    -extent - 1
                }
            }
            (true, Some(size)) if size < 0 => i64::MAX,
            (true, Some(size)) => first.saturating_add(size),
            (false, Some(last)) => last,
        };
        let (low, high) = if stride > 0 {
            (0, extent)
        } else {
            (-1, extent - 1)
        };
        let canonical = |at: i64| {
            let from_front = if at < 0 {
                at.saturating_add(extent)
            } else {
                at
            };
            from_front.clamp(low, high)
        };
        let (first, last) = (canonical(first), canonical(last));
        let length = if stride > 0 {
            last - first
        } else {
            first - last
        };
        if length < 0 {
            return Mistake::new(
                Code::ArgumentValue,
                format!(
                    "the slice of axis {axis} begins at {first}, behind its end {last} (the extent is {extent})"
                ),
            )
            .attr("begin")
            .stop();
        }
        let step = stride.saturating_abs();
        shape[axis] = Dim::Int((length + step - 1) / step);
    }
    Answer::tensor(shape, data.dtype)
}

fn adv_index(site: &Site<'_>) -> Result<Answer, Stop> {
    let inputs = site.tensors(0)?;
    let [data, indices @ ..] = inputs.as_slice() else {
        return Err(Stop::Unknown);
    };
    let Some((first, others)) = indices.split_first() else {
        return Err(Stop::Unknown);
    };
    if indices.len() > data.rank() {
        return Mistake::new(
            Code::ArgumentCount,
            format!("{} indices are too many for {data}", indices.len()),
        )
        .of([0])
        .stop();
    }
    let mut both = Tensor::clone(first);
    for other in others {
        let shape = super::elementwise::broadcast_shape(site, (0, &both), (0, other))?;
        both.shape = shape.into();
    }
    let mut shape = both.shape.to_vec();
    shape.extend_from_slice(&data.shape[indices.len()..]);
    Answer::tensor(shape, data.dtype)
}

fn set_diagonal(site: &Site<'_>) -> Result<Answer, Stop> {
    let input = site.tensor(0)?;
    site.tensor(1)?;
    if site.int("k2")? < site.int("k1")? {
        return site.wrong_value("k2", "is less than `k1`".into());
    }
    Ok(Type::Tensor(input.clone()).into())
}

fn trilu(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.of_rank(1, 0)?;
    Ok(Type::Tensor(data.clone()).into())
}
