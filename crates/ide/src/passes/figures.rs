//! What a module holds, in numbers.

use hir::cost::MemoryPlan;
use hir::form::{FunctionForm, RowKind};
use hir::{Database, SourceFile, file_items};
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

impl Figures {
    pub(super) fn of(db: &Database, file: SourceFile, plans: &[MemoryPlan]) -> Figures {
        let functions = &file_items(db, file).functions;
        let count = |kind| functions.iter().filter(|it| it.kind(db) == kind).count();
        let totals = plans.iter().map(MemoryPlan::total);
        Figures {
            relax_functions: count(FunctionKind::Relax),
            prim_funcs: count(FunctionKind::PrimFunc),
            storages: plans.iter().map(|it| it.storages.len()).sum(),
            planned: totals
                .map(|(bytes, unknown)| (unknown == 0).then_some(bytes))
                .try_fold(SymExpr::int(0), |sum, it| Some(sum.add(&it?))),
            ..Figures::default()
        }
    }

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
