//! Bytecode: functions of four instructions over registers, with constants and a table of callees.
//!
//! Every instruction keeps where in the source it comes from. Knows neither hir's bodies nor how values compute.

mod liveness;
mod print;

use std::sync::Arc;

use relax::dtype::DType;
use relax::ops::OpDef;
use relax::sinfo::StructInfo;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::builtins::{self, Builtin};
use crate::error::{RunError, RunResult};
use crate::kernels::relay::Operator;
use crate::kernels::{self, Arg, Kernel, Out};
use crate::tir::Compiled;
use crate::value::Value;

/// A register of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u32);

impl Reg {
    /// The register of results that are not read.
    pub const VOID: Reg = Reg(u32::MAX);
}

/// Into [`Program::callees`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CalleeId(pub u32);

/// Into [`Program::constants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Reg(Reg),
    /// A register read for the last time: its value moves out.
    Last(Reg),
    Const(ConstId),
    Int(i64),
    Callee(CalleeId),
}

impl Operand {
    pub fn reg(self) -> Option<Reg> {
        match self {
            Operand::Reg(reg) | Operand::Last(reg) => Some(reg),
            _ => None,
        }
    }
}

/// Jumps are relative to the instruction they stand in.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    Call {
        dst: Reg,
        callee: CalleeId,
        args: Vec<Operand>,
    },
    Ret(Operand),
    Goto(u32),
    /// Goes on if the register holds a number other than 0, else jumps.
    If {
        cond: Operand,
        otherwise: u32,
    },
}

/// Where the value of a bound variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the instruction's result.
    Result,
    /// In a register that the instruction writes into.
    Register(Reg),
}

/// Where an instruction comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Relative to the start of the source function.
    pub range: TextRange,
    /// The variable that the statement binds.
    pub binding: Option<SmolStr>,
    /// Where that variable's value is after the instruction.
    pub binds: Option<Bound>,
    /// What inference knows of the result.
    pub out: Option<Out>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: SmolStr,
    pub struct_info: StructInfo,
}

/// One Relax function, compiled.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: SmolStr,
    /// Those of the source first, then what a closure captures.
    pub params: Vec<Param>,
    pub captured: usize,
    pub registers: u32,
    pub code: Vec<Instruction>,
    pub origins: Vec<Origin>,
    /// Where the source function starts in its file.
    pub start: TextSize,
}

#[derive(Clone, Debug)]
pub enum Constant {
    Value(Value),
    /// An attribute of an operator, as its kernel takes it.
    Attr(Arg),
    /// An expression over slots of the shape heap.
    Dim(Arc<DimExpr>),
    /// Before shapes are lowered: symbolic dimensions, and one as a scalar.
    Shape(Arc<[relax::sym::SymExpr]>),
    Sym(relax::sym::SymExpr),
    DType(DType),
}

/// A dimension to compute, its variables by their slots.
#[derive(Clone, Debug)]
pub struct DimExpr {
    pub expr: relax::sym::SymExpr,
    pub slots: Vec<(relax::sym::SymVar, u32)>,
}

/// What a call calls.
#[derive(Clone, Debug)]
pub enum Callee {
    Function(Arc<Function>),
    Kernel(&'static OpDef, &'static Kernel),
    /// An operator of Relay: a few kernels, as the values of the call need them.
    Operator(Arc<Operator>),
    Builtin(&'static Builtin),
    PrimFunc(Arc<PrimFunc>),
    /// A packed function of the program's user, which writes to its last `outs` arguments.
    External {
        name: SmolStr,
        outs: usize,
    },
}

/// A PrimFunc, with where it stands in its file.
#[derive(Debug)]
pub struct PrimFunc {
    pub name: SmolStr,
    /// `None` where the program is only to be shown.
    pub code: Option<Compiled>,
    /// What a debugger steps through.
    pub program: Option<Arc<hir::tir::PrimFunc>>,
    pub start: TextSize,
}

impl PrimFunc {
    pub fn code(&self) -> RunResult<&Compiled> {
        self.code
            .as_ref()
            .ok_or_else(|| RunError::argument(format!("PrimFunc `{}` is not compiled", self.name)))
    }
}

/// A function with all it can reach.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub callees: Vec<Callee>,
    pub constants: Vec<Constant>,
    by_name: FxHashMap<SmolStr, CalleeId>,
    /// Kernels and builtins by their names.
    of_host: FxHashMap<&'static str, CalleeId>,
}

