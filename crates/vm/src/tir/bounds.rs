//! Proofs that an index is in range, so that its check can be left out.
//!
//! A proof is about mathematical integers, the code computes in machine integers. So only sums of products are
//! reasoned about: they agree modulo the width, and a result within an extent that fits the dtype is the same in
//! both. What else bounds a loop is a symbol of its own, equal to itself alone.

use hir::tir::{Binary, Expr, ExprKind, VarId};
use relax::sym::{SymCx, SymExpr, SymVar, Tri};
use rustc_hash::FxHashMap;

#[derive(Clone, Default)]
pub(super) struct Bounds {
    cx: SymCx,
    /// What a variable is, where it stands for a sum of products of others.
    meaning: FxHashMap<VarId, SymExpr>,
    /// Variables between 0 and an extent.
    extents: FxHashMap<SymVar, SymExpr>,
    /// Extents that are no numbers or variables, each a symbol.
    opaque: Vec<(Expr, SymVar)>,
}

fn sym_var(var: VarId) -> SymVar {
    SymVar {
        name: "v".into(),
        id: var.0,
    }
}

impl Bounds {
    /// A variable of which nothing is known.
    pub fn unknown(&mut self, var: VarId) {
        self.cx.assume_signed(&sym_var(var));
    }

    /// A loop variable, from 0 to below `extent`.
    pub fn counts(&mut self, var: VarId, extent: &Expr) {
        let extent = self.extent(extent);
        let sym = sym_var(var);
        let last = extent.sub(&SymExpr::int(1));
        self.cx.assume_ge(&last, &SymExpr::var(sym.clone()));
        self.extents.insert(sym, extent);
    }

    /// A variable that is another expression by name.
    pub fn is(&mut self, var: VarId, value: &Expr) {
        match self.polynomial(value) {
            Some(value) => {
                self.meaning.insert(var, value);
            }
            None => self.unknown(var),
        }
    }

    fn var(&self, var: VarId) -> SymExpr {
        match self.meaning.get(&var) {
            Some(meaning) => meaning.clone(),
            None => SymExpr::var(sym_var(var)),
        }
    }

    /// An extent: a number, a variable, or a symbol for what is computed.
    pub fn extent(&mut self, extent: &Expr) -> SymExpr {
        match &extent.kind {
            ExprKind::Int(value) => SymExpr::int(*value),
            ExprKind::Var(var) => self.var(*var),
            _ => {
                let found = self.opaque.iter().find(|(known, _)| same(known, extent));
                if let Some((_, var)) = found {
                    return SymExpr::var(var.clone());
                }
                let var = SymVar {
                    name: "extent".into(),
                    id: self.opaque.len() as u32,
                };
                self.cx.assume_signed(&var);
                self.opaque.push((extent.clone(), var.clone()));
                SymExpr::var(var)
            }
        }
    }

    /// Whether `index` is at least 0 and below `extent` whatever the program computes.
    pub fn proves(&self, index: &Expr, extent: &SymExpr) -> bool {
        let Some(index) = self.polynomial(index) else {
            return false;
        };
        if let (Some(index), Some(extent)) = (index.as_int(), extent.as_int()) {
            return 0 <= index && index < extent;
        }
        if let Some(var) = index.as_var()
            && self.extents.get(var) == Some(extent)
        {
            return true;
        }
        self.cx.less_equal(&SymExpr::int(0), &index) == Tri::Yes
            && self.cx.less(&index, extent) == Tri::Yes
    }

    fn polynomial(&self, expr: &Expr) -> Option<SymExpr> {
        if !expr.dtype.is_int() {
            return None;
        }
        match &expr.kind {
            ExprKind::Int(value) => Some(SymExpr::int(*value)),
            ExprKind::Var(var) => Some(self.var(*var)),
            // An extent fits 32 bits, so that narrower sums may wrap below it.
            ExprKind::Binary(op, a, b) if expr.dtype.bits >= 32 => {
                let (a, b) = (self.polynomial(a)?, self.polynomial(b)?);
                match op {
                    Binary::Add => Some(a.add(&b)),
                    Binary::Sub => Some(a.sub(&b)),
                    Binary::Mul => Some(a.mul(&b)),
                    _ => None,
                }
            }
            // A variable that counts keeps its value in a wider dtype.
            ExprKind::Cast(inner) if inner.dtype.is_int() && expr.dtype.bits > inner.dtype.bits => {
                let inner = self.polynomial(inner)?;
                let counts = inner
                    .as_var()
                    .is_some_and(|var| self.extents.contains_key(var));
                (counts || inner.as_int().is_some()).then_some(inner)
            }
            _ => None,
        }
    }
}

/// Whether two expressions compute the same: they are written alike, over variables that never change.
fn same(a: &Expr, b: &Expr) -> bool {
    if a.dtype != b.dtype {
        return false;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && same(a, c) && same(b, d)
        }
        (ExprKind::Cast(a), ExprKind::Cast(b)) => same(a, b),
        _ => false,
    }
}
