//! The output of a run while it is running: printed text and, on request, the value of each binding.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use smol_str::SmolStr;
use text_size::TextRange;

use crate::value::Value;

/// Receives the events of a run.
pub trait Observer {
    /// The program printed a line.
    fn print(&mut self, text: &str);

    /// Returns `true` if [`Observer::binding`] should be called. Otherwise it costs no time.
    fn wants_bindings(&self) -> bool {
        false
    }

    fn binding(&mut self, _: &Binding<'_>) {}

    /// Returns `true` if [`Observer::step`] should be called. Values then live until their function ends.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Called before each instruction. Returns whether the run continues.
    fn step(&mut self, _: &mut dyn Paused) -> bool {
        true
    }

    /// Returns a flag that interrupts what runs long within one instruction: [`Observer::step`] is called, which resets
    /// the flag. Then a PrimFunc begins again; an operator computes meanwhile.
    fn interrupt(&self) -> Option<Arc<AtomicBool>> {
        None
    }

    /// Returns `true` if a PrimFunc, whose statements have this range in the file, should run step by step.
    fn enters(&mut self, _: TextRange) -> bool {
        false
    }

    /// The run failed. Its calls can still be inspected.
    fn failed(&mut self, _: &mut dyn Paused, _message: &str) {}

    /// Calls a packed function that the program was compiled with. It writes to its last `outs` arguments.
    fn packed(&mut self, call: &PackedCall<'_>) -> Result<PackedResult, String> {
        Err(format!("there is no packed function `{}`", call.name))
    }
}

/// A paused run: its calls, the innermost being 0.
pub trait Paused {
    /// Returns the number of active calls.
    fn depth(&self) -> usize;

    /// Returns the function of a call, and its current range in the file.
    fn place(&self, at: usize) -> Option<(&SmolStr, TextRange)>;

    /// Returns the ranges of the instructions before the current one of a call, in the order of its code.
    fn places_before(&self, at: usize) -> Vec<TextRange>;

    /// Returns the parameters and the variables bound so far, in order.
    fn variables(&self, at: usize) -> Vec<(SmolStr, &Value)>;

    /// Assigns to a variable. Returns `false` if there is none with this name.
    fn set(&mut self, at: usize, name: &str, value: Value) -> bool;
}

/// A call of a packed function that the observer implements.
#[derive(Debug)]
pub struct PackedCall<'a> {
    pub name: &'a str,
    pub args: &'a [Value],
    pub outs: usize,
}

#[derive(Debug)]
pub struct PackedResult {
    pub value: Value,
    /// The output arguments after the call.
    pub outs: Vec<Value>,
}

/// A variable that was just bound.
#[derive(Debug)]
pub struct Binding<'a> {
    pub function: &'a SmolStr,
    pub name: &'a SmolStr,
    /// Whether the call binds nothing: a PrimFunc wrote into the tensor of this variable.
    pub is_written: bool,
    /// The range of the binding's value in the file.
    pub range: TextRange,
    /// The operator or function that computed it.
    pub callee: String,
    pub value: &'a Value,
    pub time: Duration,
    /// The number of bytes that all tensors hold afterwards.
    pub memory: u64,
}

/// Collects the printed text and ignores other events.
#[derive(Debug, Default)]
pub struct Printed(pub String);

impl Observer for Printed {
    fn print(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
}
