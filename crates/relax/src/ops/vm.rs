//! Builtins that lowered programs call: storage, tensors, destination-passing calls.

use super::Default::Str;
use super::memory::{ALLOC_TENSOR, ALLOC_TENSOR_ON, ALLOC_TENSOR_SUMMARY, dtype_of, storage, void};
use super::{Call, Infer, Kind, Numbers, OpDef, Purity, Stop, opt, req};
use crate::release::{Release, Releases};
use crate::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/op.cc";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.vm.alloc_storage",
        &[
            req("shape", Kind::Shape).doc("The number of bytes, as a shape of one dimension."),
            req("runtime_device_index", Kind::Int)
                .numbers(Numbers::PrimValues)
                .doc("The device; -1 is the host."),
            req("dtype", Kind::DType).doc("The dtype of the elements."),
            opt("storage_scope", Kind::Str, Str("global")).doc("The kind of memory."),
        ],
        storage,
    )
    .doc(
        "Allocates storage for tensors.",
        "shape: (bytes,) → Object",
        "s = R.vm.alloc_storage(R.shape([64]), R.prim_value(0), R.dtype(\"uint8\"))",
    )
    .source(SOURCE),
    OpDef::new("relax.vm.alloc_tensor", ALLOC_TENSOR, alloc_tensor)
        .releases(Releases::until(Release::V0_22))
        .doc(
            ALLOC_TENSOR_SUMMARY,
            "storage: Object · shape: S → S",
            "x = R.vm.alloc_tensor(s, R.prim_value(0), R.shape([4, 4]), R.dtype(\"float32\"))",
        )
        .source(SOURCE),
    OpDef::new("relax.vm.alloc_tensor", ALLOC_TENSOR_ON, alloc_tensor)
        .releases(Releases::since(Release::V0_23))
        .doc(
            ALLOC_TENSOR_SUMMARY,
            "storage: Object · shape: S → S",
            "x = R.vm.alloc_tensor(s, R.prim_value(0), R.shape([4, 4]), R.dtype(\"float32\"))",
        )
        .source(SOURCE),
    OpDef::new(
        "relax.vm.kill_object",
        &[req("obj", Kind::Expr).doc("The tensor or storage.")],
        void,
    )
    .purity(Purity::Impure)
    .doc(
        "Marks the end of a value's life.",
        "obj: any → ()",
        "R.vm.kill_object(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.vm.call_tir_dyn",
        &[
            req("func", Kind::Function).doc("A PrimFunc that takes its outputs last."),
            req("args", Kind::Expr)
                .doc("A tuple of inputs and outputs, then a shape with the integer arguments."),
        ],
        void,
    )
    .purity(Purity::Impure)
    .doc(
        "Calls a PrimFunc with integers that are known at run time.",
        "args: tuple → ()",
        "R.vm.call_tir_dyn(cls.f, (x, out, R.shape([n])))",
    )
    .source(SOURCE),
];

/// Unlike in `memory.alloc_tensor`, a variable that holds a shape stands for its dimensions.
fn alloc_tensor(c: &Call<'_>) -> Infer {
    let shape = match c.value(2) {
        Value::Expr(sinfo) if !matches!(sinfo, StructInfo::Shape(_) | StructInfo::Unknown) => {
            TensorShape::Unknown(None)
        }
        // TVM treats a list as a tuple of numbers, which says nothing about the shape.
        Value::List(_) | Value::Int(_) | Value::Sym(_) => TensorShape::Unknown(None),
        _ => target(c)?,
    };
    Ok(StructInfo::Tensor(Tensor {
        shape,
        dtype: dtype_of(c, 3)?,
        vdevice: None,
    }))
}

fn target(c: &Call<'_>) -> Result<TensorShape, Stop> {
    Ok(match c.shape(2)? {
        Shape::Known(dims) => TensorShape::Known(dims),
        Shape::Unknown(ndim) => TensorShape::Unknown(ndim),
    })
}
