//! The static cost of functions, memory and work, as formulas over shape variables.
//!
//! The work of an operator is that of its definition (`relax::ops::flops`). The work of a PrimFunc is counted from its
//! program, with the shapes of the call. Bytes are those of the tensors read and written, each counted once.

mod heap;
mod plan;
mod prim;
#[cfg(test)]
mod tests;

use relax::FunctionKind;
use relax::ops::{self, Kind};
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymExpr;
use relax::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::{Expr, ExprId};
use crate::db::Db;
use crate::facts::{CallFact, Var};
use crate::incremental::LazyFacts;
use crate::item_tree::{FunctionItem, file_items};
use crate::queries::{function_body, lazy_facts};
use heap::HeapShapes;
pub use plan::{Life, MemoryPlan, Storage};
use prim::PrimCost;

/// Formulas over tensors of more dimensions are too long to read.
const MOST_DIMENSIONS: usize = 64;

/// Operators that read and write nothing.
const ENDS_A_LIFE: &[&str] = &[
    "relax.vm.kill_object",
    "relax.memory.kill_storage",
    "relax.memory.kill_tensor",
];

/// The cost of one binding. `None` means that it is only known at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The variable; empty for a call without a target.
    pub name: SmolStr,
    /// The range of the statement in the file.
    pub range: TextRange,
    /// The operator or the function that is called.
    pub callee: SmolStr,
    pub flops: Option<SymExpr>,
    pub bytes: Option<SymExpr>,
}

/// Returns the cost of each binding of a Relax function that calls something, in order. Includes local functions.
pub fn bindings(db: &dyn Db, function: FunctionItem<'_>) -> Vec<Cost> {
    let shapes = HeapShapes::of(db, function);
    costs(
        db,
        function,
        &shapes,
        lazy_facts(db, function).vars().collect(),
    )
}

/// Returns the costs of the bindings in a range of the file.
pub fn bindings_in(db: &dyn Db, function: FunctionItem<'_>, range: TextRange) -> Vec<Cost> {
    let start = function.offset(db);
    let relative = |offset: TextSize| offset.checked_sub(start).unwrap_or_default();
    let own = TextRange::new(relative(range.start()), relative(range.end()));
    let vars = lazy_facts(db, function).vars_around(own);
    let vars = vars.filter(|it| own.contains_inclusive(it.name_range.end()));
    // The shape heap is filled by the whole function.
    costs(db, function, &HeapShapes::default(), vars.collect())
}

fn costs(
    db: &dyn Db,
    function: FunctionItem<'_>,
    shapes: &HeapShapes,
    vars: Vec<Var<'_>>,
) -> Vec<Cost> {
    let mut counter = Counter {
        db,
        function,
        facts: lazy_facts(db, function),
        shapes,
        prims: FxHashMap::default(),
    };
    vars.into_iter()
        .filter_map(|var| counter.binding(var))
        .collect()
}

/// Returns the size of a tensor, or of all tensors in a tuple, in bytes.
pub fn bytes(sinfo: &StructInfo) -> Option<SymExpr> {
    match sinfo {
        StructInfo::Tensor(tensor) => tensor_bytes(tensor),
        StructInfo::Tuple(fields) => {
            let mut fields = fields.iter().map(bytes);
            fields.try_fold(SymExpr::int(0), |all, it| Some(all.add(&it?)))
        }
        StructInfo::Shape(_) | StructInfo::Prim(_) => Some(SymExpr::int(0)),
        _ => None,
    }
}

fn tensor_bytes(tensor: &Tensor) -> Option<SymExpr> {
    let width = SymExpr::int(tensor.known_dtype()?.bytes() as i64);
    Some(SymExpr::product(tensor.dims()?.iter()).mul(&width))
}

struct Counter<'a, 'db> {
    db: &'db dyn Db,
    function: FunctionItem<'db>,
    facts: &'db LazyFacts,
    shapes: &'a HeapShapes,
    /// The costs of PrimFuncs that were called so far.
    prims: FxHashMap<SmolStr, Option<PrimCost>>,
}

