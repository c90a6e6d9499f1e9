//! Operations on logits: sampling, penalties, softmax with temperature.

use super::{Builtin, done, nothing};
use crate::error::{RunError, RunResult};
use crate::interp::{Call, Outcome};
use crate::tensor::Tensor;
use crate::value::Value;

#[rustfmt::skip]
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin { name: "vm.builtin.sample_top_p_from_logits", run: from_logits },
    Builtin { name: "vm.builtin.sample_top_p_from_prob", run: from_probabilities },
    Builtin { name: "vm.builtin.apply_repetition_penalty", run: repetition },
    Builtin { name: "vm.builtin.apply_presence_and_frequency_penalty", run: presence },
    Builtin { name: "vm.builtin.apply_softmax_with_temperature", run: softmax },
];

fn number(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<f64> {
    let value = call.peek(at)?;
    let scalar = value.as_scalar();
    let scalar =
        scalar.ok_or_else(|| RunError::argument(format!("argument {at} is not a number")))?;
    Ok(scalar.as_f64())
}

/// Returns one row of float32.
fn row(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Tensor> {
    let Value::Tensor(tensor) = call.peek(at)? else {
        return Err(RunError::argument(format!(
            "argument {at} must be a tensor"
        )));
    };
    tensor.array::<f32>()?;
    let rows = tensor.shape().split_last().map(|(_, rows)| rows);
    if tensor.is_empty() || rows.is_none_or(|rows| rows.iter().any(|&extent| extent != 1)) {
        return Err(RunError::shape(format!(
            "one row of numbers is needed, not {}",
            Value::Tensor(tensor).describe()
        )));
    }
    Ok(tensor)
}

/// Sorts numbers in descending order, and returns them with their positions.
fn descending(values: impl Iterator<Item = f32>) -> Vec<(f32, usize)> {
    let mut all: Vec<(f32, usize)> = values.enumerate().map(|(at, it)| (it, at)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

/// Arguments `(logits, temperature, top_p, uniform sample)`.
fn from_logits(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let logits = row(call, 0)?;
    let (temperature, top_p) = (number(call, 1)?, number(call, 2)?);
    let sample = number(call, 3)?;
    let mut all = descending(logits.values::<f32>()?.iter().copied());
    let (greatest, best) = all[0];
    if temperature < 1e-6 {
        return done(Value::int(best as i64));
    }
    let scale = 1.0 / temperature as f32;
    let mut sum = 0.0f32;
    for it in &mut all {
        it.0 = ((it.0 - greatest) * scale).exp();
        sum += it.0;
    }
    for it in &mut all {
        it.0 /= sum;
    }
    done(Value::int(nucleus(&all, top_p, sample) as i64))
}

/// Returns the position that a sample selects among the most likely tokens, whose probabilities sum to at least
/// `top_p`.
fn nucleus(all: &[(f32, usize)], top_p: f64, sample: f64) -> usize {
    let (mut sum, mut kept) = (0.0f32, 0.0f32);
    let mut sums = Vec::with_capacity(all.len());
    for &(probability, _) in all {
        if f64::from(sum) < top_p {
            kept += probability;
        }
        sum += probability;
        sums.push(sum);
    }
    let found = sums.iter().position(|&sum| sample < f64::from(sum / kept));
    all[found.unwrap_or(0)].1
}

/// Arguments `(probabilities, top_p, uniform sample)`.
fn from_probabilities(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let probabilities = row(call, 0)?;
    let (top_p, sample) = (number(call, 1)?, number(call, 2)?);
    let values = probabilities.values::<f32>()?;
    if values.iter().all(|value| value.is_nan()) {
        return Err(RunError::argument(
            "there is nothing to sample from: every probability is NaN",
        ));
    }
    let all: Vec<(f32, usize)> = descending(values.iter().copied())
        .into_iter()
        .filter(|(probability, _)| *probability >= 0.0)
        .collect();
    match all.first() {
        Some(&(probability, best)) if sample < f64::from(probability) / top_p => {
            done(Value::int(best as i64))
        }
        Some(_) => done(Value::int(among(&all, top_p, sample) as i64)),
        None => Err(RunError::argument("there is nothing to sample from")),
    }
}

/// Like `nucleus`, for probabilities that need not sum to 1.
fn among(all: &[(f32, usize)], top_p: f64, sample: f64) -> usize {
    let mut sum = 0.0f32;
    let mut kept = Vec::new();
    for &(probability, at) in all {
        if f64::from(sum) >= top_p {
            break;
        }
        sum += probability;
        kept.push((sum, at));
    }
    let found = kept.iter().find(|it| sample < f64::from(it.0 / sum));
    found.or(kept.last()).map_or(0, |it| it.1)
}

/// Returns token ids, and checks that each is within the logits.
fn tokens(call: &mut Call<'_, '_, '_>, at: usize, most: usize) -> RunResult<Vec<usize>> {
    ints(call, at)?
        .into_iter()
        .map(|token| {
            usize::try_from(token)
                .ok()
                .filter(|&token| token < most)
                .ok_or_else(|| RunError::argument(format!("token {token} has no logit")))
        })
        .collect()
}

/// Returns the last row of an int32 tensor.
fn ints(call: &mut Call<'_, '_, '_>, at: usize) -> RunResult<Vec<i32>> {
    let Value::Tensor(tensor) = call.peek(at)? else {
        return Err(RunError::argument(format!(
            "argument {at} must be a tensor"
        )));
    };
    let count = tensor.shape().last().copied().unwrap_or(0);
    Ok(tensor
        .values::<i32>()?
        .iter()
        .copied()
        .take(count)
        .collect())
}

/// Modifies the logits in place.
fn change(
    call: &mut Call<'_, '_, '_>,
    run: impl FnOnce(&mut [f32]) -> RunResult<()>,
) -> RunResult<Outcome> {
    let mut logits = match call.peek(0)? {
        Value::Tensor(tensor) => tensor,
        other => return Err(RunError::argument(other.describe())),
    };
    run(logits.values_mut::<f32>()?)?;
    call.write(0, logits)?;
    nothing()
}

/// Arguments `(logits, tokens, penalty)`.
fn repetition(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let most = row(call, 0)?.len();
    let tokens = tokens(call, 1, most)?;
    let penalty = number(call, 2)?;
    change(call, |logits| {
        for token in tokens {
            let logit = f64::from(logits[token]);
            logits[token] = if logit <= 0.0 {
                logit * penalty
            } else {
                logit / penalty
            } as f32;
        }
        Ok(())
    })
}

/// Arguments `(logits, tokens, counts, presence, frequency)`.
fn presence(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let most = row(call, 0)?.len();
    let tokens = tokens(call, 1, most)?;
    let counts = ints(call, 2)?;
    let (presence, frequency) = (number(call, 3)?, number(call, 4)?);
    change(call, |logits| {
        for (token, count) in tokens.into_iter().zip(counts) {
            let penalty = f64::from(count) * frequency + presence;
            logits[token] = (f64::from(logits[token]) - penalty) as f32;
        }
        Ok(())
    })
}

/// Arguments `(logits, temperature)`.
fn softmax(call: &mut Call<'_, '_, '_>) -> RunResult<Outcome> {
    let scale = (1.0 / number(call, 1)?) as f32;
    let row = row(call, 0)?.len();
    change(call, |logits| {
        let logits = &mut logits[..row];
        // As in TVM, the maximum also includes 0.
        let greatest = logits
            .iter()
            .fold(f32::MIN_POSITIVE, |m, &it| m.max(it * scale));
        let sum: f64 = logits
            .iter()
            .map(|&it| f64::from((it * scale - greatest).exp()))
            .sum();
        for it in logits {
            *it = (f64::from((*it * scale - greatest).exp()) / sum) as f32;
        }
        Ok(())
    })
}
