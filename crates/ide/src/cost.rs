//! What a Relax function costs before it runs: formulas over its shape variables.

use hir::cost::{Cost, bindings, storages};
use hir::{Database, SourceFile, file_items};
use relax::FunctionKind;
use relax::sym::{SymExpr, SymVar};
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::types::FileId;

/// One Relax function.
#[derive(Clone, Debug, Default)]
pub struct FunctionCost {
    pub name: String,
    /// The name in the `def`.
    pub name_range: TextRange,
    pub bindings: Vec<Cost>,
    /// The bytes of each storage that it allocates.
    pub storages: Vec<Option<SymExpr>>,
}

impl Analysis {
    /// The cost of each Relax function of a file.
    pub fn costs(&self, file: FileId) -> Cancellable<Vec<FunctionCost>> {
        self.ask(file, costs)
    }
}

fn costs(db: &Database, file: SourceFile) -> Vec<FunctionCost> {
    let functions = file_items(db, file).functions.iter();
    let relax = functions.filter(|it| it.kind(db) == FunctionKind::Relax);
    relax
        .map(|&function| FunctionCost {
            name: function.name(db).to_string(),
            name_range: hir::function_body(db, function).function.name.range + function.offset(db),
            bindings: bindings(db, function),
            storages: storages(db, function),
        })
        .collect()
}

impl FunctionCost {
    /// The operations of all bindings, and how many are not known.
    pub fn flops(&self) -> (SymExpr, usize) {
        total(self.bindings.iter().map(|it| it.flops.as_ref()))
    }

    pub fn bytes(&self) -> (SymExpr, usize) {
        total(self.bindings.iter().map(|it| it.bytes.as_ref()))
    }

    /// The bytes of all storages, and how many are not known.
    pub fn planned(&self) -> (SymExpr, usize) {
        total(self.storages.iter().map(Option::as_ref))
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

/// A formula with some of its variables given.
pub fn with_dims(formula: &SymExpr, dims: &[(String, i64)]) -> SymExpr {
    let value = |var: &SymVar| {
        let given = dims.iter().find(|(name, _)| *name == *var.name)?;
        Some(SymExpr::int(given.1))
    };
    formula.substitute(&value)
}
