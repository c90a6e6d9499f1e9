//! Values of Relay's algebraic data types.

use std::fmt::Write;
use std::sync::Arc;

use smol_str::SmolStr;

use super::Value;
use crate::objects::State;

/// A value that a constructor built from its fields.
#[derive(Clone, Debug)]
pub struct Adt {
    pub constructor: SmolStr,
    pub fields: Vec<Value>,
}

/// The nesting depth of fields that a message shows.
const SHOWN: usize = 8;

impl Adt {
    /// Writes the value as `Cons(int32(1), Nil)`.
    pub(super) fn describe_into(&self, text: &mut String, depth: usize) {
        text.push_str(&self.constructor);
        if self.fields.is_empty() {
            return;
        }
        if depth >= SHOWN {
            text.push_str("(...)");
            return;
        }
        for (at, field) in self.fields.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = text.write_str(if at == 0 { "(" } else { ", " });
            field.describe_into(text, depth + 1);
        }
        text.push(')');
    }
}

/// A list is as deep as it is long, so nested values are dropped in a loop instead of by recursion.
impl Drop for Adt {
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.fields);
        while let Some(value) = open.pop() {
            match value {
                Value::Adt(adt) => {
                    if let Some(mut adt) = Arc::into_inner(adt) {
                        open.append(&mut adt.fields);
                    }
                }
                Value::Tuple(mut fields) => {
                    if let Some(fields) = Arc::get_mut(&mut fields) {
                        open.extend(fields.iter_mut().map(std::mem::take));
                    }
                }
                Value::Closure(closure) => {
                    if let Some(mut closure) = Arc::into_inner(closure) {
                        open.append(&mut closure.captured);
                    }
                }
                Value::Object(object) => {
                    if let Some(State::Cell(value)) =
                        Arc::into_inner(object).map(crate::objects::Object::into_state)
                    {
                        open.push(value);
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_a_million_elements_is_dropped_on_a_small_stack() {
        let mut list = Value::Null;
        for at in 0..1_000_000 {
            let pair = Value::tuple([Value::int(at), list]);
            list = Value::Adt(Arc::new(Adt {
                constructor: "Cons".into(),
                fields: vec![pair],
            }));
        }
        drop(list);
    }
}
