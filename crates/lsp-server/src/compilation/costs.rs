//! Operations, bytes and planned memory of functions, as numbers for people where they are numbers.

use ide::Analysis;
use ide::cost::{FunctionCost, with_dims};
use relax::sym::SymExpr;
use serde_json::{Value, json};
use text_size::TextRange;

use crate::run::outcome::size;

/// The memory plan of a function.
pub struct Plan {
    pub bytes: Vec<Option<SymExpr>>,
    pub total: SymExpr,
    /// How many storages have a size that only a run knows.
    pub unknown: usize,
}

impl Plan {
    /// The plan that the function has itself.
    pub fn of(cost: &FunctionCost) -> Option<Plan> {
        let (total, unknown) = cost.planned();
        // Without storages, operators make their own results.
        (!cost.storages.is_empty()).then(|| Plan {
            bytes: cost.storages.clone(),
            total,
            unknown,
        })
    }

    /// The plan of a function that is lowered to explicit memory.
    pub fn of_lowered(text: &str, function: &str) -> Option<Plan> {
        let (analysis, file) = Analysis::from_single_file(text, ide::Config::default());
        let lowered = analysis.costs(file).ok()?;
        Plan::of(lowered.iter().find(|it| it.name == function)?)
    }

    /// The formula, its value, and each storage.
    pub fn to_json(&self, dims: &[(String, i64)]) -> Value {
        let storages = self.bytes.iter();
        let known = |it: &Option<SymExpr>| it.as_ref().map(|it| formula(it, dims));
        json!({
            "formula": self.total.to_string(),
            "bytes": formula(&self.total, dims),
            "storages": storages.map(known).collect::<Vec<_>>(),
            "unknown": self.unknown,
        })
    }
}

/// The costs of a function, with the plan that it has or would have. `place` names a range in the file as a field.
pub fn to_json(
    cost: &FunctionCost,
    plan: Option<&Plan>,
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
        "planned": plan.map(|it| it.to_json(dims)),
    });
    placed(function, cost.name_range)
}

/// A number, or the text of a formula.
fn formula(it: &SymExpr, dims: &[(String, i64)]) -> Value {
    let it = with_dims(it, dims);
    it.as_int()
        .map_or_else(|| json!(it.to_string()), |number| json!(number))
}

/// `8.6 GFLOP`, or the formula.
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

/// `16 MiB`, or the formula.
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
