//! Finds where the statements of an added function come from, and where those of a removed function are now.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{FunctionDifference, Kind};
use crate::form::{Hashes, ModuleForm, PlacedForm, RowKind, word};

/// The actions of a function: its bindings and stores, each with the shapes that it works on, without names.
struct Actions {
    counts: FxHashMap<u64, usize>,
    total: usize,
}

impl Actions {
    fn of(function: &PlacedForm) -> Actions {
        let callee = |at: u32| word(function.callees[at as usize].as_str());
        let hashes = Hashes::of(function, &callee);
        let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
        for (at, row) in (0..).zip(&function.rows) {
            if matches!(row.kind, RowKind::Binding | RowKind::Statement) {
                // A value that another function computes is a parameter here.
                let action = match row.kind {
                    RowKind::Binding => hashes.own[at as usize],
                    _ => hashes.neighbourhood(function, at),
                };
                *counts.entry(action).or_default() += 1;
            }
        }
        Actions {
            total: counts.values().sum(),
            counts,
        }
    }

    /// Returns the number of actions in common with `other`.
    fn shared(&self, other: &Actions) -> usize {
        let counts = self.counts.iter();
        counts
            .map(|(action, count)| (*count).min(other.counts.get(action).copied().unwrap_or(0)))
            .sum()
    }

    fn remove(&mut self, other: &Actions) {
        for (action, count) in &other.counts {
            if let Some(own) = self.counts.get_mut(action) {
                *own = own.saturating_sub(*count);
            }
        }
    }
}

/// The functions that do each action.
struct WithAction(FxHashMap<u64, Vec<usize>>);

/// An action of more functions than this says nothing about where it comes from.
const COMMON: usize = 64;

impl WithAction {
    fn of(functions: &[Actions]) -> WithAction {
        let mut with_action: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, actions) in functions.iter().enumerate() {
            for action in actions.counts.keys() {
                with_action.entry(*action).or_default().push(at);
            }
        }
        WithAction(with_action)
    }

    /// Returns the functions that have an action in common with these.
    fn of_any(&self, actions: &Actions) -> Vec<usize> {
        let functions = actions.counts.keys().filter_map(|it| self.0.get(it));
        let functions = functions.filter(|it| it.len() <= COMMON).flatten();
        let functions: FxHashSet<usize> = functions.copied().collect();
        functions.into_iter().collect()
    }
}

/// Sets the origins of functions that only one side has.
pub(super) fn find(before: &ModuleForm, after: &ModuleForm, functions: &mut [FunctionDifference]) {
    let is_lone = |it: &FunctionDifference| it.before.is_none() || it.after.is_none();
    if !functions.iter().any(is_lone) {
        return;
    }
    let of_before: Vec<Actions> = before.functions.iter().map(Actions::of).collect();
    let of_after: Vec<Actions> = after.functions.iter().map(Actions::of).collect();
    let with_action = WithAction::of(&of_before);
    let gone: FxHashSet<usize> = functions
        .iter()
        .filter(|it| it.after.is_none())
        .filter_map(|it| it.before)
        .collect();
    let mut into: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for function in functions.iter_mut() {
        let (None, Some(at)) = (function.before, function.after) else {
            continue;
        };
        let form = &after.functions[at];
        let mut rest = Actions::of(form);
        // Prefer functions that were removed, and those whose name is part of the new one.
        let mut candidates = with_action.of_any(&of_after[at]);
        candidates.retain(|it| before.functions[*it].kind == form.kind);
        candidates.sort_by_key(|it| {
            let names = !form.name.contains(before.functions[*it].name.as_str());
            (
                !gone.contains(it),
                names,
                std::cmp::Reverse(of_before[*it].total),
                *it,
            )
        });
        let mut from: Vec<usize> = Vec::new();
        for candidate in candidates {
            let actions = &of_before[candidate];
            let shared = actions.shared(&rest);
            // It must be a whole function, or everything that is new in a function that stays.
            if shared == actions.total || (shared > 0 && shared == of_after[at].total) {
                rest.remove(actions);
                into.entry(candidate).or_default().push(at);
                from.push(candidate);
            }
        }
        from.sort_unstable();
        function.kind = Kind::Added { from };
    }
    for function in functions.iter_mut() {
        if let (Some(at), None) = (function.before, function.after) {
            let into = into.remove(&at).unwrap_or_default();
            function.kind = Kind::Removed { into };
        }
    }
}
