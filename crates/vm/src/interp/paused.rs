//! A paused run, for a debugger: the call stack, its variables, and assignments to them.

use smol_str::SmolStr;
use text_size::TextRange;

use super::Frame;
use crate::bytecode::{Bound, Instruction, Reg};
use crate::trace::Paused;
use crate::value::Value;

pub(super) struct Calls<'m> {
    frames: &'m mut [Frame],
    /// `true` if the innermost frame is inside a call, `false` if it is before an instruction.
    is_calling: bool,
}

impl<'m> Calls<'m> {
    pub(super) fn new(frames: &'m mut [Frame]) -> Calls<'m> {
        Calls {
            frames,
            is_calling: false,
        }
    }

    /// Returns the call stack while the innermost frame calls a PrimFunc.
    pub(super) fn calling(frames: &'m mut [Frame]) -> Calls<'m> {
        Calls {
            frames,
            is_calling: true,
        }
    }

    /// Returns a frame; 0 is the innermost.
    fn frame(&self, at: usize) -> Option<&Frame> {
        self.frames.get(self.frames.len().checked_sub(at + 1)?)
    }

    /// Returns the current instruction of a frame: the next one, or the call that entered the next frame.
    fn instruction(&self, at: usize) -> Option<usize> {
        let frame = self.frame(at)?;
        Some(if at == 0 && !self.is_calling {
            frame.pc
        } else {
            frame.pc.saturating_sub(1)
        })
    }

    /// Returns the parameters and the variables bound so far, in order.
    fn registers(&self, at: usize) -> Vec<(SmolStr, Reg)> {
        let (Some(frame), Some(end)) = (self.frame(at), self.instruction(at)) else {
            return Vec::new();
        };
        let function = &frame.function;
        let params = function.params.iter().enumerate();
        let mut found: Vec<(SmolStr, Reg)> = params
            .map(|(at, param)| (param.name.clone(), Reg(at as u32)))
            .collect();
        for (origin, instruction) in function.origins.iter().zip(&function.code).take(end) {
            let (Some(name), Some(bound)) = (&origin.binding, origin.binds) else {
                continue;
            };
            let reg = match (bound, instruction) {
                (Bound::Register(reg), _) => reg,
                (Bound::Result, Instruction::Call { dst, .. }) => *dst,
                (Bound::Result, _) => continue,
            };
            found.retain(|(known, _)| known != name);
            found.push((name.clone(), reg));
        }
        found
    }
}

impl Paused for Calls<'_> {
    fn depth(&self) -> usize {
        self.frames.len()
    }

    fn place(&self, at: usize) -> Option<(&SmolStr, TextRange)> {
        let frame = self.frame(at)?;
        let origin = frame.function.origins.get(self.instruction(at)?)?;
        Some((&frame.function.name, origin.range + frame.function.start))
    }

    fn places_before(&self, at: usize) -> Vec<TextRange> {
        let found = self.frame(at).zip(self.instruction(at));
        let places = found.map(|(frame, end)| {
            let origins = frame.function.origins.iter().take(end);
            origins.map(|origin| origin.range + frame.function.start)
        });
        places.into_iter().flatten().collect()
    }

    fn variables(&self, at: usize) -> Vec<(SmolStr, &Value)> {
        let Some(frame) = self.frame(at) else {
            return Vec::new();
        };
        let held = self.registers(at).into_iter();
        held.filter_map(|(name, reg)| {
            let value = frame.registers.get(reg.0 as usize)?;
            (!matches!(value, Value::Null)).then_some((name, value))
        })
        .collect()
    }

    fn set(&mut self, at: usize, name: &str, value: Value) -> bool {
        let found = self.registers(at).into_iter().find(|it| it.0 == name);
        let index = self.frames.len().checked_sub(at + 1);
        let (Some((_, reg)), Some(index)) = (found, index) else {
            return false;
        };
        match self.frames[index].registers.get_mut(reg.0 as usize) {
            Some(slot) => {
                *slot = value;
                true
            }
            None => false,
        }
    }
}
