//! Distributed tensors: sharding annotations, redistribution, calls on local parts (`R.dist.*`).

use crate::release::{Release, Releases};
use std::sync::Arc;

use smol_str::SmolStr;

use super::calls::{ARGS, GVAR, TIR_VARS};
use super::ccl::{NUM_WORKERS, divided};
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Sharding, Stop, req};
use crate::sinfo::{DTensor, StructInfo, Tensor};

const SOURCE: &str = "src/relax/op/distributed/distributed.cc";

const MESH: Param = req("device_mesh", Kind::Str).doc("A mesh of the module: `\"mesh[0]\"`.");
const PLACEMENT: Param = req("placement", Kind::Str)
    .doc("For each dimension of the mesh `S[i]`, sharded along axis i, or `R`, replicated.");

const LOCAL_VIEW: &str = "Calls a PrimFunc on this device's part of each tensor.";
const CALL_TIR: &str = "Calls a PrimFunc on distributed tensors.";

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.dist.annotate_sharding",
        &[
            req("value", Kind::Expr).doc("The value."),
            MESH,
            PLACEMENT,
        ],
        annotate_sharding,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The value itself, annotated with a sharding.",
        "value: S → S",
        "y = R.dist.annotate_sharding(x, device_mesh=\"mesh[0]\", placement=\"S[0]\")",
    )
    .source(SOURCE)
    .sharding(Sharding::Own),
    OpDef::new(
        "relax.dist.redistribute",
        &[
            req("value", Kind::Tensor).doc("A distributed tensor."),
            MESH,
            PLACEMENT,
        ],
        redistribute,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The same tensor under another sharding.",
        "value: DTensor S → DTensor S",
        "y = R.dist.redistribute(x, device_mesh=\"mesh[0]\", placement=\"R\")",
    )
    .source(SOURCE)
    .sharding(Sharding::Own),
    OpDef::new(
        "relax.dist.redistribute_replica_to_shard",
        &[
            req("input", Kind::Tensor).doc("A replicated tensor."),
            NUM_WORKERS,
            req("axis", Kind::Int).doc("The axis along which the tensor is divided."),
        ],
        replica_to_shard,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "This device's part of a replicated tensor.",
        "input: DTensor S on R → DTensor S on S[axis]",
        "y = R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=0)",
    )
    .source(SOURCE)
    .sharding(Sharding::Own),
    OpDef::special("relax.dist.call_tir_local_view", &[GVAR, ARGS, OUT_SINFO, TIR_VARS])
        .releases(Releases::between(Release::Unity, Release::V0_25))
        .doc(LOCAL_VIEW, "args → out_sinfo", "y = R.dist.call_tir_local_view(cls.f, (x,), out_sinfo=R.DTensor((4,), \"float32\", \"mesh[0]\", \"R\"))")
        .source(SOURCE),
    OpDef::special("relax.dist.call_tir_local_view", &[GVAR, ARGS, OUT_TY])
        .releases(Releases::since(Release::V0_26))
        .doc(LOCAL_VIEW, "args → out_ty", "y = R.dist.call_tir_local_view(cls.f, (x,), out_ty=R.DTensor((4,), \"float32\", \"mesh[0]\", \"R\"))")
        .source(SOURCE),
    OpDef::special("relax.dist.call_tir", &[FUNC, ARGS, OUT_SINFO, TIR_VARS])
        .releases(Releases::between(Release::Unity, Release::V0_25))
        .doc(CALL_TIR, "args → out_sinfo", "y = R.dist.call_tir(cls.f, (x,), out_sinfo=R.DTensor((4,), \"float32\", \"mesh[0]\", \"R\"))")
        .source("src/relax/op/distributed/op.cc"),
    OpDef::special("relax.dist.call_tir", &[FUNC, ARGS, OUT_TY])
        .releases(Releases::since(Release::V0_26))
        .doc(CALL_TIR, "args → out_ty", "y = R.dist.call_tir(cls.f, (x,), out_ty=R.DTensor((4,), \"float32\", \"mesh[0]\", \"R\"))")
        .source("src/relax/op/distributed/op.cc"),
];

const FUNC: Param = req("func", Kind::Function).doc("A PrimFunc of the module.");
const OUT_SINFO: Param =
    req("out_sinfo", Kind::Annotation).doc("The DTensor of the result, or a list of them.");
const OUT_TY: Param =
    req("out_ty", Kind::Annotation).doc("The DTensor of the result, or a list of them.");

fn annotate_sharding(c: &Call<'_>) -> Infer {
    placement(c, 2)?;
    c.sinfo(0)
}

/// Returns a placement such as `S[0], R`: one entry for each dimension of the mesh.
fn placement(c: &Call<'_>, i: usize) -> Result<Vec<SmolStr>, Stop> {
    let text = c.str(i)?.unwrap_or_default();
    text.split(',')
        .map(str::trim)
        .map(|entry| {
            let axis = entry.strip_prefix("S[").and_then(|e| e.strip_suffix(']'));
            if entry == "R" || axis.is_some_and(|axis| axis.parse::<u32>().is_ok()) {
                Ok(SmolStr::new(entry))
            } else {
                Err(c.error(
                    OpErrorKind::Value,
                    At::param(i),
                    format!("a placement is `R` or `S[axis]`, but this is `{entry}`"),
                ))
            }
        })
        .collect()
}

fn redistribute(c: &Call<'_>) -> Infer {
    let StructInfo::DTensor(value) = c.sinfo(0)? else {
        return Err(c.wrong_kind(0, "a DTensor"));
    };
    let placement = placement(c, 2)?;
    let mesh = c.str(1)?.ok_or(Stop::Unknown)?;
    Ok(StructInfo::DTensor(Arc::new(DTensor {
        tensor: value.tensor.clone(),
        mesh,
        placement,
    })))
}

fn replica_to_shard(c: &Call<'_>) -> Infer {
    let input = c.sinfo(0)?;
    let tensor = c.tensor(0)?;
    let dims = divided(c, &tensor, 1, 2, None)?;
    let StructInfo::DTensor(dtensor) = input else {
        return Ok(Tensor::new(dims, tensor.dtype)
            .with_vdevice(tensor.vdevice)
            .into());
    };
    if dtensor.placement.len() != 1 || dtensor.placement[0] != "R" {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(0),
            format!(
                "`input` must be replicated over a mesh of one dimension, but is placed `{}`",
                dtensor.placement.join(", ")
            ),
        ));
    }
    let axis = c.int(2)?.unwrap_or(0);
    Ok(StructInfo::DTensor(Arc::new(DTensor {
        placement: vec![SmolStr::new(format!("S[{axis}]"))],
        ..(*dtensor).clone()
    })))
}
