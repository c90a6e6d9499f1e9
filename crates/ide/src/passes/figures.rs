//! Counts the functions, bindings, operators and storages of a module.

use hir::cost::MemoryPlan;
use hir::form::{FunctionForm, RowKind};
use hir::{Database, SourceFile, file_items};
use relax::FunctionKind;
use relax::sym::SymExpr;

/// The counts for one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub relax_functions: usize,
    pub prim_funcs: usize,
    /// The number of bindings in Relax functions.
    pub bindings: usize,
    /// The number of calls of operators that compute something themselves.
    pub operators: usize,
    /// The number of calls of functions of the module and of the host.
    pub calls: usize,
    /// The number of storages in the memory plan.
    pub storages: usize,
    /// The total size of all storages in bytes; `None` if it is only known at run time.
    pub planned: Option<SymExpr>,
}

/// Operators that only call a function, and operators that lowering inserts.
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

    /// Adds the bindings of a function to the counts.
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
