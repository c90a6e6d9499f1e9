//! Elementwise operators of two operands: arithmetic, comparison, logic, bits.

use super::broadcast::{Side, arith_dtype, broadcast, element_dtype, joint_vdevice};
use super::{Call, Infer, Kind, OpDef, Param, Sharding, Stop, Topi, req};
use crate::dtype::DType;
use crate::release::{Release, Releases};
use crate::sinfo::{Prim, StructInfo, Tensor, TensorShape};
use crate::sym::SymExpr;
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/binary.cc";

const OPERANDS: &[Param] = &[
    req("x1", Kind::Expr).doc("The left operand: a tensor or a scalar."),
    req("x2", Kind::Expr).doc("The right operand: a tensor or a scalar."),
];

const fn arith(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, OPERANDS, infer_arith)
        .doc(
            summary,
            "x1: (…) · x2: (…) of one dtype → their broadcast shape",
            example,
        )
        .source(SOURCE)
}

const fn compare(name: &'static str, summary: &'static str, example: &'static str) -> OpDef {
    OpDef::new(name, OPERANDS, infer_compare)
        .doc(
            summary,
            "x1: (…) · x2: (…) → their broadcast shape, bool",
            example,
        )
        .source(SOURCE)
}

pub(super) static OPS: &[OpDef] = &[
    arith("relax.add", "Adds, elementwise.", "R.add(x, y)")
        .sharding(Sharding::Broadcast)
        .topi(Topi::elementwise("add"))
        .usage(2),
    arith(
        "relax.subtract",
        "Subtracts the second operand from the first, elementwise.",
        "R.subtract(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("subtract"))
    .familiar(&["sub"])
    .usage(15),
    arith(
        "relax.multiply",
        "Multiplies, elementwise.",
        "R.multiply(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("multiply"))
    .familiar(&["mul"])
    .usage(6),
    arith(
        "relax.divide",
        "Divides the first operand by the second, elementwise.",
        "R.divide(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("divide"))
    .familiar(&["div", "true_divide", "truediv"])
    .usage(24),
    arith(
        "relax.floor_divide",
        "Divides and rounds down, elementwise.",
        "R.floor_divide(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("floor_divide"))
    .familiar(&["floordiv"]),
    arith(
        "relax.power",
        "Raises the first operand to the power of the second, elementwise.",
        "R.power(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("power"))
    .familiar(&["pow"])
    .usage(21),
    arith(
        "relax.mod",
        "The remainder of a division that truncates, elementwise.",
        "R.mod(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .releases(Releases::since(Release::V0_19)),
    arith(
        "relax.floor_mod",
        "The remainder of a division that rounds down, elementwise.",
        "R.floor_mod(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["floormod", "remainder"])
    .releases(Releases::since(Release::V0_19)),
    arith(
        "relax.atan2",
        "The angle of the point (x2, x1) in its quadrant, elementwise.",
        "R.atan2(y, x)",
    )
    .releases(Releases::since(Release::V0_24))
    .familiar(&["arctan2"]),
    arith(
        "relax.log_add_exp",
        "The logarithm of the sum of the exponentials, elementwise.",
        "R.log_add_exp(x, y)",
    )
    .releases(Releases::since(Release::V0_21))
    .familiar(&["logaddexp"]),
    arith(
        "relax.maximum",
        "The greater operand, elementwise.",
        "R.maximum(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("maximum")),
    arith(
        "relax.minimum",
        "The smaller operand, elementwise.",
        "R.minimum(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .topi(Topi::elementwise("minimum")),
    compare(
        "relax.equal",
        "Whether the operands are equal, elementwise.",
        "R.equal(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["eq"]),
    compare(
        "relax.not_equal",
        "Whether the operands differ, elementwise.",
        "R.not_equal(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["ne"]),
    compare(
        "relax.greater",
        "Whether the first is greater, elementwise.",
        "R.greater(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["gt"]),
    compare(
        "relax.greater_equal",
        "Whether the first is greater or equal, elementwise.",
        "R.greater_equal(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["ge"]),
    compare(
        "relax.less",
        "Whether the first is less, elementwise.",
        "R.less(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["lt"]),
    compare(
        "relax.less_equal",
        "Whether the first is less or equal, elementwise.",
        "R.less_equal(x, y)",
    )
    .sharding(Sharding::Broadcast)
    .familiar(&["le"]),
    arith(
        "relax.logical_and",
        "Whether both operands are true, elementwise.",
        "R.logical_and(p, q)",
    )
    .sharding(Sharding::Broadcast),
    arith(
        "relax.logical_or",
        "Whether either operand is true, elementwise.",
        "R.logical_or(p, q)",
    )
    .sharding(Sharding::Broadcast),
    arith(
        "relax.logical_xor",
        "Whether exactly one operand is true, elementwise.",
        "R.logical_xor(p, q)",
    )
    .sharding(Sharding::Broadcast),
    arith(
        "relax.bitwise_and",
        "The bits set in both operands, elementwise.",
        "R.bitwise_and(x, y)",
    )
    .sharding(Sharding::Broadcast),
    arith(
        "relax.bitwise_or",
        "The bits set in either operand, elementwise.",
        "R.bitwise_or(x, y)",
    )
    .sharding(Sharding::Broadcast),
    arith(
        "relax.bitwise_xor",
        "The bits set in exactly one operand, elementwise.",
        "R.bitwise_xor(x, y)",
    )
    .sharding(Sharding::Broadcast),
    arith(
        "relax.left_shift",
        "Shifts the bits of the first left by the second, elementwise.",
        "R.left_shift(x, bits)",
    )
    .sharding(Sharding::Broadcast)
    .releases(Releases::since(Release::V0_18)),
    arith(
        "relax.right_shift",
        "Shifts the bits of the first right by the second, elementwise.",
        "R.right_shift(x, bits)",
    )
    .sharding(Sharding::Broadcast)
    .releases(Releases::since(Release::V0_18)),
];

fn infer_arith(c: &Call<'_>) -> Infer {
    let (x, y) = (operand(c, 0)?, operand(c, 1)?);
    let dtype = arith_dtype(c, 0, element_dtype(&x), 1, element_dtype(&y))?;
    combine(c, &x, &y, dtype)
}

fn infer_compare(c: &Call<'_>) -> Infer {
    let (x, y) = (operand(c, 0)?, operand(c, 1)?);
    combine(c, &x, &y, Some(DType::BOOL))
}

/// Returns an operand: a tensor or a scalar. A plain Python number has 32 bits here, as in TVM's call.
fn operand(c: &Call<'_>, i: usize) -> Result<StructInfo, Stop> {
    match c.value(i) {
        Value::Int(_) => return Ok(StructInfo::prim(DType::I32)),
        Value::Float(_) => return Ok(StructInfo::prim(DType::F32)),
        _ => {}
    }
    let sinfo = c.sinfo(i)?;
    match sinfo {
        StructInfo::Prim(_) | StructInfo::Tensor(_) => Ok(sinfo),
        StructInfo::DTensor(dtensor) => Ok(dtensor.tensor.clone().into()),
        _ => Err(c.wrong_kind(i, "a Tensor or a scalar")),
    }
}

pub(super) fn combine(c: &Call<'_>, x: &StructInfo, y: &StructInfo, dtype: Option<DType>) -> Infer {
    if matches!((x, y), (StructInfo::Prim(_), StructInfo::Prim(_))) {
        return Ok(StructInfo::Prim(Prim { dtype, value: None }));
    }
    let vdevice = joint_vdevice(c, 0, x, 1, y)?;
    let one = [SymExpr::int(1)];
    let dims = |s: &StructInfo| match s.as_tensor() {
        Some(tensor) => tensor.dims().map(<[SymExpr]>::to_vec),
        None => Some(one.to_vec()),
    };
    let shape = match (dims(x), dims(y)) {
        (Some(a), Some(b)) => {
            broadcast(c, Side { param: 0, dims: &a }, Side { param: 1, dims: &b })?
        }
        _ => None,
    };
    let shape = match (shape, x.as_tensor(), y.as_tensor()) {
        (Some(dims), ..) => TensorShape::Known(dims.into()),
        (None, Some(x), Some(y)) if same_variable(&x.shape, &y.shape) => x.shape.clone(),
        _ => {
            let ndim = |s: &StructInfo| s.as_tensor().map_or(Some(1), Tensor::ndim);
            TensorShape::Unknown(ndim(x).zip(ndim(y)).map(|(a, b)| a.max(b)))
        }
    };
    Ok(StructInfo::Tensor(Tensor {
        shape,
        dtype,
        vdevice,
    }))
}

/// Returns `true` if both shapes are given by the same variable.
pub(super) fn same_variable(a: &TensorShape, b: &TensorShape) -> bool {
    match (a, b) {
        (
            TensorShape::Var { name, id, .. },
            TensorShape::Var {
                name: other,
                id: other_id,
                ..
            },
        ) => name == other && id == other_id,
        _ => false,
    }
}
