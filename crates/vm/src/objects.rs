//! Mutable objects of programs besides tensors: caches of language models, states of recurrent layers.
//!
//! Knows no bytecode: functions that a program passes are called through a [`Caller`].

pub mod appended;
pub mod paged;
pub mod rnn;

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

/// Calls a function of the program. Returns its tensor arguments, which it may have modified.
pub type Caller<'c> = dyn FnMut(&Value, Vec<Value>) -> RunResult<Vec<Value>> + 'c;

/// A mutable value with shared ownership.
pub struct Object(Mutex<State>);

#[derive(Debug)]
pub enum State {
    Paged(Box<paged::Cache>),
    Appended(Box<appended::Cache>),
    Rnn(Box<rnn::State>),
    /// The value of a Relay reference.
    Cell(Value),
}

impl Object {
    pub fn new(state: State) -> Object {
        Object(Mutex::new(state))
    }

    pub fn state(&self) -> RunResult<MutexGuard<'_, State>> {
        match self.0.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(RunError::argument(
                "the object is in use by an enclosing call",
            )),
        }
    }

    /// Returns the value of a reference.
    pub fn held(&self) -> Option<Value> {
        match self.state().as_deref() {
            Ok(State::Cell(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns the contents once nothing else refers to the object.
    pub fn into_state(self) -> State {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn describe(&self) -> String {
        match self.state().as_deref() {
            Ok(State::Paged(cache)) => cache.describe(),
            Ok(State::Appended(cache)) => cache.describe(),
            Ok(State::Rnn(state)) => state.describe(),
            Ok(State::Cell(value)) => format!("ref({})", value.describe()),
            Err(_) => "object in use".to_owned(),
        }
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

/// Takes a tensor that a call returned.
fn returned(args: &mut [Value], at: usize) -> RunResult<Tensor> {
    match args.get_mut(at).map(std::mem::take) {
        Some(Value::Tensor(tensor)) => Ok(tensor),
        _ => Err(RunError::argument("a tensor was lost in a call")),
    }
}

fn ints(values: &[i32]) -> RunResult<Tensor> {
    Tensor::from_vec(&[values.len()], values.to_vec())
}

/// Formats a count with a noun: `1 sequence`, `2 sequences`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
