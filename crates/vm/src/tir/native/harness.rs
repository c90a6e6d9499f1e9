//! What tests ask of native code besides: that nothing lies beside its buffers, that loops are split however short they
//! are, that it is made without optimisation.

use std::sync::atomic::AtomicBool;

use hir::tir::{PrimFunc, TirError};

use super::call::{Failure, Parts, slots};
use super::guard::{Guarded, guarded};
use super::{Compiled, compile_as};
use crate::error::{RunError, RunResult};
use crate::tir::packed::Host;
use crate::tir::signature::Operand;

/// At which end of its pages a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Begin,
    End,
}

/// Compiles a PrimFunc, optimised or not.
pub fn compile(func: &PrimFunc, optimised: bool) -> Result<Compiled, Vec<TirError>> {
    compile_as(func, optimised)
}

impl Compiled {
    /// As `call`, with a guard beside each buffer, and loops in so many parts.
    pub fn call_guarded(
        &self,
        operands: &mut [Operand],
        (side, parts): (Side, usize),
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<(), Failure> {
        let wrong = |error: RunError| (error, None);
        let arguments = self.signature.bind(operands).map_err(wrong)?;
        let mut memory = Vec::with_capacity(operands.len());
        for operand in operands.iter() {
            let bytes = match operand {
                Operand::Tensor(tensor) => tensor.byte_len(),
                Operand::Scalar(_) | Operand::Same(..) => 0,
            };
            memory.push(Guarded::new(bytes, side).expect("a test has memory for its arguments"));
        }
        copy_in(operands, &mut memory).map_err(wrong)?;
        let addresses: Vec<u64> = memory.iter_mut().map(|it| it.address() as u64).collect();
        let slots = slots(&arguments, &addresses, stop);
        let code = self.code_for(operands)?;
        let result = guarded(Some(side), || {
            code.run(slots, Parts::Of(parts), operands, &mut |call, slots, it| {
                copy_out(&mut memory, it, &arguments.written)?;
                Self::call_host(call, slots, it, host)?;
                copy_in(it, &mut memory)
            })
        });
        copy_out(&mut memory, operands, &arguments.written).map_err(wrong)?;
        self.signature.settle(operands);
        result
    }
}

fn copy_in(operands: &[Operand], memory: &mut [Guarded]) -> RunResult<()> {
    for (operand, memory) in operands.iter().zip(memory) {
        if let Operand::Tensor(tensor) = operand {
            memory.bytes().copy_from_slice(&tensor.bytes()?);
        }
    }
    Ok(())
}

fn copy_out(memory: &mut [Guarded], operands: &mut [Operand], written: &[bool]) -> RunResult<()> {
    for ((memory, operand), written) in memory.iter_mut().zip(operands).zip(written) {
        if let (Operand::Tensor(tensor), true) = (operand, written) {
            tensor.bytes_mut()?.copy_from_slice(memory.bytes());
        }
    }
    Ok(())
}
