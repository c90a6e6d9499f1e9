//! The static cost of Relax functions, as formulas over their shape variables.

pub use hir::cost::{Cost, MemoryPlan};
use hir::cost::{bindings, bindings_in};
use hir::{Database, FunctionItem, SourceFile, file_items};
use relax::FunctionKind;
use relax::sym::{SymExpr, SymVar};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::functions_in;
use crate::semantics::function_at;
use crate::types::{FileId, FilePosition};

/// The cost of one Relax function.
#[derive(Clone, Debug, Default)]
pub struct FunctionCost {
    pub name: String,
    /// The range of the name in the `def`.
    pub name_range: TextRange,
    pub bindings: Vec<Cost>,
    /// The memory plan; `None` if the function allocates no storage.
    pub plan: Option<MemoryPlan>,
}

impl Analysis {
    /// Returns the cost of each Relax function of a file.
    pub fn costs(&self, file: FileId) -> Cancellable<Vec<FunctionCost>> {
        self.with_file(file, costs)
    }

    /// Returns the cost of each binding in a range.
    pub fn binding_costs(&self, file: FileId, range: TextRange) -> Cancellable<Vec<Cost>> {
        self.with_file(file, |db, file| {
            let functions = functions_in(db, file, range).iter();
            let relax = functions.filter(|it| it.kind(db) == FunctionKind::Relax);
            relax.flat_map(|&it| bindings_in(db, it, range)).collect()
        })
    }

    /// Returns the cost of the function at a position, or `None` if it has more than `most` bindings.
    pub fn function_cost(
        &self,
        position: FilePosition,
        most: usize,
    ) -> Cancellable<Option<FunctionCost>> {
        self.with_file(position.file, |db, file| {
            let function = function_at(db, file, position.offset)?;
            let count = hir::lazy_facts(db, function).vars().count();
            let is_short = function.kind(db) == FunctionKind::Relax && count <= most;
            is_short.then(|| cost_of(db, function))
        })
    }
}

fn costs(db: &Database, file: SourceFile) -> Vec<FunctionCost> {
    let functions = file_items(db, file).functions.iter();
    let relax = functions.filter(|it| it.kind(db) == FunctionKind::Relax);
    relax.map(|&function| cost_of(db, function)).collect()
}

fn cost_of(db: &Database, function: FunctionItem<'_>) -> FunctionCost {
    FunctionCost {
        name: function.name(db).to_string(),
        name_range: hir::function_body(db, function).function.name.range + function.offset(db),
        bindings: bindings(db, function),
        plan: MemoryPlan::of(db, function),
    }
}

impl FunctionCost {
    /// Returns the total number of operations, and the number of bindings whose operations are unknown.
    pub fn flops(&self) -> (SymExpr, usize) {
        total(self.bindings.iter().map(|it| it.flops.as_ref()))
    }

    pub fn bytes(&self) -> (SymExpr, usize) {
        total(self.bindings.iter().map(|it| it.bytes.as_ref()))
    }
}

fn total<'e>(parts: impl Iterator<Item = Option<&'e SymExpr>>) -> (SymExpr, usize) {
    let mut unknown = 0;
    let mut sum = SymExpr::int(0);
    for part in parts {
        match part {
            Some(part) => sum = sum.add(part),
            None => unknown += 1,
        }
    }
    (sum, unknown)
}

/// Substitutes values for some variables of a formula.
pub fn with_dims(formula: &SymExpr, dims: &[(String, i64)]) -> SymExpr {
    let value = |var: &SymVar| {
        let given = dims.iter().find(|(name, _)| *name == *var.name)?;
        Some(SymExpr::int(given.1))
    };
    formula.substitute(&value)
}
