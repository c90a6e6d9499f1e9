//! Conversion between dtypes.
//!
//! Integers wrap, floats truncate towards zero, and anything except zero is true.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::parallel::in_parts;
use super::{Element, Kind, Tensor, dispatch};
use crate::error::RunResult;

impl Tensor {
    pub fn cast(&self, to: Kind) -> RunResult<Tensor> {
        let from = self.kind();
        if from == to {
            return Ok(self.clone());
        }
        match (from, to) {
            (Kind::Tiny(tiny), _) => {
                return convert::<u8, f32>(self, |code| tiny.decode(code))?.cast(to);
            }
            (_, Kind::Tiny(tiny)) => {
                let codes = if tiny.is_float() || from.is_float() {
                    convert::<f32, u8>(&self.cast(Kind::F32)?, |value| tiny.encode(value))?
                } else {
                    convert::<i64, u8>(&self.cast(Kind::I64)?, |value| value as u8 & 15)?
                };
                return Ok(codes.with_kind(to));
            }
            _ => {}
        }
        if to == Kind::Bool {
            return Ok(dispatch!(from, T => {
                let zero = T::default();
                convert::<T, u8>(self, |v| u8::from(v != zero))?
            })
            .as_bool());
        }
        // Every pair converts through float32, float64 or int64; this loses no digits that the target keeps.
        match (from, to) {
            (Kind::F16, Kind::F32) => by_runs(self, <[f16]>::convert_to_f32_slice),
            (Kind::BF16, Kind::F32) => by_runs(self, <[bf16]>::convert_to_f32_slice),
            (Kind::F32, Kind::F16) => by_runs(self, |from: &[f32], to: &mut [f16]| {
                to.convert_from_f32_slice(from);
            }),
            (Kind::F32, Kind::BF16) => by_runs(self, |from: &[f32], to: &mut [bf16]| {
                to.convert_from_f32_slice(from);
            }),
            (_, Kind::F32) => dispatch!(from, T => convert::<T, f32>(self, Element::to_f32)),
            (Kind::F32, _) => dispatch!(to, U => convert::<f32, U>(self, U::from_f32)),
            (_, Kind::F64) => dispatch!(from, T => convert::<T, f64>(self, Element::to_f64)),
            (Kind::F64, _) => dispatch!(to, U => convert::<f64, U>(self, U::from_f64)),
            (Kind::F16 | Kind::BF16, _) => self.cast(Kind::F32)?.cast(to),
            (_, Kind::F16 | Kind::BF16) => self.cast(Kind::F64)?.cast(to),
            (_, Kind::I64) => dispatch!(from, T => convert::<T, i64>(self, Element::to_i64)),
            (Kind::I64, _) => dispatch!(to, U => convert::<i64, U>(self, U::from_i64)),
            _ => self.cast(Kind::I64)?.cast(to),
        }
    }
}

/// Converts runs of elements, which is faster than one by one.
fn by_runs<T: Element, U: Element>(
    x: &Tensor,
    f: impl Fn(&[T], &mut [U]) + Sync + Send,
) -> RunResult<Tensor> {
    let values = x.values::<T>()?;
    Tensor::generate::<U>(x.shape(), |out| {
        in_parts(out, 1, |start, part| {
            f(&values[start..start + part.len()], part);
        });
        Ok(())
    })
}

fn convert<T: Element, U: Element>(
    x: &Tensor,
    f: impl Fn(T) -> U + Sync + Send,
) -> RunResult<Tensor> {
    let values = x.values::<T>()?;
    Tensor::generate::<U>(x.shape(), |out| {
        in_parts(out, 1, |start, part| {
            for (slot, &value) in part.iter_mut().zip(&values[start..]) {
                *slot = f(value);
            }
        });
        Ok(())
    })
}
