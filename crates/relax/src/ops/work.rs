//! The number of floating-point operations of an operator, as a formula over the shapes.
//!
//! Multiplications, additions and functions of one number count 1 each, and comparisons count like additions. Moving
//! values counts nothing. These are the counts by definition, not of an optimized kernel.

use super::{FAMILIES, OpDef};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;
use crate::value::Value;

/// How the number of operations follows from the shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// No operations: values are moved or created.
    Moves,
    /// This number for each element of the result.
    Result(i64),
    /// This number for each element of the first operand.
    Operand(i64),
    /// This number for each element of the second operand.
    Second(i64),
    /// One for each element of the window, for each element of the result.
    Window,
    /// A sum of products over the last dimension of the first operand.
    Products,
    /// A sum of products over a window and the channels of the weight.
    Convolution,
    /// Like a convolution, but for each element of the operand.
    Spread,
    Attention,
}

/// Operators that differ from their family.
const OPERATORS: &[(&str, Work)] = &[
    ("relax.matmul", Work::Products),
    ("relax.linear", Work::Products),
    ("relax.outer", Work::Result(1)),
    ("relax.nn.softmax", Work::Result(5)),
    ("relax.nn.log_softmax", Work::Result(5)),
    ("relax.nn.gelu", Work::Result(5)),
    ("relax.nn.gelu_tanh", Work::Result(9)),
    ("relax.nn.silu", Work::Result(2)),
    ("relax.nn.dropout", Work::Result(1)),
    ("relax.nn.pad", Work::Moves),
    ("relax.nn.pixel_shuffle", Work::Moves),
    ("relax.nn.batch_flatten", Work::Moves),
    ("relax.nn.batch_norm", Work::Operand(4)),
    ("relax.nn.layer_norm", Work::Operand(8)),
    ("relax.nn.group_norm", Work::Operand(8)),
    ("relax.nn.instance_norm", Work::Operand(8)),
    ("relax.nn.rms_norm", Work::Operand(4)),
    ("relax.nn.attention", Work::Attention),
    ("relax.nn.attention_bias", Work::Attention),
    ("relax.nn.cross_entropy_with_logits", Work::Operand(2)),
    ("relax.nn.nll_loss", Work::Second(2)),
    ("relax.nn.adaptive_avg_pool1d", Work::Operand(1)),
    ("relax.nn.adaptive_avg_pool2d", Work::Operand(1)),
    ("relax.nn.adaptive_avg_pool3d", Work::Operand(1)),
    ("relax.grad.no_grad", Work::Moves),
    ("relax.grad.start_checkpoint", Work::Moves),
    ("relax.grad.end_checkpoint", Work::Moves),
    ("relax.std", Work::Operand(4)),
    ("relax.variance", Work::Operand(3)),
    ("relax.nn.conv1d", Work::Convolution),
    ("relax.nn.conv2d", Work::Convolution),
    ("relax.nn.conv3d", Work::Convolution),
    ("relax.nn.conv1d_transpose", Work::Spread),
    ("relax.nn.conv2d_transpose", Work::Spread),
    ("relax.nn.conv3d_transpose", Work::Spread),
];

const FAMILY: &[(&str, Work)] = &[
    ("unary", Work::Result(1)),
    ("binary", Work::Result(1)),
    ("ternary", Work::Result(1)),
    ("nn", Work::Result(1)),
    ("nn_pool", Work::Window),
    ("reduce", Work::Operand(1)),
    ("qdq", Work::Result(2)),
    ("datatype", Work::Moves),
    ("create", Work::Moves),
    ("shape", Work::Moves),
    ("join", Work::Moves),
    ("layout_transform", Work::Moves),
    ("repeat", Work::Moves),
    ("collapse", Work::Operand(1)),
    ("gather", Work::Moves),
    ("scatter", Work::Moves),
    ("slice", Work::Moves),
    ("search", Work::Moves),
    ("memory", Work::Moves),
    ("vm", Work::Moves),
    ("builtin", Work::Moves),
    ("inspect", Work::Moves),
    ("effects", Work::Moves),
    ("shape_of", Work::Moves),
    ("vdevice", Work::Moves),
    ("dist", Work::Moves),
];

