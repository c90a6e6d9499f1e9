//! What inference concludes about one function: the StructInfo of every variable and expression,
//! what names stand for, and what is wrong. Positions are relative to the function's start.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, ExprId};
use crate::diagnostics::Diagnostic;
use crate::ops::OpDef;
use crate::sinfo::StructInfo;
use crate::sym::SymVar;
use crate::value::Value;

/// A Relax variable of a function, by its position in [`Facts::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A shape variable of a function, by its position in [`Facts::sym_vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymId(pub u32);

/// Everything known of one function and the functions inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The function itself first, then the functions inside it in order.
    pub functions: Vec<FunctionFact>,
    pub vars: Vec<VarFact>,
    pub sym_vars: Vec<SymVarFact>,
    /// The variables that the branches of an `if` bind under one name.
    pub joins: Vec<Join>,
    /// By expression.
    pub values: Vec<Value>,
    /// What a name, an attribute or a string of a shape stands for.
    pub defs: FxHashMap<ExprId, Def>,
    /// The calls of operators, by the call's expression.
    pub calls: FxHashMap<ExprId, CallFact>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionFact {
    /// `outer.inner` for a function inside another.
    pub name: SmolStr,
    pub name_range: TextRange,
    pub range: TextRange,
    pub parent: Option<usize>,
    pub params: Vec<VarId>,
    pub ret: StructInfo,
    /// The annotation after `->`, if there is one.
    pub annotated_ret: Option<StructInfo>,
    pub pure: bool,
    pub private: bool,
}

impl FunctionFact {
    /// The function as a value.
    pub fn callable(&self, facts: &Facts) -> StructInfo {
        let params = self
            .params
            .iter()
            .map(|&p| facts.var(p).struct_info.clone())
            .collect();
        StructInfo::Callable(std::sync::Arc::new(crate::sinfo::Callable {
            params: Some(params),
            ret: self.ret.clone(),
            pure: self.pure,
        }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    Param,
    /// Bound in a binding block, or an output of a dataflow block.
    Var,
    Dataflow,
    MatchCast,
    /// A function inside the function.
    Function,
}

#[derive(Clone, Debug, PartialEq)]
pub struct VarFact {
    pub name: SmolStr,
    pub name_range: TextRange,
    /// The statement that binds it; for a parameter its name.
    pub range: TextRange,
    pub kind: VarKind,
    pub struct_info: StructInfo,
    /// Into [`Facts::functions`].
    pub function: usize,
    pub in_dataflow: bool,
    /// Whether the source annotates it.
    pub annotated: bool,
    pub value: Option<ExprId>,
    pub used: bool,
}

/// An `if` whose branches end by binding one name: after it the name is a third variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    pub branches: [VarId; 2],
    pub after: VarId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SymVarFact {
    pub var: SymVar,
    /// Into [`Facts::functions`].
    pub function: usize,
    /// The name that `n = T.int64()` or `def f[n]` declares.
    pub declared_at: Option<TextRange>,
    /// Where it is bound: a dimension of a parameter, a match_cast, a declaration.
    pub bound_at: Option<TextRange>,
    pub mentions: Vec<TextRange>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Def {
    Var(VarId),
    Sym(SymId),
    /// A function of the module.
    Global(SmolStr),
    Op(OpRef),
    /// A name of the Python code around the function.
    Python(SmolStr),
}

/// A row of the operator table, compared by name.
#[derive(Clone, Copy, Debug)]
pub struct OpRef(pub &'static OpDef);

impl PartialEq for OpRef {
    fn eq(&self, other: &OpRef) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// A call of an operator with its operands sorted by parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFact {
    pub op: OpRef,
    /// One for each parameter of the row.
    pub args: Vec<ArgFact>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum ArgFact {
    #[default]
    Absent,
    One(ExprId),
    /// The operands of a starred parameter.
    Many(Vec<ExprId>),
}

impl Facts {
    pub fn var(&self, id: VarId) -> &VarFact {
        &self.vars[id.0 as usize]
    }

    /// The variable that a name stands for after every `if` that a branch's binding of it ends.
    pub fn joined(&self, var: VarId) -> VarId {
        let mut var = var;
        for join in &self.joins {
            if join.branches.contains(&var) {
                var = join.after;
            }
        }
        var
    }

    pub fn value(&self, expr: ExprId) -> &Value {
        self.values
            .get(u32::from(expr.into_raw()) as usize)
            .unwrap_or(&Value::Unknown)
    }

    /// The innermost function at an offset.
    pub fn function_at(&self, range: TextRange) -> usize {
        self.functions
            .iter()
            .rposition(|f| f.range.contains_range(range))
            .unwrap_or(0)
    }

    /// The smallest expression that contains `range`.
    pub fn expr_at(body: &Body, range: TextRange) -> Option<ExprId> {
        body.expr_ranges()
            .filter(|(_, at)| at.contains_range(range))
            .min_by_key(|(_, at)| at.len())
            .map(|(id, _)| id)
    }
}
