//! The memory plan of a function: its storages, the tensors in each, their lifetimes, and the maximum of live memory.
//!
//! A storage lives from its allocation to the last use of it or of a tensor in it, as at run time: TVM kills a
//! storage's variable as soon as its tensor is allocated, and the tensor keeps the memory. Storages of called
//! functions belong to those functions.

use relax::dtype::DType;
use relax::ops;
use relax::sinfo::{Shape, StructInfo};
use relax::sym::{SymCx, SymExpr, Tri};
use relax::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use super::heap::HeapShapes;
use crate::db::Db;
use crate::facts::{ArgFact, CallFact};
use crate::form::{FunctionForm, Row, RowKind, function_form};
use crate::item_tree::FunctionItem;
use crate::queries::lazy_facts;

/// Formulas with more alternatives are too long to read.
const MOST_ALTERNATIVES: usize = 16;

/// Larger tuples are not tracked.
const MOST_HELD: usize = 256;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryPlan {
    pub function: SmolStr,
    /// The number of bindings in the function.
    pub steps: usize,
    pub storages: Vec<Storage>,
}

/// Memory that is allocated once. Lifetimes count bindings, starting at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    pub name: SmolStr,
    /// The size; `None` if it is only known at run time.
    pub bytes: Option<SymExpr>,
    pub from: usize,
    pub to: usize,
    pub tensors: Vec<Life>,
}

/// The lifetime of a tensor: from the binding that computes it to the last one that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    pub name: SmolStr,
    pub from: usize,
    pub to: usize,
}

impl MemoryPlan {
    /// Returns `None` if the function allocates no storages.
    pub fn of(db: &dyn Db, function: FunctionItem<'_>) -> Option<MemoryPlan> {
        let sizes = storage_sizes(db, function);
        if sizes.is_empty() {
            return None;
        }
        Some(MemoryPlan::of_form(function_form(db, function), &sizes))
    }

    fn of_form(form: &FunctionForm, sizes: &FxHashMap<TextRange, Option<SymExpr>>) -> MemoryPlan {
        let mut plan = MemoryPlan {
            function: form.name.clone(),
            ..MemoryPlan::default()
        };
        let mut held: Vec<Held> = Vec::with_capacity(form.rows.len());
        for (at, row) in (0..).zip(&form.rows) {
            if row.kind == RowKind::Binding {
                plan.steps += 1;
            }
            let operands = || form.operands(at).filter_map(|it| held.get(it as usize));
            for operand in operands() {
                plan.use_of(operand);
            }
            let holds = if is_op(row, ".alloc_storage") {
                plan.storages.push(Storage {
                    name: row.name.clone(),
                    bytes: sizes.get(&form.own_range(at)).cloned().flatten(),
                    from: plan.steps,
                    to: plan.steps,
                    tensors: Vec::new(),
                });
                Held::Storage(plan.storages.len() - 1)
            } else if is_op(row, ".alloc_tensor") {
                let storage = operands().find_map(Held::storage);
                storage.map_or_else(Held::nothing, |it| plan.tensor(it, &row.name))
            } else if may_be_an_operand(row) {
                operands().fold(Held::nothing(), Held::with)
            } else {
                Held::nothing()
            };
            held.push(holds);
        }
        for storage in &mut plan.storages {
            let ends = storage.tensors.iter().map(|it| it.to);
            storage.to = ends.fold(storage.to, usize::max);
        }
        plan
    }

    fn use_of(&mut self, held: &Held) {
        match held {
            Held::Storage(at) => self.storages[*at].to = self.steps,
            Held::Tensors(all) => {
                for (storage, tensor) in all {
                    self.storages[*storage].tensors[*tensor].to = self.steps;
                }
            }
        }
    }

    fn tensor(&mut self, storage: usize, name: &SmolStr) -> Held {
        let tensors = &mut self.storages[storage].tensors;
        tensors.push(Life {
            name: name.clone(),
            from: self.steps,
            to: self.steps,
        });
        Held::Tensors(vec![(storage, tensors.len() - 1)])
    }

    /// Returns the total size of the storages of known size, and the number of others.
    pub fn total(&self) -> (SymExpr, usize) {
        let known = self.storages.iter().filter_map(|it| it.bytes.as_ref());
        let unknown = self.storages.iter().filter(|it| it.bytes.is_none()).count();
        (known.fold(SymExpr::int(0), |sum, it| sum.add(it)), unknown)
    }

