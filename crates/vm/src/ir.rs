//! A function between hir's facts and bytecode: bindings of calls, whose arguments are variables and constants.
//!
//! Each stage of lowering is such a function with less in it: at first calls in destination-passing style, casts and
//! symbolic shapes; then allocations; at last nothing but calls. Knows no source and no registers' values.

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
    /// Those of the source first, then what a closure captures.
    pub params: Vec<Param>,
    pub captured: usize,
    pub ret: StructInfo,
    pub pure: bool,
    /// How many parameters are inputs rather than weights, as an attribute says.
    pub num_input: Option<usize>,
    /// Whether allocations are statements of their own.
    pub explicit: bool,
    /// Shape variables that a closure captures, with the parameters that bring them.
    pub captured_dims: Vec<(Reg, SymVar)>,
    /// What is checked when it is entered, in order.
    pub checks: Vec<ParamCheck>,
    pub body: Vec<Stmt>,
    /// By register.
    pub vars: Vec<Var>,
    /// The values of variables that a StructInfo names as a shape, by hir's numbers.
    pub shape_vars: FxHashMap<u32, Operand>,
    pub header: TextRange,
    pub start: TextSize,
}

#[derive(Clone, Debug, Default)]
pub struct Var {
    /// What the source or a stage calls it; others get a name where they are printed.
    pub name: Option<SmolStr>,
    pub struct_info: StructInfo,
}

#[derive(Clone, Debug)]
pub struct ParamCheck {
    pub value: Operand,
    pub struct_info: StructInfo,
    pub what: String,
    /// A weight of constant shape is checked where an operator computes with it.
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
    /// A call that writes its results into tensors made for it.
    Dps(Dps),
    /// The value under a new name, as of the target from here on.
    MatchCast {
        dst: Reg,
        value: Operand,
        known: StructInfo,
        target: StructInfo,
        what: String,
    },
    /// A shape variable that takes the value of a scalar.
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
    /// Scalars that come after the results.
    pub scalars: Vec<Operand>,
    /// Whether the results are a tuple.
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
    /// In the memory of an argument.
    Reuse { tensor: Tensor, value: Operand },
}

/// One side of an `if`.
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

    /// A new variable.
    pub fn var(&mut self, name: &str, struct_info: StructInfo) -> Reg {
        self.vars.push(Var {
            name: (!name.is_empty()).then(|| name.into()),
            struct_info,
        });
        Reg(self.vars.len() as u32 - 1)
    }
}

impl Stmt {
    /// Each operand that the statement reads, those inside of branches too.
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

    /// The variable that the statement binds.
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
