//! The work of functions that a function calls, with the shapes of each call.

use relax::FunctionKind;
use relax::sinfo::{StructInfo, Tensor};
use relax::sym::{SymExpr, SymVar};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{costs, prim, tensors};
use crate::db::Db;
use crate::item_tree::{FunctionItem, file_items};
use crate::queries::lazy_facts;

/// Calls of Relax functions nested more deeply have unknown cost.
const DEEPEST: usize = 16;

/// The functions of a module that were called so far, with their cost in terms of their own shape variables.
pub(super) struct Callees<'db> {
    db: &'db dyn Db,
    /// A function of the module.
    function: FunctionItem<'db>,
    /// `None` for functions of unknown cost, and while a function is counted.
    known: FxHashMap<SmolStr, Option<CalleeCost>>,
    depth: usize,
}

/// The cost of a function in terms of the shapes of its parameters.
pub(super) struct CalleeCost {
    /// The dimensions of each tensor, in the order of the parameters.
    pub params: Vec<Vec<Option<SymExpr>>>,
    pub flops: SymExpr,
}

impl<'db> Callees<'db> {
    /// Returns the functions that `function` may call, none of them counted yet.
    pub fn of(db: &'db dyn Db, function: FunctionItem<'db>) -> Callees<'db> {
        Callees {
            db,
            function,
            known: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Returns the number of operations of a call with these arguments.
    pub fn flops(&mut self, name: &SmolStr, given: &[StructInfo]) -> Option<SymExpr> {
        if !self.known.contains_key(name) {
            // A recursive call has unknown cost.
            self.known.insert(name.clone(), None);
            let cost = self.cost(name);
            self.known.insert(name.clone(), cost);
        }
        let given: Vec<&Tensor> = given.iter().flat_map(tensors).collect();
        self.known.get(name)?.as_ref()?.with_shapes(&given)
    }

    fn cost(&mut self, name: &str) -> Option<CalleeCost> {
        let function = named(self.db, self.function, name)?;
        if function.kind(self.db) == FunctionKind::PrimFunc {
            return prim::cost(self.db, function);
        }
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let costs = costs(self.db, function, self);
        self.depth -= 1;
        let mut all = costs.iter().map(|it| it.flops.as_ref());
        let flops = all.try_fold(SymExpr::int(0), |sum, it| Some(sum.add(it?)))?;
        let facts = lazy_facts(self.db, function);
        let params = facts.functions.first()?.params.iter();
        let params = params.flat_map(|it| tensors(facts.var(*it).struct_info));
        let dims = |it: &Tensor| {
            it.dims()
                .unwrap_or_default()
                .iter()
                .cloned()
                .map(Some)
                .collect()
        };
        Some(CalleeCost {
            params: params.map(dims).collect(),
            flops,
        })
    }
}

/// Returns the function with a name in the module of another function.
pub(super) fn named<'db>(
    db: &'db dyn Db,
    function: FunctionItem<'db>,
    name: &str,
) -> Option<FunctionItem<'db>> {
    let mut functions = file_items(db, function.file(db)).functions.iter();
    let named = functions.find(|it| it.name(db) == name && it.module(db) == function.module(db));
    named.copied()
}

impl CalleeCost {
    /// Returns the number of operations for these tensors, or `None` if a dimension is unknown.
    fn with_shapes(&self, given: &[&Tensor]) -> Option<SymExpr> {
        let mut known: Vec<(&SymVar, &SymExpr)> = Vec::new();
        for (param, tensor) in self.params.iter().zip(given) {
            for (dim, value) in param.iter().zip(tensor.dims().unwrap_or_default()) {
                if let Some(SymExpr::Var(var)) = dim {
                    known.push((var, value));
                }
            }
        }
        let value = |var: &SymVar| {
            let found = known.iter().find(|(it, _)| *it == var)?;
            Some(found.1.clone())
        };
        let is_known = !self.flops.any_var(&|var| value(var).is_none());
        is_known.then(|| self.flops.substitute(&value))
    }
}