    /// Returns the maximum size of live storages; `None` if it is only known at run time, or the formula would be too
    /// long.
    pub fn peak(&self) -> Option<SymExpr> {
        let mut highest: Vec<SymExpr> = Vec::new();
        let mut ending: Vec<&Storage> = self.storages.iter().collect();
        ending.sort_by_key(|it| it.to);
        let mut ending = ending.into_iter().peekable();
        let mut alive = SymExpr::int(0);
        for storage in &self.storages {
            while let Some(ended) = ending.next_if(|it| it.to < storage.from) {
                add_alternative(&mut highest, &alive)?;
                alive = alive.sub(ended.bytes.as_ref()?);
            }
            alive = alive.add(storage.bytes.as_ref()?);
        }
        add_alternative(&mut highest, &alive)?;
        let alternatives = highest.into_iter();
        alternatives.reduce(|most, it| SymExpr::max(&most, &it))
    }
}

/// The memory that the variable of a row refers to.
enum Held {
    Storage(usize),
    /// Tensors, by storage.
    Tensors(Vec<(usize, usize)>),
}

impl Held {
    fn nothing() -> Held {
        Held::Tensors(Vec::new())
    }

    fn storage(&self) -> Option<usize> {
        match self {
            Held::Storage(at) => Some(*at),
            Held::Tensors(_) => None,
        }
    }

    fn with(self, other: &Held) -> Held {
        match (self, other) {
            (Held::Tensors(mut all), Held::Tensors(more)) => {
                all.extend(more);
                all.sort_unstable();
                all.dedup();
                all.truncate(MOST_HELD);
                Held::Tensors(all)
            }
            (_, Held::Storage(at)) => Held::Storage(*at),
            (storage, _) => storage,
        }
    }
}

/// Adds a sum, unless another is at least as large for all dimensions. Returns `None` if there are too many.
fn add_alternative(highest: &mut Vec<SymExpr>, sum: &SymExpr) -> Option<()> {
    let cx = SymCx::default();
    let is_below = |a: &SymExpr, b: &SymExpr| cx.less_equal(a, b) == Tri::Yes;
    if !highest.iter().any(|it| is_below(sum, it)) {
        highest.retain(|it| !is_below(it, sum));
        highest.push(sum.clone());
    }
    (highest.len() <= MOST_ALTERNATIVES).then_some(())
}

fn is_op(row: &Row, ending: &str) -> bool {
    row.op.is_some_and(|it| it.name.ends_with(ending))
}

/// Returns `true` if the variable may be an alias of, or contain, what the row uses: a name, a tuple, a view.
fn may_be_an_operand(row: &Row) -> bool {
    match (row.op, &row.callee) {
        (_, Some(callee)) => ops::returns_view(callee),
        (Some(op), None) => ops::returns_view(op.name),
        (None, None) => true,
    }
}

/// Returns the size of each storage that a function allocates, by the range of the statement.
fn storage_sizes(db: &dyn Db, function: FunctionItem<'_>) -> FxHashMap<TextRange, Option<SymExpr>> {
    let facts = lazy_facts(db, function);
    let shapes = HeapShapes::of(db, function);
    let size = |call: &CallFact| {
        let Some(ArgFact::One(size)) = call.args.first() else {
            return None;
        };
        let Some(StructInfo::Shape(Shape::Known(dims))) = shapes.expr(*size, facts) else {
            return None;
        };
        let count = SymExpr::product(dims.iter());
        // In the virtual machine's call, the size is in elements.
        match (call.op.0.name, call.args.get(2)) {
            ("relax.vm.alloc_storage", Some(ArgFact::One(dtype))) => {
                let width = element_bytes(facts.value(*dtype))?;
                Some(count.mul(&SymExpr::int(width)))
            }
            _ => Some(count),
        }
    };
    let allocation = |value| {
        let call = facts.call(value)?;
        call.op
            .0
            .name
            .ends_with(".alloc_storage")
            .then(|| size(call))
    };
    let vars = facts.vars();
    vars.filter_map(|var| Some((var.range, allocation(var.value?)?)))
        .collect()
}

fn element_bytes(dtype: &Value) -> Option<i64> {
    let (Value::DType(name) | Value::Str(name)) = dtype else {
        return None;
    };
    i64::try_from(DType::parse(name)?.bytes()).ok()
}
