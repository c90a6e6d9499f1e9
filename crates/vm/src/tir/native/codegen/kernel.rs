//! Writes the inputs of a phase's kernel to slots: the values of variables, and the extents of allocated buffers.

use hir::tir::{BufferId, Data, ParamKind};

use super::super::buffer_slots::BufferSlots;
use super::super::kernel::Kernel;
use super::super::phases::Phase;
use super::{Codegen, Emitted, FIRST};
use crate::tir::nest::Statement;

impl Codegen<'_, '_> {
    /// Returns the kernels of a phase, with their numbers in slots from `next` on; none if some numbers are not known at
    /// the function's entry.
    pub(super) fn kernels(&self, phase: &Phase<'_>, next: &mut usize) -> Vec<Kernel> {
        let all = phase.statements.iter().map(|it| self.kernel(it, next));
        all.collect::<Option<_>>().unwrap_or_default()
    }

    fn kernel(&self, statement: &Statement, next: &mut usize) -> Option<Kernel> {
        let vars = statement.variables();
        let is_known = |var| {
            let is_int = self.func.var(var).dtype.is_int();
            is_int && self.vars.contains_key(&var) && !self.late.contains(&var)
        };
        if !vars.iter().all(|&var| is_known(var)) {
            return None;
        }
        let vars = vars.into_iter().map(|var| {
            *next += 1;
            (var, self.func.var(var).dtype, *next - 1)
        });
        let vars = vars.collect();
        let mut held = |id| self.held(id, next);
        Some(Kernel {
            vars,
            c: held(statement.c.buffer)?,
            reads: statement
                .reads
                .iter()
                .map(|read| held(read.buffer))
                .collect::<Option<_>>()?,
            statement: statement.clone(),
        })
    }

    /// Returns the slots that locate a buffer at run time.
    fn held(&self, id: BufferId, next: &mut usize) -> Option<BufferSlots> {
        let buffer = self.func.buffer(id);
        let ndim = buffer.shape.len();
        match buffer.data {
            Data::Param(at) => {
                let first = self.param_slot(at);
                Some(BufferSlots::Param {
                    at,
                    elements: first + 1,
                    dims: first + 2..first + 2 + ndim,
                    dtype: buffer.dtype,
                })
            }
            Data::Alloc => {
                let dims = *next..*next + ndim;
                *next = dims.end;
                Some(BufferSlots::Own {
                    id,
                    address: self.address_slot(id.0 as usize),
                    dims,
                    dtype: buffer.dtype,
                })
            }
            Data::View(_) => None,
        }
    }

    /// Returns the first slot of a parameter.
    fn param_slot(&self, at: usize) -> usize {
        let before = self.func.params[..at].iter();
        FIRST
            + before
                .map(|param| match param.kind {
                    ParamKind::Buffer(id) => 2 + self.func.buffer(id).shape.len(),
                    ParamKind::Scalar(_) => 1,
                    ParamKind::Unused => 0,
                })
                .sum::<usize>()
    }

    /// Stores the numbers of a kernel in its slots.
    pub(super) fn kernel_numbers(&mut self, kernel: &Kernel) -> Emitted<()> {
        for &(var, dtype, slot) in &kernel.vars {
            let Some(&held) = self.vars.get(&var) else {
                continue;
            };
            let value = self.builder.use_var(held);
            let bits = self.bits(value, dtype)?;
            self.put(bits, slot);
        }
        for held in kernel.reads.iter().chain([&kernel.c]) {
            if let BufferSlots::Own { id, dims, .. } = held {
                let code = self.buffers.get(id.0 as usize).cloned();
                let extents = code.map(|code| code.dims).unwrap_or_default();
                for (slot, dim) in dims.clone().zip(extents) {
                    let dim = self.builder.use_var(dim);
                    self.put(dim, slot);
                }
            }
        }
        Ok(())
    }
}
