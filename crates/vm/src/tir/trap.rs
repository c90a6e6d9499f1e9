//! The faults that stop a PrimFunc at run time, and their messages.

use std::fmt;

use smol_str::SmolStr;

use crate::error::{Fault, RunError};

/// The condition that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The index of a buffer is out of range: the buffer's name and the dimension.
    Index(SmolStr, usize),
    /// A view reaches beyond its memory.
    Memory(SmolStr),
    /// An extent of an argument differs from the declared one.
    Shape(SmolStr, usize),
    /// A stride of an argument differs from the declared one.
    Stride(SmolStr, usize),
    /// An extent is negative or too large.
    Extent(SmolStr, usize),
    DivideByZero,
    /// The function was asked to stop.
    Stopped,
    Assert(SmolStr),
    OutOfMemory(SmolStr),
}

/// A check that failed, with two numbers for its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    pub check: Check,
    pub value: i64,
    pub extent: i64,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trap { value, extent, .. } = self;
        match &self.check {
            Check::Index(buffer, at) => write!(
                f,
                "index {value} is out of range for dimension {at} of buffer `{buffer}`, which is {extent}"
            ),
            Check::Memory(buffer) => write!(
                f,
                "element {value} is out of range for the memory of buffer `{buffer}`, which has {extent}"
            ),
            Check::Shape(buffer, at) => write!(
                f,
                "dimension {at} of buffer `{buffer}` is {value}, but the function says {extent}"
            ),
            Check::Stride(buffer, at) => write!(
                f,
                "stride {at} of buffer `{buffer}` is {value}, but the function says {extent}"
            ),
            Check::Extent(buffer, at) => write!(
                f,
                "dimension {at} of buffer `{buffer}` is {value}, which is not a valid extent"
            ),
            Check::Stopped => f.write_str("the time limit is reached"),
            Check::DivideByZero => f.write_str("integer division by zero"),
            Check::Assert(text) => write!(f, "assertion failed: {text}"),
            Check::OutOfMemory(buffer) => {
                write!(f, "no memory for buffer `{buffer}` of {value} bytes")
            }
        }
    }
}

impl From<Trap> for RunError {
    fn from(trap: Trap) -> RunError {
        let message = trap.to_string();
        match trap.check {
            Check::Index(..) | Check::Memory(_) => Fault::OutOfBounds(message).into(),
            _ => Fault::Raised(message).into(),
        }
    }
}
