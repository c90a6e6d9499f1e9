//! Calls packed functions between two phases of native code, with copies of their buffer arguments.

use relax::dtype::{Code, DType};
use smol_str::SmolStr;
use text_size::TextRange;

use super::super::packed::{Host, has_form};
use super::super::signature::Operand;
use super::{Compiled, memory};
use crate::error::{RunError, RunResult};
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};

/// A call that the compiled function leaves to the host.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub symbol: SmolStr,
    pub args: Vec<Arg>,
    /// The range relative to the start of the function.
    pub range: TextRange,
}

/// The location of an argument.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    /// The tensor of a parameter.
    Param(usize),
    /// The function's own memory, by the slots of its address and extents.
    Own {
        address: usize,
        dims: std::ops::Range<usize>,
        dtype: DType,
    },
    Number(usize, DType),
    Text(SmolStr),
}

impl Compiled {
    pub(super) fn call_host(
        call: &Call,
        slots: &[u64],
        operands: &mut [Operand],
        host: &mut Host<'_>,
    ) -> RunResult<()> {
        let values = call
            .args
            .iter()
            .map(|arg| value(arg, slots, operands))
            .collect::<RunResult<Vec<Value>>>()?;
        for (at, tensor) in host(&call.symbol, &values)? {
            let (Some(arg), Some(Value::Tensor(given))) = (call.args.get(at), values.get(at))
            else {
                continue;
            };
            has_form(&call.symbol, given, &tensor)?;
            let bytes = tensor.bytes()?;
            match arg {
                Arg::Param(at) => {
                    let (at, start) = match operands.get(*at) {
                        Some(Operand::Same(of, window)) => (*of, window.start),
                        _ => (*at, None),
                    };
                    if let Some(Operand::Tensor(to)) = operands.get_mut(at) {
                        let start = start.unwrap_or(to.start());
                        to.memory_mut()?[start..][..bytes.len()].copy_from_slice(&bytes);
                    }
                }
                Arg::Own { address, .. } => {
                    memory::of(slots[*address], |memory| {
                        memory[..bytes.len()].copy_from_slice(&bytes);
                    });
                }
                Arg::Number(..) | Arg::Text(_) => {}
            }
        }
        Ok(())
    }
}

/// Returns a copy of an argument. The memory itself stays at the address that the code knows.
fn value(arg: &Arg, slots: &[u64], operands: &[Operand]) -> RunResult<Value> {
    let missing = || RunError::argument("an argument of a packed function is missing");
    let copy = |tensor: &Tensor| {
        Tensor::from_bytes(tensor.kind(), tensor.shape(), &tensor.bytes()?).map(Value::from)
    };
    match arg {
        Arg::Param(at) => match operands.get(*at) {
            Some(Operand::Tensor(tensor)) => copy(tensor),
            Some(Operand::Same(of, window)) => match operands.get(*of) {
                Some(Operand::Tensor(tensor)) => copy(&tensor.through(window)?),
                _ => Err(missing()),
            },
            _ => Err(missing()),
        },
        Arg::Own {
            address,
            dims,
            dtype,
        } => {
            let shape: Vec<usize> = slots[dims.clone()].iter().map(|&d| d as usize).collect();
            let kind = Kind::of(*dtype)?;
            let count = shape.iter().product::<usize>() * kind.bytes();
            let made = memory::of(slots[*address], |memory| {
                Tensor::from_bytes(kind, &shape, &memory[..count])
            });
            made.ok_or_else(missing)?.map(Value::from)
        }
        Arg::Number(slot, dtype) => {
            let bits = slots[*slot];
            let value = match dtype.code {
                Code::Float | Code::BFloat => Scalar::Float(f64::from_bits(bits)),
                Code::Bool => Scalar::Bool(bits != 0),
                Code::UInt => Scalar::UInt(bits),
                _ => Scalar::Int(bits as i64),
            };
            Ok(Value::Prim(Prim {
                dtype: *dtype,
                value,
            }))
        }
        Arg::Text(text) => Ok(Value::Str(text.clone())),
    }
}
