//! Einstein summation.

use super::linalg::matmul;
use super::{Args, Kernel};
use crate::error::{RunError, RunResult};
use crate::tensor::Tensor;
use crate::value::Value;

/// Returns the letters of one operand, with the ellipsis expanded to private letters.
fn spell(term: &str, ndim: usize, ellipsis: usize) -> Option<Vec<char>> {
    let letters: Vec<char> = match term.split_once("...") {
        None => term.chars().collect(),
        Some((before, after)) => {
            let named = before.chars().count() + after.chars().count();
            let hidden = ndim.checked_sub(named)?;
            let private = (ellipsis.checked_sub(hidden)?..ellipsis)
                .filter_map(|i| char::from_u32(0xE000 + i as u32));
            before.chars().chain(private).chain(after.chars()).collect()
        }
    };
    (letters.len() == ndim).then_some(letters)
}

/// Multiplies two operands at a time, each pair as batched matrix products.
fn einsum(args: &Args<'_>) -> RunResult<Value> {
    let operands = args.tensors("operands")?;
    let subscripts: String = args
        .str_or("subscripts", "")?
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let bad = || RunError::argument(format!("{subscripts:?} does not describe the operands"));
    let (inputs, output) = match subscripts.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (subscripts.as_str(), None),
    };
    let terms: Vec<&str> = inputs.split(',').collect();
    if terms.len() != operands.len() {
        return Err(bad());
    }
    let ellipsis = terms
        .iter()
        .zip(&operands)
        .filter(|(term, _)| term.contains("..."))
        .map(|(term, x)| (x.ndim() + 3).saturating_sub(term.chars().count()))
        .max()
        .unwrap_or(0);
    let hidden: Vec<char> = (0..ellipsis)
        .filter_map(|i| char::from_u32(0xE000 + i as u32))
        .collect();
    let mut factors: Vec<(Tensor, Vec<char>)> = Vec::new();
    for (term, x) in terms.iter().zip(&operands) {
        let letters = spell(term, x.ndim(), ellipsis).ok_or_else(bad)?;
        factors.push(diagonal(x, &letters)?);
    }
    let target: Vec<char> = if let Some(output) = output {
        let before = output.split("...").next().unwrap_or("").chars().count();
        let mut letters: Vec<char> = output.replace("...", "").chars().collect();
        if output.contains("...") {
            letters.splice(before..before, hidden.iter().copied());
        }
        letters
    } else {
        let mut once: Vec<char> = inputs
            .chars()
            .filter(|c| c.is_alphabetic() && inputs.matches(*c).count() == 1)
            .collect();
        once.sort_unstable();
        hidden.iter().copied().chain(once).collect()
    };
    let kind = operands.first().ok_or_else(bad)?.kind();
    let mut rest = factors.into_iter();
    let (mut product, mut letters) = rest.next().ok_or_else(bad)?;
    let mut remaining: Vec<(Tensor, Vec<char>)> = rest.collect();
    remaining.reverse();
    while let Some((x, x_letters)) = remaining.pop() {
        let needed = |c: &char| {
            target.contains(c) || remaining.iter().any(|(_, letters)| letters.contains(c))
        };
        let keep: Vec<char> = letters
            .iter()
            .chain(x_letters.iter().filter(|c| !letters.contains(c)))
            .copied()
            .filter(needed)
            .collect();
        (product, letters) = contract(&product, &letters, &x, &x_letters, &keep)?;
    }
    let extra: Vec<i64> = (0..letters.len())
        .filter(|&i| !target.contains(&letters[i]))
        .map(|i| i as i64)
        .collect();
    if !extra.is_empty() {
        product = super::reduce::sum(&product, &extra, false)?;
        letters.retain(|c| target.contains(c));
    }
    let order = target
        .iter()
        .map(|c| letters.iter().position(|l| l == c).ok_or_else(bad))
        .collect::<RunResult<Vec<_>>>()?;
    Ok(product.permuted(&order)?.contiguous()?.cast(kind)?.into())
}

