//! The register machine: executes instructions, with call frames on its own stack.
//!
//! Values are dropped at their last read. An error carries the function, the binding and the source range.

mod apply;
mod builtin;
mod kernel;
mod paused;
mod prim_func;
mod shared;
mod stepping;

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;
use web_time::Instant;

use crate::bytecode::{
    Bound, Callee, CalleeId, Constant, Function, Instruction, Operand, Program, Reg,
};
use crate::error::{Fault, RunError, RunResult};
use crate::kernels::Arg;
use crate::limits::{Budget, Limits};
use crate::out_of_bounds::{self, OutOfBounds, Places};
use crate::tensor::{Tensor, alloc};
use crate::trace::{Binding, Observer, PackedCall};
use crate::value::Value;

pub use builtin::Call;
use paused::Calls;

/// Why and where a run stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub error: RunError,
    pub function: SmolStr,
    /// The variable that the statement binds.
    pub binding: Option<SmolStr>,
    /// The range in the file.
    pub range: TextRange,
    /// The call stack, innermost first, with the range of each call in its file.
    pub calls: Vec<(SmolStr, TextRange)>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in `{}`", self.function)?;
        if let Some(binding) = &self.binding {
            write!(f, ", binding `{binding}`")?;
        }
        write!(f, ": {}", self.error)
    }
}

impl std::error::Error for Failure {}

/// A call of a Relax function.
pub(crate) struct Frame {
    function: Arc<Function>,
    pc: usize,
    registers: Vec<Value>,
    /// The caller's register for the result.
    dst: Reg,
    /// The start time, if the observer measures calls.
    start: Option<Instant>,
}

/// A running program.
pub(crate) struct Machine<'p, 'o> {
    pub program: &'p Program,
    pub frames: Vec<Frame>,
    pub observer: &'o mut dyn Observer,
    budget: Budget,
    depth: usize,
    /// `true` if a debugger is attached. Values then stay in their registers.
    is_debugged: bool,
    /// Tensors that the program stores by name.
    tensors: FxHashMap<SmolStr, Tensor>,
    /// Where to list indices out of range, if the run goes on.
    out_of_bounds: Option<Places>,
    /// The PrimFunc in which the run failed, with the range in its source.
    inside: Option<(SmolStr, TextRange)>,
}

/// The outcome of a builtin.
pub(crate) enum Outcome {
    Value(Value),
    /// Call a Relax function next.
    Enter(CalleeId, Vec<Value>),
}

