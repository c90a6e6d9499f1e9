//! layout_transform: the extents of a tensor after an index map.

use super::join::ceildiv;
use super::{
    At, Call, Default, Infer, Kind, OpDef, OpErrorKind, Param, Stop, opt, req, with_dims, with_ndim,
};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{Prim, StructInfo, Tensor};
use crate::sym::{Kind as Form, Op, SymExpr, Term};
use crate::value::{IndexMap, Value};

const DATA: Param = req("x", Kind::Tensor).doc("The input tensor.");
const MAP: Param = req("index_map", Kind::Any)
    .doc("A function from the indices of `x` to those of the result: `lambda i, j: (j, i)`.");
const PAD: Param = opt("pad_value", Kind::Any, Default::None)
    .doc("The padding value, of the dtype of `x`, if the result is larger than `x`.");

const fn row(params: &'static [Param]) -> OpDef {
    OpDef::new("relax.layout_transform", params, layout_transform)
        .doc(
            "Moves each element to the position given by an index map.",
            "x: (n, m) · index_map=lambda i, j: (j // 4, i, j % 4) → ((m + 3) // 4, n, 4)",
            "R.layout_transform(x, index_map=lambda i, j: (j, i))",
        )
        .source("src/relax/op/tensor/manipulate.cc")
}

pub(super) static OPS: &[OpDef] = &[
    row(&[
        DATA,
        MAP,
        PAD,
        opt("axis_separators", Kind::Any, Default::None)
            .doc("The separators of the axes of the result's buffer."),
        opt("input_axis_separators", Kind::Any, Default::None)
            .doc("The separators of the axes of the input's buffer."),
    ])
    .releases(Releases::until(Release::V0_25)),
    row(&[DATA, MAP, PAD]).releases(Releases::since(Release::V0_26)),
];

fn layout_transform(c: &Call<'_>) -> Infer {
    let data = c.tensor(0)?;
    check_pad(c, &data)?;
    let Value::IndexMap(map) = c.value(1) else {
        return Err(Stop::Unknown);
    };
    let rank = Some(map.outputs.len());
    let Some(ndim) = data.ndim() else {
        return Ok(with_ndim(&data, rank));
    };
    if map.inputs.len() != ndim {
        let message = format!(
            "the number of the map's indices is {}, but `{}` has rank {ndim}",
            map.inputs.len(),
            c.name(0)
        );
        return Err(c.error(OpErrorKind::Rank, At::param(1), message));
    }
    let extents = data.dims().and_then(|dims| extents(&map, dims));
    Ok(match extents {
        Some(dims) => with_dims(&data, dims),
        None => with_ndim(&data, rank),
    })
}

/// Returns the extents of a tensor after an index map, or `None` if the map is not a layout.
pub fn extents(map: &IndexMap, dims: &[SymExpr]) -> Option<Vec<SymExpr>> {
    let of = |output| extent(map, dims, output);
    map.outputs.iter().map(of).collect()
}

/// Checks that the padding has the tensor's dtype. A Python number is converted if possible.
fn check_pad(c: &Call<'_>, data: &Tensor) -> Result<(), Stop> {
    let pad = match c.value(2) {
        Value::Float(_) if data.dtype.is_some_and(DType::is_float) => return Ok(()),
        Value::Int(_) if data.dtype.is_some_and(|d| d.is_float() || d.is_int()) => return Ok(()),
        Value::None => return Ok(()),
        value => value.struct_info(),
    };
    match (pad, data.dtype) {
        (Some(StructInfo::Prim(Prim { dtype, .. })), Some(expected)) => match dtype {
            Some(found) if found != expected => {
                let message = format!(
                    "the padding is `{found}` but `{}` is `{expected}`",
                    c.name(0)
                );
                let note = format!("`{expected}` here");
                Err(c.error_with(
                    OpErrorKind::DType,
                    At::param(2),
                    message,
                    At::param(0),
                    note,
                ))
            }
            _ => Ok(()),
        },
        (Some(StructInfo::Prim(_)), None) => {
            let message = format!("the dtype of `{}` must be known to pad it", c.name(0));
            Err(c.error(OpErrorKind::DType, At::param(0), message))
        }
        (Some(StructInfo::Unknown), _) => Ok(()),
        _ => Err(c.wrong_kind(2, "a scalar")),
    }
}

/// Returns the maximum of an index plus one, or `None` if the map is not a layout: sums of indices, their quotients
/// and remainders, times constants.
fn extent(map: &IndexMap, dims: &[SymExpr], index: &SymExpr) -> Option<SymExpr> {
    match index {
        SymExpr::Int(value) => (*value == 0).then(|| SymExpr::int(1)),
        SymExpr::Var(var) => {
            let at = map.inputs.iter().position(|input| input == var)?;
            dims.get(at).cloned()
        }
        SymExpr::Node(_) => {
            if let Some((op, [inner, by])) = index.as_op() {
                let positive = by.as_int().is_some_and(|by| by > 0);
                return match op {
                    Op::FloorDiv | Op::TruncDiv if positive => {
                        Some(ceildiv(&extent(map, dims, inner)?, by))
                    }
                    Op::FloorMod | Op::TruncMod if positive => Some(by.clone()),
                    _ => None,
                };
            }
            let Some(Form::Sum(sum)) = index.kind() else {
                return None;
            };
            if sum.constant != 0 {
                return None;
            }
            sum.terms
                .iter()
                .map(|term| greatest(map, dims, term))
                .try_fold(SymExpr::int(1), |sum, term| Some(sum.add(&term?)))
        }
    }
}

/// Returns the maximum of one index times factors that are not indices.
fn greatest(map: &IndexMap, dims: &[SymExpr], term: &Term) -> Option<SymExpr> {
    let mut found = None;
    let mut scale = (term.coeff > 0).then(|| SymExpr::int(term.coeff))?;
    for factor in &term.factors {
        if !factor.any_var(&|var| map.inputs.contains(var)) {
            scale = scale.mul(factor);
        } else if found.is_none() {
            found = Some(extent(map, dims, factor)?);
        } else {
            return None;
        }
    }
    Some(found?.sub(&SymExpr::int(1)).mul(&scale))
}
