//! Bytecode: functions of four instructions over registers, with constants and a table of callees.
//!
//! Every instruction records its source range. Knows neither hir's bodies nor how values are computed.

mod liveness;
mod print;

use std::sync::{Arc, OnceLock};

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
    /// The register for results that nothing reads.
    pub const VOID: Reg = Reg(u32::MAX);
}

/// An index into [`Program::callees`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CalleeId(pub u32);

/// An index into [`Program::constants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Reg(Reg),
    /// The last read of a register, which moves its value out.
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

/// Jumps are relative to the instruction that contains them.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    Call {
        dst: Reg,
        callee: CalleeId,
        args: Vec<Operand>,
    },
    Ret(Operand),
    Goto(u32),
    /// Continues if the register holds a number other than 0, otherwise jumps.
    If {
        cond: Operand,
        otherwise: u32,
    },
}

/// The location of a bound variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The result of the instruction.
    Result,
    /// A register that the instruction writes to.
    Register(Reg),
}

/// The origin of an instruction in the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The range relative to the start of the source function.
    pub range: TextRange,
    /// The variable that the statement binds.
    pub binding: Option<SmolStr>,
    /// The location of that variable's value after the instruction.
    pub binds: Option<Bound>,
    /// What inference knows about the result.
    pub out: Option<Out>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: SmolStr,
    pub struct_info: StructInfo,
}

/// A compiled Relax function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: SmolStr,
    /// The source function's parameters, followed by the captured values of a closure.
    pub params: Vec<Param>,
    pub captured: usize,
    /// The number of inputs, after which come weights, if the function says so.
    pub num_input: Option<usize>,
    /// The names of the results, if the function runs a PrimFunc alone: the parameters that it writes.
    pub outputs: Vec<SmolStr>,
    pub registers: u32,
    pub code: Vec<Instruction>,
    pub origins: Vec<Origin>,
    /// The offset of the source function in its file.
    pub start: TextSize,
    /// The instructions that bind a variable to each register, in order. Only traces need them.
    pub(crate) binders: OnceLock<FxHashMap<Reg, Vec<usize>>>,
}

#[derive(Clone, Debug)]
pub enum Constant {
    Value(Value),
    /// An attribute of an operator, as its kernel takes it.
    Attr(Arg),
    /// An expression over slots of the shape heap.
    Dim(Arc<DimExpr>),
    /// Symbolic dimensions before shape lowering. A single one may be a scalar.
    Shape(Arc<[relax::sym::SymExpr]>),
    Sym(relax::sym::SymExpr),
    DType(DType),
}

/// A dimension to compute, whose variables are slots of the shape heap.
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
    /// An operator of Relay: a few kernels, depending on the values of the call.
    Operator(Arc<Operator>),
    Builtin(&'static Builtin),
    PrimFunc(Arc<PrimFunc>),
    /// A packed function of the embedder, which writes to its last `outs` arguments.
    External {
        name: SmolStr,
        outs: usize,
    },
}

/// A PrimFunc, with its range in the file.
#[derive(Debug)]
pub struct PrimFunc {
    pub name: SmolStr,
    /// The compiled code; `None` if the program is only printed.
    pub code: Option<Compiled>,
    /// The program that a debugger steps through.
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

/// A function with everything that it can reach.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub callees: Vec<Callee>,
    pub constants: Vec<Constant>,
    /// The indices of constants whose elements were generated, since no source has them.
    pub generated: Vec<u32>,
    by_name: FxHashMap<SmolStr, CalleeId>,
    /// Kernels and builtins by name.
    of_host: FxHashMap<&'static str, CalleeId>,
}

impl Program {
    pub fn callee(&self, id: CalleeId) -> Option<&Callee> {
        self.callees.get(id.0 as usize)
    }

    pub fn constant(&self, id: ConstId) -> Option<&Constant> {
        self.constants.get(id.0 as usize)
    }

