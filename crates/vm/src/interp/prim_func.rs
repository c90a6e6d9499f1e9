//! Calls PrimFuncs, which write to tensors in registers.
//!
//! Several registers may hold the same tensor. Each of them sees what the PrimFunc writes, as if they shared memory.

use text_size::TextRange;

use super::Machine;
use super::stepping::exact;
use crate::builtins::sort;
use crate::bytecode::{Operand, PrimFunc, Reg};
use crate::error::{Fault, RunError, RunResult};
use crate::out_of_bounds::OutOfBounds;
use crate::tensor::stop::Stop;
use crate::tensor::{Kind, Tensor};
use crate::tir;
use crate::trace::{Observer, PackedCall};
use crate::value::{Prim, Value};

impl Machine<'_, '_> {
    /// Calls a PrimFunc with registers. Returns its result, which usually is null.
    pub(super) fn prim_func(&mut self, prim: &PrimFunc, args: &[Operand]) -> RunResult<Value> {
        let code = prim.code()?;
        let mut values = Vec::with_capacity(args.len());
        // A shape becomes several operands, so arguments and operands have different indices.
        let mut registers: Vec<Option<Reg>> = Vec::with_capacity(args.len());
        for &arg in args {
            let at = registers.len();
            let value = match arg {
                // A tensor that is written moves out of its register during the call.
                Operand::Reg(reg) if code.signature().writes(at) => match self.register(reg) {
                    Some(slot) => std::mem::replace(slot, Value::Null),
                    None => Value::Null,
                },
                arg => self.take(arg)?,
            };
            let (count, kept) = match (&value, arg) {
                (Value::Shape(dims), _) => (dims.len(), None),
                (Value::Tensor(_), Operand::Reg(reg)) if code.signature().writes(at) => {
                    (1, Some(reg))
                }
                _ => (1, None),
            };
            registers.extend(std::iter::repeat_n(kept, count));
            values.push(value);
        }
        values.extend(result_of(code)?);
        let mut operands = code.signature().operands(values)?;
        let mut written = Vec::new();
        for at in 0..operands.len() {
            let tir::Operand::Tensor(tensor) = &operands[at] else {
                continue;
            };
            if !code.signature().writes(at) || !tensor.is_contiguous() {
                continue;
            }
            let identity = tensor.identity();
            // Two parameters may share memory. The function then sees it as one operand.
            for (other, operand) in operands.iter_mut().enumerate() {
                if other != at
                    && let tir::Operand::Tensor(tensor) = operand
                    && tensor.identity() == identity
                    && tensor.is_contiguous()
                {
                    *operand = tir::Operand::Same(at, tensor.window());
                }
            }
            let tir::Operand::Tensor(tensor) = &operands[at] else {
                continue;
            };
            let register = registers.get(at).copied().flatten();
            written.push((at, register, self.lend(tensor)));
        }
        let alone = written
            .iter()
            .try_for_each(|&(at, ..)| match &mut operands[at] {
                tir::Operand::Tensor(tensor) => tensor.unshare(),
                _ => Ok(()),
            });
        let result = alone.and_then(|()| self.run_prim(prim, code, &mut operands));
        for (at, register, places) in written {
            let Some(tir::Operand::Tensor(tensor)) = operands.get(at) else {
                continue;
            };
            if let Some(reg) = register {
                self.set(reg, Value::Tensor(tensor.clone()));
            }
            self.give_back(tensor, places)?;
        }
        for (at, &register) in registers.iter().enumerate() {
            // The register of an argument that shares memory with another argument.
            if let (Some(reg), Some(tir::Operand::Same(of, window))) = (register, operands.get(at))
                && let Some(tir::Operand::Tensor(tensor)) = operands.get(*of)
            {
                let tensor = tensor.through(window)?;
                self.set(reg, Value::Tensor(tensor));
            }
        }
        result?;
        Ok(returned(code, &operands))
    }

    /// Calls a PrimFunc with values of the host. Returns the arguments after the call.
    pub(super) fn prim_func_on(
        &mut self,
        prim: &PrimFunc,
        mut values: Vec<Value>,
    ) -> RunResult<(Value, Vec<Value>)> {
        let code = prim.code()?;
        values.extend(result_of(code)?);
        let mut operands = code.signature().operands(values)?;
        self.run_prim(prim, code, &mut operands)?;
        let result = returned(code, &operands);
        let values = operands.into_iter().map(|operand| match operand {
            tir::Operand::Tensor(tensor) => Value::Tensor(tensor),
            tir::Operand::Scalar(_) | tir::Operand::Same(..) => Value::Null,
        });
        Ok((result, values.collect()))
    }

