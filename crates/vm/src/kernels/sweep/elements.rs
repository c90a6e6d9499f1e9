//! Reads runs of numbers of 32 bits from elements of up to 32 bits, and writes them.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::LONG;
use crate::tensor::{Element, Kind};

/// The elements of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'m> {
    F32(&'m [f32]),
    F16(&'m [f16]),
    BF16(&'m [bf16]),
    I8(&'m [i8]),
    I16(&'m [i16]),
    I32(&'m [i32]),
    U8(&'m [u8]),
    U16(&'m [u16]),
    U32(&'m [u32]),
    /// Truth values, loaded as 0.0 and 1.0.
    Bool(&'m [u8]),
}

/// A 16-bit float type to which numbers are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    F16,
    BF16,
}

/// The type of a float result's elements, to which runs are rounded.
pub trait Rounded: Element {
    fn write(run: &[f32], out: &mut [Self]);
}

impl<'m> Elements<'m> {
    /// Returns `None` if the elements are wider than 32 bits.
    pub fn of_bytes(kind: Kind, bytes: &'m [u8]) -> Option<Elements<'m>> {
        use bytemuck::try_cast_slice as cast;
        Some(match kind {
            Kind::F32 => Elements::F32(cast(bytes).ok()?),
            Kind::F16 => Elements::F16(cast(bytes).ok()?),
            Kind::BF16 => Elements::BF16(cast(bytes).ok()?),
            Kind::I8 => Elements::I8(cast(bytes).ok()?),
            Kind::I16 => Elements::I16(cast(bytes).ok()?),
            Kind::I32 => Elements::I32(cast(bytes).ok()?),
            Kind::U8 => Elements::U8(bytes),
            Kind::U16 => Elements::U16(cast(bytes).ok()?),
            Kind::U32 => Elements::U32(cast(bytes).ok()?),
            Kind::Bool => Elements::Bool(bytes),
            Kind::I64 | Kind::U64 | Kind::F64 | Kind::Tiny(_) => return None,
        })
    }

    /// Loads elements from position `at` with a stride.
    pub(super) fn load(self, run: &mut [f32], at: isize, step: isize) {
        let of_int = |value: i32| f32::from_bits(value as u32);
        match self {
            Elements::F32(from) if step == 1 => {
                run.copy_from_slice(&from[at as usize..][..run.len()]);
            }
            Elements::F16(from) if step == 1 => {
                from[at as usize..][..run.len()].convert_to_f32_slice(run);
            }
            Elements::BF16(from) if step == 1 => {
                from[at as usize..][..run.len()].convert_to_f32_slice(run);
            }
            Elements::F32(from) => load(run, from, at, step, |it| it),
            Elements::F16(from) => load(run, from, at, step, f16::to_f32),
            Elements::BF16(from) => load(run, from, at, step, bf16::to_f32),
            Elements::I8(from) => load(run, from, at, step, |it| of_int(it.into())),
            Elements::I16(from) => load(run, from, at, step, |it| of_int(it.into())),
            Elements::I32(from) => load(run, from, at, step, of_int),
            Elements::U8(from) => load(run, from, at, step, |it| of_int(it.into())),
            Elements::U16(from) => load(run, from, at, step, |it| of_int(it.into())),
            Elements::U32(from) => load(run, from, at, step, f32::from_bits),
            // A view of another dtype may have written any number to these bytes.
            Elements::Bool(from) => load(run, from, at, step, |it| f32::from(u8::from(it != 0))),
        }
    }
}

fn load<E: Copy>(run: &mut [f32], from: &[E], at: isize, step: isize, of: impl Fn(E) -> f32) {
    match step {
        1 => {
            let from = &from[at as usize..][..run.len()];
            for (slot, &value) in run.iter_mut().zip(from) {
                *slot = of(value);
            }
        }
        0 => run.fill(of(from[at as usize])),
        _ => {
            for (i, slot) in (0..).zip(run) {
                *slot = of(from[(at + step * i) as usize]);
            }
        }
    }
}

impl Half {
    /// Rounds a number to this type.
    pub(super) fn nearest(self, value: f32) -> f32 {
        match self {
            Half::F16 => f16::from_f32(value).to_f32(),
            Half::BF16 => bf16::from_f32(value).to_f32(),
        }
    }

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

/// Writes truth values.
pub fn write_truths(run: &[f32], out: &mut [u8]) {
    for (slot, &value) in out.iter_mut().zip(run) {
        *slot = u8::from(value != 0.0);
    }
}

/// Writes integers to words of any width.
pub fn write_ints<W: Element>(run: &[f32], out: &mut [W]) {
    for (slot, value) in out.iter_mut().zip(run) {
        *slot = W::from_i64(i64::from(value.to_bits() as i32));
    }
}
