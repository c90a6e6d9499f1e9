//! Formats operations, bytes and planned memory of functions, as readable numbers if they are constant.

use std::collections::BTreeMap;

use hir::{Database, FunctionItem, SourceFile, file_items};
use ide::Analysis;
use ide::cost::{FunctionCost, MemoryPlan, with_dims};
use relax::sym::SymExpr;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use smol_str::SmolStr;
use text_size::TextRange;
use vm::listing::Stage;

use crate::run::outcome::size;

/// Returns the memory plan of a function that was lowered to explicit memory.
pub fn plan_of_lowered(text: &str, function: &str) -> Option<MemoryPlan> {
    plans_of_lowered(text).find(|it| it.function == function)
}

/// Returns the memory plans of functions that were lowered to explicit memory.
fn plans_of_lowered(text: &str) -> impl Iterator<Item = MemoryPlan> {
    let (analysis, file) = Analysis::from_single_file(text, ide::Config::default());
    let lowered = analysis.costs(file).unwrap_or_default();
    lowered.into_iter().filter_map(|it| it.plan)
}

/// Returns the plans that the virtual machine would make for functions without one, by the ranges of their names.
///
/// All functions of a module are lowered together, so that the time is proportional to the file.
pub fn plans_of_machine(
    db: &Database,
    file: SourceFile,
    costs: &[FunctionCost],
) -> FxHashMap<TextRange, MemoryPlan> {
    let unplanned = costs.iter().filter(|it| it.plan.is_none());
    let unplanned: FxHashSet<TextRange> = unplanned.map(|it| it.name_range).collect();
    let name_range =
        |it: FunctionItem<'_>| hir::function_body(db, it).function.name.range + it.offset(db);
    let mut modules: BTreeMap<Option<u32>, Vec<FunctionItem<'_>>> = BTreeMap::new();
    for &function in &file_items(db, file).functions {
        if unplanned.contains(&name_range(function)) {
            let module = modules.entry(function.module(db));
            module.or_default().push(function);
        }
    }
    let mut plans = FxHashMap::default();
    for functions in modules.into_values() {
        let listing = vm::lower::runnable_listing(db, &functions, Stage::ExplicitMemory);
        let made = plans_of_lowered(&listing.text);
        let made: FxHashMap<SmolStr, MemoryPlan> =
            made.map(|it| (it.function.clone(), it)).collect();
        let of_function =
            |it: FunctionItem<'_>| Some((name_range(it), made.get(&it.name(db))?.clone()));
        plans.extend(functions.into_iter().filter_map(of_function));
    }
    plans
}

/// Returns a plan as JSON: the sum of all storages as a formula and a value, the peak of live memory, and each
/// storage.
pub fn plan_to_json(plan: &MemoryPlan, dims: &[(String, i64)]) -> Value {
    let known = |it: Option<&SymExpr>| it.map(|it| formula(it, dims));
    let (total, unknown) = plan.total();
    let peak = plan.peak();
    let storages = plan.storages.iter();
    json!({
        "formula": total.to_string(),
        "bytes": formula(&total, dims),
        "peakFormula": peak.as_ref().map(ToString::to_string),
        "peak": known(peak.as_ref()),
        "storages": storages.map(|it| known(it.bytes.as_ref())).collect::<Vec<_>>(),
        "unknown": unknown,
    })
}

/// Returns the cost of a function as JSON, with the given plan. `place` adds the fields for a range of the file.
pub fn to_json(
    cost: &FunctionCost,
    plan: Option<&MemoryPlan>,
    dims: &[(String, i64)],
    place: impl Fn(TextRange) -> (&'static str, Value),
) -> Value {
    let known = |it: &Option<SymExpr>| it.as_ref().map(|it| formula(it, dims));
    let placed = |mut object: Value, range: TextRange| {
        let (field, value) = place(range);
        object[field] = value;
        object
    };
    let bindings = cost.bindings.iter().map(|it| {
        let binding = json!({
            "name": it.name.as_str(),
            "calls": it.callee.as_str(),
            "flops": known(&it.flops),
            "bytes": known(&it.bytes),
        });
        placed(binding, it.range)
    });
    let (flops, bytes) = (cost.flops(), cost.bytes());
    let function = json!({
        "name": cost.name,
        "bindings": bindings.collect::<Vec<_>>(),
        "flops": formula(&flops.0, dims),
        "bytes": formula(&bytes.0, dims),
        "unknown": flops.1,
        "planned": plan.map(|it| plan_to_json(it, dims)),
    });
    placed(function, cost.name_range)
}

/// Returns a number, or the text of a formula.
fn formula(it: &SymExpr, dims: &[(String, i64)]) -> Value {
    let it = with_dims(it, dims);
    it.as_int()
        .map_or_else(|| json!(it.to_string()), |number| json!(number))
}

/// Formats operations: `8.6 GFLOP`, or the formula.
pub fn operations(it: &SymExpr, dims: &[(String, i64)]) -> String {
    const UNITS: [&str; 5] = ["", "k", "M", "G", "T"];
    let it = with_dims(it, dims);
    let Some(count) = it.as_int() else {
        return format!("{it} FLOP");
    };
    let mut amount = count as f64;
    let mut unit = 0;
    while amount >= 1000.0 && unit + 1 < UNITS.len() {
        amount /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{count} FLOP"),
        _ => format!("{amount:.2} {}FLOP", UNITS[unit]),
    }
}

/// Formats a size: `16 MiB`, or the formula.
pub fn memory(it: &SymExpr, dims: &[(String, i64)]) -> String {
    let it = with_dims(it, dims);
    match it.as_int().and_then(|it| u64::try_from(it).ok()) {
        Some(bytes) => size(bytes),
        None => format!("{it} B"),
    }
}

#[cfg(test)]
mod tests {
    use relax::sym::{SymExpr, SymVar};

    use super::{memory, operations};

    #[test]
    fn numbers_have_units_and_formulas_stay() {
        let n = SymExpr::var(SymVar {
            name: "n".into(),
            id: 0,
        });
        let cost = n.mul(&SymExpr::int(1_000_000));
        let dims = [("n".to_owned(), 2048)];
        assert_eq!(operations(&cost, &dims), "2.05 GFLOP");
        assert_eq!(operations(&cost, &[]), "n * 1000000 FLOP");
        assert_eq!(memory(&n, &dims), "2 KiB");
        assert_eq!(operations(&SymExpr::int(7), &[]), "7 FLOP");
    }
}
