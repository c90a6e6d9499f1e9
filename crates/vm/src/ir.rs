//! The intermediate form between hir's facts and bytecode: bindings of calls whose arguments are variables and
//! constants.
//!
//! Each stage of lowering produces this form with fewer constructs: first with calls in destination-passing style,
//! casts and symbolic shapes; then with allocations; finally with calls only. Knows neither source nor register
//! values.

pub mod print;

use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymVar;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::bytecode::{CalleeId, Operand, Origin, Param, Reg};

#[derive(Clone, Debug)]
pub struct Function {
    pub name: SmolStr,
    /// The source function's parameters, followed by the captured values of a closure.
    pub params: Vec<Param>,
    pub captured: usize,
    pub ret: StructInfo,
    pub pure: bool,
    /// The number of parameters that are inputs rather than weights, from an attribute.
    pub num_input: Option<usize>,
    /// `true` once allocations are explicit statements.
    pub explicit: bool,
    /// Shape variables that a closure captures, with the parameters that pass them.
    pub captured_dims: Vec<(Reg, SymVar)>,
    /// The checks on entry, in order.
    pub checks: Vec<ParamCheck>,
    pub body: Vec<Stmt>,
    /// The variables, indexed by register.
    pub vars: Vec<Var>,
    /// The values of variables that a StructInfo uses as a shape, by hir's ids.
    pub shape_vars: FxHashMap<u32, Operand>,
    pub header: TextRange,
    pub start: TextSize,
}

#[derive(Clone, Debug, Default)]
pub struct Var {
    /// The name from the source or from a stage. Other variables are named when they are printed.
    pub name: Option<SmolStr>,
    pub struct_info: StructInfo,
}

#[derive(Clone, Debug)]
pub struct ParamCheck {
    pub value: Operand,
    pub struct_info: StructInfo,
    pub what: String,
    /// `true` for a weight of constant shape, which is checked where an operator uses it.
    pub weight: bool,
    pub range: TextRange,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Call {
        dst: Reg,
        callee: CalleeId,
        args: Vec<Operand>,
    },
    /// A call that writes its results to tensors allocated for it.
    Dps(Dps),
    /// Binds a value to a new variable, which has the target StructInfo.
    MatchCast {
        dst: Reg,
        value: Operand,
        known: StructInfo,
        target: StructInfo,
        what: String,
    },
    /// Binds a shape variable to the value of a scalar.
    BindDim {
        value: Operand,
        var: SymVar,
    },
    CheckReturn {
        value: Operand,
        known: StructInfo,
        target: StructInfo,
    },
    If {
        cond: Operand,
        dst: Reg,
        then: Branch,
        otherwise: Branch,
    },
    Return(Operand),
}

#[derive(Clone, Debug)]
pub struct Dps {
    pub dst: Reg,
    pub callee: CalleeId,
    pub args: Vec<Operand>,
    pub outs: Vec<DpsOut>,
    /// Scalars that are passed after the results.
    pub scalars: Vec<Operand>,
    /// `true` if the results form a tuple.
    pub tuple: bool,
}

/// A result of a call in destination-passing style.
#[derive(Clone, Debug)]
pub enum DpsOut {
    New {
        tensor: Tensor,
        shape: Operand,
        dtype: Operand,
    },
    /// Uses the memory of an argument.
    Reuse { tensor: Tensor, value: Operand },
}

/// One branch of an `if`.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    pub body: Vec<Stmt>,
    pub value: Option<Operand>,
}

impl Function {
    pub fn empty(name: SmolStr) -> Function {
        Function {
            name,
            params: Vec::new(),
            captured: 0,
            ret: StructInfo::Unknown,
            pure: true,
            num_input: None,
            explicit: false,
            captured_dims: Vec::new(),
            checks: Vec::new(),
            body: Vec::new(),
            vars: Vec::new(),
            shape_vars: FxHashMap::default(),
            header: TextRange::default(),
            start: TextSize::default(),
        }
    }

    /// Adds a variable.
    pub fn var(&mut self, name: &str, struct_info: StructInfo) -> Reg {
        self.vars.push(Var {
            name: (!name.is_empty()).then(|| name.into()),
            struct_info,
        });
        Reg(self.vars.len() as u32 - 1)
    }
}

impl Stmt {
    /// Calls `f` with each operand that the statement reads, including those inside branches.
    pub fn for_each_operand(&self, f: &mut impl FnMut(Operand)) {
        match &self.kind {
            StmtKind::Call { args, .. } => args.iter().for_each(|&arg| f(arg)),
            StmtKind::Dps(dps) => {
                for &arg in dps.args.iter().chain(&dps.scalars) {
                    f(arg);
                }
                for out in &dps.outs {
                    let (DpsOut::New { shape: it, .. } | DpsOut::Reuse { value: it, .. }) = out;
                    f(*it);
                }
            }
            StmtKind::MatchCast { value, .. }
            | StmtKind::BindDim { value, .. }
            | StmtKind::CheckReturn { value, .. }
            | StmtKind::Return(value) => f(*value),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                f(*cond);
                for branch in [then, otherwise] {
                    for stmt in &branch.body {
                        stmt.for_each_operand(f);
                    }
                    if let Some(value) = branch.value {
                        f(value);
                    }
                }
            }
        }
    }

    /// Returns the variable that the statement binds.
    pub fn dst(&self) -> Option<Reg> {
        match &self.kind {
            StmtKind::Call { dst, .. }
            | StmtKind::MatchCast { dst, .. }
            | StmtKind::If { dst, .. }
            | StmtKind::Dps(Dps { dst, .. }) => Some(*dst),
            StmtKind::BindDim { .. } | StmtKind::CheckReturn { .. } | StmtKind::Return(_) => None,
        }
    }
}
