//! Calls PrimFuncs, which write to tensors in registers.
//!
//! Several registers may hold the same tensor. Each of them sees what the PrimFunc writes, as if they shared memory.

use text_size::TextRange;

use super::Machine;
use crate::builtins::sort;
use crate::bytecode::{Operand, PrimFunc, Reg};
use crate::error::{Fault, RunError, RunResult};
use crate::tensor::stop::Stop;
use crate::tensor::{Kind, Tensor};
use crate::tir;
use crate::trace::{Observer, PackedCall};
use crate::value::{Prim, Value};

/// A tensor that the call writes to, and the location of its value afterwards.
struct Written {
    operand: usize,
    register: Option<Reg>,
    identity: usize,
    /// `true` if other registers hold it too.
    shared: bool,
}

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
            if !code.signature().writes(at) {
                continue;
            }
            let identity = tensor.identity();
            // Two parameters may share memory. The function then sees it as one operand.
            for (other, operand) in operands.iter_mut().enumerate() {
                if other != at
                    && let tir::Operand::Tensor(tensor) = operand
                    && tensor.identity() == identity
                {
                    *operand = tir::Operand::Same(at, tensor.shape().to_vec());
                }
            }
            let tir::Operand::Tensor(tensor) = &operands[at] else {
                continue;
            };
            let shared = !tensor.is_unique();
            let register = registers.get(at).copied().flatten();
            written.push(Written {
                operand: at,
                register,
                identity,
                shared,
            });
        }
        let mut places = Vec::new();
        for it in written.iter().filter(|it| it.shared) {
            self.release(it.identity, it.operand, &mut places);
        }
        let result = self.run_prim(prim, code, &mut operands);
        for it in &written {
            if let (Some(reg), Some(tir::Operand::Tensor(tensor))) =
                (it.register, operands.get(it.operand))
            {
                self.set(reg, Value::Tensor(tensor.clone()));
            }
        }
        for (at, &arg) in args.iter().enumerate() {
            // The register of an argument that shares memory with another argument.
            if let (Operand::Reg(reg), Some(tir::Operand::Same(of, shape))) =
                (arg, operands.get(at))
                && let Some(tir::Operand::Tensor(tensor)) = operands.get(*of)
            {
                let tensor = tensor.reshaped(shape)?;
                self.set(reg, Value::Tensor(tensor));
            }
        }
        for place in places {
            if let Some(tir::Operand::Tensor(tensor)) = operands.get(place.operand)
                && let Ok(tensor) = tensor.reshaped(&place.shape)
            {
                self.put(&place, Value::Tensor(tensor));
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
            let before = self.budget.has_interrupt().then(|| operands.to_vec());
            let stop = self.budget.stop();
            let observer = &mut *self.observer;
            let mut host = |symbol: &str, args: &[Value]| host_call(observer, symbol, args);
            let result = Stop::new(stop.clone()).within(|| code.call(operands, &stop, &mut host));
            match (result, before) {
                (Err(_), Some(before)) if self.budget.is_interrupted() => {
                    operands.clone_from_slice(&before);
                    self.pause()?;
                }
                (result, _) => {
                    return result.map_err(|(error, range)| self.record_place(prim, error, range));
                }
            }
        }
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

    /// Replaces the elements of a tensor in every register that holds it.
    pub(super) fn rewrite(&mut self, identity: usize, tensor: &Tensor) -> RunResult<()> {
        let mut places = Vec::new();
        self.release(identity, 0, &mut places);
        for place in places {
            let tensor = tensor.reshaped(&place.shape)?;
            self.put(&place, Value::Tensor(tensor));
        }
        Ok(())
    }

    /// Takes a tensor out of every register that holds it.
    fn release(&mut self, identity: usize, operand: usize, places: &mut Vec<NamedTensor>) {
        for (frame, it) in self.frames.iter_mut().enumerate() {
            for (register, value) in it.registers.iter_mut().enumerate() {
                let mut path = Vec::new();
                take_out(value, identity, &mut path, &mut |path, tensor| {
                    places.push(NamedTensor {
                        operand,
                        frame,
                        register,
                        path: path.to_vec(),
                        shape: tensor.shape().to_vec(),
                    });
                });
            }
        }
    }

    fn put(&mut self, place: &NamedTensor, value: Value) {
        let slot = self
            .frames
            .get_mut(place.frame)
            .and_then(|frame| frame.registers.get_mut(place.register));
        if let Some(slot) = slot {
            put_in(slot, &place.path, value);
        }
    }
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

/// A register, or a field of the tuple in it, that held a tensor.
struct NamedTensor {
    operand: usize,
    frame: usize,
    register: usize,
    path: Vec<usize>,
    shape: Vec<usize>,
}

fn take_out(
    value: &mut Value,
    identity: usize,
    path: &mut Vec<usize>,
    found: &mut impl FnMut(&[usize], &Tensor),
) {
    match value {
        Value::Tensor(tensor) if tensor.identity() == identity => {
            found(path, tensor);
            *value = Value::Null;
        }
        Value::Tuple(fields) if path.len() < 16 && fields.iter().any(|f| names(f, identity, 0)) => {
            let mut items = fields.to_vec();
            for (at, item) in items.iter_mut().enumerate() {
                path.push(at);
                take_out(item, identity, path, found);
                path.pop();
            }
            *value = Value::tuple(items);
        }
        _ => {}
    }
}

/// Returns `true` if a value contains the tensor.
fn names(value: &Value, identity: usize, depth: usize) -> bool {
    match value {
        Value::Tensor(tensor) => tensor.identity() == identity,
        Value::Tuple(fields) if depth < 16 => fields.iter().any(|f| names(f, identity, depth + 1)),
        _ => false,
    }
}

fn put_in(slot: &mut Value, path: &[usize], value: Value) {
    match (path.split_first(), &mut *slot) {
        (None, _) => *slot = value,
        (Some((&at, rest)), Value::Tuple(fields)) => {
            let mut items = fields.to_vec();
            if let Some(item) = items.get_mut(at) {
                put_in(item, rest, value);
            }
            *slot = Value::tuple(items);
        }
        _ => {}
    }
}
