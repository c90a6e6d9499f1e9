//! Follows a row of one module into the other.
//!
//! A row with a counterpart becomes that. A row without one becomes part of what now computes the values that depended
//! on it: the nearest users with counterparts, and the functions that these call. Several rows may stand for one
//! value: an allocation, the call that writes to it, an alias.

mod values;

use super::{FunctionDifference, Kind, ModuleDifference};
use crate::form::{ModuleForm, Row, RowKind};
use values::{
    callee_of, callers, destination, holders, in_its_place, is_op, makers, nearest_users,
    rows_with_equal_action,
};

/// A row or a function of the second module that continues one of the first. `function` and `row` are indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    pub relation: Relation,
    pub function: usize,
    /// The row; `None` for the function itself.
    pub row: Option<u32>,
    /// For a changed row, the parts that differ.
    pub parts: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Unchanged,
    Renamed,
    Changed,
    /// A row of another function, or another function, computes the same.
    Moved,
    /// A row computes its value and more.
    Part,
    /// A row that it was an alias of.
    Member,
    /// The new function that its row calls.
    Callee,
    /// The call that writes its value.
    Written,
    /// The storage that contains its value.
    Stored,
}

/// The maximum number of results.
const MOST: usize = 100;

impl ModuleDifference {
    /// Returns what a row of the first module, or without a row the function, has become.
    pub fn successors(
        &self,
        before: &ModuleForm,
        after: &ModuleForm,
        function: usize,
        row: Option<u32>,
    ) -> Vec<Successor> {
        let mut search = Search {
            difference: self,
            before,
            after,
            found: Vec::new(),
        };
        match row {
            Some(row) => search.row(function, row),
            None => search.function(function),
        }
        search.found
    }

    /// Returns the difference from the second module to the first.
    pub fn reversed(&self) -> ModuleDifference {
        let functions = self.functions.iter().map(|it| {
            let mut changes = it.changes.clone();
            for change in &mut changes {
                std::mem::swap(&mut change.before, &mut change.after);
            }
            let mut pairs: Vec<(u32, u32)> = it.pairs.iter().map(|&(a, b)| (b, a)).collect();
            pairs.sort_unstable();
            FunctionDifference {
                before: it.after,
                after: it.before,
                kind: match &it.kind {
                    Kind::Added { from } => Kind::Removed { into: from.clone() },
                    Kind::Removed { into } => Kind::Added { from: into.clone() },
                    kind => kind.clone(),
                },
                changes,
                pairs,
            }
        });
        ModuleDifference {
            functions: functions.collect(),
        }
    }
}

struct Search<'a> {
    difference: &'a ModuleDifference,
    before: &'a ModuleForm,
    after: &'a ModuleForm,
    found: Vec<Successor>,
}

impl<'a> Search<'a> {
    fn push(&mut self, relation: Relation, function: usize, row: Option<u32>) {
        let mut found = self.found.iter();
        let is_known = found.any(|it| (it.function, it.row) == (function, row));
        if !is_known && self.found.len() < MOST {
            self.found.push(Successor {
                relation,
                function,
                row,
                parts: Vec::new(),
            });
        }
    }

