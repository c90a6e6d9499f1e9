//! The function as a whole: its slots, its buffers, the way out where a check fails.

use std::sync::{Arc, OnceLock};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Signature, Type, Value, types,
};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use hir::dtype::{Code, DType};
use hir::sym::SymExpr;
use hir::tir::{self, Binary, Data, Expr, ExprKind, PrimFunc, Stmt, StmtKind, TirError, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use super::bounds::Bounds;
use super::native::Code as Native;
use super::phases::{Item, Phase, phases};
use super::{Compiled, Layout, Param, ParamKind, Site, SiteFault, functions, memory};

/// The reason is in the errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

pub(super) type Made<T> = Result<T, Failed>;

pub(super) struct Codegen<'a, 'f> {
    pub func: &'f PrimFunc,
    pub builder: FunctionBuilder<'a>,
    pub module: &'a mut JITModule,
    pub vars: FxHashMap<VarId, Variable>,
    pub buffers: Vec<BufferCode>,
    pub bounds: Bounds,
    pub sites: Vec<Site>,
    pub errors: Vec<TirError>,
    /// Elements of buffers that a loop keeps in a variable instead of memory.
    pub promoted: Vec<(tir::BufferId, Variable)>,
    imports: FxHashMap<String, FuncRef>,
    fail: Block,
    slots: Value,
    /// The address of the flag that ends the function early.
    stop: Option<Variable>,
    /// The phase that is to run, where the function has some.
    phase: Option<Variable>,
    /// The variable of the loop that is split.
    pub split: Option<VarId>,
    /// The slot after those of the parameters.
    next_slot: usize,
}

/// A buffer in the code: variables that hold its address and extents.
#[derive(Clone)]
pub(super) struct BufferCode {
    pub pointer: Variable,
    pub dims: Vec<Variable>,
    pub extents: Vec<SymExpr>,
    /// In elements; `None` where the buffer is row-major.
    pub strides: Option<Vec<Variable>>,
    /// Elements of the memory that the buffer lies in; `None` where checking its dimensions is enough.
    pub limit: Option<Variable>,
}

/// What the slots of a parameter hold.
struct Held {
    pointer: Variable,
    elements: Variable,
    dims: Vec<Value>,
}

/// The slot of the address of the flag that ends the function early.
pub(super) const STOP: usize = 2;

/// The slots of the phase that is to run, from 1, and of the part of its iterations, of how many. Phase 0 takes memory
/// and says what the others cost.
pub(super) const PHASE: usize = 3;
pub(super) const PART: usize = 4;
pub(super) const PARTS: usize = 5;

/// The first slot of the first parameter.
pub(super) const FIRST: usize = 6;

fn isa() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_verifier", verify),
    ] {
        flags.set(name, value).map_err(|e| e.to_string())?;
    }
    cranelift_native::builder()
        .map_err(ToOwned::to_owned)?
        .finish(settings::Flags::new(flags))
        .map_err(|e| e.to_string())
}

fn module() -> Result<JITModule, String> {
    static ISA: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    let isa = ISA.get_or_init(isa).clone()?;
    let mut builder = JITBuilder::with_isa(Arc::clone(&isa), default_libcall_names());
    for function in functions::table() {
        builder.symbol(format!("{}_f32", function.name), function.f32);
        builder.symbol(format!("{}_f64", function.name), function.f64);
    }
    for (name, address) in [
        ("allocate", memory::allocate as *const u8),
        ("ipow", functions::ipow as *const u8),
        ("f16_to_f32", functions::f16_to_f32 as *const u8),
        ("f32_to_f16", functions::f32_to_f16 as *const u8),
        ("bf16_to_f32", functions::bf16_to_f32 as *const u8),
        ("f32_to_bf16", functions::f32_to_bf16 as *const u8),
        ("round_f16", functions::round_f16 as *const u8),
        ("round_bf16", functions::round_bf16 as *const u8),
    ] {
        builder.symbol(name, address);
    }
    Ok(JITModule::new(builder))
}

