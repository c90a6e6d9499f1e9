//! Output of a run while it goes on: printed text, and the value of each binding on request.

use std::time::Duration;

use smol_str::SmolStr;
use text_size::TextRange;

use crate::value::Value;

/// Takes what a run tells.
pub trait Observer {
    /// A line that the program prints.
    fn print(&mut self, text: &str);

    /// Whether [`Observer::binding`] is wanted: without it, no time is spent on it.
    fn wants_bindings(&self) -> bool {
        false
    }

    fn binding(&mut self, _: &Binding<'_>) {}

    /// Whether [`Observer::step`] is wanted. Values then live until their function ends.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Called before each instruction; whether the run goes on.
    fn step(&mut self, _: &mut dyn Paused) -> bool {
        true
    }

    /// Whether a PrimFunc, whose statements have this range in the file, runs step by step.
    fn enters(&mut self, _: TextRange) -> bool {
        false
    }

    /// The run has failed, and its calls are still there.
    fn failed(&mut self, _: &mut dyn Paused, _message: &str) {}

    /// Calls a packed function that the program was compiled with, which writes to its last `outs` arguments.
    fn packed(&mut self, call: &PackedCall<'_>) -> Result<PackedResult, String> {
        Err(format!("there is no packed function `{}`", call.name))
    }
}

/// A run between two instructions: its calls, the innermost being 0.
pub trait Paused {
    /// How many calls are under way.
    fn depth(&self) -> usize;

    /// The function of a call, and where in the file it is.
    fn place(&self, at: usize) -> Option<(&SmolStr, TextRange)>;

    /// The places of the instructions before the one that a call is at, in the order of its code.
    fn places_before(&self, at: usize) -> Vec<TextRange>;

    /// The parameters and what is bound so far, in order.
    fn variables(&self, at: usize) -> Vec<(SmolStr, &Value)>;

    /// Gives a variable another value; whether there is one of the name.
    fn set(&mut self, at: usize, name: &str, value: Value) -> bool;
}

/// A call of a packed function that the observer serves.
#[derive(Debug)]
pub struct PackedCall<'a> {
    pub name: &'a str,
    pub args: &'a [Value],
    pub outs: usize,
}

#[derive(Debug)]
pub struct PackedResult {
    pub value: Value,
    /// The last arguments as they are after the call.
    pub outs: Vec<Value>,
}

/// A variable as it gets its value.
#[derive(Debug)]
pub struct Binding<'a> {
    pub function: &'a SmolStr,
    pub name: &'a SmolStr,
    /// The binding's value, in the file.
    pub range: TextRange,
    /// What computed it: an operator or a function.
    pub callee: String,
    pub value: &'a Value,
    pub time: Duration,
    /// Bytes that all tensors hold after it.
    pub memory: u64,
}

/// Keeps what is printed, and nothing else.
#[derive(Debug, Default)]
pub struct Printed(pub String);

impl Observer for Printed {
    fn print(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
}