impl<'db> Counter<'_, 'db> {
    fn binding(&mut self, var: Var<'db>) -> Option<Cost> {
        let value = var.value?;
        let named = usize::from(var.name_range.len()) == var.name.len();
        let mut cost = Cost {
            name: if named {
                var.name.clone()
            } else {
                SmolStr::default()
            },
            range: var.range + self.function.offset(self.db),
            callee: SmolStr::default(),
            flops: None,
            bytes: None,
        };
        match self.facts.call(value) {
            Some(call) => {
                let result = self.shapes.var(var.id).unwrap_or(var.struct_info);
                self.operator(call, result, &mut cost);
            }
            None => self.direct(value, &mut cost)?,
        }
        Some(cost)
    }

    fn operator(&mut self, call: &CallFact, result: &StructInfo, cost: &mut Cost) {
        let op = call.op.0;
        cost.callee = op.script().into();
        if ENDS_A_LIFE.contains(&op.name) {
            cost.flops = Some(SymExpr::int(0));
            cost.bytes = Some(SymExpr::int(0));
            return;
        }
        let mut operands: Vec<StructInfo> = Vec::new();
        let (mut callee, mut kernel_layout) = (None, None);
        for (param, arg) in op.params.iter().zip(&call.args) {
            for &expr in arg.exprs() {
                match (param.kind, self.facts.value(expr)) {
                    (Kind::Function, Value::Global(name)) => callee = Some(name.clone()),
                    (_, Value::Str(text)) if param.name == "kernel_layout" => {
                        kernel_layout = Some(text.clone());
                    }
                    (Kind::Tensor | Kind::Tensors | Kind::Expr | Kind::Any, _) => {
                        operands.extend(self.shapes.expr(expr, self.facts));
                    }
                    _ => {}
                }
            }
        }
        let is_short = |it: &Tensor| it.dims().is_none_or(|dims| dims.len() <= MOST_DIMENSIONS);
        let mut all = operands.iter().chain([result]).flat_map(tensors);
        if !all.all(is_short) {
            return;
        }
        if let Some(name) = callee {
            let given = operands.iter().chain([result]);
            let tensors: Vec<&Tensor> = given.flat_map(tensors).collect();
            cost.callee = name.clone();
            cost.flops = self.prim_flops(&name, &tensors);
        } else {
            let tensors: Vec<&Tensor> = operands.iter().flat_map(tensors).collect();
            cost.flops = ops::flops(op, &tensors, kernel_layout.as_deref(), result);
        }
        let all = operands.iter().chain([result]).map(bytes);
        let mut all = all.chain([Some(SymExpr::int(0))]);
        cost.bytes = all
            .try_fold(SymExpr::int(0), |sum, it| Some(sum.add(&it?)))
            .filter(|_| cost.flops.is_some());
    }

    /// Computes the cost of a direct call of a module function, whose outputs are among the arguments.
    fn direct(&mut self, value: ExprId, cost: &mut Cost) -> Option<()> {
        let Expr::Call { callee, args } = &function_body(self.db, self.function).exprs[value]
        else {
            return None;
        };
        let Value::Global(name) = self.facts.value(*callee) else {
            return None;
        };
        let given: Vec<StructInfo> = args
            .iter()
            .filter_map(|arg| self.shapes.expr(arg.value, self.facts))
            .collect();
        let tensors: Vec<&Tensor> = given.iter().flat_map(tensors).collect();
        cost.callee = name.clone();
        cost.flops = self.prim_flops(name, &tensors);
        let mut all = given.iter().map(bytes);
        cost.bytes = all.try_fold(SymExpr::int(0), |sum, it| Some(sum.add(&it?)));
        Some(())
    }

    fn prim_flops(&mut self, name: &SmolStr, given: &[&Tensor]) -> Option<SymExpr> {
        let (db, function) = (self.db, self.function);
        let cost = self
            .prims
            .entry(name.clone())
            .or_insert_with(|| PrimCost::of(db, Self::prim_func(db, function, name)?));
        cost.as_ref()?.with_shapes(given)
    }

    /// Returns the PrimFunc with a name in the module of a function.
    fn prim_func(
        db: &'db dyn Db,
        function: FunctionItem<'db>,
        name: &str,
    ) -> Option<FunctionItem<'db>> {
        let mut functions = file_items(db, function.file(db)).functions.iter();
        let named = functions.find(|it| {
            it.name(db) == name
                && it.module(db) == function.module(db)
                && it.kind(db) == FunctionKind::PrimFunc
        });
        named.copied()
    }
}

/// Returns the tensors in a StructInfo, in order.
fn tensors(sinfo: &StructInfo) -> Vec<&Tensor> {
    match sinfo {
        StructInfo::Tuple(fields) => fields.iter().flat_map(tensors).collect(),
        other => other.as_tensor().into_iter().collect(),
    }
}