pub(super) fn compile(func: &PrimFunc) -> Result<Compiled, Vec<TirError>> {
    let broken = |message: String| {
        vec![TirError {
            message: format!("PrimFunc `{}` cannot be compiled: {message}", func.name),
            range: TextRange::default(),
        }]
    };
    let mut module = module().map_err(broken)?;
    let mut context = module.make_context();
    let target = module.target_config();
    let pointer = target.pointer_type();
    context.func.signature.params.push(AbiParam::new(pointer));
    context
        .func
        .signature
        .returns
        .push(AbiParam::new(types::I64));
    let mut frontend = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let slots = builder.block_params(entry)[0];
    let fail = builder.create_block();
    for _ in 0..3 {
        builder.append_block_param(fail, types::I64);
    }
    builder.set_cold_block(fail);
    let mut code = Codegen {
        func,
        builder,
        module: &mut module,
        vars: FxHashMap::default(),
        buffers: Vec::new(),
        bounds: Bounds::default(),
        sites: Vec::new(),
        errors: Vec::new(),
        promoted: Vec::new(),
        imports: FxHashMap::default(),
        fail,
        slots,
        stop: None,
        phase: None,
        split: None,
        next_slot: FIRST,
    };
    let layout = code.function().ok().flatten();
    let Codegen {
        mut builder,
        sites,
        errors,
        ..
    } = code;
    if !errors.is_empty() {
        return Err(errors);
    }
    builder.seal_all_blocks();
    builder.finalize(target);
    let id = module
        .declare_function("main", Linkage::Export, &context.func.signature)
        .map_err(|e| broken(e.to_string()))?;
    module
        .define_function(id, &mut context)
        .map_err(|e| broken(format!("{e:?}")))?;
    module
        .finalize_definitions()
        .map_err(|e| broken(e.to_string()))?;
    let entry = module.get_finalized_function(id);
    Ok(Compiled {
        name: func.name.clone(),
        params: params(func),
        sites,
        layout,
        code: Native::new(module, entry),
    })
}

fn params(func: &PrimFunc) -> Vec<Param> {
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
    fn visit(stmts: &[Stmt], found: &mut FxHashSet<tir::BufferId>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Store { buffer, .. } => {
                    found.insert(*buffer);
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => visit(body, found),
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    visit(then, found);
                    visit(otherwise, found);
                }
                StmtKind::Block(block) => {
                    visit(&block.init, found);
                    visit(&block.body, found);
                }
                StmtKind::Let { .. } | StmtKind::Evaluate(_) | StmtKind::Assert { .. } => {}
            }
        }
    }
    let mut found = FxHashSet::default();
    visit(&func.body, &mut found);
    found.iter().map(|&id| root(func, id)).collect()
}

impl Codegen<'_, '_> {
    fn function(&mut self) -> Made<Option<Layout>> {
        let stop = self.slot(STOP);
        self.stop = Some(self.hold(stop, types::I64));
        let func = self.func;
        let phases = phases(func);
        if phases.is_some() {
            let phase = self.slot(PHASE);
            self.phase = Some(self.hold(phase, types::I64));
        }
        self.params()?;
        let layout = match phases {
            Some(items) => Some(self.phases(&items)?),
            None => {
                self.stmts(&func.body)?;
                None
            }
        };
        let done = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().return_(&[done]);
        self.fail_block();
        Ok(layout)
    }

    /// Each outermost statement where it is its turn.
    fn phases(&mut self, items: &[Item<'_>]) -> Made<Layout> {
        let allocations = self.func.buffers.iter().filter(|b| b.data == Data::Alloc);
        let mut layout = Layout {
            slots: self.next_slot + allocations.count(),
            phases: Vec::new(),
        };
        let Some(phase) = self.phase else {
            return Ok(layout);
        };
        for item in items {
            let it = match item {
                Item::Let(stmt) => {
                    self.stmts(std::slice::from_ref(stmt))?;
                    continue;
                }
                Item::Phase(it) => it,
            };
            let cost = it.split.map(|_| {
                layout.slots += 1;
                layout.slots - 1
            });
            layout.phases.push(cost);
            if let Some(slot) = cost {
                let now = self.builder.use_var(phase);
                let first = self.builder.ins().icmp_imm_s(IntCC::Equal, now, 0);
                self.branch(first, |code| code.cost(it, slot), |_| Ok(()))?;
            }
            let now = self.builder.use_var(phase);
            let turn = layout.phases.len() as i64;
            let mine = self.builder.ins().icmp_imm_s(IntCC::Equal, now, turn);
            self.split = it.split;
            let stmt = std::slice::from_ref(it.stmt);
            self.branch(mine, |code| code.stmts(stmt), |_| Ok(()))?;
            self.split = None;
        }
        Ok(layout)
    }

    /// Stores about how many iterations a phase has.
    fn cost(&mut self, phase: &Phase<'_>, slot: usize) -> Made<()> {
        let mut cost = self.builder.ins().f64const(1.0);
        for extent in &phase.extents {
            if !self.is_known(extent) {
                continue;
            }
            let value = self.extent_value(extent)?;
            let value = self.builder.ins().fcvt_from_sint(types::F64, value);
            cost = self.builder.ins().fmul(cost, value);
        }
        let offset = slot as i32 * 8;
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, cost, self.slots, offset);
        Ok(())
    }

