//! Parameters: what each is, and their values from the slots of a call.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use hir::tir::{self, Data, Expr, ExprKind, PackedArg, PrimFunc, StmtKind};
use relax::dtype::DType;
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use super::super::{Param, ParamKind, SiteFault};
use super::{Codegen, FIRST, Made};

/// What the slots of a parameter hold.
pub(super) struct Held {
    pub pointer: Variable,
    pub elements: Variable,
    pub dims: Vec<Value>,
}

pub(super) fn params(func: &PrimFunc) -> Vec<Param> {
    let written = written(func);
    func.params
        .iter()
        .map(|param| Param {
            name: param.name.clone(),
            kind: match param.kind {
                tir::ParamKind::Buffer(id) => ParamKind::Buffer {
                    dtype: func.buffer(id).dtype,
                    ndim: func.buffer(id).shape.len(),
                    written: written.contains(&root(func, id)),
                },
                tir::ParamKind::Scalar(var) => ParamKind::Scalar(func.var(var).dtype),
                tir::ParamKind::Unused => ParamKind::Unused,
            },
        })
        .collect()
}

/// The buffer whose memory a buffer lies in.
fn root(func: &PrimFunc, mut id: tir::BufferId) -> tir::BufferId {
    // A view is made after what it looks into, so this ends.
    while let Data::View(of) = func.buffer(id).data {
        id = of;
    }
    id
}

/// The buffers that the function stores to.
fn written(func: &PrimFunc) -> FxHashSet<tir::BufferId> {
    let mut found = FxHashSet::default();
    tir::for_each_stmt(&func.body, &mut |stmt| match &stmt.kind {
        StmtKind::Store { buffer, .. } => {
            found.insert(*buffer);
        }
        StmtKind::Packed(call) => found.extend(call.args.iter().filter_map(|arg| match arg {
            PackedArg::Buffer(id) => Some(*id),
            _ => None,
        })),
        _ => {}
    });
    found.iter().map(|&id| root(func, id)).collect()
}

impl Codegen<'_, '_> {
    /// Reads the parameters from their slots, and binds the variables of their shapes in order.
    pub(super) fn params(&mut self) -> Made<()> {
        let func = self.func;
        let mut at = FIRST;
        let mut held: FxHashMap<usize, Held> = FxHashMap::default();
        for (position, param) in func.params.iter().enumerate() {
            match param.kind {
                tir::ParamKind::Buffer(id) => {
                    let ndim = func.buffer(id).shape.len();
                    let pointer = self.slot(at);
                    let elements = self.slot(at + 1);
                    let it = Held {
                        pointer: self.hold(pointer, types::I64),
                        elements: self.hold(elements, types::I64),
                        dims: (0..ndim).map(|k| self.slot(at + 2 + k)).collect(),
                    };
                    held.insert(position, it);
                    at += 2 + ndim;
                }
                tir::ParamKind::Scalar(var) => {
                    let bits = self.slot(at);
                    let value = self.of_slot(bits, func.var(var).dtype)?;
                    self.define(var, value)?;
                    self.bounds.unknown(var);
                    at += 1;
                }
                tir::ParamKind::Unused => {}
            }
        }
        self.next_slot = at;
        // Bare variables first, in order; then what is computed from them is compared.
        let mut later: Vec<(&Expr, Value, SiteFault, TextRange)> = Vec::new();
        for (position, param) in func.params.iter().enumerate() {
            let (tir::ParamKind::Buffer(id), Some(held)) = (param.kind, held.get(&position)) else {
                continue;
            };
            let buffer = func.buffer(id);
            for (k, (dim, &actual)) in buffer.shape.iter().zip(&held.dims).enumerate() {
                self.fits(actual, &buffer.name, k, buffer.range);
                match dim.kind {
                    ExprKind::Var(var) if !self.vars.contains_key(&var) => {
                        let value = self.resize(actual, DType::I64, func.var(var).dtype)?;
                        self.define(var, value)?;
                    }
                    _ => {
                        let fault = SiteFault::Shape(buffer.name.clone(), k);
                        later.push((dim, actual, fault, buffer.range));
                    }
                }
            }
            self.layout(buffer, &held.dims)?;
        }
        for (dim, actual, fault, range) in later {
            let wanted = self.extent_value(dim)?;
            let ok = self.builder.ins().icmp(IntCC::Equal, actual, wanted);
            self.check(ok, fault, range, actual, wanted);
        }
        for id in 0..func.buffers.len() {
            let made = self.buffer(id, &held)?;
            self.buffers.push(made);
        }
        Ok(())
    }

    /// Variables for the strides and the offset of a parameter: a tensor is row-major from its first element on.
    fn layout(&mut self, buffer: &tir::Buffer, dims: &[Value]) -> Made<()> {
        let mut steps = Vec::with_capacity(dims.len());
        let mut step = self.builder.ins().iconst(types::I64, 1);
        for &dim in dims.iter().rev() {
            steps.push(step);
            step = self.builder.ins().imul(step, dim);
        }
        steps.reverse();
        let zero = self.builder.ins().iconst(types::I64, 0);
        let strides = buffer.strides.iter().flatten().zip(steps);
        for (expr, value) in strides.chain(buffer.offset.as_ref().map(|offset| (offset, zero))) {
            if let ExprKind::Var(var) = expr.kind
                && !self.vars.contains_key(&var)
            {
                let value = self.resize(value, DType::I64, expr.dtype)?;
                self.define(var, value)?;
                self.bounds.unknown(var);
            }
        }
        Ok(())
    }

    /// A number of a dtype from the bits of its slot.
    fn of_slot(&mut self, bits: Value, dtype: DType) -> Made<Value> {
        let ty = self.ty(dtype, TextRange::default())?;
        Ok(if ty == types::F64 {
            self.builder
                .ins()
                .bitcast(types::F64, MemFlagsData::new(), bits)
        } else if ty == types::F32 {
            let low = self.builder.ins().ireduce(types::I32, bits);
            self.builder
                .ins()
                .bitcast(types::F32, MemFlagsData::new(), low)
        } else if ty == types::I64 {
            bits
        } else {
            self.builder.ins().ireduce(ty, bits)
        })
    }
}
