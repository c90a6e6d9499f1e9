//! Losses.

use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

pub(super) struct Classified {
    pub(super) predictions: Tensor,
    pub(super) targets: Tensor,
    pub(super) weights: Vec<f64>,
    pub(super) batch: usize,
    pub(super) classes: usize,
    pub(super) inner: usize,
    pub(super) ignored: i64,
}

impl Classified {
    pub(super) fn weight(&self, target: i64) -> RunResult<f64> {
        Ok(self.weights[super::gather::position(target, self.classes)?])
    }
}

/// Reads the arguments of a loss. `first` is the position of the predictions among the operands.
pub(super) fn classes(args: &Args<'_>, first: usize) -> RunResult<Classified> {
    let predictions = args.operand(first)?;
    let targets = args.operand(first + 1)?.cast(Kind::I64)?;
    let (batch, classes, inner) = match predictions.shape() {
        &[classes] => (1, classes, 1),
        [batch, classes, rest @ ..] => (*batch, *classes, rest.iter().product()),
        [] => return Err(RunError::shape("the predictions have no classes")),
    };
    if targets.len() != batch * inner {
        return Err(RunError::shape("one target for each prediction is needed"));
    }
    let weights = match args.opt_tensor("weights")? {
        None => vec![1.0; classes],
        Some(weights) if weights.len() == classes => {
            weights.cast(Kind::F64)?.values::<f64>()?.into_owned()
        }
        Some(_) => return Err(RunError::shape("one weight for each class is needed")),
    };
    Ok(Classified {
        predictions,
        targets,
        weights,
        batch,
        classes,
        inner,
        ignored: args.int_or("ignore_index", -100)?,
    })
}

/// Returns the weighted negative predictions at the targets.
fn nll_loss(args: &Args<'_>) -> RunResult<Value> {
    let c = classes(args, 0)?;
    let kind = c.predictions.kind();
    let wide = c.predictions.cast(Kind::F64)?;
    let (values, targets) = (wide.values::<f64>()?, c.targets.values::<i64>()?);
    let (mut losses, mut total) = (vec![0.0; targets.len()], 0.0);
    for (i, &target) in targets.iter().enumerate() {
        if target == c.ignored {
            continue;
        }
        let weight = c.weight(target)?;
        let (batch, rest) = (i / c.inner, i % c.inner);
        let class = super::gather::position(target, c.classes)?;
        losses[i] = -values[(batch * c.classes + class) * c.inner + rest] * weight;
        total += weight;
    }
    let sum: f64 = losses.iter().sum();
    let result = match &*args.str_or("reduction", "mean")? {
        "none" => Tensor::from_vec(c.targets.shape(), losses)?,
        "sum" => Tensor::scalar(sum)?,
        "mean" => Tensor::scalar(sum / total)?,
        other => return Err(RunError::argument(format!("unknown reduction {other:?}"))),
    };
    Ok(result.cast(kind)?.into())
}

/// Returns `-sum(predictions * labels)`, averaged over the first dimension if there is more than one.
fn cross_entropy(args: &Args<'_>) -> RunResult<Value> {
    let (x, y) = (args.operand(0)?, args.operand(1)?);
    if x.shape() != y.shape() {
        return Err(RunError::shape("predictions and labels differ in shape"));
    }
    let kind = x.kind();
    let (x, y) = (x.cast(Kind::F64)?, y.cast(Kind::F64)?);
    let (a, b) = (x.values::<f64>()?, y.values::<f64>()?);
    let sum: f64 = a.iter().zip(b.iter()).map(|(a, b)| a * b).sum();
    let count = if x.ndim() > 1 {
        x.shape()[0] as f64
    } else {
        1.0
    };
    Ok(Tensor::scalar(-sum / count)?.cast(kind)?.into())
}

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.nn.cross_entropy_with_logits", cross_entropy),
    Kernel::new("relax.nn.nll_loss", nll_loss),
];