/// Takes the diagonal along letters that one operand repeats.
fn diagonal(x: &Tensor, letters: &[char]) -> RunResult<(Tensor, Vec<char>)> {
    let mut unique: Vec<char> = Vec::new();
    for &letter in letters {
        if !unique.contains(&letter) {
            unique.push(letter);
        }
    }
    if unique.len() == letters.len() {
        return Ok((x.clone(), unique));
    }
    let mut step = 1isize;
    let mut steps = vec![0; unique.len()];
    let mut shape = vec![0; unique.len()];
    for (i, letter) in letters.iter().enumerate().rev() {
        let at = unique.iter().position(|l| l == letter).unwrap_or(0);
        if shape[at] != 0 && shape[at] != x.shape()[i] {
            return Err(RunError::shape(format!("{letter:?} has two extents")));
        }
        shape[at] = x.shape()[i];
        steps[at] += step;
        step *= x.shape()[i] as isize;
    }
    Ok((super::shape::gather_steps(x, 0, &shape, &steps)?, unique))
}

/// Multiplies two operands, and sums over the letters that are not in `keep`.
fn contract(
    a: &Tensor,
    a_letters: &[char],
    b: &Tensor,
    b_letters: &[char],
    keep: &[char],
) -> RunResult<(Tensor, Vec<char>)> {
    // First sum over letters that only one operand has and the result lacks.
    let reduce = |x: &Tensor, own: &[char], other: &[char]| -> RunResult<(Tensor, Vec<char>)> {
        let gone: Vec<i64> = (0..own.len())
            .filter(|&i| !keep.contains(&own[i]) && !other.contains(&own[i]))
            .map(|i| i as i64)
            .collect();
        let left = own
            .iter()
            .copied()
            .filter(|c| keep.contains(c) || other.contains(c))
            .collect();
        if gone.is_empty() {
            return Ok((x.clone(), left));
        }
        Ok((super::reduce::sum(x, &gone, false)?, left))
    };
    let (a, a_letters) = reduce(a, a_letters, b_letters)?;
    let (b, b_letters) = reduce(b, b_letters, &a_letters)?;
    let shared = |c: &char| a_letters.contains(c) && b_letters.contains(c);
    let batch: Vec<char> = keep.iter().copied().filter(|c| shared(c)).collect();
    let summed: Vec<char> = a_letters
        .iter()
        .copied()
        .filter(|c| shared(c) && !keep.contains(c))
        .collect();
    let rows: Vec<char> = a_letters.iter().copied().filter(|c| !shared(c)).collect();
    let columns: Vec<char> = b_letters.iter().copied().filter(|c| !shared(c)).collect();
    let extent = |x: &Tensor, letters: &[char], c: char| {
        letters
            .iter()
            .position(|&l| l == c)
            .map_or(1, |i| x.shape()[i])
    };
    for &c in batch.iter().chain(&summed) {
        let (x, y) = (extent(&a, &a_letters, c), extent(&b, &b_letters, c));
        if x != y {
            return Err(RunError::shape(format!(
                "{c:?} is {x} in one operand and {y} in another"
            )));
        }
    }
    let arrange = |x: &Tensor, letters: &[char], groups: [&[char]; 3]| -> RunResult<Tensor> {
        let order: Vec<usize> = groups
            .iter()
            .flat_map(|group| group.iter())
            .filter_map(|c| letters.iter().position(|l| l == c))
            .collect();
        let shape: Vec<usize> = groups
            .iter()
            .map(|group| group.iter().map(|&c| extent(x, letters, c)).product())
            .collect();
        x.permuted(&order)?.reshaped(&shape)
    };
    let left = arrange(&a, &a_letters, [&batch, &rows, &summed])?;
    let right = arrange(&b, &b_letters, [&batch, &summed, &columns])?;
    let product = matmul(&left, &right, None)?;
    let letters: Vec<char> = batch.iter().chain(&rows).chain(&columns).copied().collect();
    let shape: Vec<usize> = letters
        .iter()
        .map(|&c| extent(&a, &a_letters, c).max(extent(&b, &b_letters, c)))
        .collect();
    let product = product.reshaped(&shape)?;
    Ok((product, letters))
}

pub(super) static KERNELS: &[Kernel] = &[Kernel::new("relax.einsum", einsum)];
