//! Matrix products: `matmul`, `linear`, `outer`, `einsum`.

use ndarray::{ArrayView2, ArrayViewD, Axis, Ix2};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::gemm::{Product, dispatch_product, product_kind};
use super::{Args, Kernel, map};
use crate::error::{RunError, RunResult};
use crate::tensor::stop::Stop;
use crate::tensor::{Kind, Tensor, show_shape};
use crate::value::Value;

fn mat_mul(args: &Args<'_>) -> RunResult<Value> {
    let (a, b) = (args.operand(0)?, args.operand(1)?);
    let out = args.dtype("out_dtype")?;
    Ok(matmul(&a, &b, out)?.into())
}

/// `numpy.matmul`, computed as if both operands were cast to `out` first.
pub(super) fn matmul(a: &Tensor, b: &Tensor, out: Option<Kind>) -> RunResult<Tensor> {
    if out.is_none() && a.kind() != b.kind() {
        return Err(RunError::dtype(format!(
            "operands are {} and {}",
            a.dtype(),
            b.dtype()
        )));
    }
    let kind = out.unwrap_or(a.kind());
    let compute = product_kind(kind);
    let cast = |x: &Tensor| {
        // A narrowing `out_dtype` rounds the operands; a widening one does not.
        if x.kind() == compute {
            Ok(x.clone())
        } else {
            x.cast(kind)?.cast(compute)
        }
    };
    let (a, b) = (cast(a)?, cast(b)?);
    let product = dispatch_product!(compute, T => {
        products::<T>(&a.array::<T>()?.view(), &b.array::<T>()?.view())
    })?;
    product.cast(kind)
}

fn products<T: Product>(a: &ArrayViewD<'_, T>, b: &ArrayViewD<'_, T>) -> RunResult<Tensor> {
    let misfit = || {
        RunError::shape(format!(
            "shapes {} and {} have no matrix product",
            show_shape(a.shape()),
            show_shape(b.shape())
        ))
    };
    if a.ndim() == 0 || b.ndim() == 0 {
        return Err(misfit());
    }
    let (a_vector, b_vector) = (a.ndim() == 1, b.ndim() == 1);
    let a = if a_vector {
        a.clone().insert_axis(Axis(0))
    } else {
        a.clone()
    };
    let b = if b_vector {
        b.clone().insert_axis(Axis(1))
    } else {
        b.clone()
    };
    let (m, k) = (a.shape()[a.ndim() - 2], a.shape()[a.ndim() - 1]);
    let (k_of_b, n) = (b.shape()[b.ndim() - 2], b.shape()[b.ndim() - 1]);
    if k != k_of_b {
        return Err(RunError::shape(format!(
            "the last dimension of {} is {k}, and {} has {k_of_b} rows",
            show_shape(a.shape()),
            show_shape(b.shape())
        )));
    }
    let batch = map::broadcast_shape(&a.shape()[..a.ndim() - 2], &b.shape()[..b.ndim() - 2])?;
    let mut shape = batch.clone();
    if !a_vector {
        shape.push(m);
    }
    if !b_vector {
        shape.push(n);
    }
    Tensor::generate::<T>(&shape, |out| {
        if out.is_empty() || k == 0 {
            return Ok(());
        }
        // One matrix for all batches: one product over all rows.
        if b.ndim() == 2
            && a.is_standard_layout()
            && let (Ok(rows), Ok(b)) = (
                a.view().into_shape_with_order((out.len() / n, k)),
                b.view().into_dimensionality::<Ix2>(),
            )
        {
            return T::product(rows, b, out);
        }
        if out.len() == m * n {
            return T::product(matrix_at(&a, &batch, 0)?, matrix_at(&b, &batch, 0)?, out);
        }
        let stop = Stop::here();
        out.par_chunks_mut(m * n)
            .enumerate()
            .try_for_each(|(i, out)| {
                stop.check()?;
                let (a, b) = (matrix_at(&a, &batch, i)?, matrix_at(&b, &batch, i)?);
                stop.within(|| T::product(a, b, out))
            })
    })
}

/// The matrix of one batch, by its row-major number in the broadcast batch shape.
fn matrix_at<'a, T>(
    x: &'a ArrayViewD<'_, T>,
    batch: &[usize],
    mut index: usize,
) -> RunResult<ArrayView2<'a, T>> {
    let mut view = x.view();
    let own = x.ndim() - 2;
    for level in (0..batch.len()).rev() {
        let at = index % batch[level];
        index /= batch[level];
        if let Some(axis) = (level + own).checked_sub(batch.len()) {
            let at = if x.shape()[axis] == 1 { 0 } else { at };
            view.index_axis_inplace(Axis(axis), at);
        }
    }
    view.into_dimensionality::<Ix2>()
        .map_err(|error| RunError::shape(error.to_string()))
}

/// `data @ weight.T + bias`.
fn linear(args: &Args<'_>) -> RunResult<Value> {
    let (data, weight) = (args.operand(0)?, args.operand(1)?);
    if weight.ndim() != 2 {
        return Err(RunError::shape("the weight must have two dimensions"));
    }
    let product = matmul(&data, &weight.permuted(&[1, 0])?, args.dtype("out_dtype")?)?;
    match args.opt_tensor("bias")? {
        None => Ok(product.into()),
        Some(bias) => Ok(super::binary::sum(&product, &bias)?.into()),
    }
}

fn outer(args: &Args<'_>) -> RunResult<Value> {
    let (a, b) = (args.operand(0)?, args.operand(1)?);
    if a.ndim() != 1 || b.ndim() != 1 {
        return Err(RunError::shape("both operands must have one dimension"));
    }
    let a = a.reshaped(&[a.len(), 1])?;
    let b = b.reshaped(&[1, b.len()])?;
    Ok(matmul(&a, &b, None)?.into())
}

/// One operand's letters with an ellipsis spelled out as private letters.
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

/// Operands are multiplied two at a time, each pair as a batch of matrix products.
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
    Ok((
        super::manipulate::gather_steps(x, 0, &shape, &steps)?,
        unique,
    ))
}

/// The product of two operands, summed over the letters that are in neither `keep`.
fn contract(
    a: &Tensor,
    a_letters: &[char],
    b: &Tensor,
    b_letters: &[char],
    keep: &[char],
) -> RunResult<(Tensor, Vec<char>)> {
    // Letters of one operand alone that nobody needs are summed first.
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

pub(super) static KERNELS: &[Kernel] = &[
    Kernel::new("relax.einsum", einsum),
    Kernel::new("relax.linear", linear),
    Kernel::new("relax.matmul", mat_mul),
    Kernel::new("relax.outer", outer),
];
