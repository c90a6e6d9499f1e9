//! The static cost of functions, memory and work, as formulas over shape variables.
//!
//! The work of an operator is that of its definition (`relax::ops::flops`). The work of a called function is counted from
//! its program, with the shapes of the call. Bytes are those of the tensors read and written, each counted once.

mod callees;
mod heap;
mod plan;
mod prim;
#[cfg(test)]
mod tests;

use relax::ops::{self, Kind};
use relax::packed;
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::SymExpr;
use relax::value::Value;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::{Body, Expr, ExprId, Stmt, StmtKind};
use crate::db::Db;
use crate::facts::{CallFact, Var};
use crate::incremental::LazyFacts;
use crate::item_tree::FunctionItem;
use crate::queries::{function_body, lazy_facts};
use callees::Callees;
use heap::HeapShapes;
pub use plan::{Life, MemoryPlan, Storage};

/// Formulas over tensors of more dimensions are too long to read.
const MOST_DIMENSIONS: usize = 64;

/// Operators that read and write no elements.
const FREE: &[&str] = &[
    "relax.builtin.alloc_tensor",
    "relax.memory.alloc_storage",
    "relax.memory.alloc_tensor",
    "relax.memory.kill_storage",
    "relax.memory.kill_tensor",
    "relax.vm.alloc_storage",
    "relax.vm.alloc_tensor",
    "relax.vm.kill_object",
];

/// The cost of one binding, with all calls in its value, or of a `return`. `None` means that it is only known at run
/// time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The variable; empty for a call without a target.
    pub name: SmolStr,
    /// The range of the statement in the file.
    pub range: TextRange,
    /// The operators and functions that are called, in the order of the calls: `matmul, add`.
    pub callee: SmolStr,
    pub flops: Option<SymExpr>,
    pub bytes: Option<SymExpr>,
}

/// Returns the cost of each binding of a Relax function that calls something, in order. Includes local functions.
pub fn bindings(db: &dyn Db, function: FunctionItem<'_>) -> Vec<Cost> {
    costs(db, function, &mut Callees::of(db, function))
}

/// Returns the costs of the bindings in a range of the file.
pub fn bindings_in(db: &dyn Db, function: FunctionItem<'_>, range: TextRange) -> Vec<Cost> {
    let start = function.offset(db);
    let relative = |offset: TextSize| offset.checked_sub(start).unwrap_or_default();
    let own = TextRange::new(relative(range.start()), relative(range.end()));
    let vars = lazy_facts(db, function).vars_around(own);
    let vars = vars.filter(|it| own.contains_inclusive(it.name_range.end()));
    let returns = returns(function_body(db, function).stmts_in(own));
    let returns = returns
        .into_iter()
        .filter(|(_, range)| own.contains_inclusive(range.end()));
    let mut counter = Counter {
        function,
        facts: lazy_facts(db, function),
        body: function_body(db, function),
        // The shape heap is filled by the whole function.
        shapes: &HeapShapes::default(),
        callees: &mut Callees::of(db, function),
    };
    counter.costs(db, vars.collect(), returns.collect())
}

/// Returns the cost of each binding of a function, and adds the functions that it calls to `callees`.
fn costs<'db>(
    db: &'db dyn Db,
    function: FunctionItem<'db>,
    callees: &mut Callees<'db>,
) -> Vec<Cost> {
    let body = function_body(db, function);
    let facts = lazy_facts(db, function);
    let mut counter = Counter {
        function,
        facts,
        body,
        shapes: &HeapShapes::of(db, function),
        callees,
    };
    counter.costs(
        db,
        facts.vars().collect(),
        returns(body.function.body.iter()),
    )
}

/// Returns the expressions of `return` statements, with the ranges of the statements.
fn returns<'s>(stmts: impl Iterator<Item = &'s Stmt>) -> Vec<(ExprId, TextRange)> {
    let mut found = Vec::new();
    for stmt in stmts {
        if let StmtKind::Return(Some(value)) = stmt.kind {
            found.push((value, stmt.range));
        }
        for block in stmt.blocks() {
            found.extend(returns(block.iter()));
        }
    }
    found
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
    function: FunctionItem<'db>,
    facts: &'db LazyFacts,
    body: &'db Body,
    shapes: &'a HeapShapes,
    callees: &'a mut Callees<'db>,
}

/// The cost of one call.
struct CallCost {
    callee: SmolStr,
    flops: Option<SymExpr>,
    bytes: Option<SymExpr>,
}

