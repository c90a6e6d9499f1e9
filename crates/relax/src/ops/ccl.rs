//! Collective communication between the workers of a multi-device run.

use crate::release::{Release, Releases};
use std::sync::Arc;

use smol_str::SmolStr;

use super::Default::{Bool, Int, Str};
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Sharding, Stop, opt, req};
use crate::sinfo::{DTensor, StructInfo, Tensor};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/ccl/ccl.cc";

const X: Param = req("x", Kind::Tensor).doc("The tensor of this worker.");
const IN_GROUP: Param = opt("in_group", Kind::Bool, Bool(true))
    .doc("Restricts the operation to the workers of one group.");
pub(super) const NUM_WORKERS: Param =
    req("num_workers", Kind::Int).doc("The number of participating workers.");

const REDUCTIONS: [&str; 5] = ["sum", "prod", "min", "max", "avg"];

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.ccl.allreduce",
        &[
            X,
            opt("op_type", Kind::Str, Str("sum")).doc("`sum`, `prod`, `min`, `max` or `avg`."),
            IN_GROUP,
        ],
        allreduce,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Combines the tensors of all workers elementwise; every worker gets the result.",
        "x: S → S",
        "y = R.ccl.allreduce(x, \"sum\")",
    )
    .source(SOURCE)
    .sharding(Sharding::Own),
    OpDef::new(
        "relax.ccl.allgather",
        &[X, NUM_WORKERS, IN_GROUP],
        allgather,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Joins the tensors of all workers along the first axis; every worker gets the result.",
        "x: (d1, ..., dn) → (d1·num_workers, ..., dn)",
        "y = R.ccl.allgather(x, num_workers=2)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.ccl.broadcast_from_worker0",
        &[req("x", Kind::Tensor).doc("The tensor of worker 0.")],
        |c| c.tensor(0).map(Into::into),
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Sends the tensor of worker 0 to every worker.",
        "x: S → S",
        "y = R.ccl.broadcast_from_worker0(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.ccl.scatter_from_worker0",
        &[
            req("x", Kind::Tensor).doc("The tensor of worker 0."),
            NUM_WORKERS,
            opt("axis", Kind::Int, Int(0)).doc("The axis along which the tensor is divided."),
        ],
        scatter,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Divides the tensor of worker 0 evenly among the workers.",
        "x: (..., d, ...) → (..., d/num_workers, ...)",
        "y = R.ccl.scatter_from_worker0(x, num_workers=2, axis=0)",
    )
    .source(SOURCE),
];

fn allreduce(c: &Call<'_>) -> Infer {
    let x = c.sinfo(0)?;
    let tensor = c.tensor(0)?;
    if let Some(kind) = c.str(1)?
        && !REDUCTIONS.contains(&&*kind)
    {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(1),
            format!(
                "`op_type` must be one of {}, but is `{kind}`",
                REDUCTIONS.join(", ")
            ),
        ));
    }
    Ok(match x {
        StructInfo::DTensor(sharded) => {
            let mesh = sharded.placement.len();
            StructInfo::DTensor(Arc::new(DTensor {
                placement: vec![SmolStr::new_static("R"); mesh],
                ..(*sharded).clone()
            }))
        }
        _ => tensor.into(),
    })
}

fn allgather(c: &Call<'_>) -> Infer {
    let x = c.tensor(0)?;
    let workers = c.int(1)?.ok_or_else(|| c.wrong_kind(1, "an integer"))?;
    let Some(dims) = x.dims() else {
        return Ok(x.into());
    };
    let mut dims = dims.to_vec();
    let Some(first) = dims.first_mut() else {
        return Err(c.error(
            OpErrorKind::Rank,
            At::param(0),
            "`x` must have at least 1 dimension, but has 0",
        ));
    };
    *first = first.mul(&SymExpr::int(workers));
    Ok(Tensor::new(dims, x.dtype).with_vdevice(x.vdevice).into())
}

fn scatter(c: &Call<'_>) -> Infer {
    let x = c.tensor(0)?;
    // Before TVM 0.20, the first axis is checked, whichever axis is divided.
    let checked = (c.release < Release::V0_20).then_some(0);
    let dims = divided(c, &x, 1, 2, checked)?;
    Ok(StructInfo::Tensor(
        Tensor::new(dims, x.dtype).with_vdevice(x.vdevice),
    ))
}

/// Returns the dimensions of operand 0, with the axis in operand `axis` divided by the number of workers in `workers`.
pub(super) fn divided(
    c: &Call<'_>,
    x: &Tensor,
    workers: usize,
    axis: usize,
    checked: Option<usize>,
) -> Result<Vec<SymExpr>, Stop> {
    // TVM accepts negative numbers.
    let count = match c.int(workers)? {
        Some(0) => {
            let message = format!("`{}` must not be zero", c.name(workers));
            return Err(c.error(OpErrorKind::Value, At::param(workers), message));
        }
        Some(count) => SymExpr::int(count),
        None => return Err(c.wrong_kind(workers, "an integer")),
    };
    let at = c
        .int(axis)?
        .ok_or_else(|| c.wrong_kind(axis, "an integer"))?;
    let Some(dims) = x.dims() else {
        return Err(c.error(
            OpErrorKind::Shape,
            At::param(0),
            format!("the shape of `{}` must be known", c.name(0)),
        ));
    };
    let mut dims = dims.to_vec();
    let index = usize::try_from(at).ok().filter(|&at| at < dims.len());
    let Some(index) = index else {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(axis),
            format!(
                "axis `{at}` is out of range for a tensor of {} dimensions",
                dims.len()
            ),
        ));
    };
    let checked = checked.unwrap_or(index);
    if c.indivisible(&dims[checked], &count) {
        return Err(c.error_with(
            OpErrorKind::Shape,
            At::dim(0, checked),
            format!(
                "dimension {checked} of `{}`, `{}`, is not divisible among {count} workers",
                c.name(0),
                dims[checked]
            ),
            At::param(workers),
            "the number of workers",
        ));
    }
    dims[index] = dims[index].truncdiv(&count);
    Ok(dims)
}
