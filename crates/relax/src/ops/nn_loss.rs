//! Losses: cross entropy and negative log likelihood.

use super::Default::{Int, None, Str};
use super::broadcast::{arith_dtype, joint_vdevice};
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req};
use crate::dtype::DType;
use crate::release::Release;
use crate::sinfo::{StructInfo, Tensor, VDevice};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/nn/nn.cc";

pub(super) const WEIGHTS: Param =
    opt("weights", Kind::Tensor, None).doc("The weight of each class; 1 if absent.");
pub(super) const REDUCTION: Param = opt("reduction", Kind::Str, Str("mean"))
    .doc("`none`, `sum` or `mean` of the losses of the elements.");
pub(super) const IGNORE_INDEX: Param =
    opt("ignore_index", Kind::Int, Int(-100)).doc("The target that is ignored.");

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.nn.cross_entropy_with_logits",
        &[
            req("predictions", Kind::Tensor).doc("The logits."),
            req("labels", Kind::Tensor).doc("The target probabilities."),
        ],
        cross_entropy,
    )
    .doc(
        "The cross entropy between logits and labels, averaged over the batch.",
        "predictions, labels: S → ()",
        "loss = R.nn.cross_entropy_with_logits(predictions, labels)",
    )
    .source(SOURCE)
    .familiar(&["cross_entropy"]),
    OpDef::new(
        "relax.nn.nll_loss",
        &[
            req("predictions", Kind::Tensor).doc("The logarithms of the probabilities."),
            req("targets", Kind::Tensor).doc("The class of each element, an integer."),
            WEIGHTS,
            REDUCTION,
            IGNORE_INDEX,
        ],
        nll_loss,
    )
    .doc(
        "Negative log likelihood of the target classes.",
        "predictions: (n, c, d1, ..., dk) · targets: (n, d1, ..., dk) · weights: (c,) → () or, for reduction=\"none\", (n, d1, ..., dk)",
        "loss = R.nn.nll_loss(predictions, targets, weights, reduction=\"mean\")",
    )
    .source(SOURCE),
];

fn cross_entropy(c: &Call<'_>) -> Infer {
    let (predictions, labels) = (c.tensor(0)?, c.tensor(1)?);
    let dtype = arith_dtype(c, 0, predictions.dtype, 1, labels.dtype)?;
    let vdevice = joint_vdevice(c, 0, &predictions.clone().into(), 1, &labels.clone().into())?;
    if let (Some(ndim), Some(other)) = (predictions.ndim(), labels.ndim())
        && ndim != other
    {
        return Err(c.error_with(
            OpErrorKind::Rank,
            At::param(1),
            format!("`labels` has {other} dimensions, but `predictions` has {ndim}"),
            At::param(0),
            format!("{ndim} dimensions here"),
        ));
    }
    if let (Some(dims), Some(others)) = (predictions.dims(), labels.dims()) {
        for (d, (dim, other)) in dims.iter().zip(others).enumerate() {
            c.same_dim(
                (At::dim(1, d), other),
                (At::dim(0, d), dim),
                &format!("extent along axis {d}"),
            )?;
        }
    }
    Ok(scalar(dtype, vdevice))
}

fn scalar(dtype: Option<DType>, vdevice: Option<VDevice>) -> StructInfo {
    Tensor::new(Vec::new(), dtype).with_vdevice(vdevice).into()
}

