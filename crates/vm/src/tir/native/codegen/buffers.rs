//! Generates buffers: their addresses and extents, and the allocation of the function's own memory.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use hir::tir::{Data, Expr};
use relax::dtype::DType;
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::params::ParamSlots;
use super::{BufferCode, Codegen, Emitted};
use crate::tir::trap::Check;
use crate::tir::{MOST_ELEMENTS, MOST_EXTENT};

impl Codegen<'_, '_> {
    /// Generates a buffer's address and extents, and its allocation if it has its own memory.
    pub(super) fn buffer(
        &mut self,
        id: usize,
        held: &FxHashMap<usize, ParamSlots>,
    ) -> Emitted<BufferCode> {
        let func = self.func;
        let buffer = &func.buffers[id];
        let mut dims = Vec::with_capacity(buffer.shape.len());
        let mut extents = Vec::with_capacity(buffer.shape.len());
        for (k, dim) in buffer.shape.iter().enumerate() {
            // A parameter has the extents of its argument, which were compared with the declared ones.
            let value = match buffer.data {
                Data::Param(at) => held.get(&at).and_then(|it| it.dims.get(k).copied()),
                Data::View(_) | Data::Alloc => None,
            };
            let value = match value {
                Some(value) => value,
                None => {
                    let value = self.extent_value(dim)?;
                    self.fits(value, &buffer.name, k, buffer.range);
                    value
                }
            };
            dims.push(self.hold(value, types::I64));
            extents.push(self.bounds.value(dim));
        }
        let strides = match &buffer.strides {
            None => None,
            Some(strides) => {
                let mut made = Vec::with_capacity(strides.len());
                for stride in strides {
                    let value = self.extent_value(stride)?;
                    made.push(self.hold(value, types::I64));
                }
                Some(made)
            }
        };
        let plain = strides.is_none() && buffer.offset.is_none();
        let (pointer, limit) = match buffer.data {
            Data::Param(at) => match held.get(&at) {
                Some(held) => (held.pointer, (!plain).then_some(held.elements)),
                None => return Err(self.error(buffer.range, "this buffer belongs to no parameter")),
            },
            Data::View(of) => {
                let Some(root) = self.buffers.get(of.0 as usize).cloned() else {
                    return Err(self.error(buffer.range, "this view looks into nothing"));
                };
                let elements = match root.limit {
                    Some(limit) => self.builder.use_var(limit),
                    None => self.count(&root.dims),
                };
                // In elements of the view's dtype.
                let (from, to) = (func.buffer(of).dtype.bytes(), buffer.dtype.bytes().max(1));
                let bytes = self.builder.ins().imul_imm_s(elements, from as i64);
                let elements = self.builder.ins().udiv_imm_u(bytes, to as i64);
                (root.pointer, Some(self.hold(elements, types::I64)))
            }
            Data::Alloc => {
                let elements = self.allocated(id, &dims);
                let bytes = self
                    .builder
                    .ins()
                    .imul_imm_s(elements, buffer.dtype.bytes().max(1) as i64);
                let pointer = self.memory(id, bytes)?;
                let limit = self.hold(elements, types::I64);
                (self.hold(pointer, types::I64), (!plain).then_some(limit))
            }
        };
        Ok(BufferCode {
            pointer,
            dims,
            extents,
            strides,
            limit,
        })
    }

    /// Computes the number of elements of an allocated buffer. It stays below 2^40, so that nothing overflows.
    fn allocated(&mut self, id: usize, dims: &[Variable]) -> Value {
        let buffer = &self.func.buffers[id];
        let mut total = self.builder.ins().iconst(types::I64, 1);
        let most = self.builder.ins().iconst(types::I64, MOST_ELEMENTS as i64);
        for &dim in dims {
            let dim = self.builder.use_var(dim);
            // A number below 2^40 times one below 2^31 may exceed 2^64, so check the high half.
            let product = self.builder.ins().imul(total, dim);
            let high = self.builder.ins().umulhi(total, dim);
            let fits = self.builder.ins().icmp_imm_s(IntCC::Equal, high, 0);
            let small = self
                .builder
                .ins()
                .icmp(IntCC::UnsignedLessThanOrEqual, product, most);
            let ok = self.builder.ins().band(fits, small);
            let fault = Check::OutOfMemory(buffer.name.clone());
            self.check(ok, fault, buffer.range, product, most);
            total = product;
        }
        total
    }

    /// Checks that an extent is not negative and fits 32 bits, in which programs may count.
    pub(super) fn fits(
        &mut self,
        dim: Value,
        name: &smol_str::SmolStr,
        at: usize,
        range: TextRange,
    ) {
        let most = self.builder.ins().iconst(types::I64, MOST_EXTENT);
        let ok = self
            .builder
            .ins()
            .icmp(IntCC::UnsignedLessThanOrEqual, dim, most);
        let fault = Check::Extent(name.clone(), at);
        self.check(ok, fault, range, dim, most);
    }

    fn count(&mut self, dims: &[Variable]) -> Value {
        let mut total = self.builder.ins().iconst(types::I64, 1);
        for &dim in dims {
            let dim = self.builder.use_var(dim);
            total = self.builder.ins().imul(total, dim);
        }
        total
    }

    /// Computes an extent as 64 bits. Its variables must have values at the function's entry.
    pub(super) fn extent_value(&mut self, expr: &Expr) -> Emitted<Value> {
        let value = self.expr(expr)?;
        self.resize(value, expr.dtype, DType::I64)
    }

    /// Returns the slot with the address of an allocated buffer, in a function with phases.
    pub(super) fn address_slot(&self, id: usize) -> usize {
        let before = self.func.buffers[..id].iter();
        self.next_slot + before.filter(|b| b.data == Data::Alloc).count()
    }

    /// Returns the address of an allocated buffer. The first phase allocates it and stores it in a slot for the
    /// others.
    fn memory(&mut self, id: usize, bytes: Value) -> Emitted<Value> {
        let Some(phase) = self.phase else {
            return Ok(self.take(id, bytes));
        };
        let offset = self.address_slot(id) as i32 * 8;
        let now = self.builder.use_var(phase);
        let first = self.builder.ins().icmp_imm_s(IntCC::Equal, now, 0);
        self.branch(
            first,
            |code| {
                let taken = code.take(id, bytes);
                let flags = MemFlagsData::trusted();
                code.builder.ins().store(flags, taken, code.slots, offset);
                Ok(())
            },
            |_| Ok(()),
        )?;
        let flags = MemFlagsData::trusted();
        Ok(self
            .builder
            .ins()
            .load(types::I64, flags, self.slots, offset))
    }

    fn take(&mut self, id: usize, bytes: Value) -> Value {
        let buffer = &self.func.buffers[id];
        let allocate = self.import("allocate", &[types::I64], types::I64);
        let call = self.builder.ins().call(allocate, &[bytes]);
        let pointer = self.builder.inst_results(call)[0];
        let fault = Check::OutOfMemory(buffer.name.clone());
        self.check(pointer, fault, buffer.range, bytes, bytes);
        pointer
    }
}
