//! What the expressions of a function are: inferred again, piece by piece, for who asks.
//!
//! Of a printed model this is five times as much as the model itself, and an editor looks at little of it: so it is kept
//! for one snapshot, not with the facts that all snapshots share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use relax::value::Value;
use text_size::TextRange;

use super::{CallFact, Conclusions, Def};
use crate::body::{Body, ExprId};
use crate::infer::{self, Sheet};

/// Everything known of one function and the functions inside it, as one snapshot sees it: what is concluded of the
/// function, which all snapshots share, and what its expressions are, which is inferred for the snapshot that asks, piece
/// by piece, and goes with it.
#[derive(Debug, Default)]
pub struct Facts {
    conclusions: Arc<Conclusions>,
    sheets: Box<[OnceLock<Arc<Sheet>>]>,
}

impl Deref for Facts {
    type Target = Conclusions;

    fn deref(&self) -> &Conclusions {
        &self.conclusions
    }
}

impl Facts {
    pub(crate) fn new(conclusions: &Arc<Conclusions>) -> Facts {
        Facts {
            sheets: vec![OnceLock::new(); conclusions.pieces.len()].into(),
            conclusions: Arc::clone(conclusions),
        }
    }

    /// Whether this is what is concluded of the function.
    pub(crate) fn is_of(&self, conclusions: &Arc<Conclusions>) -> bool {
        Arc::ptr_eq(&self.conclusions, conclusions)
    }

    pub fn value(&self, expr: ExprId) -> &Value {
        self.sheet_of(expr)
            .map_or(&Value::Unknown, |sheet| sheet.value(expr))
    }

    /// What a name, an attribute or a string of a shape stands for.
    pub fn def(&self, expr: ExprId) -> Option<&Def> {
        self.sheet_of(expr)?.defs.get(&expr)
    }

    pub fn defs(&self) -> impl Iterator<Item = (ExprId, &Def)> {
        self.all_sheets()
            .flat_map(|sheet| sheet.defs.iter().map(|(&expr, def)| (expr, def)))
    }

    /// The operator that a call's expression calls, with its operands.
    pub fn call(&self, expr: ExprId) -> Option<&CallFact> {
        self.sheet_of(expr)?.calls.get(&expr)
    }

    pub fn calls(&self) -> impl Iterator<Item = (ExprId, &CallFact)> {
        self.all_sheets()
            .flat_map(|sheet| sheet.calls.iter().map(|(&expr, call)| (expr, call)))
    }

    fn sheet_of(&self, expr: ExprId) -> Option<&Sheet> {
        let after = self.places.partition_point(|place| place.base <= expr.0);
        let piece = after.checked_sub(1)?;
        Some(self.sheet(piece))
    }

    fn sheet(&self, piece: usize) -> &Sheet {
        self.sheets[piece].get_or_init(|| {
            let fresh = self.fresh.iter().find(|(at, _)| *at == piece);
            let fresh = fresh.map(|(_, sheet)| Arc::clone(sheet));
            fresh.unwrap_or_else(|| infer::sheet(self, piece))
        })
    }

    #[cfg(test)]
    pub(crate) fn pieces_looked_at(&self) -> usize {
        let sheets = self.sheets.iter();
        sheets.filter(|sheet| sheet.get().is_some()).count()
    }

    fn all_sheets(&self) -> impl Iterator<Item = &Sheet> {
        (0..self.pieces.len()).map(|piece| self.sheet(piece))
    }

    /// The smallest expression that contains `range`.
    pub fn expr_at(body: &Body, range: TextRange) -> Option<ExprId> {
        body.exprs_around(range).first().copied()
    }
}