    /// Whether an expression has a value where the function begins.
    fn is_known(&self, expr: &Expr) -> bool {
        let mut known = match &expr.kind {
            ExprKind::Var(var) => self.vars.contains_key(var),
            ExprKind::Int(_) | ExprKind::Cast(_) => true,
            ExprKind::Binary(op, ..) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul),
            _ => false,
        };
        expr.for_each_child(&mut |child| known &= self.is_known(child));
        known
    }

    /// The iterations of the part that this call is for, of `extent` in all: from one to below another.
    pub fn part(&mut self, extent: Value) -> (Value, Value) {
        let (part, parts) = (self.slot(PART), self.slot(PARTS));
        // No product overflows: more iterations than this never end, and go to the last part.
        let most = self.builder.ins().iconst(types::I64, 1 << 40);
        let fair = self.builder.ins().smin(extent, most);
        let begin = self.builder.ins().imul(fair, part);
        let begin = self.builder.ins().udiv(begin, parts);
        let next = self.builder.ins().iadd_imm_s(part, 1);
        let end = self.builder.ins().imul(fair, next);
        let end = self.builder.ins().udiv(end, parts);
        let is_last = self.builder.ins().icmp(IntCC::Equal, next, parts);
        let end = self.builder.ins().select(is_last, extent, end);
        (begin, end)
    }

    /// Reads the parameters from their slots, and binds the variables of their shapes in order.
    fn params(&mut self) -> Made<()> {
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

    /// The memory of a buffer of the function's own: taken in the first phase, kept in a slot for the others.
    fn memory(&mut self, id: usize, bytes: Value) -> Made<Value> {
        let Some(phase) = self.phase else {
            return Ok(self.take(id, bytes));
        };
        let before = self.func.buffers[..id].iter();
        let nth = before.filter(|b| b.data == Data::Alloc).count();
        let offset = (self.next_slot + nth) as i32 * 8;
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
        let fault = SiteFault::OutOfMemory(buffer.name.clone());
        self.check(pointer, fault, buffer.range, bytes, bytes);
        pointer
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

    /// A buffer's address and extents, its memory where it has its own.
    fn buffer(&mut self, id: usize, held: &FxHashMap<usize, Held>) -> Made<BufferCode> {
        let func = self.func;
        let buffer = &func.buffers[id];
        let mut dims = Vec::with_capacity(buffer.shape.len());
        let mut extents = Vec::with_capacity(buffer.shape.len());
        for dim in &buffer.shape {
            let value = self.extent_value(dim)?;
            dims.push(self.hold(value, types::I64));
            extents.push(self.bounds.extent(dim));
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
                // In elements of the view's own dtype.
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

    /// The elements of a buffer's own memory. Their number stays below 2^40, so that nothing here overflows.
    fn allocated(&mut self, id: usize, dims: &[Variable]) -> Value {
        let buffer = &self.func.buffers[id];
        let mut total = self.builder.ins().iconst(types::I64, 1);
        let most = self.builder.ins().iconst(types::I64, 1 << 40);
        for (k, &dim) in dims.iter().enumerate() {
            let dim = self.builder.use_var(dim);
            self.fits(dim, &buffer.name, k, buffer.range);
            // Below 2^40 times below 2^31 may pass 2^64: the high half tells.
            let product = self.builder.ins().imul(total, dim);
            let high = self.builder.ins().umulhi(total, dim);
            let fits = self.builder.ins().icmp_imm_s(IntCC::Equal, high, 0);
            let small = self
                .builder
                .ins()
                .icmp(IntCC::UnsignedLessThanOrEqual, product, most);
            let ok = self.builder.ins().band(fits, small);
            let fault = SiteFault::OutOfMemory(buffer.name.clone());
            self.check(ok, fault, buffer.range, product, most);
            total = product;
        }
        total
    }

    /// An extent is not negative and fits the 32 bits in which programs may count.
    fn fits(&mut self, dim: Value, name: &smol_str::SmolStr, at: usize, range: TextRange) {
        let most = self.builder.ins().iconst(types::I64, i64::from(i32::MAX));
        let ok = self
            .builder
            .ins()
            .icmp(IntCC::UnsignedLessThanOrEqual, dim, most);
        let fault = SiteFault::Extent(name.clone(), at);
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

    /// An extent as 64 bits; its variables must have values where the function begins.
    fn extent_value(&mut self, expr: &Expr) -> Made<Value> {
        let value = self.expr(expr)?;
        self.resize(value, expr.dtype, DType::I64)
    }

    fn slot(&mut self, at: usize) -> Value {
        let offset = at as i32 * 8;
        self.builder
            .ins()
            .load(types::I64, MemFlagsData::trusted(), self.slots, offset)
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

    pub fn hold(&mut self, value: Value, ty: Type) -> Variable {
        let var = self.builder.declare_var(ty);
        self.builder.def_var(var, value);
        var
    }

    /// Gives a variable of the program its value.
    pub fn define(&mut self, var: VarId, value: Value) -> Made<()> {
        let held = match self.vars.get(&var) {
            Some(&held) => held,
            None => {
                let ty = self.ty(self.func.var(var).dtype, TextRange::default())?;
                let held = self.builder.declare_var(ty);
                self.vars.insert(var, held);
                held
            }
        };
        self.builder.def_var(held, value);
        Ok(())
    }

    /// The type in which numbers of a dtype are computed with.
    pub fn ty(&mut self, dtype: DType, range: TextRange) -> Made<Type> {
        if dtype.lanes == 1 {
            match (dtype.code, dtype.bits) {
                (Code::Bool, _) | (Code::Int | Code::UInt, 8) => return Ok(types::I8),
                (Code::Int | Code::UInt, 16) => return Ok(types::I16),
                (Code::Int | Code::UInt, 32) => return Ok(types::I32),
                (Code::Int | Code::UInt, 64) => return Ok(types::I64),
                (Code::Float, 16 | 32) | (Code::BFloat, 16) => return Ok(types::F32),
                (Code::Float, 64) => return Ok(types::F64),
                _ => {}
            }
        }
        Err(self.error(
            range,
            format!("dtype {dtype} has no arithmetic on this machine"),
        ))
    }

    /// A function of the table, or of memory.
    pub fn import(&mut self, name: &str, params: &[Type], ret: Type) -> FuncRef {
        if let Some(&found) = self.imports.get(name) {
            return found;
        }
        let mut signature = Signature::new(self.module.target_config().default_call_conv);
        signature
            .params
            .extend(params.iter().map(|&param| AbiParam::new(param)));
        signature.returns.push(AbiParam::new(ret));
        let declared = self
            .module
            .declare_function(name, Linkage::Import, &signature);
        let reference = match declared {
            Ok(id) => self.module.declare_func_in_func(id, self.builder.func),
            Err(error) => {
                // The function is not finished where there is an error.
                self.error(TextRange::default(), error.to_string());
                FuncRef::from_u32(0)
            }
        };
        self.imports.insert(name.to_owned(), reference);
        reference
    }

    pub fn error(&mut self, range: TextRange, message: impl Into<String>) -> Failed {
        self.errors.push(TirError {
            message: message.into(),
            range,
        });
        Failed
    }

    /// Goes on where `ok` is not 0, else leaves with the site and two numbers for its message.
    pub fn check(
        &mut self,
        ok: Value,
        fault: SiteFault,
        range: TextRange,
        value: Value,
        extent: Value,
    ) {
        self.sites.push(Site { fault, range });
        let site = self
            .builder
            .ins()
            .iconst(types::I64, self.sites.len() as i64);
        let next = self.builder.create_block();
        let args = [site, value, extent].map(BlockArg::Value);
        self.builder.ins().brif(ok, next, &[], self.fail, &args);
        self.builder.switch_to_block(next);
    }

    /// Leaves where the flag is set. The machine may set it at any time; it is seen the next time round.
    pub fn check_stop(&mut self, range: TextRange) {
        let Some(stop) = self.stop else { return };
        let address = self.builder.use_var(stop);
        let flags = MemFlagsData::trusted();
        let flag = self.builder.ins().load(types::I8, flags, address, 0);
        let go = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.check(go, SiteFault::Stopped, range, zero, zero);
    }

    fn fail_block(&mut self) {
        self.builder.switch_to_block(self.fail);
        let &[site, value, extent] = self.builder.block_params(self.fail) else {
            return;
        };
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, value, self.slots, 0);
        self.builder.ins().store(flags, extent, self.slots, 8);
        self.builder.ins().return_(&[site]);
    }
}
