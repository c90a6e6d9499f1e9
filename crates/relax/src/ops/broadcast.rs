//! Broadcasting: the shape and dtype of an elementwise operator over operands of different shapes.

use super::{At, Call, OpErrorKind, Stop};
use crate::dtype::DType;
use crate::release::Release;
use crate::sinfo::{Prim, StructInfo, VDevice};
use crate::sym::{SymExpr, Tri};

/// One side of a broadcast: the dimensions, and the parameter that they belong to.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub param: usize,
    pub dims: &'a [SymExpr],
}

/// Returns the shape that both sides broadcast to, or `None` if it is unknown whether two dimensions agree. As in TVM,
/// only two different constants are an error.
pub(super) fn broadcast(
    c: &Call<'_>,
    a: Side<'_>,
    b: Side<'_>,
) -> Result<Option<Vec<SymExpr>>, Stop> {
    let (long, short) = if a.dims.len() >= b.dims.len() {
        (a.dims, b.dims)
    } else {
        (b.dims, a.dims)
    };
    let mut out = long.to_vec();
    for i in 1..=short.len() {
        let (da, db) = (a.dims.len() - i, b.dims.len() - i);
        let (x, y) = (&a.dims[da], &b.dims[db]);
        let slot = long.len() - i;
        let (value_x, value_y) = (c.cx.value_of(x), c.cx.value_of(y));
        if value_x == Some(1) {
            out[slot] = y.clone();
        } else if value_y == Some(1) || c.cx.equal(x, y) == Tri::Yes {
            out[slot] = x.clone();
        } else if value_x.is_some() && value_y.is_some() {
            return Err(mismatch(c, a.param, da, x, b.param, db, y));
        } else {
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// Returns the error for two dimensions that must be equal but are not.
pub(super) fn mismatch(
    c: &Call<'_>,
    a: usize,
    dim_a: usize,
    x: &SymExpr,
    b: usize,
    dim_b: usize,
    y: &SymExpr,
) -> Stop {
    let message = format!(
        "dimension {dim_a} of `{}` is `{x}`, dimension {dim_b} of `{}` is `{y}`: they must be equal",
        c.name(a),
        c.name(b)
    );
    let note = format!("`{y}` here");
    c.error_with(
        OpErrorKind::Shape,
        At::dim(a, dim_a),
        message,
        At::dim(b, dim_b),
        note,
    )
    .between(x, y)
}

/// Returns the dtype of a tensor's elements or of a scalar.
pub(super) fn element_dtype(sinfo: &StructInfo) -> Option<DType> {
    match sinfo {
        StructInfo::Prim(Prim { dtype, .. }) => *dtype,
        other => other.as_tensor().and_then(|t| t.dtype),
    }
}

/// Returns the dtype of an arithmetic result: that of the first operand. The second must have the same, unless one is
/// bool.
pub(super) fn arith_dtype(
    c: &Call<'_>,
    a: usize,
    x: Option<DType>,
    b: usize,
    y: Option<DType>,
) -> Result<Option<DType>, Stop> {
    let (Some(x), Some(y)) = (x, y) else {
        return Ok(None);
    };
    // Since TVM 0.22, truth values mix with numbers.
    if x == y || (c.release >= Release::V0_22 && (x.is_bool() || y.is_bool())) {
        return Ok(Some(x));
    }
    let message = format!(
        "`{}` is `{x}` but `{}` is `{y}`: the operands must have the same dtype",
        c.name(a),
        c.name(b)
    );
    let note = format!("`{x}` here");
    let error = c.error_with(
        OpErrorKind::DType,
        At::param(b),
        message,
        At::param(a),
        note,
    );
    Err(error.between(x, y))
}

/// Returns the device of a result of two operands, which must not be on different devices.
pub(super) fn joint_vdevice(
    c: &Call<'_>,
    a: usize,
    x: &StructInfo,
    b: usize,
    y: &StructInfo,
) -> Result<Option<VDevice>, Stop> {
    let device = |s: &StructInfo| s.as_tensor().and_then(|t| t.vdevice.clone());
    match (device(x), device(y)) {
        (Some(x), Some(y)) if x != y => {
            let show = |d: &VDevice| format!("{}:{}:{}", d.target, d.index, d.scope);
            let message = format!(
                "`{}` is on `{}` but `{}` is on `{}`",
                c.name(a),
                show(&x),
                c.name(b),
                show(&y)
            );
            let note = format!("on `{}`", show(&x));
            Err(c.error_with(
                OpErrorKind::Value,
                At::param(b),
                message,
                At::param(a),
                note,
            ))
        }
        (x, y) => Ok(x.or(y)),
    }
}
