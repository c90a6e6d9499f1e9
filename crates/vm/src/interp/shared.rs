//! Memory that several registers refer to: each sees what is written, whether they hold the same tensor, views of it, or
//! tensors of one storage.
//!
//! A tensor is written in place if nothing else refers to its memory. So all others give it up first, and get it back
//! afterwards.

use super::Machine;
use crate::error::RunResult;
use crate::tensor::{Tensor, Window};
use crate::value::Value;

/// A register, or a field of the tuple in it, that held a tensor.
pub(super) struct Place {
    frame: usize,
    register: usize,
    path: Vec<usize>,
    window: Window,
}

impl Machine<'_, '_> {
    /// Takes the memory of a tensor out of its storage and out of every register, so that a call can write to it.
    pub(super) fn lend(&mut self, tensor: &Tensor) -> Vec<Place> {
        let mut places = Vec::new();
        tensor.take_memory();
        if tensor.is_unique() {
            return places;
        }
        let identity = tensor.identity();
        for (frame, it) in self.frames.iter_mut().enumerate() {
            for (register, value) in it.registers.iter_mut().enumerate() {
                let mut path = Vec::new();
                take_out(value, identity, &mut path, &mut |path, tensor| {
                    places.push(Place {
                        frame,
                        register,
                        path: path.to_vec(),
                        window: tensor.window(),
                    });
                });
            }
        }
        places
    }

    /// Returns the memory of a tensor to where [`Machine::lend`] took it.
    pub(super) fn give_back(&mut self, tensor: &Tensor, places: Vec<Place>) -> RunResult<()> {
        tensor.return_memory();
        for place in places {
            let value = Value::Tensor(tensor.through(&place.window)?);
            let frame = self.frames.get_mut(place.frame);
            if let Some(slot) = frame.and_then(|it| it.registers.get_mut(place.register)) {
                put_in(slot, &place.path, value);
            }
        }
        Ok(())
    }

    /// Replaces the elements of a tensor, which is in no register. Returns it with the elements of `by`.
    pub(super) fn overwrite(&mut self, mut tensor: Tensor, by: Tensor) -> RunResult<Tensor> {
        let places = self.lend(&tensor);
        if tensor.is_in_storage() {
            tensor.unshare()?;
            tensor.bytes_mut()?.copy_from_slice(&by.bytes()?);
        } else {
            tensor = by;
        }
        self.give_back(&tensor, places)?;
        Ok(tensor)
    }
}

/// Takes a tensor out of a value. A tensor in another order is a copy.
fn take_out(
    value: &mut Value,
    identity: usize,
    path: &mut Vec<usize>,
    found: &mut impl FnMut(&[usize], &Tensor),
) {
    match value {
        Value::Tensor(tensor) if tensor.identity() == identity && tensor.is_contiguous() => {
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
