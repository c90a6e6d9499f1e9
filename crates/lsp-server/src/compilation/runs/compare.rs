//! Compares the values of a call in two stages: its results, and the bindings that correspond.

use hir::difference::ModuleDifference;
use hir::form::{ModuleForm, PlacedForm, RowKind};
use serde_json::json;
use vm::tensor::Tensor;
use vm::value::Value;

use super::provided::Runnable;
use super::unit::Call;
use super::{Binding, Named, bare_name};
use crate::run::observed::Observed;
use crate::run::summary;
use crate::run::tolerance::{self, Compared, RequestedTolerance};

/// A call in one stage.
#[derive(Clone, Copy)]
pub struct Side<'r> {
    pub runnable: &'r Runnable,
    pub call: &'r Call,
    /// The name for messages: `after FuseOps`.
    pub name: &'r str,
}

/// The result of a comparison.
#[derive(Default)]
pub struct Comparison {
    /// The number of tensors with elements that could be compared.
    pub compared: usize,
    pub difference: Option<Found>,
    /// Results that are finite in less than half of their elements.
    pub doubts: Vec<String>,
}

/// A value that differs.
pub struct Found {
    /// `None` for the result.
    pub binding: Option<Binding>,
    pub what: String,
}

/// Two bindings that correspond, with their values.
struct Pair<'v> {
    binding: Binding,
    before: &'v Tensor,
    now: &'v Tensor,
}

/// Compares a call in two stages, whose modules have a difference.
pub fn compare(
    before: Side<'_>,
    now: Side<'_>,
    difference: &ModuleDifference,
    asked: RequestedTolerance,
) -> Comparison {
    let asked = asked.for_inputs(&before.call.observed.inputs);
    let names = [now.name, before.name];
    let tensors = |a: &Tensor, b: &Tensor| tolerance::compare(b, a, asked.of(b.kind()), names);
    let mut comparison = Comparison::default();
    let of_result = results(before.call, now.call, &tensors, &mut comparison);
    let pairs = Pairs::of(before, now, difference);
    let mut differing = None;
    for pair in &pairs.found {
        let compared = tensors(pair.before, pair.now);
        comparison.compared += usize::from(compared.finite > 0);
        if let Some(what) = compared.difference {
            differing = Some((pair.binding.clone(), what));
            break;
        }
    }
    comparison.difference = match (of_result, differing) {
        (Some(_), Some((binding, what))) => Some(Found {
            binding: Some(binding),
            what,
        }),
        (Some(what), None) => Some(Found {
            binding: None,
            what,
        }),
        // If every binding has a counterpart, no other binding makes up for this one.
        (None, Some((binding, what))) if pairs.are_complete => Some(Found {
            binding: Some(binding),
            what: format!("{what}; the results are equal within the tolerance"),
        }),
        // A pass may compute the same result through different values.
        (None, _) => None,
    };
    comparison
}

/// Compares the results. Returns how they differ.
fn results(
    before: &Call,
    now: &Call,
    tensors: &dyn Fn(&Tensor, &Tensor) -> Compared,
    comparison: &mut Comparison,
) -> Option<String> {
    let (old, new) = (&before.leaves, &now.leaves);
    if old.len() != new.len() {
        return Some(format!("{} results instead of {}", new.len(), old.len()));
    }
    let mut found = None;
    for ((name, a), (_, b)) in old.iter().zip(new) {
        let (Value::Tensor(a), Value::Tensor(b)) = (a, b) else {
            let [old, new] = [a, b].map(summary::of);
            // Objects have no contents to show.
            if json!(old) != json!(new) {
                let (old, new) = (old.brief(), new.brief());
                found.get_or_insert(format!("{name}: {new} instead of {old}"));
            }
            continue;
        };
        let compared = tensors(a, b);
        comparison.compared += usize::from(compared.finite > 0);
        if 2 * compared.finite < compared.total {
            comparison.doubts.push(format!(
                "only {} of {} elements of `{name}` are finite",
                compared.finite, compared.total
            ));
        }
        if let Some(what) = compared.difference {
            found.get_or_insert(format!("{name}: {what}"));
        }
    }
    found
}

/// The bindings that exist in both stages, in the order in which they are computed.
struct Pairs<'v> {
    found: Vec<Pair<'v>>,
    /// `true` if every binding of either stage has a counterpart.
    are_complete: bool,
}

impl<'v> Pairs<'v> {
    fn of(before: Side<'v>, now: Side<'v>, difference: &ModuleDifference) -> Pairs<'v> {
        let none = Pairs {
            found: Vec::new(),
            are_complete: false,
        };
        let (old, new) = (&before.runnable.form, &now.runnable.form);
        let find = |form: &ModuleForm, call: &Call| {
            let bare = bare_name(&call.function);
            form.functions.iter().position(|it| it.name == bare)
        };
        let (Some(a), Some(b)) = (find(old, before.call), find(new, now.call)) else {
            return none;
        };
        let mut functions = difference.functions.iter();
        let Some(of_function) = functions.find(|it| it.before == Some(a) && it.after == Some(b))
        else {
            return none;
        };
        let (old, new) = (&old.functions[a], &new.functions[b]);
        let mut found = Vec::new();
        for &(row, partner) in &of_function.pairs {
            let value = value_of(old, row, &before.call.observed);
            let other = value_of(new, partner, &now.call.observed);
            if let (Some((at, value)), Some((_, other))) = (value, other) {
                let binding = Binding {
                    before: named(old, row, before.runnable),
                    after: named(new, partner, now.runnable),
                };
                let pair = Pair {
                    binding,
                    before: value,
                    now: other,
                };
                found.push((at, pair));
            }
        }
        // Memory may be allocated long before it is written.
        found.sort_by_key(|it| it.0);
        let bindings = |form: &PlacedForm| {
            let rows = form.rows.iter();
            rows.filter(|it| it.kind == RowKind::Binding).count()
        };
        let is_binding = |row: u32| old.rows[row as usize].kind == RowKind::Binding;
        let paired = of_function.pairs.iter();
        let paired = paired.filter(|it| is_binding(it.0)).count();
        Pairs {
            found: found.into_iter().map(|(_, pair)| pair).collect(),
            are_complete: paired == bindings(old) && paired == bindings(new),
        }
    }
}

fn named(form: &PlacedForm, row: u32, runnable: &Runnable) -> Named {
    let range = form.row_range(row);
    let (stage, range) = runnable.origin((range.start().into(), range.end().into()));
    Named {
        name: form.rows[row as usize].name.to_string(),
        stage,
        range,
    }
}

/// Returns the tensor of a row, and its place in the order of the run.
fn value_of<'v>(
    form: &PlacedForm,
    row: u32,
    observed: &'v Observed,
) -> Option<(usize, &'v Tensor)> {
    let row = form.named_row(row);
    observed.value_in(&form.rows[row as usize].name, form.row_range(row))
}
