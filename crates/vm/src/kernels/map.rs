//! Elementwise loops over contiguous elements: one operand, or two with broadcasting, on all threads if it pays off.

use std::borrow::Cow;

use crate::error::{RunError, RunResult};
pub use crate::tensor::parallel::{in_parts, in_rows};
use crate::tensor::{Element, Tensor, alloc, show_shape};

/// Applies a function to one operand. `weight` is as in [`in_parts`].
pub fn unary<T: Element, U: Element>(
    x: &Tensor,
    weight: usize,
    f: impl Fn(T) -> U + Sync + Send,
) -> RunResult<Tensor> {
    let values = x.values::<T>()?;
    Tensor::generate::<U>(x.shape(), |out| {
        in_parts(out, weight, |start, part| {
            for (slot, &value) in part.iter_mut().zip(&values[start..]) {
                *slot = f(value);
            }
        });
        Ok(())
    })
}

/// Returns the shape that two shapes broadcast to.
pub fn broadcast_shape(a: &[usize], b: &[usize]) -> RunResult<Vec<usize>> {
    let ndim = a.len().max(b.len());
    let dim = |shape: &[usize], i: usize| {
        (i + shape.len())
            .checked_sub(ndim)
            .map_or(1, |axis| shape[axis])
    };
    (0..ndim)
        .map(|i| match (dim(a, i), dim(b, i)) {
            (x, y) if x == y => Ok(x),
            (1, y) => Ok(y),
            (x, 1) => Ok(x),
            (x, y) => Err(RunError::shape(format!(
                "shapes {} and {} do not broadcast: {x} against {y}",
                show_shape(a),
                show_shape(b)
            ))),
        })
        .collect()
}

/// A row-major traversal of the result and two row-major operands: extents with each operand's stride. Neighbouring
/// dimensions are merged where possible. The strides of the last dimension are 0 or 1.
struct Walk {
    levels: Vec<(usize, usize, usize)>,
}

/// A run of the result in which each operand has stride 0 or 1.
struct Run {
    a: usize,
    b: usize,
    a_moves: bool,
    b_moves: bool,
    len: usize,
}

fn steps(shape: &[usize], ndim: usize) -> Vec<usize> {
    let mut steps = vec![0; ndim];
    let mut step = 1;
    for (i, &extent) in shape.iter().enumerate().rev() {
        steps[i + ndim - shape.len()] = if extent == 1 { 0 } else { step };
        // Only overflows if the result is empty.
        step = usize::wrapping_mul(step, extent);
    }
    steps
}

impl Walk {
    fn new(out: &[usize], a: &[usize], b: &[usize]) -> Walk {
        let (a, b) = (steps(a, out.len()), steps(b, out.len()));
        let mut levels: Vec<(usize, usize, usize)> = Vec::with_capacity(out.len());
        for (i, &extent) in out.iter().enumerate() {
            if extent == 1 {
                continue;
            }
            let level = (extent, a[i], b[i]);
            match levels.last_mut() {
                Some(last)
                    if last.1 == level.1.wrapping_mul(extent)
                        && last.2 == level.2.wrapping_mul(extent) =>
                {
                    *last = (last.0.wrapping_mul(extent), level.1, level.2);
                }
                _ => levels.push(level),
            }
        }
        if levels.is_empty() {
            levels.push((1, 0, 0));
        }
        Walk { levels }
    }

    /// Visits the runs of the result's elements `start..start + len`.
    fn runs(&self, start: usize, len: usize, visit: &mut dyn FnMut(Run)) {
        let (outer, inner) = self.levels.split_at(self.levels.len() - 1);
        let (extent, a_step, b_step) = inner[0];
        let mut position = start;
        let end = start + len;
        while position < end {
            let (mut row, column) = (position / extent, position % extent);
            let (mut a, mut b) = (column * a_step, column * b_step);
            for &(extent, a_step, b_step) in outer.iter().rev() {
                let index = row % extent;
                row /= extent;
                a += index * a_step;
                b += index * b_step;
            }
            let len = (extent - column).min(end - position);
            visit(Run {
                a,
                b,
                a_moves: a_step != 0,
                b_moves: b_step != 0,
                len,
            });
            position += len;
        }
    }
}

