//! Calls a compiled PrimFunc: writes the operands to slots, and turns fault numbers into messages.

use std::sync::atomic::AtomicBool;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use text_size::TextRange;

use super::codegen::{self, FIRST, Making, PART, PARTS, PHASE, STOP};
use super::kernel::{Kernel, Kernels};
use super::{Compiled, Layout, memory, packed};
use crate::error::{RunError, RunResult};
use crate::tir::packed::Host;
use crate::tir::signature::{Argument, Arguments, Operand};
use crate::tir::trap::Trap;

/// The number of iterations from which starting other threads pays off.
const PAYS: f64 = 60_000.0;

/// An error with its range in the function's source, if the code has one.
pub(super) type Failure = (RunError, Option<TextRange>);

/// Why a call ended early.
enum Ended {
    /// The number of a failed check, and two numbers for its message.
    Trap([u64; 3]),
    /// Something that ran outside of the code failed, at this range.
    Host(RunError, TextRange),
}

/// How many parts a split loop runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    One,
    /// One for each thread, if that pays off.
    Threads,
    /// This number, whatever the cost.
    #[cfg(feature = "harness")]
    Of(usize),
}

impl Parts {
    fn of(self, cost: f64) -> usize {
        match self {
            Parts::Threads if cost >= PAYS => rayon::current_num_threads(),
            Parts::One | Parts::Threads => 1,
            #[cfg(feature = "harness")]
            Parts::Of(parts) => parts,
        }
    }
}

impl Compiled {
    /// Runs the function. The tensors that it writes to are changed in place.
    ///
    /// An error inside the code has its range in the function's source. Once `stop` is set, the call ends early with
    /// an error. Packed functions are called through `host`.
    pub fn call(
        &self,
        operands: &mut [Operand],
        stop: &AtomicBool,
        host: &mut Host<'_>,
    ) -> Result<(), Failure> {
        let arguments = self.signature.bind(operands).map_err(|it| (it, None))?;
        let addresses = addresses(&arguments, operands).map_err(|it| (it, None))?;
        let slots = slots(&arguments, &addresses, stop);
        let result = self.code_for(operands).and_then(|code| {
            let mode = (Parts::Threads, Kernels::Worth);
            code.run(slots, mode, operands, &mut |step, slots, it| match step {
                Step::Host(call) => Self::call_host(call, slots, it, host).map(|()| true),
                Step::Kernel(kernel, which) => kernel.run(which, slots, it),
            })
        });
        self.signature.normalise_bools(operands);
        result
    }

    /// Returns the code for these operands, depending on whether some share memory.
    pub(super) fn code_for(&self, operands: &[Operand]) -> Result<&Compiled, Failure> {
        let same = |operand: &Operand| matches!(operand, Operand::Same(..));
        let Some((func, code)) = self.shared.as_deref() else {
            return Ok(self);
        };
        if !operands.iter().any(same) {
            return Ok(self);
        }
        let made = Making {
            shared: true,
            ..self.made
        };
        let code = code.get_or_init(|| codegen::compile(func, made).ok());
        let missing = || (RunError::argument("two arguments share memory"), None);
        code.as_ref().ok_or_else(missing)
    }

    /// Runs the code on its slots.
    pub(super) fn run(
        &self,
        mut slots: Vec<u64>,
        mode: (Parts, Kernels),
        operands: &mut [Operand],
        leave: &mut Leave<'_>,
    ) -> Result<(), Failure> {
        // With shared memory, iterations may access the same memory under two names.
        let same = |operand: &Operand| matches!(operand, Operand::Same(..));
        let mode = if operands.iter().any(same) {
            (Parts::One, Kernels::None)
        } else {
            mode
        };
        let result = memory::scoped(|| match &self.layout {
            Some(layout) => self.phases(layout, slots, mode, &mut |step, slots| {
                leave(step, slots, operands)
            }),
            None => self.run_phase(&mut slots),
        });
        result.map_err(|ended| match ended {
            Ended::Trap([site, value, extent]) => self.trap(site, value as i64, extent as i64),
            Ended::Host(error, range) => (error, Some(range)),
        })
    }

