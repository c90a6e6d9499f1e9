//! Calls functions that are values: PrimFuncs and packed functions that a program passes.

use std::sync::Arc;

use super::{Call, Frame, Machine, Outcome};
use crate::builtins::{self, Builtin};
use crate::bytecode::{Callee, Function, Operand, Reg};
use crate::error::{Fault, RunError, RunResult};
use crate::trace::PackedCall;
use crate::value::Value;

impl Machine<'_, '_> {
    /// Calls a function with values of the host. Returns its result, and the arguments after the call.
    pub(super) fn apply(
        &mut self,
        function: &Value,
        args: Vec<Value>,
    ) -> RunResult<(Value, Vec<Value>)> {
        let program = self.program;
        match function {
            Value::Function(name) => match program.find(name).and_then(|id| program.callee(id)) {
                Some(Callee::PrimFunc(prim)) => {
                    let prim = Arc::clone(prim);
                    self.prim_func_on(&prim, args)
                }
                _ => Err(RunError::argument(format!("`{name}` is not a PrimFunc"))),
            },
            Value::Packed(symbol) => match builtins::lookup(symbol) {
                Some(builtin) => self.builtin_on(builtin, args),
                None => self.external_on(symbol, args),
            },
            other => Err(RunError::argument(format!(
                "{} is not a function",
                other.describe()
            ))),
        }
    }

    /// Puts the arguments into the registers of a temporary frame.
    fn builtin_on(
        &mut self,
        builtin: &Builtin,
        args: Vec<Value>,
    ) -> RunResult<(Value, Vec<Value>)> {
        let operands: Vec<Operand> = (0..args.len())
            .map(|at| Operand::Reg(Reg(at as u32)))
            .collect();
        self.frames.push(Frame {
            function: Arc::new(Function::empty(builtin.name.into())),
            pc: 0,
            registers: args,
            dst: Reg::VOID,
            start: None,
        });
        let result = (builtin.run)(&mut Call::new(self, &operands, None));
        let args = self.frames.pop().map(|frame| frame.registers);
        match result? {
            Outcome::Value(value) => Ok((value, args.unwrap_or_default())),
            Outcome::Enter(..) => Err(RunError::argument(format!(
                "`{}` cannot call a Relax function here",
                builtin.name
            ))),
        }
    }

    fn external_on(&mut self, symbol: &str, args: Vec<Value>) -> RunResult<(Value, Vec<Value>)> {
        let call = PackedCall {
            name: symbol,
            args: &args,
            outs: args.len(),
        };
        let result = self
            .observer
            .packed(&call)
            .map_err(|why| Fault::Raised(format!("packed function `{symbol}`: {why}")))?;
        Ok((result.value, result.outs))
    }
}
