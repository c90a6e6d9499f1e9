//! Proves that a statement computes the same in any order of its loops, for the numbers of one call.
//!
//! It shows, for the iterations in which a guard admits the expression: each index stays within its dimension and each
//! position within its memory; iterations that differ in a loop which the result depends on write different elements;
//! a folded element is read where it is written, is initialised before the first iteration that adds to it, and only
//! once.

use std::ops::Range;

use hir::tir::{Expr, VarId, int};
use relax::dtype::DType;

use super::affine::{Affine, Scope};
use super::{Access, Init, Statement};
use crate::kernels::sweep::Dim;
use crate::tir::MOST_EXTENT;

/// The numbers of a call.
pub struct Numbers<'n> {
    /// The values of variables.
    pub vars: Vec<(VarId, i128)>,
    pub c: BufferArgument<'n>,
    pub reads: Vec<BufferArgument<'n>>,
}

/// A buffer argument of a call.
#[derive(Clone, Copy)]
pub struct BufferArgument<'n> {
    pub dims: &'n [u64],
    /// The number of elements of its memory.
    pub elements: u64,
}

/// The loop nest in terms of positions in memory. No loop is empty.
pub struct Proven {
    pub dims: Vec<Dim>,
    /// The first position of the result and of each input.
    pub from_c: isize,
    pub from: Vec<isize>,
}

/// The maximum number of times that a proof is tried with more counters.
const MOST_SPLITS: usize = 8;

/// The extents of the inner counters of each loop. A loop is several counters where its iterations are divided.
struct Splits(Vec<Vec<i128>>);

impl Splits {
    /// Makes two of a counter, the inner one with `extent` iterations.
    fn add(&mut self, (counter, extent): (usize, i128)) {
        let mut at = counter;
        for inner in &mut self.0 {
            if at <= inner.len() {
                inner.insert(at, extent);
                if at > 0 {
                    inner[at - 1] /= extent;
                }
                return;
            }
            at -= inner.len() + 1;
        }
    }

    /// Returns the number of counters of the outermost loops.
    fn counters(&self, loops: usize) -> usize {
        let outer = self.0.iter().take(loops);
        outer.map(|inner| inner.len() + 1).sum()
    }
}

impl Statement {
    /// Returns the nest, or `None` if something cannot be shown.
    pub fn proven(&self, numbers: &Numbers<'_>) -> Option<Proven> {
        let mut splits = Splits(vec![Vec::new(); self.loops.len()]);
        for _ in 0..MOST_SPLITS {
            let mut scope = Scope::default();
            let is_known = self.fill(&mut scope, numbers, &splits);
            let made = is_known.and_then(|()| self.proven_in(&scope, numbers, &splits));
            if made.is_some() {
                return made;
            }
            splits.add(scope.split.take()?);
        }
        None
    }

    fn proven_in(&self, scope: &Scope, numbers: &Numbers<'_>, splits: &Splits) -> Option<Proven> {
        let inside = match &self.guard {
            Some(guard) => Some(guard.ranges(scope)?),
            None => None,
        };
        let reads = self.reads.iter().zip(&numbers.reads);
        let reads: Vec<Affine> = reads
            .map(|(read, &place)| scope.place(read, place, inside.as_deref()))
            .collect::<Option<_>>()?;
        let c = scope.place(&self.c, numbers.c, None)?;
        let indices = self.indices.iter().map(|it| scope.value(it));
        let indices: Vec<Affine> = indices.collect::<Option<_>>()?;
        let dim = |(at, &extent): (usize, &i128)| {
            Some(Dim {
                extent: usize::try_from(extent).ok()?,
                c: isize::try_from(c.times(at)).ok()?,
                of: reads
                    .iter()
                    .chain(&indices)
                    .map(|form| isize::try_from(form.times(at)).ok())
                    .collect::<Option<_>>()?,
                inside: inside
                    .as_deref()
                    .map(|ranges| &ranges[at])
                    .filter(|range| **range != (0..extent))
                    .map(|range| range.start as usize..range.end as usize),
            })
        };
        let dims: Vec<Dim> = scope
            .extents
            .iter()
            .enumerate()
            .map(dim)
            .collect::<Option<_>>()?;
        let holds = match &self.before {
            Some(before) => {
                let written = scope.forms(&self.c.indices)?;
                scope.forms(before)? == written && self.is_set_once(scope, &written, &c, splits)?
            }
            None => dims.iter().all(|dim| dim.extent == 1 || dim.c != 0),
        };
        let from = reads.iter().chain(&indices);
        let from = from.map(|form| isize::try_from(form.constant).ok());
        (holds && writes_apart(&dims)).then_some(Proven {
            from_c: isize::try_from(c.constant).ok()?,
            from: from.collect::<Option<_>>()?,
            dims,
        })
    }

