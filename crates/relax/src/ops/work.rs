//! The number of floating-point operations of an operator, as a formula over the shapes.
//!
//! Multiplications, additions and functions of one number count 1 each, and comparisons count like additions. Moving
//! values counts nothing. These are the counts by definition, not of an optimized kernel.

use super::{FAMILIES, OpDef};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;

/// How the number of operations follows from the shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// No operations: values are moved or created.
    Moves,
    /// This number for each element of the result.
    Result(i64),
    /// This number for each element of the first operand.
    Operand(i64),
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

/// Returns the number of operations of a call with these tensor operands. `kernel_layout` is that of a convolution.
/// Returns `None` if it is unknown.
pub fn flops(
    op: &OpDef,
    operands: &[&Tensor],
    kernel_layout: Option<&str>,
    result: &StructInfo,
) -> Option<SymExpr> {
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
