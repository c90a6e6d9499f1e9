//! What a module holds, in numbers.

use hir::form::{FunctionForm, RowKind};
use hir::{Database, SourceFile, cost, file_items};
use relax::FunctionKind;
use relax::sym::SymExpr;

/// Counts of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub relax_functions: usize,
    pub prim_funcs: usize,
    /// Of Relax functions.
    pub bindings: usize,
    /// Calls of operators that compute something by themselves.
    pub operators: usize,
    /// Calls of functions of the module and of the host.
    pub calls: usize,
    /// Storages of the memory plan.
    pub storages: usize,
    /// The bytes of all storages; none where only a run knows.
    pub planned: Option<SymExpr>,
}

/// Operators that call a function, and those that lowering brings.
const NO_WORK: &[&str] = &[
    "relax.call_",
    "relax.memory.",
    "relax.vm.",
    "relax.builtin.",
    "relax.invoke_",
];

pub(super) fn of(db: &Database, file: SourceFile) -> Figures {
    let mut figures = Figures {
        planned: Some(SymExpr::int(0)),
        ..Figures::default()
    };
    for &function in &file_items(db, file).functions {
        match function.kind(db) {
            FunctionKind::PrimFunc => figures.prim_funcs += 1,
            FunctionKind::Macro | FunctionKind::Python => {}
            FunctionKind::Relax => {
                figures.relax_functions += 1;
                for bytes in cost::storages(db, function) {
                    figures.storages += 1;
                    figures.planned = figures.planned.zip(bytes).map(|(all, it)| all.add(&it));
                }
            }
        }
    }
    figures
}

impl Figures {
    /// Counts the bindings of a function.
    pub(super) fn count(&mut self, function: &FunctionForm) {
        if function.kind != FunctionKind::Relax {
            return;
        }
        for row in &function.rows {
            if row.kind != RowKind::Binding {
                continue;
            }
            self.bindings += 1;
            match (&row.op, &row.callee) {
                (_, Some(_)) => self.calls += 1,
                (Some(op), None) if !NO_WORK.iter().any(|it| op.name.starts_with(it)) => {
                    self.operators += 1;
                }
                _ => {}
            }
        }
    }
}