    /// Adds the loops' counters and the values of their variables and axes. No loop is empty.
    fn fill(&self, scope: &mut Scope, numbers: &Numbers<'_>, splits: &Splits) -> Option<()> {
        for &(var, value) in &numbers.vars {
            scope.vars.insert(var, Affine::int(value));
        }
        for (it, inner) in self.loops.iter().zip(&splits.0) {
            let extent = scope.int(&it.extent)?;
            if extent < 1 || extent > i128::from(MOST_EXTENT) || !int::holds(it.dtype, extent) {
                return None;
            }
            let mut value = scope.form(&it.min)?;
            let mut step: i128 = inner.iter().product();
            let extents = std::iter::once(extent / step).chain(inner.iter().copied());
            for (at, extent) in extents.enumerate() {
                let counter = Affine::counter(scope.extents.len(), it.step);
                value = value.add(&counter, step)?;
                scope.extents.push(extent);
                step /= inner.get(at).copied().unwrap_or(1);
            }
            scope.define(it.var, it.dtype, value)?;
        }
        for it in &self.axes {
            let value = scope.form(&it.value)?;
            scope.define(it.var, it.dtype, value)?;
        }
        Some(())
    }

    /// Returns `true` if the sum is initialised exactly in the first iteration that adds to it.
    fn is_set_once(
        &self,
        scope: &Scope,
        written: &[Affine],
        c: &Affine,
        splits: &Splits,
    ) -> Option<bool> {
        let (Init::Int(_, at) | Init::Float(_, at)) = &self.init else {
            return Some(true);
        };
        if scope.forms(at)? != written {
            return Some(false);
        }
        let mut first = vec![false; scope.extents.len()];
        let (axes, outer) = self.set_by;
        for axis in self.axes.iter().take(axes).filter(|it| it.reduce) {
            let value = scope.vars.get(&axis.var)?;
            if scope.int(&axis.min)? != value.constant {
                return Some(false);
            }
            for (counter, first) in first.iter_mut().enumerate() {
                let times = value.times(counter);
                if times < 0 && scope.extents[counter] > 1 {
                    return Some(false);
                }
                *first |= times > 0;
            }
        }
        // The loops that sum are those that the condition for initialising depends on. The block's inner loops run
        // after the initialisation.
        let outer = splits.counters(outer);
        let mut loops = scope.extents.iter().zip(&first).take(outer).enumerate();
        Some(loops.all(|(at, (&extent, &first))| extent == 1 || first == (c.times(at) == 0)))
    }
}

impl Scope {
    /// Binds a variable to a value that fits its dtype.
    fn define(&mut self, var: VarId, dtype: DType, value: Affine) -> Option<()> {
        let (least, most) = self.range(&value)?;
        let fits = int::holds(dtype, least) && int::holds(dtype, most);
        fits.then(|| self.vars.insert(var, value))?;
        Some(())
    }

    /// Returns the value of an index that 32 bits can represent.
    fn value(&self, index: &Expr) -> Option<Affine> {
        let form = self.form(index)?;
        let (least, most) = self.range(&form)?;
        (int::holds(DType::I32, least) && int::holds(DType::I32, most)).then_some(form)
    }

    fn forms(&self, indices: &[Expr]) -> Option<Vec<Affine>> {
        let full = |expr: &Expr| {
            let mut form = self.form(expr)?;
            form.times.resize(self.extents.len(), 0);
            Some(form)
        };
        indices.iter().map(full).collect()
    }

    /// Returns the position of an access in its memory, in elements. It must stay within the memory in all iterations,
    /// or in those given.
    fn place(
        &self,
        access: &Access,
        place: BufferArgument<'_>,
        inside: Option<&[Range<i128>]>,
    ) -> Option<Affine> {
        let range = |form: &Affine| match inside {
            Some(ranges) => form.range(ranges),
            None => self.range(form),
        };
        let strides = match &access.layout.strides {
            Some(strides) => strides
                .iter()
                .map(|it| self.int(it))
                .collect::<Option<Vec<i128>>>()?,
            None => row_major(place.dims)?,
        };
        let mut at = match &access.layout.offset {
            Some(offset) => Affine::int(self.int(offset)?),
            None => Affine::int(0),
        };
        let forms = self.forms(&access.indices)?;
        if forms.len() != place.dims.len() || strides.len() != forms.len() {
            return None;
        }
        for ((form, &dim), &stride) in forms.iter().zip(place.dims).zip(&strides) {
            let (least, most) = range(form)?;
            if least < 0 || most >= i128::from(dim) {
                return None;
            }
            at = at.add(form, stride)?;
        }
        let (least, most) = range(&at)?;
        (least >= 0 && most < i128::from(place.elements)).then_some(at)
    }
}

fn row_major(dims: &[u64]) -> Option<Vec<i128>> {
    let mut strides = vec![1i128; dims.len()];
    for at in (1..dims.len()).rev() {
        strides[at - 1] = strides[at].checked_mul(i128::from(dims[at]))?;
    }
    Some(strides)
}

/// Returns `true` if different iterations write different elements, ignoring loops that the result does not depend on:
/// each loop must move farther than all smaller ones together.
fn writes_apart(dims: &[Dim]) -> bool {
    let mut moving: Vec<(usize, usize)> = dims
        .iter()
        .filter(|dim| dim.extent > 1 && dim.c != 0)
        .map(|dim| (dim.c.unsigned_abs(), dim.extent))
        .collect();
    moving.sort_unstable();
    let mut reach = 0;
    moving.into_iter().all(|(step, extent)| {
        let apart = step > reach;
        reach += step * (extent - 1);
        apart
    })
}