impl Program {
    pub fn callee(&self, id: CalleeId) -> Option<&Callee> {
        self.callees.get(id.0 as usize)
    }

    pub fn constant(&self, id: ConstId) -> Option<&Constant> {
        self.constants.get(id.0 as usize)
    }

    /// A Relax function by name; a local one is `outer.inner`.
    pub fn function(&self, name: &str) -> Option<&Arc<Function>> {
        match self.callee(*self.by_name.get(name)?)? {
            Callee::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The functions, in the order in which they were reached.
    pub fn functions(&self) -> impl Iterator<Item = &Arc<Function>> {
        self.callees.iter().filter_map(|callee| match callee {
            Callee::Function(function) => Some(function),
            _ => None,
        })
    }

    pub(crate) fn find(&self, name: &str) -> Option<CalleeId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn name(&mut self, name: SmolStr, id: CalleeId) {
        self.by_name.insert(name, id);
    }

    pub(crate) fn add_callee(&mut self, callee: Callee) -> CalleeId {
        self.callees.push(callee);
        CalleeId(self.callees.len() as u32 - 1)
    }

    /// The kernel of an operator, if it has one.
    pub(crate) fn kernel(&mut self, op: &'static OpDef) -> Option<CalleeId> {
        if let Some(&id) = self.of_host.get(op.name) {
            return Some(id);
        }
        let kernel = kernels::lookup(op.name)?;
        let id = self.add_callee(Callee::Kernel(op, kernel));
        self.of_host.insert(op.name, id);
        Some(id)
    }

    /// A function of the host by its global symbol.
    pub(crate) fn builtin(&mut self, name: &str) -> Option<CalleeId> {
        let builtin = builtins::lookup(name)?;
        if let Some(&id) = self.of_host.get(builtin.name) {
            return Some(id);
        }
        let id = self.add_callee(Callee::Builtin(builtin));
        self.of_host.insert(builtin.name, id);
        Some(id)
    }

    /// A function that is compiled later.
    pub(crate) fn declare(&mut self, name: &SmolStr) -> CalleeId {
        let empty = Function::empty(name.clone());
        let id = self.add_callee(Callee::Function(Arc::new(empty)));
        self.name(name.clone(), id);
        id
    }

    /// What a declared function is.
    pub(crate) fn fill(&mut self, id: CalleeId, function: Arc<Function>) {
        if let Some(slot) = self.callees.get_mut(id.0 as usize) {
            *slot = Callee::Function(function);
        }
    }

    pub(crate) fn add_constant(&mut self, constant: Constant) -> ConstId {
        self.constants.push(constant);
        ConstId(self.constants.len() as u32 - 1)
    }
}

impl Function {
    /// What stands for a function until it is compiled.
    pub(crate) fn empty(name: SmolStr) -> Function {
        Function {
            name,
            params: Vec::new(),
            captured: 0,
            registers: 0,
            code: Vec::new(),
            origins: Vec::new(),
            start: TextSize::default(),
        }
    }

    /// Names the registers that nothing reads, and marks where each is read for the last time.
    pub(crate) fn finish(&mut self) {
        liveness::mark(&mut self.code, self.registers);
    }

    /// The symbolic dimensions that the parameters name, in order of first appearance.
    pub fn dims(&self) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = Vec::new();
        for param in self.source_params() {
            param.struct_info.for_each_sym_var(&mut |var| {
                if !var.is_python() && !names.contains(&var.name) {
                    names.push(var.name.clone());
                }
            });
        }
        names
    }

    pub fn source_params(&self) -> &[Param] {
        &self.params[..self.params.len() - self.captured]
    }
}
