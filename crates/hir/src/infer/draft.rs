//! The facts of one piece while it is being read.

use std::ops::{Deref, DerefMut};

use relax::diagnostics::Diagnostic;
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, ExprId};
use crate::facts::{CallFact, Def, FunctionFact, Join, SymId, VarFact, VarId};
use crate::incremental::state::Block;

/// The values of a piece's expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    /// The id of the first expression.
    base: u32,
    values: Vec<Value>,
    /// Values of expressions in other pieces.
    others: FxHashMap<ExprId, Value>,
    pub defs: FxHashMap<ExprId, Def>,
    pub calls: FxHashMap<ExprId, CallFact>,
}

impl Sheet {
    pub fn value(&self, expr: ExprId) -> &Value {
        let own = expr.0.checked_sub(self.base);
        own.and_then(|at| self.values.get(at as usize))
            .or_else(|| self.others.get(&expr))
            .unwrap_or(&Value::Unknown)
    }

    pub fn def(&self, expr: ExprId) -> Option<&Def> {
        self.defs.get(&expr)
    }

    pub fn call(&self, expr: ExprId) -> Option<&CallFact> {
        self.calls.get(&expr)
    }
}

/// The facts that a piece adds, with ranges relative to the function.
#[derive(Default)]
pub(crate) struct Draft {
    pub sheet: Sheet,
    pub diagnostics: Vec<Diagnostic>,
    pub functions: Vec<FunctionFact>,
    pub vars: Vec<VarFact>,
    pub var_ids: Vec<VarId>,
    rows: FxHashMap<VarId, u32>,
    syms: Vec<(SymId, SymDraft)>,
    sym_rows: FxHashMap<SymId, u32>,
    /// The number of unbound names so far.
    pub unbound: usize,
    pub joins: Vec<Join>,
    /// The names of module functions, with their ranges.
    pub globals: Vec<(SmolStr, TextRange)>,
    /// Calls whose arguments have errors.
    pub refused_calls: FxHashSet<ExprId>,
    /// Those among them that call module functions, by callee.
    pub refused: Vec<(SmolStr, TextRange)>,
    pub used: FxHashSet<VarId>,
    pub promoted: FxHashSet<VarId>,
    /// Headers of blocks whose missing output is covered by another report.
    pub withdrawn: Vec<TextRange>,
    /// The values that names stand for.
    pub bound_values: Vec<Value>,
    /// Blocks that begin and end in the piece, by their headers.
    pub blocks: Vec<Block>,
    // About the block that contains the piece.
    pub outputs: Vec<VarId>,
    pub ended: bool,
    pub emitted: bool,
    /// `true` once `not-analysed-further` is reported.
    pub left_out: bool,
}

#[derive(Default)]
pub(crate) struct SymDraft {
    pub declared_at: Option<TextRange>,
    pub bound_at: Option<TextRange>,
    pub mentions: Vec<TextRange>,
}

impl Draft {
    pub fn new(body: &Body) -> Draft {
        Draft {
            sheet: Sheet {
                base: body.exprs.base(),
                values: vec![Value::Unknown; body.exprs.own_len()],
                ..Sheet::default()
            },
            ..Draft::default()
        }
    }

    pub fn set_value(&mut self, expr: ExprId, value: Value) {
        let own = expr.0.checked_sub(self.sheet.base);
        match own.and_then(|at| self.sheet.values.get_mut(at as usize)) {
            Some(slot) => *slot = value,
            None => {
                self.sheet.others.insert(expr, value);
            }
        }
    }

    pub fn add_var(&mut self, id: VarId, fact: VarFact) {
        self.rows.insert(id, self.vars.len() as u32);
        self.vars.push(fact);
        self.var_ids.push(id);
    }

    /// Returns the index of a variable among those of this piece.
    pub fn row(&self, id: VarId) -> Option<usize> {
        self.rows.get(&id).map(|&row| row as usize)
    }

    pub fn sym(&mut self, id: SymId) -> &mut SymDraft {
        let next = self.syms.len() as u32;
        let row = *self.sym_rows.entry(id).or_insert(next);
        if row == next {
            self.syms.push((id, SymDraft::default()));
        }
        &mut self.syms[row as usize].1
    }

    pub fn take_syms(&mut self) -> Vec<(SymId, SymDraft)> {
        self.sym_rows.clear();
        std::mem::take(&mut self.syms)
    }
}

impl Deref for Draft {
    type Target = Sheet;

    fn deref(&self) -> &Sheet {
        &self.sheet
    }
}

impl DerefMut for Draft {
    fn deref_mut(&mut self) -> &mut Sheet {
        &mut self.sheet
    }
}
