//! The interface between a builtin and the machine: operands by position, registers, named tensors.

use std::sync::Arc;

use relax::dtype::DType;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Machine;
use crate::bytecode::{Callee, CalleeId, Constant, DimExpr, Operand};
use crate::error::{RunError, RunResult};
use crate::kernels::Out;
use crate::tensor::Tensor;
use crate::value::Value;

pub struct Call<'c, 'p, 'o> {
    pub(crate) machine: &'c mut Machine<'p, 'o>,
    args: &'c [Operand],
    out: Option<&'c Out>,
}

impl<'c, 'p, 'o> Call<'c, 'p, 'o> {
    pub(super) fn new(
        machine: &'c mut Machine<'p, 'o>,
        args: &'c [Operand],
        out: Option<&'c Out>,
    ) -> Call<'c, 'p, 'o> {
        Call { machine, args, out }
    }

    pub fn len(&self) -> usize {
        self.args.len()
    }

    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }

    /// Returns the dtype that inference found for the result.
    pub fn out_dtype(&self) -> Option<DType> {
        self.out?.dtype
    }

    pub(crate) fn operand(&self, at: usize) -> RunResult<Operand> {
        self.args
            .get(at)
            .copied()
            .ok_or_else(|| RunError::argument(format!("argument {at} is missing")))
    }

    pub fn value(&mut self, at: usize) -> RunResult<Value> {
        let operand = self.operand(at)?;
        self.machine.take(operand)
    }

    /// Returns an argument without moving it out.
    pub fn peek(&mut self, at: usize) -> RunResult<Value> {
        let operand = match self.operand(at)? {
            Operand::Last(reg) => Operand::Reg(reg),
            other => other,
        };
        self.machine.take(operand)
    }

    /// Clears the register of an argument.
    pub fn forget(&mut self, at: usize) -> RunResult<()> {
        if let Some(reg) = self.operand(at)?.reg() {
            self.machine.set(reg, Value::Null);
        }
        Ok(())
    }

    pub fn values(&mut self, from: usize) -> RunResult<Vec<Value>> {
        (from..self.len()).map(|at| self.value(at)).collect()
    }

    pub fn int(&mut self, at: usize) -> RunResult<i64> {
        if let Operand::Int(value) = self.operand(at)? {
            return Ok(value);
        }
        let value = self.peek(at)?;
        value
            .as_scalar()
            .and_then(crate::tensor::Scalar::as_i64)
            .ok_or_else(|| Self::wrong(at, "an integer", &value))
    }

    pub fn text(&mut self, at: usize) -> RunResult<SmolStr> {
        match self.value(at)? {
            Value::Str(text) => Ok(text),
            other => Err(Self::wrong(at, "a string", &other)),
        }
    }

    /// Returns a dtype argument, or `None` if it is void.
    pub fn dtype(&mut self, at: usize) -> RunResult<Option<DType>> {
        match self.value(at)? {
            Value::DType(dtype) => Ok(Some(dtype)),
            Value::Null => Ok(None),
            Value::Str(text) if text.is_empty() || text == "void" => Ok(None),
            Value::Str(text) => DType::parse(&text)
                .map(Some)
                .ok_or_else(|| RunError::argument(format!("{text:?} is not a dtype"))),
            other => Err(Self::wrong(at, "a dtype", &other)),
        }
    }

    pub fn tensor(&mut self, at: usize) -> RunResult<Tensor> {
        match self.value(at)? {
            Value::Tensor(tensor) => Ok(tensor),
            other => Err(Self::wrong(at, "a tensor", &other)),
        }
    }

    /// Returns the dimensions of a Shape or of a tensor.
    pub fn dims(&mut self, at: usize) -> RunResult<Arc<[i64]>> {
        match self.peek(at)? {
            Value::Shape(dims) => Ok(dims),
            Value::Tensor(tensor) => Ok(tensor.shape().iter().map(|&d| d as i64).collect()),
            Value::Tuple(fields) => fields
                .iter()
                .map(|f| f.as_scalar().and_then(crate::tensor::Scalar::as_i64))
                .collect::<Option<Vec<i64>>>()
                .map(Into::into)
                .ok_or_else(|| RunError::argument("a shape holds integers")),
            other => Err(Self::wrong(at, "a shape", &other)),
        }
    }

    pub(crate) fn dim_expr(&self, at: usize) -> RunResult<Arc<DimExpr>> {
        match self.operand(at)? {
            Operand::Const(id) => match self.machine.program.constant(id) {
                Some(Constant::Dim(dim)) => Ok(Arc::clone(dim)),
                _ => Err(RunError::argument("a dimension is missing")),
            },
            _ => Err(RunError::argument("a dimension is missing")),
        }
    }

    /// Returns the shape heap in a register, for writing.
    pub fn heap(&mut self, at: usize) -> RunResult<&mut [i64]> {
        let reg = self.operand(at)?.reg();
        let slot = reg.and_then(|reg| self.machine.register(reg));
        match slot {
            Some(Value::Tensor(tensor)) => tensor.values_mut::<i64>(),
            _ => Err(RunError::argument("the shape heap is missing")),
        }
    }

    /// Returns one entry of the shape heap.
    pub fn load(&mut self, heap: usize, at: i64) -> RunResult<i64> {
        let slots = self.heap(heap)?;
        usize::try_from(at)
            .ok()
            .and_then(|at| slots.get(at).copied())
            .ok_or_else(|| RunError::argument(format!("the shape heap has no slot {at}")))
    }

    pub fn store(&mut self, heap: usize, at: i64, value: i64) -> RunResult<()> {
        let slots = self.heap(heap)?;
        let slot = usize::try_from(at).ok().and_then(|at| slots.get_mut(at));
        match slot {
            Some(slot) => {
                *slot = value;
                Ok(())
            }
            None => Err(RunError::argument(format!(
                "the shape heap has no slot {at}"
            ))),
        }
    }

    /// Replaces the elements of the tensor in an argument's register. Shape and dtype must match. Every register that
    /// refers to the same memory sees the change.
    pub fn write(&mut self, at: usize, tensor: Tensor) -> RunResult<()> {
        let reg = self.operand(at)?.reg();
        let slot = reg.and_then(|reg| self.machine.register(reg));
        let Some(Value::Tensor(slot)) = slot else {
            return Err(Self::wrong(at, "a tensor to write to", &Value::Null));
        };
        if slot.shape() != tensor.shape() || slot.kind() != tensor.kind() {
            return Err(RunError::shape(format!(
                "argument {at} cannot hold {}",
                Value::Tensor(tensor).describe()
            )));
        }
        let given = slot.clone();
        if let Some(reg) = reg {
            self.machine.set(reg, Value::Null);
            let written = self.machine.overwrite(given, tensor)?;
            self.machine.set(reg, Value::Tensor(written));
        }
        Ok(())
    }

    /// Leaves the elements of a dead tensor to a debugger, which still shows it while its memory is used again.
    pub fn keep_for_debugger(&mut self, at: usize) -> RunResult<()> {
        let reg = self.operand(at)?.reg().filter(|_| self.machine.is_debugged);
        if let Some(Value::Tensor(tensor)) = reg.and_then(|reg| self.machine.register(reg)) {
            let copy = Tensor::from_bytes(tensor.kind(), tensor.shape(), &tensor.bytes()?)?;
            *tensor = copy;
        }
        Ok(())
    }

    /// Returns the tensors that the program stores by name.
    pub fn tensors(&mut self) -> &mut FxHashMap<SmolStr, Tensor> {
        &mut self.machine.tensors
    }

    pub fn print(&mut self, text: &str) {
        self.machine.observer.print(text);
    }

    /// Calls a function that the program passed as a value. Returns its result, and the arguments including changes to
    /// tensors.
    pub fn apply(&mut self, function: &Value, args: Vec<Value>) -> RunResult<(Value, Vec<Value>)> {
        self.machine.apply(function, args)
    }

    /// Like `apply`, with arguments of this call, whose registers see the changes.
    pub fn apply_from(&mut self, function: &Value, from: usize) -> RunResult<Value> {
        let args = (from..self.len())
            .map(|at| self.peek(at))
            .collect::<RunResult<Vec<_>>>()?;
        let given: Vec<Option<usize>> = args.iter().map(identity).collect();
        let (result, args) = self.apply(function, args)?;
        for (at, (value, given)) in args.into_iter().zip(given).enumerate() {
            if let Value::Tensor(tensor) = value
                && Some(tensor.identity()) != given
            {
                self.write(from + at, tensor)?;
            }
        }
        Ok(result)
    }

    /// Returns the Relax function with a name.
    pub fn function(&self, name: &str) -> Option<CalleeId> {
        let program = self.machine.program;
        let id = program.find(name)?;
        matches!(program.callee(id), Some(Callee::Function(_))).then_some(id)
    }

    fn wrong(at: usize, wanted: &str, got: &Value) -> RunError {
        RunError::argument(format!(
            "argument {at} must be {wanted}, but is {}",
            got.describe()
        ))
    }
}

fn identity(value: &Value) -> Option<usize> {
    value.as_tensor().map(Tensor::identity)
}