/// Two operands that broadcast to a shape. The code of this type is compiled once per pair of dtypes, not per function
/// that is applied.
struct Pair<'a, T: Element, S: Element> {
    shape: Vec<usize>,
    walk: Walk,
    a: Cow<'a, [T]>,
    b: Cow<'a, [S]>,
}

impl<'a, T: Element, S: Element> Pair<'a, T, S> {
    /// `size` is the number of bytes of an element of the result.
    fn of(a: &'a Tensor, b: &'a Tensor, size: usize) -> RunResult<Pair<'a, T, S>> {
        let shape = broadcast_shape(a.shape(), b.shape())?;
        alloc::element_count(&shape, size)?;
        Ok(Pair {
            walk: Walk::new(&shape, a.shape(), b.shape()),
            shape,
            a: a.values()?,
            b: b.values()?,
        })
    }
}

/// Applies a function to two operands with broadcasting.
pub fn binary<T: Element, S: Element, U: Element>(
    a: &Tensor,
    b: &Tensor,
    weight: usize,
    f: impl Fn(T, S) -> U + Sync + Send,
) -> RunResult<Tensor> {
    let pair = Pair::<T, S>::of(a, b, size_of::<U>())?;
    let (walk, a, b): (_, &[T], &[S]) = (&pair.walk, &pair.a, &pair.b);
    Tensor::generate::<U>(&pair.shape, |out| {
        in_parts(out, weight, |start, part| {
            let mut rest = part;
            walk.runs(start, rest.len(), &mut |run| {
                let (part, tail) = std::mem::take(&mut rest).split_at_mut(run.len);
                rest = tail;
                match (run.a_moves, run.b_moves) {
                    (true, true) => {
                        let pairs = a[run.a..].iter().zip(&b[run.b..]);
                        for (slot, (&x, &y)) in part.iter_mut().zip(pairs) {
                            *slot = f(x, y);
                        }
                    }
                    (true, false) => {
                        let y = b[run.b];
                        for (slot, &x) in part.iter_mut().zip(&a[run.a..]) {
                            *slot = f(x, y);
                        }
                    }
                    (false, true) => {
                        let x = a[run.a];
                        for (slot, &y) in part.iter_mut().zip(&b[run.b..]) {
                            *slot = f(x, y);
                        }
                    }
                    (false, false) => part.fill(f(a[run.a], b[run.b])),
                }
            });
        });
        Ok(())
    })
}

/// Broadcasts `x` to a shape.
pub fn broadcast_to(x: &Tensor, shape: &[usize]) -> RunResult<Tensor> {
    let wide = broadcast_shape(x.shape(), shape)?;
    if wide != shape {
        return Err(RunError::shape(format!(
            "{} does not broadcast to {}",
            show_shape(x.shape()),
            show_shape(shape)
        )));
    }
    if x.shape() == shape {
        return Ok(x.clone());
    }
    alloc::element_count(shape, x.kind().bytes())?;
    let walk = Walk::new(shape, x.shape(), &[]);
    crate::tensor::dispatch_word!(x.kind(), W => {
        let values = x.words::<W>()?;
        Tensor::generate_words::<W>(x.kind(), shape, |out| {
            in_parts(out, 1, |start, part| {
                let mut rest = part;
                walk.runs(start, rest.len(), &mut |run| {
                    let (part, tail) = std::mem::take(&mut rest).split_at_mut(run.len);
                    rest = tail;
                    if run.a_moves {
                        part.copy_from_slice(&values[run.a..run.a + run.len]);
                    } else {
                        part.fill(values[run.a]);
                    }
                });
            });
            Ok(())
        })
    })
}