/// Runs `function` of `program` with `inputs`.
pub fn run(
    program: &Program,
    function: &str,
    inputs: Vec<Value>,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Value, Box<Failure>> {
    let outside = |message: String| {
        Box::new(Failure {
            error: RunError::argument(message),
            function: function.into(),
            binding: None,
            range: TextRange::default(),
            calls: Vec::new(),
        })
    };
    if let Some(bytes) = limits.memory {
        alloc::set_limit(bytes);
    }
    alloc::reset_peak();
    let Some(entry) = program.function(function) else {
        return Err(outside(format!("the program has no function `{function}`")));
    };
    let mut machine = Machine::new(program, limits, observer);
    let entry = Arc::clone(entry);
    machine
        .enter(entry, inputs, Reg::VOID)
        .map_err(|error| outside(error.to_string()))?;
    machine.run()
}

/// Calls a packed function of this machine or of the observer.
pub fn call_packed(
    program: &Program,
    symbol: &str,
    args: Vec<Value>,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Value, Box<Failure>> {
    if let Some(bytes) = limits.memory {
        alloc::set_limit(bytes);
    }
    let mut machine = Machine::new(program, limits, observer);
    match machine.apply(&Value::Packed(symbol.into()), args) {
        Ok((value, _)) => Ok(value),
        Err(error) => Err(Box::new(Failure {
            error,
            function: symbol.into(),
            binding: None,
            range: TextRange::default(),
            calls: Vec::new(),
        })),
    }
}

impl<'p, 'o> Machine<'p, 'o> {
    fn new(
        program: &'p Program,
        limits: &Limits,
        observer: &'o mut dyn Observer,
    ) -> Machine<'p, 'o> {
        Machine {
            program,
            frames: Vec::new(),
            is_debugged: observer.wants_steps(),
            budget: Budget::new(limits, observer.interrupt()),
            observer,
            depth: limits.depth.max(1),
            tensors: FxHashMap::default(),
            out_of_bounds: limits.out_of_bounds.clone(),
            inside: None,
        }
    }

    fn run(&mut self) -> Result<Value, Box<Failure>> {
        loop {
            match self.step() {
                Ok(None) => {}
                Ok(Some(value)) => return Ok(value),
                Err(error) => {
                    if self.is_debugged {
                        let message = error.to_string();
                        self.observer
                            .failed(&mut Calls::new(&mut self.frames), &message);
                    }
                    return Err(Box::new(self.failure(error)));
                }
            }
        }
    }

    fn failure(&self, error: RunError) -> Failure {
        let mut calls: Vec<(SmolStr, TextRange)> = self.inside.iter().cloned().collect();
        let mut binding = None;
        for (k, frame) in self.frames.iter().rev().enumerate() {
            let origin = frame.function.origins.get(frame.pc.saturating_sub(1));
            let range = origin.map(|o| o.range).unwrap_or_default() + frame.function.start;
            if k == 0 {
                binding = origin.and_then(|o| o.binding.clone());
            }
            // For deep recursion, only the innermost calls are reported.
            if k < 32 {
                calls.push((frame.function.name.clone(), range));
            }
        }
        let (function, range) = calls.first().cloned().unwrap_or_default();
        Failure {
            error,
            function,
            binding,
            range,
            calls,
        }
    }

    fn enter(&mut self, function: Arc<Function>, args: Vec<Value>, dst: Reg) -> RunResult<()> {
        if self.frames.len() >= self.depth {
            return Err(RunError::argument(format!(
                "`{}` is called at depth {}: the recursion limit is reached",
                function.name, self.depth
            )));
        }
        if args.len() != function.params.len() {
            return Err(RunError::argument(format!(
                "`{}` takes {} arguments, but {} are given",
                function.name,
                function.params.len() - function.captured,
                args.len().saturating_sub(function.captured)
            )));
        }
        let mut registers = args;
        registers.resize(function.registers as usize, Value::Null);
        self.frames.push(Frame {
            function,
            pc: 0,
            registers,
            dst,
            start: None,
        });
        Ok(())
    }

    /// Executes one instruction. Returns the result of the whole run after the last one.
    fn step(&mut self) -> RunResult<Option<Value>> {
        self.budget.step().map_err(RunError::argument)?;
        if self.is_debugged && !self.observer.step(&mut Calls::new(&mut self.frames)) {
            return Err(RunError::argument("the debugger ended the run"));
        }
        let Some(frame) = self.frames.last_mut() else {
            return Err(RunError::argument("nothing is running"));
        };
        let function = Arc::clone(&frame.function);
        let at = frame.pc;
        frame.pc += 1;
        let Some(instruction) = function.code.get(at) else {
            return Err(RunError::argument(format!(
                "`{}` ends without a value",
                function.name
            )));
        };
        match instruction {
            Instruction::Ret(operand) => {
                let value = self.take(*operand)?;
                let Some(frame) = self.frames.pop() else {
                    return Ok(Some(value));
                };
                if self.frames.is_empty() {
                    return Ok(Some(value));
                }
                if let (Some(start), Some(caller)) = (frame.start, self.frames.last()) {
                    let (function, at) =
                        (Arc::clone(&caller.function), caller.pc.saturating_sub(1));
                    self.report(&function, at, &value, start);
                }
                self.set(frame.dst, value);
            }
            Instruction::Goto(offset) => self.jump(at + *offset as usize),
            Instruction::If { cond, otherwise } => {
                let value = self.take(*cond)?;
                let test = value.as_scalar().ok_or_else(|| {
                    RunError::argument(format!("{} cannot be a condition", value.describe()))
                })?;
                if !test.is_true() {
                    self.jump(at + *otherwise as usize);
                }
            }
            Instruction::Call { dst, callee, args } => {
                let start = self.observer.wants_bindings().then(Instant::now);
                let result = self.call(&function, at, *dst, *callee, args)?;
                match result {
                    Some(value) => {
                        if let Some(start) = start {
                            self.report(&function, at, &value, start);
                        }
                        self.set(*dst, value);
                    }
                    // The result is in the frame that was entered.
                    None => {
                        if let Some(frame) = self.frames.last_mut() {
                            frame.start = start;
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Reports the variable that an instruction binds to the observer.
    fn report(&mut self, function: &Function, at: usize, result: &Value, start: Instant) {
        let time = start.elapsed();
        let Some(origin) = function.origins.get(at) else {
            return;
        };
        let callee = match function.code.get(at) {
            Some(Instruction::Call { callee, args, .. }) => Some((*callee, args)),
            _ => None,
        };
        let written = || match callee.map(|(callee, args)| (self.program.callee(callee), args)) {
            Some((Some(Callee::PrimFunc(_)), args)) => function.variable_written(at, args),
            _ => None,
        };
        let (name, bound, is_written) = match (&origin.binding, origin.binds) {
            (Some(name), Some(bound)) => (name, bound, false),
            (None, _) => match written() {
                Some((name, reg)) => (name, Bound::Register(reg), true),
                None => return,
            },
            (Some(_), None) => return,
        };
        let held;
        let value = match bound {
            Bound::Result => result,
            Bound::Register(reg) => match self.register(reg) {
                Some(value) => {
                    held = value.clone();
                    &held
                }
                None => return,
            },
        };
        let callee = callee.and_then(|(callee, _)| self.program.callee(callee));
        self.observer.binding(&Binding {
            function: &function.name,
            name,
            is_written,
            range: origin.range + function.start,
            callee: callee.map_or_else(String::new, |c| self.program.callee_name(c)),
            value,
            time,
            memory: alloc::live(),
        });
    }

    /// Returns a call's result, or `None` if it entered a frame that will produce it.
    fn call(
        &mut self,
        function: &Function,
        at: usize,
        dst: Reg,
        callee: CalleeId,
        args: &[Operand],
    ) -> RunResult<Option<Value>> {
        match self.program.callee(callee) {
            Some(Callee::Kernel(op, kernel)) => {
                let mut operands = Vec::with_capacity(args.len());
                for &arg in args {
                    operands.push(self.kernel_arg(arg)?);
                }
                let out = function.origins.get(at).and_then(|o| o.out.as_ref());
                let call = || kernel.call(op.params, &operands, out);
                let Some(places) = self.out_of_bounds.clone() else {
                    return self.kernel(call).map(Some);
                };
                let (result, found) = self.kernel(|| Ok(out_of_bounds::going_on(call)))?;
                if let Some(message) = found {
                    let origin = function.origins.get(at).map(|it| it.range);
                    places.add(OutOfBounds {
                        function: function.name.clone(),
                        range: origin.unwrap_or_default() + function.start,
                        message: format!("{}: {message}", op.name),
                    });
                }
                result.map(Some)
            }
            Some(Callee::Operator(operator)) => {
                let mut operands = Vec::with_capacity(args.len());
                for &arg in args {
                    operands.push(self.take(arg)?);
                }
                self.kernel(|| operator.call(&operands)).map(Some)
            }
            Some(Callee::Builtin(builtin)) => {
                let program = self.program;
                let out = function.origins.get(at).and_then(|o| o.out.as_ref());
                let mut call = Call::new(self, args, out);
                match (builtin.run)(&mut call)? {
                    Outcome::Value(value) => Ok(Some(value)),
                    Outcome::Enter(id, args) => match program.callee(id) {
                        Some(Callee::Function(function)) => {
                            self.enter(Arc::clone(function), args, dst)?;
                            Ok(None)
                        }
                        _ => Err(RunError::argument("only Relax functions are closures")),
                    },
                }
            }
            Some(Callee::Function(function)) => {
                let function = Arc::clone(function);
                let mut operands = Vec::with_capacity(args.len());
                for &arg in args {
                    operands.push(self.take(arg)?);
                }
                self.enter(function, operands, dst)?;
                Ok(None)
            }
            Some(Callee::PrimFunc(prim)) => {
                let prim = Arc::clone(prim);
                self.prim_func(&prim, args).map(Some)
            }
            Some(Callee::External { name, outs }) => self.external(name, args, *outs).map(Some),
            None => Err(RunError::argument("this call has no callee")),
        }
    }

    /// Calls a packed function that the observer implements, and replaces the output arguments with the ones it
    /// returns.
    fn external(&mut self, name: &str, args: &[Operand], outs: usize) -> RunResult<Value> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.take(arg)?);
        }
        let call = PackedCall {
            name,
            args: &values,
            outs,
        };
        let result = self
            .observer
            .packed(&call)
            .map_err(|why| Fault::Raised(format!("packed function `{name}`: {why}")))?;
        let first = args.len().saturating_sub(outs);
        for (at, written) in (first..args.len()).zip(result.outs) {
            let given = values.get_mut(at).map(std::mem::take);
            let (Some(Value::Tensor(given)), Value::Tensor(got)) = (given, &written) else {
                continue;
            };
            if given.shape() != got.shape() || given.kind() != got.kind() {
                return Err(RunError::shape(format!(
                    "packed function `{name}` made {} of {}",
                    written.describe(),
                    Value::Tensor(given).describe()
                )));
            }
            let reg = args.get(at).and_then(|arg| arg.reg());
            if let Some(reg) = reg {
                self.set(reg, Value::Null);
            }
            let written = self.overwrite(given, got.clone())?;
            if let Some(reg) = reg {
                self.set(reg, Value::Tensor(written));
            }
        }
        Ok(result.value)
    }

    fn jump(&mut self, to: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = to;
        }
    }

    pub(crate) fn set(&mut self, dst: Reg, value: Value) {
        if let Some(slot) = self.register(dst) {
            *slot = value;
        }
    }

    pub(crate) fn register(&mut self, reg: Reg) -> Option<&mut Value> {
        self.frames.last_mut()?.registers.get_mut(reg.0 as usize)
    }

    /// Returns the value of an operand. The last read of a register moves it out.
    pub(crate) fn take(&mut self, operand: Operand) -> RunResult<Value> {
        let missing = || RunError::argument("an operand is missing");
        match operand {
            Operand::Reg(reg) => self.register(reg).cloned().ok_or_else(missing),
            Operand::Last(reg) if self.is_debugged => self.take(Operand::Reg(reg)),
            Operand::Last(reg) => self
                .register(reg)
                .map(|slot| std::mem::replace(slot, Value::Null))
                .ok_or_else(missing),
            Operand::Int(value) => Ok(Value::int(value)),
            Operand::Const(id) => match self.program.constant(id) {
                Some(Constant::Value(value)) => Ok(value.clone()),
                Some(Constant::Attr(attr)) => Ok(attribute(attr)),
                Some(Constant::DType(dtype)) => Ok(Value::DType(*dtype)),
                Some(Constant::Dim(_) | Constant::Shape(_) | Constant::Sym(_)) | None => {
                    Err(missing())
                }
            },
            Operand::Callee(id) => match self.program.callee(id) {
                Some(Callee::Function(function)) => Ok(Value::Function(function.name.clone())),
                _ => Err(missing()),
            },
        }
    }

    fn kernel_arg(&mut self, operand: Operand) -> RunResult<Arg> {
        if let Operand::Const(id) = operand {
            match self.program.constant(id) {
                Some(Constant::Attr(attr)) => return Ok(attr.clone()),
                Some(Constant::DType(dtype)) => return Ok(Arg::DType(*dtype)),
                _ => {}
            }
        }
        if let Operand::Int(value) = operand {
            return Ok(Arg::Int(value));
        }
        self.take(operand).map(Arg::Value)
    }
}

/// Converts an attribute to a value.
fn attribute(attr: &Arg) -> Value {
    match attr {
        Arg::Value(value) => value.clone(),
        Arg::Default | Arg::None | Arg::IndexMap(_) => Value::Null,
        Arg::Bool(value) => Value::bool(*value),
        Arg::Int(value) => Value::int(*value),
        Arg::Float(value) => Value::float(*value),
        Arg::Str(value) => Value::Str(value.clone()),
        Arg::DType(dtype) => Value::DType(*dtype),
        Arg::List(items) => Value::tuple(items.iter().map(attribute).collect::<Vec<_>>()),
    }
}

#[cfg(test)]
mod tests;
