//! A run that is suspended before a statement, for a debugger: it can read and set variables and buffers.

use hir::tir::{BufferId, PrimFunc, VarId, int};
use relax::dtype::{Code, DType};
use smol_str::SmolStr;
use text_size::TextRange;

use super::memory::Region;
use super::number::Number;
use super::{BoundBuffer, Ended, Machine, Step};
use crate::error::RunError;
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::{Prim, Value};

/// Called before each statement, and before each iteration of a loop. Returns whether the run continues.
pub type Watch<'w> = dyn FnMut(&mut Suspended<'_, '_>) -> bool + 'w;

#[derive(Debug)]
pub struct Suspended<'s, 'm> {
    /// The range of the statement, relative to the function's start.
    pub range: TextRange,
    func: &'s PrimFunc,
    vars: &'s mut [Option<Number>],
    regions: &'s mut [Region<'m>],
    places: &'s [BoundBuffer],
}

impl Machine<'_, '_> {
    pub(super) fn watched(&mut self, range: TextRange) -> Step<()> {
        let Some(watch) = &mut self.watch else {
            return Ok(());
        };
        let goes_on = watch(&mut Suspended {
            range,
            func: self.func,
            vars: &mut self.vars,
            regions: &mut self.regions,
            places: &self.places,
        });
        let ended = || Ended::Error(RunError::argument("the debugger ended the run"), None);
        goes_on.then_some(()).ok_or_else(ended)
    }
}

impl Suspended<'_, '_> {
    /// Returns the buffers, followed by the variables that have a value.
    pub fn variables(&self) -> Vec<(SmolStr, Value)> {
        let buffers = (0..self.func.buffers.len()).filter_map(|at| {
            let (name, tensor) = self.buffer(BufferId(at as u32))?;
            Some((name.clone(), Value::Tensor(tensor)))
        });
        let vars = self.func.vars.iter().zip(self.vars.iter());
        let vars = vars.filter_map(|(var, value)| {
            let value = Value::Prim(Prim {
                dtype: var.dtype,
                value: scalar((*value)?, var.dtype),
            });
            Some((var.name.clone(), value))
        });
        buffers.chain(vars).collect()
    }

    /// Returns a copy of a buffer, if it is compact.
    fn buffer(&self, id: BufferId) -> Option<(&SmolStr, Tensor)> {
        let buffer = self.func.buffer(id);
        let place = self.places.get(id.0 as usize)?;
        if place.strides.is_some() || buffer.offset.is_some() {
            return None;
        }
        let kind = Kind::of(buffer.dtype).ok()?;
        let bytes = place.bytes(self.regions, kind)?;
        let tensor = Tensor::from_bytes(kind, &place.shape(), bytes).ok()?;
        Some((&buffer.name, tensor))
    }

    /// Assigns a value of the same type to a variable or a buffer. Returns `false` if there is none of this name.
    pub fn set(&mut self, name: &str, value: &Value) -> bool {
        match value {
            Value::Prim(prim) => {
                let found = self.func.vars.iter().position(|it| it.name == name);
                let Some(at) = found.filter(|&at| self.vars[at].is_some()) else {
                    return false;
                };
                let dtype = self.func.var(VarId(at as u32)).dtype;
                self.vars[at] = Some(number(prim.value, dtype));
                true
            }
            Value::Tensor(tensor) => {
                let mut ids = (0..self.func.buffers.len()).map(|at| BufferId(at as u32));
                let found = ids.find(|&id| {
                    self.buffer(id)
                        .is_some_and(|(known, old)| known == name && old.kind() == tensor.kind())
                });
                let place = found.map(|id| &self.places[id.0 as usize]);
                let place = place.filter(|it| it.shape() == tensor.shape());
                let to = place.and_then(|place| {
                    let memory = self.regions[place.region].bytes_mut()?;
                    memory.get_mut(place.start..)?.get_mut(..tensor.byte_len())
                });
                match (to, tensor.bytes()) {
                    (Some(to), Ok(bytes)) => {
                        to.copy_from_slice(&bytes);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// Converts a number to the host's scalar.
pub(super) fn scalar(value: Number, dtype: DType) -> Scalar {
    match (value, dtype.code) {
        (Number::Float(value), _) => Scalar::Float(value),
        (value, Code::Bool) => Scalar::Bool(value.is_true()),
        (Number::Int(value), Code::UInt) => Scalar::UInt(value as u64),
        (Number::Int(value), _) => Scalar::Int(value as i64),
    }
}

fn number(value: Scalar, dtype: DType) -> Number {
    match (value, dtype.is_float()) {
        (value, true) => Number::Float(value.as_f64()),
        (Scalar::Float(value), false) => Number::Int(int::wrap(value as i128, dtype)),
        (Scalar::UInt(value), false) => Number::Int(int::wrap(i128::from(value), dtype)),
        (Scalar::Int(value), false) => Number::Int(int::wrap(i128::from(value), dtype)),
        (Scalar::Bool(value), false) => Number::truth(value),
    }
}
