//! Reads runs of 32-bit floats from elements of 16 or 32 bits, and writes them.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::LONG;
use crate::tensor::{Element, Kind};

/// The elements of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Floats<'m> {
    F32(&'m [f32]),
    F16(&'m [f16]),
    BF16(&'m [bf16]),
    /// Truth values, loaded as 0 and 1.
    Bool(&'m [u8]),
}

/// A 16-bit float type to which numbers are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    F16,
    BF16,
}

/// The type of a result's elements, to which runs are rounded.
pub trait Rounded: Element {
    fn write(run: &[f32], out: &mut [Self]);
}

impl<'m> Floats<'m> {
    /// Returns `None` if the elements are neither floats of at most 32 bits nor truth values.
    pub fn of_bytes(kind: Kind, bytes: &'m [u8]) -> Option<Floats<'m>> {
        Some(match kind {
            Kind::F32 => Floats::F32(bytemuck::try_cast_slice(bytes).ok()?),
            Kind::F16 => Floats::F16(bytemuck::try_cast_slice(bytes).ok()?),
            Kind::BF16 => Floats::BF16(bytemuck::try_cast_slice(bytes).ok()?),
            Kind::Bool => Floats::Bool(bytes),
            _ => return None,
        })
    }

    /// Loads elements from position `at` with a stride.
    pub(super) fn load(self, run: &mut [f32], at: isize, step: isize) {
        match self {
            Floats::F32(from) => load(run, from, at, step, <[f32]>::copy_from_slice),
            Floats::F16(from) => load(run, from, at, step, |run, from| {
                from.convert_to_f32_slice(run);
            }),
            Floats::BF16(from) => load(run, from, at, step, |run, from| {
                from.convert_to_f32_slice(run);
            }),
            Floats::Bool(from) => {
                load(run, from, at, step, |run, from| {
                    for (slot, &value) in run.iter_mut().zip(from) {
                        *slot = f32::from(value);
                    }
                });
                // A view of another dtype may have written any number to these bytes.
                for value in run {
                    *value = f32::from(u8::from(*value != 0.0));
                }
            }
        }
    }
}

fn load<E: Element>(
    run: &mut [f32],
    from: &[E],
    at: isize,
    step: isize,
    side_by_side: impl Fn(&mut [f32], &[E]),
) {
    match step {
        1 => side_by_side(run, &from[at as usize..at as usize + run.len()]),
        0 => run.fill(from[at as usize].to_f32()),
        _ => {
            for (i, slot) in run.iter_mut().enumerate() {
                *slot = from[(at + step * i as isize) as usize].to_f32();
            }
        }
    }
}

impl Half {
    /// Rounds each number of a run to this type.
    pub(super) fn round(self, run: &mut [f32]) {
        match self {
            Half::F16 => through::<f16>(run),
            Half::BF16 => through::<bf16>(run),
        }
    }
}

fn through<E: Rounded>(run: &mut [f32])
where
    [E]: HalfFloatSliceExt,
{
    let mut halves = [E::default(); LONG];
    for run in run.chunks_mut(LONG) {
        let halves = &mut halves[..run.len()];
        halves.convert_from_f32_slice(run);
        halves.convert_to_f32_slice(run);
    }
}

impl Rounded for f32 {
    fn write(run: &[f32], out: &mut [f32]) {
        out.copy_from_slice(run);
    }
}

impl Rounded for f16 {
    fn write(run: &[f32], out: &mut [f16]) {
        out.convert_from_f32_slice(run);
    }
}

impl Rounded for bf16 {
    fn write(run: &[f32], out: &mut [bf16]) {
        out.convert_from_f32_slice(run);
    }
}

/// Truth values.
impl Rounded for u8 {
    fn write(run: &[f32], out: &mut [u8]) {
        for (slot, &value) in out.iter_mut().zip(run) {
            *slot = u8::from(value != 0.0);
        }
    }
}