    fn run_phase(&self, slots: &mut [u64]) -> Result<(), Ended> {
        match self.code.call(slots) {
            0 => Ok(()),
            site => Err(Ended::Trap([site, slots[0], slots[1]])),
        }
    }

    /// Runs the phases in order, each in as many parts as pay off.
    fn phases(
        &self,
        layout: &Layout,
        mut slots: Vec<u64>,
        (parts, kernels): (Parts, Kernels),
        leave: &mut dyn FnMut(Step<'_>, &[u64]) -> RunResult<bool>,
    ) -> Result<(), Ended> {
        slots.resize(layout.slots, 0);
        slots[PARTS] = 1;
        self.run_phase(&mut slots)?;
        for (at, phase) in layout.phases.iter().enumerate() {
            // The code computes again what kernels computed before one that cannot run.
            let mut is_done = !phase.kernels.is_empty();
            for kernel in &phase.kernels {
                let failed = |error| Ended::Host(error, phase.range);
                let step = Step::Kernel(kernel, kernels);
                is_done = is_done && leave(step, &slots).map_err(failed)?;
            }
            if is_done {
                continue;
            }
            slots[PHASE] = at as u64 + 1;
            let cost = phase.cost.and_then(|slot| slots.get(slot).copied());
            let parts = cost.map_or(1, |cost| parts.of(f64::from_bits(cost)));
            if parts < 2 {
                self.run_phase(&mut slots)?;
                if let Some(call) = &phase.packed {
                    let failed = |error| Ended::Host(error, call.range);
                    leave(Step::Host(call), &slots).map_err(failed)?;
                }
                continue;
            }
            (0..parts)
                .into_par_iter()
                .map(|part| {
                    let mut slots = slots.clone();
                    slots[PART] = part as u64;
                    slots[PARTS] = parts as u64;
                    self.run_phase(&mut slots)
                })
                .collect::<Vec<_>>()
                .into_iter()
                .collect::<Result<(), _>>()?;
        }
        Ok(())
    }

    fn trap(&self, site: u64, value: i64, extent: i64) -> (RunError, Option<TextRange>) {
        let site = usize::try_from(site)
            .ok()
            .and_then(|at| self.sites.get(at.checked_sub(1)?));
        let Some(site) = site else {
            return (
                RunError::argument(format!("PrimFunc `{}` failed", self.signature.name)),
                None,
            );
        };
        let trap = Trap {
            check: site.check.clone(),
            value,
            extent,
        };
        (trap.into(), Some(site.range))
    }
}

/// A step that runs outside of the code, on its slots and operands.
pub(super) enum Step<'l> {
    /// A packed function.
    Host(&'l packed::Call),
    /// A kernel that may run instead of a phase.
    Kernel(&'l Kernel, Kernels),
}

/// Runs a step. Returns `false` if a kernel leaves its phase to the code.
pub(super) type Leave<'h> = dyn FnMut(Step<'_>, &[u64], &mut [Operand]) -> RunResult<bool> + 'h;

/// Returns the input of the code: space for its own numbers, followed by the parameters.
pub(super) fn slots(arguments: &Arguments, addresses: &[u64], stop: &AtomicBool) -> Vec<u64> {
    let mut slots = vec![0u64; FIRST];
    slots[STOP] = stop.as_ptr() as u64;
    for argument in &arguments.all {
        match argument {
            Argument::Buffer {
                memory,
                start,
                elements,
                dims,
            } => {
                slots.extend([addresses[*memory] + *start as u64, *elements]);
                slots.extend(dims.iter().map(|&dim| dim as u64));
            }
            Argument::Scalar(bits) => slots.push(*bits),
            Argument::Unused => {}
        }
    }
    slots
}

/// Returns the address of each operand's memory.
fn addresses(arguments: &Arguments, operands: &mut [Operand]) -> RunResult<Vec<u64>> {
    let mut made = Vec::with_capacity(operands.len());
    for (operand, &written) in operands.iter_mut().zip(&arguments.written) {
        made.push(match operand {
            Operand::Tensor(tensor) if written => tensor.memory_mut()?.as_mut_ptr() as u64,
            Operand::Tensor(tensor) => tensor.memory()?.as_ptr() as u64,
            Operand::Scalar(_) | Operand::Same(..) => 0,
        });
    }
    Ok(made)
}