fn nll_loss(c: &Call<'_>) -> Infer {
    let (predictions, targets) = (c.tensor(0)?, c.tensor(1)?);
    let weights = c.tensor_opt(2)?;
    let reduction = c.str(3)?.unwrap_or_default();
    if !matches!(&*reduction, "none" | "sum" | "mean") {
        return Err(c.error(
            OpErrorKind::Value,
            At::param(3),
            format!("`reduction` must be `none`, `sum` or `mean`, but is `{reduction}`"),
        ));
    }
    let (dtype, vdevice) = match &weights {
        Some(weights) => (
            arith_dtype(c, 0, predictions.dtype, 2, weights.dtype)?,
            joint_vdevice(
                c,
                0,
                &predictions.clone().into(),
                2,
                &weights.clone().into(),
            )?,
        ),
        Option::None => (predictions.dtype, predictions.vdevice.clone()),
    };
    if let Some(dtype) = targets.dtype
        && !dtype.is_int()
        // Before TVM 0.23, a bool was an unsigned integer of one bit.
        && !(dtype.is_bool() && c.release < Release::V0_23)
    {
        let message = format!("`targets` must be integers, but is `{dtype}`");
        let error = c.error(OpErrorKind::DType, At::param(1), message);
        return Err(error.between(dtype, DType::I64));
    }
    check_ranks(c, &predictions, &targets, weights.as_ref())?;
    check_extents(c, &predictions, &targets, weights.as_ref())?;
    if reduction != "none" {
        return Ok(scalar(dtype, vdevice));
    }
    let losses = match explicit_dims(&predictions) {
        Some(dims) => Tensor::new(without_classes(dims), dtype),
        Option::None => Tensor::of_ndim(predictions.ndim().map(|n| n.saturating_sub(1)), dtype),
    };
    Ok(losses.with_vdevice(vdevice).into())
}

/// Returns `(n, c, d1, ..., dk)` without `c`; for `(c,)`, this is empty.
fn without_classes(dims: &[SymExpr]) -> Vec<SymExpr> {
    match dims {
        [batch, _, rest @ ..] => std::iter::once(batch).chain(rest).cloned().collect(),
        _ => Vec::new(),
    }
}

fn check_ranks(
    c: &Call<'_>,
    predictions: &Tensor,
    targets: &Tensor,
    weights: Option<&Tensor>,
) -> Result<(), Stop> {
    if predictions.ndim() == Some(0) {
        return Err(c.error(
            OpErrorKind::Rank,
            At::param(0),
            "`predictions` must have at least 1 dimension, but has 0",
        ));
    }
    if let (Some(ndim), Some(other)) = (predictions.ndim(), targets.ndim())
        && ndim.saturating_sub(2) != other.saturating_sub(1)
    {
        return Err(c.error_with(
            OpErrorKind::Rank,
            At::param(1),
            format!(
                "`targets` has {other} dimensions, but `predictions` has {ndim}, which leaves {}",
                ndim - 1
            ),
            At::param(0),
            format!("{ndim} dimensions here"),
        ));
    }
    weights.map_or(Ok(()), |weights| c.has_rank(2, weights, 1))
}

fn check_extents(
    c: &Call<'_>,
    predictions: &Tensor,
    targets: &Tensor,
    weights: Option<&Tensor>,
) -> Result<(), Stop> {
    let (batch, classes, rest): (Option<&SymExpr>, Option<&SymExpr>, &[SymExpr]) =
        match predictions.dims() {
            Some([classes]) => (Option::None, Some(classes), &[]),
            Some([batch, classes, rest @ ..]) => (Some(batch), Some(classes), rest),
            _ => (Option::None, Option::None, &[]),
        };
    match (targets.dims(), batch) {
        (Some([]), Some(_)) => {
            return Err(c.error_with(
                OpErrorKind::Rank,
                At::param(1),
                "`targets` is a single class, but `predictions` has a batch of them",
                At::dim(0, 0),
                "the batch",
            ));
        }
        (Some([_, ..]), Option::None) if classes.is_some() => {
            return Err(c.error_with(
                OpErrorKind::Rank,
                At::param(1),
                "`predictions` has no batch, so `targets` must be a single class",
                At::param(0),
                "one dimension here, that of the classes",
            ));
        }
        (Some([first, others @ ..]), Some(batch)) => {
            c.same_dim((At::dim(1, 0), first), (At::dim(0, 0), batch), "batch size")?;
            for (d, (other, dim)) in others.iter().zip(rest).enumerate() {
                c.same_dim(
                    (At::dim(1, d + 1), other),
                    (At::dim(0, d + 2), dim),
                    "extent",
                )?;
            }
        }
        _ => {}
    }
    if let (Some(classes), Some([weight])) = (classes, weights.and_then(Tensor::dims)) {
        let at = usize::from(batch.is_some());
        c.same_dim(
            (At::dim(2, 0), weight),
            (At::dim(0, at), classes),
            "number of classes",
        )?;
    }
    Ok(())
}