fn work_of(op: &OpDef) -> Option<Work> {
    let own = OPERATORS.iter().find(|(name, _)| *name == op.name);
    if let Some((_, work)) = own {
        return Some(*work);
    }
    let is_in = |ops: &[OpDef]| ops.iter().any(|it| it.name == op.name);
    let family = FAMILIES.iter().find(|(_, ops)| is_in(ops))?.0;
    let row = FAMILY.iter().find(|(name, _)| *name == family);
    row.map(|(_, work)| *work)
}

/// Returns the number of operations of a call with these tensor operands and attributes, or `None` if it is unknown.
pub fn flops(
    op: &OpDef,
    operands: &[&Tensor],
    attributes: &[(&str, &Value)],
    result: &StructInfo,
) -> Option<SymExpr> {
    let attribute = |name: &str| attributes.iter().find(|it| it.0 == name).map(|it| it.1);
    let kernel_layout = match attribute("kernel_layout") {
        Some(Value::Str(layout)) => Some(layout.as_str()),
        _ => None,
    };
    let elements = |dims: &[SymExpr]| SymExpr::product(dims);
    let operand = |at: usize| operands.get(at)?.dims();
    let result_elements = || Some(elements(result.as_tensor()?.dims()?));
    let two = SymExpr::int(2);
    Some(match work_of(op)? {
        Work::Moves => SymExpr::int(0),
        Work::Result(each) => match result {
            StructInfo::Tensor(_) => result_elements()?.mul(&SymExpr::int(each)),
            _ => elements(operand(0)?).mul(&SymExpr::int(each)),
        },
        Work::Operand(each) => elements(operand(0)?).mul(&SymExpr::int(each)),
        Work::Second(each) => elements(operand(1)?).mul(&SymExpr::int(each)),
        Work::Window => result_elements()?.mul(&window(op, attribute("pool_size")?)?),
        Work::Products => {
            let sum = result_elements()?.mul(operand(0)?.last()?).mul(&two);
            match operand(2) {
                // A bias.
                Some(_) => sum.add(&result_elements()?),
                None => sum,
            }
        }
        Work::Convolution => {
            let weight = operand(1)?;
            let out = kernel_layout.unwrap_or("OIHW").find('O')?;
            let window = weight.iter().enumerate().filter(|(at, _)| *at != out);
            let window = SymExpr::product(window.map(|(_, dim)| dim));
            result_elements()?.mul(&window).mul(&two)
        }
        Work::Spread => {
            let weight = operand(1)?;
            let input = kernel_layout.unwrap_or("IOHW").find('I')?;
            let window = weight.iter().enumerate().filter(|(at, _)| *at != input);
            let window = SymExpr::product(window.map(|(_, dim)| dim));
            elements(operand(0)?).mul(&window).mul(&two)
        }
        Work::Attention => {
            // (batch, queries, heads, width), (batch, keys, heads, width), (batch, keys, heads, width of values)
            let ([batch, queries, heads, width], [_, keys, ..]) = (operand(0)?, operand(1)?) else {
                return None;
            };
            let scores = SymExpr::product([batch, heads, queries, keys]);
            let products = scores.mul(&width.add(operand(2)?.last()?)).mul(&two);
            products.add(&scores.mul(&SymExpr::int(5)))
        }
    })
}

/// Returns the number of elements in the window of a pooling operator. A single size is that of each dimension.
fn window(op: &OpDef, pool_size: &Value) -> Option<SymExpr> {
    let size = |value: &Value| match value {
        Value::Int(size) => Some(SymExpr::int(*size)),
        _ => None,
    };
    let dims = ["1d", "2d", "3d"]
        .iter()
        .position(|it| op.name.ends_with(it))?
        + 1;
    let sizes: Vec<SymExpr> = match pool_size {
        Value::List(sizes) if sizes.len() == 1 => vec![size(&sizes[0])?; dims],
        Value::List(sizes) => sizes.iter().map(size).collect::<Option<_>>()?,
        one => vec![size(one)?; dims],
    };
    Some(SymExpr::product(&sizes))
}

#[cfg(test)]
mod tests {
    use super::{FAMILY, OPERATORS};
    use crate::ops::{FAMILIES, by_name};
    use crate::release::Release;

    #[test]
    fn every_name_is_an_operator_or_a_family() {
        for (name, _) in OPERATORS {
            assert!(by_name(name, Release::NEWEST).is_some(), "{name}");
        }
        for (name, _) in FAMILY {
            assert!(FAMILIES.iter().any(|(it, _)| it == name), "{name}");
        }
    }
}
