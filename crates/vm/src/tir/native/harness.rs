//! Test support for native code: guard pages next to buffers, splitting loops however short, disabling optimisation.

use std::sync::atomic::AtomicBool;

use hir::tir::{PrimFunc, TirError};

use super::call::{Failure, Parts, Step, slots};
use super::guard::{Guarded, guarded};
use super::kernel::Kernels;
use super::{Compiled, compile_as};
use crate::error::{RunError, RunResult};
use crate::tir::packed::Host;
use crate::tir::signature::Operand;

/// The end of its pages at which a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Begin,
    End,
}

/// Compiles a PrimFunc with or without optimisation.
pub fn compile(func: &PrimFunc, optimised: bool) -> Result<Compiled, Vec<TirError>> {
    compile_as(func, optimised)
}

impl Compiled {
    /// Like `call`, but with a guard next to each buffer, with loops in this number of parts, and with kernels however
    /// little they compute. Kernels that sum floats only run if `sums` says that the sum is exact in any order.
    /// Returns the number of kernels that ran.
    pub fn call_guarded(
        &self,
        operands: &mut [Operand],
        (side, parts, sums): (Side, usize, bool),
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<u32, Failure> {
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
        let mut kernels = 0;
        let result = guarded(Some(side), || {
            let mode = (Parts::Of(parts), Kernels::Any { sums });
            code.run(slots, mode, operands, &mut |step, slots, it| {
                copy_out(&mut memory, it, &arguments.written)?;
                let done = match step {
                    Step::Host(call) => Self::call_host(call, slots, it, host).map(|()| true)?,
                    Step::Kernel(kernel, which) => {
                        let done = kernel.run(which, slots, it)?;
                        kernels += u32::from(done);
                        done
                    }
                };
                copy_in(it, &mut memory)?;
                Ok(done)
            })
        });
        copy_out(&mut memory, operands, &arguments.written).map_err(wrong)?;
        self.signature.normalise_bools(operands);
        result.map(|()| kernels)
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
