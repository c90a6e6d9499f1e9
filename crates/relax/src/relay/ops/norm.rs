//! Normalisation, softmax, biases, dropout and losses.

use super::elementwise::same;
use super::{Op, op};
use crate::diagnostics::Code;
use crate::relay::site::{Answer, Mistake, Site, Stop, dimensions};
use crate::relay::types::{Dim, Tensor, Type};

const AXIS: &str = "axis: int = -1";
const NORM: &str = "axis: int = 1, epsilon: float = 1e-5, center: bool = true, scale: bool = true";

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("nn.batch_norm", "data gamma beta moving_mean moving_var", NORM, batch_norm),
    op("nn.bias_add", "data bias", "axis: int = 1", bias_add),
    op("nn.cross_entropy", "x y", "", cross_entropy),
    op("nn.cross_entropy_with_logits", "x y", "", cross_entropy),
    op("nn.dropout", "data", "rate: float = 0.5", dropout),
    op("nn.fast_softmax", "data", AXIS, softmax),
    op("nn.fifo_buffer", "data buffer", "axis: int = 0", fifo_buffer),
    op("nn.group_norm", "data gamma beta", "num_groups: int = 0, axis: int = 1, epsilon: float = 1e-5, center: bool = true, scale: bool = true", norm),
    op("nn.instance_norm", "data gamma beta", NORM, norm),
    op("nn.l2_normalize", "data", "eps: float, axis: ints", same),
    op("nn.layer_norm", "data gamma beta", "axis: int = -1, epsilon: float = 1e-5, center: bool = true, scale: bool = true", norm),
    op("nn.log_softmax", "data", AXIS, softmax),
    op("nn.lrn", "data", "size: int = 5, axis: int = 1, bias: float = 2, alpha: float = 0.0001, beta: float = 0.75", same),
    op("nn.nll_loss", "predictions targets weights", "reduction: str = \"mean\", ignore_index: int", nll_loss),
    op("nn.prelu", "data alpha", "axis: int = 1", prelu),
    op("nn.softmax", "data", AXIS, softmax),
];

fn channel<'a>(site: &Site<'a>) -> Result<(&'a Tensor, Type), Stop> {
    let data = site.tensor(0)?;
    let axis = site.axis("axis", site.int("axis")?, data.rank())?;
    let vector = Type::tensor([data.shape[axis].clone()], data.dtype);
    Ok((data, vector))
}

fn bias_add(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, vector) = channel(site)?;
    Ok(Answer::from(Type::Tensor(data.clone())).expecting(1, vector))
}

fn prelu(site: &Site<'_>) -> Result<Answer, Stop> {
    bias_add(site)
}

fn norm(site: &Site<'_>) -> Result<Answer, Stop> {
    let answer = bias_add(site)?;
    let vector = answer.expects[0].1.clone();
    Ok(answer.expecting(2, vector))
}

fn batch_norm(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, vector) = channel(site)?;
    let out = Type::tuple([Type::Tensor(data.clone()), vector.clone(), vector.clone()]);
    Ok((1..5).fold(Answer::from(out), |answer, at| {
        answer.expecting(at, vector.clone())
    }))
}

fn softmax(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = site.tensor(0)?;
    site.axis("axis", site.int("axis")?, data.rank())?;
    Ok(Type::Tensor(data.clone()).into())
}

fn dropout(site: &Site<'_>) -> Result<Answer, Stop> {
    let data = Type::Tensor(site.tensor(0)?.clone());
    Ok(Type::tuple([data.clone(), data]).into())
}

fn cross_entropy(site: &Site<'_>) -> Result<Answer, Stop> {
    let x = site.of_rank(0, 2)?;
    site.of_rank(1, 2)?;
    site.same_dim((0, 0), (1, 0))?;
    site.same_dim((0, 1), (1, 1))?;
    Ok(Type::scalar(x.dtype).into())
}

fn nll_loss(site: &Site<'_>) -> Result<Answer, Stop> {
    let (predictions, targets) = (site.tensor(0)?, site.tensor(1)?);
    let weights = site.of_rank(2, 1)?;
    if predictions.rank() != targets.rank() + 1 {
        return Mistake::new(
            Code::RankMismatch,
            format!(
                "`predictions` has {} dimensions, `targets` has {}: it has to have one less",
                predictions.rank(),
                targets.rank()
            ),
        )
        .of([0, 1])
        .stop();
    }
    if predictions.rank() < 2 {
        return Err(Stop::Unknown);
    }
    site.same_dim((0, 1), (2, 0))?;
    super::elementwise::same_dtype(site, (0, predictions), (2, weights))?;
    if !predictions.dtype.is_float() {
        return site.wrong_dtype(0, "a float");
    }
    if !targets.dtype.is_int() {
        return site.wrong_dtype(1, "an integer");
    }
    match site.str("reduction")?.as_str() {
        "none" => Answer::tensor(targets.shape.clone(), predictions.dtype),
        _ => Ok(Type::scalar(predictions.dtype).into()),
    }
}

fn fifo_buffer(site: &Site<'_>) -> Result<Answer, Stop> {
    let (data, buffer) = (site.tensor(0)?, site.tensor(1)?);
    if data.rank() != buffer.rank() {
        return site.wrong_rank(1, &dimensions(data.rank() as i64));
    }
    site.axis("axis", site.int("axis")?, buffer.rank())?;
    let shape: Vec<Dim> = buffer.shape.to_vec();
    Answer::tensor(shape, buffer.dtype)
}
