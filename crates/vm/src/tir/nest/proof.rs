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

impl Statement {
    /// Returns the nest, or `None` if something cannot be shown.
    pub fn proven(&self, numbers: &Numbers<'_>) -> Option<Proven> {
        let scope = self.scope(numbers)?;
        let inside = match &self.guard {
            Some(guard) => Some(guard.ranges(&scope)?),
            None => None,
        };
        let reads = self.reads.iter().zip(&numbers.reads);
        let reads: Vec<Affine> = reads
            .map(|(read, &place)| scope.place(read, place, inside.as_deref()))
            .collect::<Option<_>>()?;
        let c = scope.place(&self.c, numbers.c, None)?;
        let dim = |(at, &extent): (usize, &i128)| {
            Some(Dim {
                extent: usize::try_from(extent).ok()?,
                c: isize::try_from(c.times(at)).ok()?,
                of: reads
                    .iter()
                    .map(|read| isize::try_from(read.times(at)).ok())
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
                scope.forms(before)? == written && self.is_set_once(&scope, &written, &c)?
            }
            None => dims.iter().all(|dim| dim.extent == 1 || dim.c != 0),
        };
        let from = reads.iter().map(|read| isize::try_from(read.constant).ok());
        (holds && writes_apart(&dims)).then_some(Proven {
            from_c: isize::try_from(c.constant).ok()?,
            from: from.collect::<Option<_>>()?,
            dims,
        })
    }

    /// Returns the loops' counters and the values of their variables and axes. No loop is empty.
    fn scope(&self, numbers: &Numbers<'_>) -> Option<Scope> {
        let mut scope = Scope::default();
        for &(var, value) in &numbers.vars {
            scope.vars.insert(var, Affine::int(value));
        }
        for it in &self.loops {
            let extent = scope.int(&it.extent)?;
            if extent < 1 || extent > i128::from(MOST_EXTENT) || !int::holds(it.dtype, extent) {
                return None;
            }
            let min = scope.form(&it.min)?;
            let counter = Affine::counter(scope.extents.len(), it.step);
            scope.extents.push(extent);
            scope.define(it.var, it.dtype, counter.add(&min, 1)?)?;
        }
        for it in &self.axes {
            let value = scope.form(&it.value)?;
            scope.define(it.var, it.dtype, value)?;
        }
        Some(scope)
    }

    /// Returns `true` if the sum is initialised exactly in the first iteration that adds to it.
    fn is_set_once(&self, scope: &Scope, written: &[Affine], c: &Affine) -> Option<bool> {
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
