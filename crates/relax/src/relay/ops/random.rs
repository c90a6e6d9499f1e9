//! Random numbers. Each draw returns a new state of the generator.

use super::{Op, op};
use crate::dtype::DType;
use crate::relay::site::{Answer, Site, Stop};
use crate::relay::types::{Dim, Type};

#[rustfmt::skip]
pub(super) const OPS: &[Op] = &[
    op("random.multinomial", "key probs", "num_samples: int = 1", multinomial),
    op("random.normal", "key mean scale", "out_shape: ints, out_dtype: dtype = void", draw),
    op("random.uniform", "key low high", "out_shape: ints, out_dtype: dtype = void", draw),
    op("random.threefry_generate", "key", "out_shape: ints", generate),
    op("random.threefry_split", "key", "", split),
];

/// Returns the type of a generator's state.
fn key() -> Type {
    Type::tensor([Dim::Int(10)], DType::U64)
}

fn draw(site: &Site<'_>) -> Result<Answer, Stop> {
    let dtype = site.dtype("out_dtype")?.ok_or(Stop::Unknown)?;
    if dtype != DType::F32 && dtype != DType::F64 {
        return site.wrong_value(
            "out_dtype",
            format!("{dtype} is neither float32 nor float64"),
        );
    }
    let out = Type::tuple([key(), Type::tensor(site.dims("out_shape")?, dtype)]);
    let answer = Answer::from(out).expecting(0, key());
    let scalar = Type::scalar(dtype);
    Ok(answer.expecting(1, scalar.clone()).expecting(2, scalar))
}

fn generate(site: &Site<'_>) -> Result<Answer, Stop> {
    let out = Type::tuple([key(), Type::tensor(site.dims("out_shape")?, DType::U64)]);
    Ok(Answer::from(out).expecting(0, key()))
}

fn split(site: &Site<'_>) -> Result<Answer, Stop> {
    if site.types.is_empty() {
        return Err(Stop::Unknown);
    }
    Ok(Answer::from(Type::tuple([key(), key()])).expecting(0, key()))
}

fn multinomial(site: &Site<'_>) -> Result<Answer, Stop> {
    let probabilities = site.tensor(1)?;
    let mut shape = probabilities.shape.to_vec();
    match shape.last_mut() {
        Some(last) => *last = Dim::Int(site.int("num_samples")?),
        None => return site.wrong_rank(1, "at least 1 dimension"),
    }
    let out = Type::tuple([key(), Type::tensor(shape, DType::I32)]);
    Ok(Answer::from(out).expecting(0, key()))
}
