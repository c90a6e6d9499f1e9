//! The types of a function's expressions, inferred on request.
//!
//! For a printed model they need five times the memory of its facts, and an editor needs few of them. So a piece is
//! inferred again when an answer needs one of its expressions, and the snapshot keeps the result.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use relax::value::Value;

use super::pieces::sheet;
use crate::body::ExprId;
use crate::facts::{CallFact, Def, Facts};
use crate::infer::Sheet;

/// The facts of one function, which all snapshots share, and the types of its expressions, which each snapshot infers
/// piece by piece. Only `value`, `def`, `defs`, `call` and `calls` infer.
#[derive(Debug, Default)]
pub struct LazyFacts {
    facts: Arc<Facts>,
    sheets: Box<[OnceLock<Arc<Sheet>>]>,
}

impl Deref for LazyFacts {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

impl LazyFacts {
    pub(crate) fn new(facts: &Arc<Facts>) -> LazyFacts {
        let sheets = vec![OnceLock::new(); facts.pieces.len()];
        for (at, sheet) in &facts.fresh {
            sheets[*at].get_or_init(|| Arc::clone(sheet));
        }
        LazyFacts {
            sheets: sheets.into(),
            facts: Arc::clone(facts),
        }
    }

    pub(crate) fn is_of(&self, facts: &Arc<Facts>) -> bool {
        Arc::ptr_eq(&self.facts, facts)
    }

    pub fn value(&self, expr: ExprId) -> &Value {
        self.sheet_of(expr)
            .map_or(&Value::Unknown, |sheet| sheet.value(expr))
    }

    /// Returns what a name, an attribute or a string of a shape refers to.
    pub fn def(&self, expr: ExprId) -> Option<&Def> {
        self.sheet_of(expr)?.defs.get(&expr)
    }

    pub fn defs(&self) -> impl Iterator<Item = (ExprId, &Def)> {
        self.all_sheets()
            .flat_map(|sheet| sheet.defs.iter().map(|(&expr, def)| (expr, def)))
    }

    /// Returns the operator that a call expression calls, with its operands.
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
        self.sheets[piece].get_or_init(|| sheet(self, piece))
    }

    /// How many pieces were inferred for answers.
    pub fn pieces_looked_at(&self) -> usize {
        let sheets = self.sheets.iter();
        sheets.filter(|sheet| sheet.get().is_some()).count()
    }

    fn all_sheets(&self) -> impl Iterator<Item = &Sheet> {
        (0..self.pieces.len()).map(|piece| self.sheet(piece))
    }
}
