//! Follows a binding from one module into another: where its value is computed there, with a word for each relation.
//!
//! [`hir::difference`] finds the places; this file adds words and texts.

use hir::difference::{ModuleDifference, Relation, Successor};
use hir::form::{FunctionForm, ModuleForm, RowKind};
use relax::FunctionKind;
use text_size::{TextRange, TextSize};

use crate::difference::{Place, Snapshot};

/// The module that a value is followed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the later module.
    Forward,
    Back,
}

/// A binding or a function, and its counterparts in the other module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The function that contains the binding.
    pub function: String,
    pub origin: Place,
    pub successors: Vec<FollowedPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedPlace {
    /// The relation: `unchanged`, `fused into`, `planned in`, ...
    pub relation: &'static str,
    /// The function that contains the place.
    pub function: String,
    pub place: Place,
    /// For a changed binding, the parts that differ.
    pub parts: Vec<&'static str>,
}

/// Follows the binding at an offset of one module into another. Returns `None` if there is no binding at the offset.
pub fn follow(
    from: &Snapshot,
    to: &Snapshot,
    offset: TextSize,
    direction: Direction,
) -> Option<Followed> {
    let (function, row) = at(from, offset)?;
    let difference = match direction {
        Direction::Forward => ModuleDifference::of(&from.form, &to.form),
        Direction::Back => ModuleDifference::of(&to.form, &from.form).reversed(),
    };
    let successors = difference.successors(&from.form, &to.form, function, row);
    let is_new = |function: usize| {
        let mut functions = difference.functions.iter();
        functions.any(|it| it.after == Some(function) && it.before.is_none())
    };
    let successors = successors.iter().map(|successor| {
        let function = &to.form.functions[successor.function];
        FollowedPlace {
            relation: relation(successor, function, is_new(successor.function), direction),
            function: function.name.to_string(),
            place: place(to, successor.function, successor.row),
            parts: successor.parts.clone(),
        }
    });
    Some(Followed {
        function: from.form.functions[function].name.to_string(),
        origin: place(from, function, row),
        successors: successors.collect(),
    })
}

fn place(snapshot: &Snapshot, function: usize, row: Option<u32>) -> Place {
    let form = &snapshot.form.functions[function];
    match row {
        Some(row) => Place::of_row(form, row, snapshot),
        None => Place::of_function(form, snapshot),
    }
}

/// Returns the function at an offset, and its row: the row whose variable is at the offset, or the innermost row
/// around it.
fn at(snapshot: &Snapshot, offset: TextSize) -> Option<(usize, Option<u32>)> {
    let form: &ModuleForm = &snapshot.form;
    let mut functions = form.functions.iter();
    let function = functions.position(|it| it.range().contains_inclusive(offset))?;
    let form = &form.functions[function];
    let is_followed = |kind| !matches!(kind, RowKind::Signature | RowKind::Block);
    let range = |row: u32| form.row_range(row);
    let rows = (0..).zip(&form.rows).filter(|(at, row)| {
        is_followed(row.kind)
            && (range(*at).contains_inclusive(offset) || on_line(snapshot, range(*at), offset))
    });
    let Some((row, _)) = rows.min_by_key(|(at, _)| range(*at).len()) else {
        return Some((function, None));
    };
    let word = word_at(&snapshot.text, offset);
    let named = |operand: &u32| !word.is_empty() && form.rows[*operand as usize].name == word;
    let row = form.operands(row).find(named).unwrap_or(row);
    Some((function, Some(row)))
}

/// Returns `true` if an offset is in the indentation of a statement's first line.
fn on_line(snapshot: &Snapshot, range: TextRange, offset: TextSize) -> bool {
    let (from, to) = (usize::from(offset), usize::from(range.start()));
    from < to
        && snapshot
            .text
            .get(from..to)
            .is_some_and(|it| it.trim().is_empty() && !it.contains('\n'))
}

/// Returns the identifier around an offset.
fn word_at(text: &str, offset: TextSize) -> &str {
    let at = usize::from(offset).min(text.len());
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else {
        return "";
    };
    let start = before.trim_end_matches(is_name).len();
    let end = at + (after.len() - after.trim_start_matches(is_name).len());
    &text[start..end]
}

fn relation(
    successor: &Successor,
    function: &FunctionForm,
    is_new: bool,
    direction: Direction,
) -> &'static str {
    let is_forward = direction == Direction::Forward;
    match successor.relation {
        Relation::Unchanged => "unchanged",
        Relation::Renamed => "renamed",
        Relation::Changed => "changed",
        Relation::Moved if !is_forward => "from",
        Relation::Moved if is_new => "fused into",
        Relation::Moved => "inlined into",
        Relation::Part => "part of",
        Relation::Member if is_forward => "made of",
        Relation::Member => "from",
        Relation::Callee if function.kind == FunctionKind::PrimFunc && is_forward => "lowered to",
        Relation::Callee => "calls",
        Relation::Written => "written by",
        Relation::Stored => "planned in",
    }
}

#[cfg(test)]
mod tests;