    /// Returns a Relax function by name. A local function is named `outer.inner`.
    pub fn function(&self, name: &str) -> Option<&Arc<Function>> {
        match self.callee(*self.by_name.get(name)?)? {
            Callee::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Returns the functions in the order in which they were reached.
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

    /// Returns the kernel of an operator, if it has one.
    pub(crate) fn kernel(&mut self, op: &'static OpDef) -> Option<CalleeId> {
        if let Some(&id) = self.of_host.get(op.name) {
            return Some(id);
        }
        let kernel = kernels::lookup(op.name)?;
        let id = self.add_callee(Callee::Kernel(op, kernel));
        self.of_host.insert(op.name, id);
        Some(id)
    }

    /// Returns the builtin with a global symbol.
    pub(crate) fn builtin(&mut self, name: &str) -> Option<CalleeId> {
        let builtin = builtins::lookup(name)?;
        if let Some(&id) = self.of_host.get(builtin.name) {
            return Some(id);
        }
        let id = self.add_callee(Callee::Builtin(builtin));
        self.of_host.insert(builtin.name, id);
        Some(id)
    }

    /// Declares a function that is compiled later.
    pub(crate) fn declare(&mut self, name: &SmolStr) -> CalleeId {
        let empty = Function::empty(name.clone());
        let id = self.add_callee(Callee::Function(Arc::new(empty)));
        self.name(name.clone(), id);
        id
    }

    /// Defines a declared function.
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
    /// Returns a placeholder for a function until it is compiled.
    pub(crate) fn empty(name: SmolStr) -> Function {
        Function {
            name,
            params: Vec::new(),
            captured: 0,
            num_input: None,
            outputs: Vec::new(),
            registers: 0,
            code: Vec::new(),
            origins: Vec::new(),
            start: TextSize::default(),
            binders: OnceLock::new(),
        }
    }

    /// Replaces registers that nothing reads with `VOID`, and marks the last read of each register.
    pub(crate) fn finish(&mut self) {
        liveness::mark(&mut self.code, self.registers);
    }

    /// Returns the symbolic dimensions that the parameters use, in order of first appearance.
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

    /// The variable that the PrimFunc called at an instruction writes to, which is its last argument.
    pub fn variable_written(&self, at: usize, args: &[Operand]) -> Option<(&SmolStr, Reg)> {
        let Some(Operand::Reg(reg)) = args.last() else {
            return None;
        };
        let bound = self.binders.get_or_init(|| self.binders()).get(reg);
        let last = bound.and_then(|all| all[..all.partition_point(|&it| it < at)].last());
        let name = match last {
            Some(&binder) => self.origins.get(binder)?.binding.as_ref(),
            None => self.params.get(reg.0 as usize).map(|it| &it.name),
        };
        Some((name?, *reg))
    }

    fn binders(&self) -> FxHashMap<Reg, Vec<usize>> {
        let mut found: FxHashMap<Reg, Vec<usize>> = FxHashMap::default();
        for (at, (instruction, origin)) in self.code.iter().zip(&self.origins).enumerate() {
            if let (Instruction::Call { dst, .. }, Some(_)) = (instruction, &origin.binding) {
                found.entry(*dst).or_default().push(at);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function that binds variables to registers, and calls a PrimFunc with some of them.
    fn function(code: &[(u32, Option<&str>, &[u32])]) -> Function {
        let call = |&(dst, _, args): &(u32, Option<&str>, &[u32])| Instruction::Call {
            dst: Reg(dst),
            callee: CalleeId(0),
            args: args.iter().map(|&it| Operand::Reg(Reg(it))).collect(),
        };
        let origin = |&(_, name, _): &(u32, Option<&str>, &[u32])| Origin {
            binding: name.map(SmolStr::from),
            ..Origin::default()
        };
        Function {
            params: vec![Param {
                name: "x".into(),
                struct_info: StructInfo::Object,
            }],
            code: code.iter().map(call).collect(),
            origins: code.iter().map(origin).collect(),
            ..Function::empty("f".into())
        }
    }

    #[test]
    fn a_prim_func_writes_to_the_variable_that_was_bound_last() {
        let void = Reg::VOID.0;
        let function = function(&[
            (1, Some("a"), &[0]),
            (2, Some("b"), &[0]),
            (void, None, &[2, 1]),
            (void, None, &[1, 2]),
            (1, Some("c"), &[1]),
            (void, None, &[0, 1]),
            (void, None, &[1, 0]),
            (void, None, &[1, 3]),
        ]);
        let written = |at: usize| match &function.code[at] {
            Instruction::Call { args, .. } => function.variable_written(at, args),
            _ => None,
        };
        let names: Vec<Option<&str>> = [2, 3, 5, 6, 7]
            .map(|at| written(at).map(|(name, _)| name.as_str()))
            .to_vec();
        assert_eq!(names, [Some("a"), Some("b"), Some("c"), Some("x"), None]);
    }
}
