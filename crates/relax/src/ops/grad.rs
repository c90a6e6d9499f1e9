//! Annotations for automatic differentiation, and gradient operators.

use super::Default::None;
use super::nn_loss::{IGNORE_INDEX, REDUCTION, WEIGHTS};
use super::nn_pool::POOL2D_ATTRS;
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, opt, req};
use crate::release::{Release, Releases};
use crate::value::Value;

const SOURCE: &str = "src/relax/op/tensor/grad.cc";

const GRAD: Param = req("output_grad", Kind::Tensor).doc("The gradient of the output.");

const fn pool_backward() -> [Param; 10] {
    let [size, strides, padding, dilation, ceil, count, layout, out] = POOL2D_ATTRS;
    let data = req("data", Kind::Tensor).doc("The input of the pooling.");
    [
        GRAD, data, size, strides, padding, dilation, ceil, count, layout, out,
    ]
}

static POOL_BACKWARD: [Param; 10] = pool_backward();

pub static OPS: &[OpDef] = &[
    OpDef::new(
        "relax.grad.no_grad",
        &[req("input", Kind::Expr).doc("The value.")],
        |c| c.sinfo(0),
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The value itself, through which no gradient flows.",
        "input: S → S",
        "y = R.grad.no_grad(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.grad.start_checkpoint",
        &[req("input", Kind::Expr).doc("A variable: the input of the checkpointed part.")],
        checkpoint,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Begins a checkpointed part: it is computed again for the gradient instead of stored.",
        "input: S → S",
        "y = R.grad.start_checkpoint(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.grad.end_checkpoint",
        &[req("input", Kind::Expr).doc("A variable: the output of the checkpointed part.")],
        checkpoint,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "Ends a checkpointed part.",
        "input: S → S",
        "y = R.grad.end_checkpoint(x)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.grad.nll_loss_backward",
        &[
            GRAD,
            req("predictions", Kind::Tensor).doc("The predictions of the loss."),
            req("targets", Kind::Tensor).doc("The targets of the loss."),
            WEIGHTS,
            REDUCTION,
            IGNORE_INDEX,
        ],
        like_second,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The gradient of nll_loss for its predictions.",
        "predictions: S → S",
        "g = R.grad.nll_loss_backward(output_grad, predictions, targets)",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.grad.max_pool2d_backward",
        &POOL_BACKWARD,
        pool_backward_of,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The gradient of max_pool2d for its input.",
        "data: S → S",
        "g = R.grad.max_pool2d_backward(output_grad, x, pool_size=(2, 2))",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.grad.avg_pool2d_backward",
        &POOL_BACKWARD,
        pool_backward_of,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The gradient of avg_pool2d for its input.",
        "data: S → S",
        "g = R.grad.avg_pool2d_backward(output_grad, x, pool_size=(2, 2))",
    )
    .source(SOURCE),
    OpDef::new(
        "relax.grad.take_backward",
        &[
            GRAD,
            req("x", Kind::Tensor).doc("The tensor from which elements were taken."),
            req("indices", Kind::Tensor).doc("The indices of the elements that were taken."),
            opt("axis", Kind::Int, None).doc("The axis along which they were taken."),
        ],
        like_second,
    )
    .releases(Releases::since(Release::Unity))
    .doc(
        "The gradient of take for its input.",
        "x: S → S",
        "g = R.grad.take_backward(output_grad, x, indices, axis=1)",
    )
    .source(SOURCE),
];

fn pool_backward_of(c: &Call<'_>) -> Infer {
    for attribute in POOL_BACKWARD.iter().enumerate().skip(2).take(4) {
        c.listed(attribute.0)?;
    }
    like_second(c)
}

fn like_second(c: &Call<'_>) -> Infer {
    c.sinfo(1)
}

/// TVM requires a variable. Here, only numbers, strings and tuples are detected as something else.
fn checkpoint(c: &Call<'_>) -> Infer {
    match c.value(0) {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) => Err(c
            .error(
                OpErrorKind::Type,
                At::param(0),
                "`input` must be a variable",
            )),
        _ => c.sinfo(0),
    }
}
