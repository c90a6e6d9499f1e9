//! Generates a whole function: its slots, its buffers, and the exits for failed checks.

mod buffers;
mod kernel;
mod machine;
mod packed;
mod params;
mod phases;

use std::sync::OnceLock;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Signature, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{Linkage, Module};
use hir::tir::{self, PrimFunc, TirError, VarId};
use relax::dtype::{Code, DType};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use super::bounds::{Bounds, Poly};
use super::code::Code as Native;
use super::phases::phases;
use super::{Compiled, Layout, Site};
use crate::tir::signature;
use crate::tir::trap::Check;

/// Code generation failed. The reason is in the list of errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

pub(super) type Emitted<T> = Result<T, Failed>;

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
    /// The address of the flag that stops the function.
    stop: Option<Variable>,
    /// The number of the phase to run, if the function has phases.
    phase: Option<Variable>,
    /// The variable of the loop that is split.
    pub split: Option<VarId>,
    /// The next free slot after those of the parameters.
    next_slot: usize,
    /// Variables that have no value yet in the first phases.
    late: FxHashSet<VarId>,
    /// `true` if two parameters may share memory.
    pub shared: bool,
    /// Set if the code is only correct as long as parameters don't share memory.
    pub relies_on_names: bool,
}

/// A buffer in the code: the variables that hold its address and extents.
#[derive(Clone)]
pub(super) struct BufferCode {
    pub pointer: Variable,
    pub dims: Vec<Variable>,
    pub extents: Vec<Poly>,
    /// The strides in elements; `None` for a row-major buffer.
    pub strides: Option<Vec<Variable>>,
    /// The number of elements of the underlying memory; `None` if checking the dimensions is enough.
    pub limit: Option<Variable>,
}

/// The slot with the address of the flag that stops the function.
pub(super) const STOP: usize = 2;

/// The slot of the phase to run, starting at 1. The next two slots are the part of its iterations and the number of
/// parts. Phase 0 allocates memory and computes the costs of the other phases.
pub(super) const PHASE: usize = 3;
pub(super) const PART: usize = 4;
pub(super) const PARTS: usize = 5;

/// The first slot of the first parameter.
pub(super) const FIRST: usize = 6;

/// The kind of code to generate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Making {
    /// Two parameters may share memory.
    pub shared: bool,
    pub optimised: bool,
}

pub(super) fn compile(func: &PrimFunc, made: Making) -> Result<Compiled, Vec<TirError>> {
    let broken = |message: String| {
        vec![TirError {
            message: format!("PrimFunc `{}` cannot be compiled: {message}", func.name),
            range: TextRange::default(),
        }]
    };
    let mut module = machine::module(made.optimised).map_err(broken)?;
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
        late: FxHashSet::default(),
        shared: made.shared,
        relies_on_names: false,
    };
    let layout = code.function().ok().flatten();
    let Codegen {
        mut builder,
        sites,
        errors,
        relies_on_names,
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
        signature: signature::Signature::new(func),
        sites,
        layout,
        code: Native::new(module, entry),
        made,
        shared: relies_on_names.then(|| Box::new((func.clone(), OnceLock::new()))),
    })
}

impl Codegen<'_, '_> {
    fn function(&mut self) -> Emitted<Option<Layout>> {
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

    fn slot(&mut self, at: usize) -> Value {
        let offset = at as i32 * 8;
        self.builder
            .ins()
            .load(types::I64, MemFlagsData::trusted(), self.slots, offset)
    }

    pub fn hold(&mut self, value: Value, ty: Type) -> Variable {
        let var = self.builder.declare_var(ty);
        self.builder.def_var(var, value);
        var
    }

    /// Defines a variable of the program.
    pub fn define(&mut self, var: VarId, value: Value) -> Emitted<()> {
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

    /// Returns the type in which numbers of a dtype are computed.
    pub fn ty(&mut self, dtype: DType, range: TextRange) -> Emitted<Type> {
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

    /// Imports a function of the table or of `memory`.
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
                // The error keeps the function from being finished, so any reference will do.
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

    /// Continues if `ok` is not 0. Otherwise leaves the function with the number of the site and two numbers for its
    /// message.
    pub fn check(
        &mut self,
        ok: Value,
        check: Check,
        range: TextRange,
        value: Value,
        extent: Value,
    ) {
        self.sites.push(Site { check, range });
        let site = self
            .builder
            .ins()
            .iconst(types::I64, self.sites.len() as i64);
        let next = self.builder.create_block();
        let args = [site, value, extent].map(BlockArg::Value);
        self.builder.ins().brif(ok, next, &[], self.fail, &args);
        self.builder.switch_to_block(next);
    }

    /// Leaves the function if the stop flag is set. Another thread may set it at any time; it is seen in the next
    /// iteration.
    pub fn check_stop(&mut self, range: TextRange) {
        let Some(stop) = self.stop else { return };
        let address = self.builder.use_var(stop);
        let flags = MemFlagsData::trusted();
        let flag = self.builder.ins().load(types::I8, flags, address, 0);
        let go = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.check(go, Check::Stopped, range, zero, zero);
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