    fn step(&self, function: usize) -> Option<&'a FunctionDifference> {
        let mut functions = self.difference.functions.iter();
        functions.find(|it| it.before == Some(function))
    }

    /// Returns `true` if only the second module has a function.
    fn is_new(&self, function: usize) -> bool {
        let mut functions = self.difference.functions.iter();
        functions.any(|it| it.after == Some(function) && it.before.is_none())
    }

    fn function(&mut self, function: usize) {
        let Some(step) = self.step(function) else {
            return;
        };
        let relation = match &step.kind {
            Kind::Unchanged => Relation::Unchanged,
            Kind::Renamed => Relation::Renamed,
            _ => Relation::Changed,
        };
        if let Some(partner) = step.after {
            return self.push(relation, partner, None);
        }
        if let Kind::Removed { into } = &step.kind {
            for it in into {
                self.push(Relation::Moved, *it, None);
            }
        }
        // A Relax function that has become a PrimFunc keeps its name.
        let gone = &self.before.functions[function];
        if let Some(other) = self.after.named(&gone.name, gone.module) {
            self.push(Relation::Moved, other, None);
        }
    }

    fn row(&mut self, function: usize, row: u32) {
        let Some(step) = self.step(function) else {
            return;
        };
        let Some(partner) = step.after else {
            return self.row_of_gone(function, row, step);
        };
        if self.row_with_same_value(step, function, row).is_some() {
            return;
        }
        let (old, new) = (
            &self.before.functions[function],
            &self.after.functions[partner],
        );
        let mut targets: Vec<usize> = Vec::new();
        for (user, of_user, is_direct) in nearest_users(old, row, step) {
            let in_its_place = is_direct.then(|| in_its_place((old, user), row, (new, of_user)));
            if let Some(other) = in_its_place.flatten() {
                self.push(Relation::Changed, partner, Some(other));
                self.memory(partner, other);
            } else if new.rows[of_user as usize].kind == RowKind::Binding {
                self.push(Relation::Part, partner, Some(of_user));
            }
            targets.extend(self.new_callees(step, partner, of_user));
        }
        targets.dedup();
        for target in targets {
            self.same_action(function, row, target);
        }
    }

    /// Finds a row with the same value as a row of a function that stays.
    fn row_with_same_value(
        &mut self,
        step: &FunctionDifference,
        function: usize,
        row: u32,
    ) -> Option<(usize, u32)> {
        let partner = step.after?;
        let old = &self.before.functions[function];
        let holders = holders(old, row);
        let (own, other) = holders
            .iter()
            .find_map(|it| Some((*it, step.after_row(*it)?)))?;
        let new = &self.after.functions[partner];
        let mut changes = step.changes.iter();
        let change = changes.find(|it| it.before == Some(own) && it.after == Some(other));
        let is_renamed = old.rows[row as usize].name != new.rows[other as usize].name;
        let relation = match (change, is_renamed) {
            (Some(change), _) if !change.parts.is_empty() => Relation::Changed,
            _ if own != row => Relation::Changed,
            (_, true) => Relation::Renamed,
            (_, false) => Relation::Unchanged,
        };
        self.push(relation, partner, Some(other));
        if let (Some(change), Some(successor)) = (change, self.found.last_mut()) {
            successor.parts.clone_from(&change.parts);
        }
        self.calls(function, row, partner, other);
        self.members(step, function, row, partner, other);
        self.memory(partner, other);
        Some((partner, other))
    }

    /// Finds the new function that a row calls, and what computes the old row's value there.
    fn calls(&mut self, function: usize, row: u32, partner: usize, other: u32) {
        let callee = callee_of(self.after, partner, other).filter(|it| self.is_new(*it));
        if let Some(callee) = callee {
            let found = self.found.len();
            self.same_action(function, row, callee);
            if self.found.len() == found {
                self.push(Relation::Callee, callee, None);
            }
        }
    }

    /// For a call whose function was removed, returns the rows that now do the work of the function.
    fn members(
        &mut self,
        step: &FunctionDifference,
        function: usize,
        row: u32,
        partner: usize,
        other: u32,
    ) {
        let gone = callee_of(self.before, function, row)
            .filter(|it| self.step(*it).is_some_and(|step| step.after.is_none()));
        let Some(gone) = gone else {
            return;
        };
        let new = &self.after.functions[partner];
        let rows = makers(new, other, step);
        for member in rows_with_equal_action(&self.before.functions[gone], None, new) {
            if rows.contains(&member) {
                self.push(Relation::Member, partner, Some(member));
            }
        }
    }

    /// The call and the storage of a value that is written into an allocation.
    fn memory(&mut self, function: usize, row: u32) {
        let form = &self.after.functions[function];
        let allocation = |row: &u32| is_op(&form.rows[*row as usize], ".alloc_tensor");
        let Some(allocation) = holders(form, row).into_iter().find(allocation) else {
            return;
        };
        let rows = (0..).zip(&form.rows);
        let writes =
            |at: u32, it: &Row| it.callee.is_some() && destination(form, at) == Some(allocation);
        if let Some((call, _)) = rows.into_iter().find(|(at, it)| writes(*at, it)) {
            self.push(Relation::Written, function, Some(call));
        }
        let mut operands = form.operands(allocation);
        if let Some(storage) = operands.find(|it| is_op(&form.rows[*it as usize], ".alloc_storage"))
        {
            self.push(Relation::Stored, function, Some(storage));
        }
    }

    /// A row of a function that is gone: what is made of it where the function was called, and who does its work.
    fn row_of_gone(&mut self, function: usize, row: u32, step: &FunctionDifference) {
        let mut targets: Vec<usize> = match &step.kind {
            Kind::Removed { into } => into.clone(),
            _ => Vec::new(),
        };
        let mut results: Vec<(usize, u32)> = Vec::new();
        for (caller, call) in callers(self.before, function).into_iter().take(MOST) {
            let found = self.found.len();
            let Some(around) = self.step(caller) else {
                continue;
            };
            let Some((partner, result)) = self.row_with_same_value(around, caller, call) else {
                continue;
            };
            self.found.truncate(found);
            results.push((partner, result));
            targets.extend(self.new_callees(around, partner, result));
            targets.push(partner);
        }
        targets.sort_unstable();
        targets.dedup();
        let is_inlined = |target: usize| results.iter().any(|it| it.0 == target);
        for target in targets.iter().copied().filter(|it| !is_inlined(*it)) {
            self.same_action(function, row, target);
        }
        for target in targets.iter().copied().filter(|it| is_inlined(*it)) {
            self.inlined(function, row, target, &results);
        }
        if self.found.is_empty() {
            self.work_of_callee(function, row, &targets);
        }
        for (partner, result) in results {
            self.push(Relation::Part, partner, Some(result));
        }
    }

    /// Finds the rows that compute the same where the function was called.
    fn inlined(&mut self, function: usize, row: u32, target: usize, results: &[(usize, u32)]) {
        let old = &self.before.functions[function];
        let new = &self.after.functions[target];
        let mut functions = self.difference.functions.iter();
        let Some(step) = functions.find(|it| it.after == Some(target)) else {
            return;
        };
        let of_target = results.iter().filter(|it| it.0 == target);
        let makers: Vec<u32> = of_target
            .flat_map(|(_, result)| makers(new, *result, step))
            .collect();
        for found in rows_with_equal_action(old, Some(row), new) {
            if makers.contains(&found) {
                self.push(Relation::Moved, target, Some(found));
            }
        }
    }

    fn same_action(&mut self, function: usize, row: u32, target: usize) {
        let old = &self.before.functions[function];
        for found in rows_with_equal_action(old, Some(row), &self.after.functions[target]) {
            self.push(Relation::Moved, target, Some(found));
        }
    }

    /// Finds the functions into which a row's callee was merged.
    fn work_of_callee(&mut self, function: usize, row: u32, targets: &[usize]) {
        let Some(callee) = callee_of(self.before, function, row) else {
            return;
        };
        let mut into: Vec<usize> = Vec::new();
        for it in &self.difference.functions {
            match (&it.kind, it.before, it.after) {
                (Kind::Added { from }, _, Some(after)) if from.contains(&callee) => {
                    into.push(after);
                }
                (Kind::Removed { into: gone }, Some(before), _) if before == callee => {
                    into.extend(gone);
                }
                _ => {}
            }
        }
        let called: Vec<usize> = into
            .iter()
            .copied()
            .filter(|it| targets.contains(it))
            .collect();
        for it in if called.is_empty() { into } else { called } {
            self.push(Relation::Moved, it, None);
        }
    }

    /// Returns the functions that only the second module has, and that a row or new rows before it call.
    fn new_callees(&self, step: &FunctionDifference, function: usize, row: u32) -> Vec<usize> {
        let form = &self.after.functions[function];
        let rows = makers(form, row, step);
        let callees = rows
            .into_iter()
            .filter_map(|row| callee_of(self.after, function, row));
        let mut callees: Vec<usize> = callees.filter(|it| self.is_new(*it)).collect();
        callees.sort_unstable();
        callees.dedup();
        callees
    }
}
