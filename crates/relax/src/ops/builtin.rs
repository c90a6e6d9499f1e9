//! Tensors that the compiler allocates before memory planning, annotations for lifting parameters, and the null value.

use super::Default::{self, Str};
use super::memory::{DTYPE, SHAPE, dtype_of, object};
use super::{At, Call, Infer, Kind, Numbers, OpDef, OpErrorKind, Sharding, opt, req};
use crate::dialect::Dialect;
use crate::release::{Release, Releases};
use crate::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/op.cc";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.builtin.alloc_tensor",
        &[
            SHAPE,
            opt("dtype", Kind::DType, Default::None).doc("The dtype of the elements."),
            opt("runtime_device_index", Kind::Int, Default::None).doc("The device."),
        ],
        alloc_tensor,
    )
    .releases(Releases::only(Release::Rfc))
    .doc(
        "Allocates a tensor; a later pass plans its memory.",
        "shape: S → S",
        "x = R.builtin.alloc_tensor((4, 4), dtype=\"float32\")",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.builtin.alloc_tensor",
        &[
            SHAPE,
            DTYPE,
            req("runtime_device_index", Kind::Int)
                .numbers(Numbers::PrimValues)
                .doc("The device; -1 is the host."),
            opt("storage_scope", Kind::Str, Str("global")).doc("The kind of memory."),
        ],
        alloc_tensor,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Allocates a tensor; a later pass plans its memory.",
        "shape: S → S",
        "x = R.builtin.alloc_tensor(R.shape([4, 4]), R.dtype(\"float32\"), R.prim_value(0))",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.builtin.stop_lift_params",
        &[req("x", Kind::Tensor).doc("The tensor.")],
        stop_lift_params,
    )
    .aliases(&["stop_lift_params"])
    .releases(Releases::since(Release::Unity))
    .doc(
        "The tensor itself; TVM does not lift parameters beyond this point.",
        "x: S → S",
        "y = R.builtin.stop_lift_params(x)",
    )
    .source(SOURCE)
    .sharding(Sharding::Own),
    OpDef::new("relax.null_value", &[], object)
        .doc(
            "The value of an argument that is not given.",
            "→ Object",
            "x = R.null_value()",
        )
        .source(SOURCE),
];

fn alloc_tensor(c: &Call<'_>) -> Infer {
    if matches!(c.value(0), Value::ShapeVar { .. }) {
        return Err(c.error(
            OpErrorKind::Type,
            At::param(0),
            "`shape` must be written out, not passed as a variable",
        ));
    }
    // To TVM since 0.26 a tuple is a tuple here.
    if matches!(c.value(0), Value::List(_)) && c.release.dialect() >= Dialect::Type {
        return Err(c.wrong_kind(0, "an `R.shape`"));
    }
    let shape = match c.shape(0)? {
        Shape::Known(dims) => TensorShape::Known(dims),
        Shape::Unknown(ndim) => TensorShape::Unknown(ndim),
    };
    Ok(StructInfo::Tensor(Tensor {
        shape,
        dtype: match c.value(1) {
            // In 2022 the dtype was optional.
            Value::None => None,
            _ => dtype_of(c, 1)?,
        },
        vdevice: None,
    }))
}

fn stop_lift_params(c: &Call<'_>) -> Infer {
    c.tensor(0)?;
    c.sinfo(0)
}