impl<'db> Counter<'_, 'db> {
    /// Returns the costs of bindings and `return` statements, in the order of the file.
    fn costs(
        &mut self,
        db: &dyn Db,
        vars: Vec<Var<'db>>,
        returns: Vec<(ExprId, TextRange)>,
    ) -> Vec<Cost> {
        let start = self.function.offset(db);
        let mut all = Vec::with_capacity(vars.len());
        // `a, b = R.split(x, 2)` binds several variables to one value.
        for bound in vars.chunk_by(|a, b| a.value.is_some() && a.value == b.value) {
            let [var, others @ ..] = bound else { continue };
            let Some(value) = var.value else { continue };
            let own = self.shapes.var(var.id).unwrap_or(var.struct_info);
            let result = others.is_empty().then_some(own);
            if let Some(mut cost) = self.statement(value, result) {
                let is_named = |it: &&Var<'_>| usize::from(it.name_range.len()) == it.name.len();
                let names = bound.iter().filter(is_named).map(|it| it.name.as_str());
                cost.name = names.collect::<Vec<_>>().join(", ").into();
                cost.range = var.range + start;
                all.push(cost);
            }
        }
        for (value, range) in returns {
            if let Some(mut cost) = self.statement(value, None) {
                cost.range = range + start;
                all.push(cost);
            }
        }
        all.sort_by_key(|it| it.range.start());
        all
    }

    /// Returns the cost of all calls in an expression, or `None` if it calls nothing.
    fn statement(&mut self, value: ExprId, result: Option<&StructInfo>) -> Option<Cost> {
        let mut calls: Vec<CallCost> = Vec::new();
        let mut todo = vec![value];
        while let Some(expr) = todo.pop() {
            let own = result.filter(|_| expr == value);
            calls.extend(self.call(expr, own));
            self.body.exprs[expr].for_each_child(&mut |child| todo.push(child));
        }
        let sum = |of: fn(&CallCost) -> &Option<SymExpr>| {
            let mut parts = calls.iter().map(of);
            parts.try_fold(SymExpr::int(0), |sum, it| Some(sum.add(it.as_ref()?)))
        };
        let (flops, bytes) = (sum(|it| &it.flops), sum(|it| &it.bytes));
        // Operands are called before the call that reads them.
        let names: Vec<&str> = calls.iter().rev().map(|it| it.callee.as_str()).collect();
        (!names.is_empty()).then(|| Cost {
            name: SmolStr::default(),
            range: TextRange::default(),
            callee: names.join(", ").into(),
            flops,
            bytes,
        })
    }

    /// Returns the cost of an expression itself, without its operands, if it is a call.
    fn call(&mut self, expr: ExprId, result: Option<&StructInfo>) -> Option<CallCost> {
        let facts = self.facts;
        let result = || result.cloned().or_else(|| facts.value(expr).struct_info());
        if let Some(call) = self.facts.call(expr) {
            return Some(self.operator(call, &result().unwrap_or(StructInfo::Unknown)));
        }
        let Expr::Call { callee, args } = &self.body.exprs[expr] else {
            return None;
        };
        let Value::Global(name) = self.facts.value(*callee) else {
            return None;
        };
        let given = args.iter();
        let given = given.filter_map(|arg| self.shapes.expr(arg.value, self.facts));
        let given: Vec<StructInfo> = given.collect();
        // A PrimFunc's outputs are among its arguments.
        let result = result();
        let written = result.as_ref().filter(|it| !tensors(it).is_empty());
        let mut all = given.iter().chain(written).map(bytes);
        Some(CallCost {
            callee: name.clone(),
            flops: self.callees.flops(name, &given),
            bytes: all.try_fold(SymExpr::int(0), |sum, it| Some(sum.add(&it?))),
        })
    }

    fn operator(&mut self, call: &CallFact, result: &StructInfo) -> CallCost {
        let op = call.op.0;
        let mut cost = CallCost {
            callee: op.script().into(),
            flops: None,
            bytes: None,
        };
        let mut operands: Vec<StructInfo> = Vec::new();
        let mut attributes: Vec<(&str, &Value)> = Vec::new();
        let mut callee = None;
        for (param, arg) in op.params.iter().zip(&call.args) {
            for &expr in arg.exprs() {
                match (param.kind, self.facts.value(expr)) {
                    (Kind::Function, Value::Global(name)) => callee = Some(name.clone()),
                    (Kind::Function, Value::Extern(name) | Value::Str(name)) => {
                        cost.callee = name.clone();
                    }
                    (Kind::Tensor | Kind::Tensors | Kind::Expr | Kind::Any, _) => {
                        operands.extend(self.shapes.expr(expr, self.facts));
                    }
                    (_, value) => attributes.push((param.name, value)),
                }
            }
        }
        let is_free = packed::rows(&cost.callee).iter().any(|it| it.is_free);
        if is_free || FREE.contains(&op.name) {
            cost.flops = Some(SymExpr::int(0));
            cost.bytes = Some(SymExpr::int(0));
            return cost;
        }
        let is_short = |it: &Tensor| it.dims().is_none_or(|dims| dims.len() <= MOST_DIMENSIONS);
        let mut all = operands.iter().chain([result]).flat_map(tensors);
        if !all.all(is_short) {
            return cost;
        }
        if let Some(name) = callee {
            let given: Vec<StructInfo> = operands.iter().chain([result]).cloned().collect();
            cost.flops = self.callees.flops(&name, &given);
            cost.callee = name;
        } else {
            let tensors: Vec<&Tensor> = operands.iter().flat_map(tensors).collect();
            cost.flops = ops::flops(op, &tensors, &attributes, result);
        }
        let all = operands.iter().chain([result]).map(bytes);
        let mut all = all.chain([Some(SymExpr::int(0))]);
        cost.bytes = all
            .try_fold(SymExpr::int(0), |sum, it| Some(sum.add(&it?)))
            .filter(|_| cost.flops.is_some());
        cost
    }
}

/// Returns the tensors in a StructInfo, in order.
fn tensors(sinfo: &StructInfo) -> Vec<&Tensor> {
    match sinfo {
        StructInfo::Tuple(fields) => fields.iter().flat_map(tensors).collect(),
        other => other.as_tensor().into_iter().collect(),
    }
}