    fn run_prim(
        &mut self,
        prim: &PrimFunc,
        code: &tir::Compiled,
        operands: &mut [tir::Operand],
    ) -> RunResult<()> {
        loop {
            if self.steps_into(prim) {
                let result = self.step_through(prim, operands);
                return result.map_err(|(error, range)| self.record_place(prim, error, range));
            }
            let may_run_again = self.budget.has_interrupt() || self.out_of_bounds.is_some();
            let before = may_run_again.then(|| bytes_of(operands)).transpose()?;
            let stop = self.budget.stop();
            let observer = &mut *self.observer;
            let mut host = |symbol: &str, args: &[Value]| host_call(observer, symbol, args);
            let result = Stop::new(stop.clone()).within(|| code.call(operands, &stop, &mut host));
            match (result, before) {
                (Err(_), Some(before)) if self.budget.is_interrupted() => {
                    write_back(operands, &before)?;
                    self.pause()?;
                }
                (Err((error, _)), Some(before))
                    if self.out_of_bounds.is_some()
                        && matches!(error.fault, Fault::OutOfBounds(_)) =>
                {
                    write_back(operands, &before)?;
                    return self.go_on(prim, operands);
                }
                (result, _) => {
                    return result.map_err(|(error, range)| self.record_place(prim, error, range));
                }
            }
        }
    }

    /// Runs a PrimFunc that uses an index out of range, in the exact interpreter.
    fn go_on(&mut self, prim: &PrimFunc, operands: &mut [tir::Operand]) -> RunResult<()> {
        let exact = exact(prim)?;
        let stop = self.budget.stop();
        let places = self.out_of_bounds.clone().unwrap_or_default();
        let observer = &mut *self.observer;
        let mut host = |symbol: &str, args: &[Value]| host_call(observer, symbol, args);
        let mut list = |trap: tir::Trap, range: TextRange| {
            places.add(OutOfBounds {
                function: prim.name.clone(),
                range: range + prim.start,
                message: trap.to_string(),
            });
        };
        let run = || exact.going_on(operands, &stop, &mut host, &mut list);
        let result = Stop::new(stop.clone()).within(run);
        result.map_err(|ended| {
            let (error, range) = ended.into();
            self.record_place(prim, error, range)
        })
    }

    /// Records where in a PrimFunc an error occurred.
    fn record_place(
        &mut self,
        prim: &PrimFunc,
        error: RunError,
        range: Option<TextRange>,
    ) -> RunError {
        self.inside = range.map(|range| (prim.name.clone(), range + prim.start));
        error
    }
}

/// Returns the memory of each tensor, to write it back before a second try.
fn bytes_of(operands: &[tir::Operand]) -> RunResult<Vec<Vec<u8>>> {
    let bytes = operands.iter().map(|operand| match operand {
        tir::Operand::Tensor(tensor) => Ok(tensor.memory()?.to_vec()),
        _ => Ok(Vec::new()),
    });
    bytes.collect()
}

fn write_back(operands: &mut [tir::Operand], before: &[Vec<u8>]) -> RunResult<()> {
    for (operand, before) in operands.iter_mut().zip(before) {
        if let tir::Operand::Tensor(tensor) = operand
            && tensor.is_unique()
        {
            tensor.memory_mut()?.copy_from_slice(before);
        }
    }
    Ok(())
}

/// Allocates memory for the number that a PrimFunc returns.
fn result_of(code: &tir::Compiled) -> RunResult<Option<Value>> {
    let Some(dtype) = code.signature().result() else {
        return Ok(None);
    };
    let tensor = Tensor::zeros(Kind::of(dtype)?, &[])?;
    Ok(Some(tensor.into()))
}

fn returned(code: &tir::Compiled, operands: &[tir::Operand]) -> Value {
    match (code.signature().result(), operands.last()) {
        (Some(dtype), Some(tir::Operand::Tensor(tensor))) => tensor
            .get(0)
            .map_or(Value::Null, |value| Value::Prim(Prim { dtype, value })),
        _ => Value::tuple([]),
    }
}

/// Calls a packed function from a PrimFunc: one of the table, or one of the observer. Any argument may be an output.
pub(super) fn host_call(
    observer: &mut dyn Observer,
    symbol: &str,
    args: &[Value],
) -> RunResult<tir::Written> {
    if let Some(function) = sort::lookup(symbol) {
        return (function.run)(args);
    }
    let call = PackedCall {
        name: symbol,
        args,
        outs: args.len(),
    };
    let result = observer
        .packed(&call)
        .map_err(|why| Fault::Raised(format!("packed function `{symbol}`: {why}")))?;
    let tensors = result.outs.into_iter().enumerate();
    Ok(tensors
        .filter_map(|(at, out)| match out {
            Value::Tensor(tensor) => Some((at, tensor)),
            _ => None,
        })
        .collect())
}
