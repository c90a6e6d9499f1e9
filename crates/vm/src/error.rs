//! Errors of a run: the reason, and the operator that failed.
//!
//! Knows no source ranges: the interpreter adds function, binding and range.

use relax::dtype::DType;
use smol_str::SmolStr;
use thiserror::Error;

pub type RunResult<T> = Result<T, RunError>;

/// A reason, with the operator and its operands if one was running.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{fault}", .site.as_deref().map(|site| format!("{site}: ")).unwrap_or_default())]
pub struct RunError {
    /// The operator and its operands: `relax.add(f32[2, 3], ...)`.
    pub site: Option<Box<str>>,
    pub fault: Fault,
}

#[derive(Clone, Debug, PartialEq, Error)]
pub enum Fault {
    /// Shapes are incompatible.
    #[error("{0}")]
    Shape(String),
    /// The dtype is wrong.
    #[error("{0}")]
    DType(String),
    #[error("dtype {0} has no arithmetic on this machine")]
    UnsupportedDType(DType),
    /// An argument is missing, or has the wrong kind or value.
    #[error("{0}")]
    Argument(String),
    #[error("{what} {index} is out of range for extent {extent}")]
    Index {
        what: SmolStr,
        index: i64,
        extent: usize,
    },
    /// A PrimFunc used an index out of range.
    #[error("{0}")]
    OutOfBounds(String),
    #[error("integer division by zero")]
    DivideByZero,
    /// More than the limit allows, or, without `left`, than the system has.
    #[error("{}", out_of_memory(*.wanted, *.left))]
    OutOfMemory { wanted: u64, left: Option<u64> },
    /// Valid, but not implemented here.
    #[error("{0}")]
    Unsupported(String),
    /// Raised by the program itself, such as a failed assertion.
    #[error("{0}")]
    Raised(String),
}

fn out_of_memory(wanted: u64, left: Option<u64>) -> String {
    let size = |bytes: u64| humansize::format_size(bytes, humansize::BINARY);
    let wanted = size(wanted);
    match left {
        Some(left) => format!(
            "out of memory: needs {wanted}, the limit leaves {}",
            size(left)
        ),
        None => format!("out of memory: needs {wanted}, which the system does not have"),
    }
}

impl From<Fault> for RunError {
    fn from(fault: Fault) -> RunError {
        RunError { site: None, fault }
    }
}

impl RunError {
    pub fn shape(message: impl Into<String>) -> RunError {
        Fault::Shape(message.into()).into()
    }

    pub fn dtype(message: impl Into<String>) -> RunError {
        Fault::DType(message.into()).into()
    }

    pub fn argument(message: impl Into<String>) -> RunError {
        Fault::Argument(message.into()).into()
    }

    pub fn unsupported(message: impl Into<String>) -> RunError {
        Fault::Unsupported(message.into()).into()
    }

    /// Adds the operator call, unless an inner one was already added.
    pub fn at(mut self, site: impl FnOnce() -> String) -> RunError {
        if self.site.is_none() {
            self.site = Some(site().into_boxed_str());
        }
        self
    }
}
