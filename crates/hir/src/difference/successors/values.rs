//! Relations between rows that are needed to follow them: aliases, users, makers.

use rustc_hash::FxHashSet;

use crate::difference::FunctionDifference;
use crate::form::{FunctionForm, Hashes, ModuleForm, Row, RowKind, Token, word};

/// The maximum number of rows visited to collect the new parts of a row.
const MOST: usize = 100;

/// Returns the nearest users of a row that have counterparts, with these, and whether they use the row directly.
pub(super) fn nearest_users(
    form: &FunctionForm,
    row: u32,
    step: &FunctionDifference,
) -> Vec<(u32, u32, bool)> {
    let mut lost = FxHashSet::from_iter([row]);
    let mut found = Vec::new();
    // Users come after what they use.
    for user in row + 1..form.rows.len() as u32 {
        if !form.operands(user).any(|it| lost.contains(&it)) {
            continue;
        }
        match step.after_row(user) {
            Some(partner) => {
                let is_direct = form.operands(user).any(|it| it == row);
                found.push((user, partner, is_direct));
            }
            None => {
                lost.insert(user);
            }
        }
    }
    found
}

/// Returns what a user of a row now uses instead of it.
pub(super) fn in_its_place(
    (old, user): (&FunctionForm, u32),
    row: u32,
    (new, partner): (&FunctionForm, u32),
) -> Option<u32> {
    let before: Vec<u32> = old.operands(user).collect();
    let after: Vec<u32> = new.operands(partner).collect();
    let place = before.iter().position(|it| *it == row)?;
    (before.len() == after.len()).then(|| after[place])
}

/// Returns a row of the second function, with all new rows that it depends on.
pub(super) fn makers(form: &FunctionForm, row: u32, step: &FunctionDifference) -> Vec<u32> {
    let mut seen: FxHashSet<u32> = step.pairs.iter().map(|pair| pair.1).collect();
    let mut rows = vec![row];
    let mut at = 0;
    while let Some(&row) = rows.get(at).filter(|_| rows.len() < MOST) {
        at += 1;
        rows.extend(form.operands(row).filter(|it| seen.insert(*it)));
    }
    rows
}

/// Returns all rows that stand for the value of a row, itself first.
pub(super) fn holders(form: &FunctionForm, row: u32) -> Vec<u32> {
    let mut all = vec![row];
    let mut value = row;
    while let Some(of) = alias_of(form, value).or_else(|| destination(form, value)) {
        all.push(of);
        value = of;
    }
    let names = (0..form.rows.len() as u32).filter(|it| alias_of(form, *it) == Some(value));
    all.extend(names.filter(|it| *it != row));
    all
}

/// Returns the row that a row is an alias of.
fn alias_of(form: &FunctionForm, row: u32) -> Option<u32> {
    let (label, tokens) = form.parts(row).next()?;
    match tokens {
        [Token::Row { row: of, nth: 0 }] if label == "value" => {
            (form.rows[row as usize].kind == RowKind::Binding && *of < row).then_some(*of)
        }
        _ => None,
    }
}

/// Returns the allocation that a call writes its result to.
pub(super) fn destination(form: &FunctionForm, row: u32) -> Option<u32> {
    let it = &form.rows[row as usize];
    let is_call = it.callee.is_some() && matches!(it.name.as_str(), "" | "_");
    let last = form.operands(row).last().filter(|_| is_call)?;
    is_op(&form.rows[last as usize], ".alloc_tensor").then_some(last)
}

pub(super) fn is_op(row: &Row, ending: &str) -> bool {
    row.op.is_some_and(|it| it.name.ends_with(ending))
}

/// Returns the rows of `other` that do the same as a row of `form`, or as any row: with the same shapes, or at least
/// with the same operator and function.
pub(super) fn rows_with_equal_action(
    form: &FunctionForm,
    row: Option<u32>,
    other: &FunctionForm,
) -> Vec<u32> {
    let (own, others) = (actions(form), actions(other));
    let rows = 0..other.rows.len() as u32;
    let is_action = |form: &FunctionForm, row: u32| {
        matches!(
            form.rows[row as usize].kind,
            RowKind::Binding | RowKind::Statement
        )
    };
    let wanted: Vec<u32> = match row {
        Some(row) => vec![row],
        None => (0..form.rows.len() as u32).collect(),
    };
    let wanted: Vec<u32> = wanted
        .into_iter()
        .filter(|it| is_action(form, *it))
        .collect();
    let matching = |fits: &dyn Fn(u32, u32) -> bool| -> Vec<u32> {
        let rows = rows.clone().filter(|it| is_action(other, *it));
        rows.filter(|it| wanted.iter().any(|own| fits(*own, *it)))
            .collect()
    };
    let equal = matching(&|a, b| own[a as usize] == others[b as usize]);
    if !equal.is_empty() {
        return equal;
    }
    let call = |form: &FunctionForm, row: u32| {
        let row = &form.rows[row as usize];
        (row.op.map(|it| it.name), row.callee.clone())
    };
    matching(&|a, b| call(form, a) != (None, None) && call(form, a) == call(other, b))
}

/// Returns a hash of what each row does, ignoring names.
fn actions(form: &FunctionForm) -> Vec<u64> {
    let hashes = Hashes::of(form, &|at| word(form.callees[at as usize].as_str()));
    let rows = (0..).zip(&form.rows);
    rows.map(|(at, row)| match row.kind {
        RowKind::Binding => hashes.own[at as usize],
        _ => hashes.neighbourhood(form, at),
    })
    .collect()
}

/// Returns the function of the module that computes the value of a row.
pub(super) fn callee_of(module: &ModuleForm, function: usize, row: u32) -> Option<usize> {
    let form = &module.functions[function];
    let holders = holders(form, row);
    let writes = |row: &u32| destination(form, *row).is_some_and(|it| holders.contains(&it));
    let mut calls = holders.iter().copied();
    let call = calls
        .find(|it| form.rows[*it as usize].callee.is_some())
        .or_else(|| (0..form.rows.len() as u32).find(writes))?;
    let name = form.rows[call as usize].callee.as_ref()?;
    module.named(name, form.module)
}

/// Returns the rows that call a function.
pub(super) fn callers(module: &ModuleForm, function: usize) -> Vec<(usize, u32)> {
    let called = &module.functions[function];
    let functions = module.functions.iter().enumerate();
    let rows = functions
        .filter(|(_, it)| it.module == called.module && it.callees.contains(&called.name))
        .flat_map(|(at, it)| (0..).zip(&it.rows).map(move |(row, of)| (at, row, of)));
    rows.filter(|(_, _, row)| row.callee.as_ref() == Some(&called.name))
        .map(|(at, row, _)| (at, row))
        .collect()
}
