//! Notes about the uses of bindings.
//!
//! Where a value has a mistake, its name has no type in the statements after it. Where a call lacks an argument, a name
//! without a use may be the one that was left out.

use relax::relay::Type;
use relax::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextSize;

use super::super::body::{Body, ExprId, LocalId, LocalKind, Statement};
use super::super::facts::Facts;
use super::finish::is_of_names;

/// A use of a name, and the local that it refers to, in the order of the text.
type Uses = [(ExprId, LocalId)];

pub(super) fn explain(body: &Body, facts: &mut Facts, uses: &Uses, short_calls: &[ExprId]) {
    let mut diagnostics = std::mem::take(&mut facts.diagnostics);
    let errors = diagnostics.iter_mut();
    let errors: Vec<&mut Diagnostic> = errors.filter(|it| it.severity == Severity::Error).collect();
    if !errors.is_empty() {
        explain_errors(body, facts, uses, short_calls, errors);
    }
    facts.diagnostics = diagnostics;
}

fn explain_errors(
    body: &Body,
    facts: &Facts,
    uses: &Uses,
    short_calls: &[ExprId],
    errors: Vec<&mut Diagnostic>,
) {
    let mut short = Vec::new();
    let mut without_type = Vec::new();
    for error in errors {
        let bound = bound_around(body, error.range.start());
        let is_untyped = |it: &LocalId| facts.local(*it).is_some_and(Type::is_unknown);
        // A wrong name says enough.
        let untyped = bound.filter(|it| is_untyped(it) && !is_of_names(error.code));
        if { short_calls.iter() }.any(|it| body.range(*it) == error.range) {
            short.push((error, bound, untyped));
        } else if let Some(untyped) = untyped {
            without_type.push((error, untyped));
        }
    }
    if short.is_empty() && without_type.is_empty() {
        return;
    }
    let unused = if short.is_empty() {
        Vec::new()
    } else {
        unused_names(body, uses)
    };
    let untyped = short.iter().filter_map(|it| it.2);
    let untyped = untyped.chain(without_type.iter().map(|it| it.1));
    let last_uses = last_uses(uses, untyped);
    for (error, bound, untyped) in short {
        let before = unused.partition_point(|it| it.0 < error.range.start());
        let mut candidates = unused[..before].iter().rev();
        if let Some(&(_, local)) = candidates.find(|it| Some(it.1) != bound) {
            let name = &body[local].name.text;
            let note = format!("`%{name}` is not used: it may be the missing argument");
            error.related.push((body.name_range(local), note));
        }
        if let Some(untyped) = untyped {
            note_last_use(body, &last_uses, error, untyped);
        }
    }
    for (error, untyped) in without_type {
        note_last_use(body, &last_uses, error, untyped);
    }
}

fn note_last_use(
    body: &Body,
    last_uses: &FxHashMap<LocalId, Option<ExprId>>,
    error: &mut Diagnostic,
    local: LocalId,
) {
    if let Some(last) = last_uses.get(&local).copied().flatten() {
        let name = &body[local].name.text;
        let note = format!("`%{name}` has no known type until here, where it is last used");
        error.related.push((body.range(last), note));
    }
}

/// Returns the name that the statement around an offset binds.
fn bound_around(body: &Body, offset: TextSize) -> Option<LocalId> {
    let statements = body.statements();
    let start = |it: &Statement| match it {
        Statement::Binding { local, .. } | Statement::Free(local) => body.name_range(*local),
        Statement::Effect(value) => body.range(*value),
    };
    let after = statements.partition_point(|it| start(it).start() <= offset);
    match statements.get(after.checked_sub(1)?)? {
        Statement::Binding { local, value } => {
            (offset < body.range(*value).end()).then_some(*local)
        }
        Statement::Free(_) | Statement::Effect(_) => None,
    }
}

/// Returns the last use of each of these names.
fn last_uses(
    uses: &Uses,
    names: impl Iterator<Item = LocalId>,
) -> FxHashMap<LocalId, Option<ExprId>> {
    let mut last_uses: FxHashMap<LocalId, Option<ExprId>> = names.map(|it| (it, None)).collect();
    for (expr, local) in uses {
        if let Some(last) = last_uses.get_mut(local) {
            *last = Some(*expr);
        }
    }
    last_uses
}

/// Returns the names without a use, with the ends of their ranges, in order.
fn unused_names(body: &Body, uses: &Uses) -> Vec<(TextSize, LocalId)> {
    let used: FxHashSet<LocalId> = uses.iter().map(|it| it.1).collect();
    let unused = body.locals().filter(|(id, local)| {
        !matches!(local.kind, LocalKind::Pattern | LocalKind::Free)
            && !local.name.text.is_empty()
            && !used.contains(id)
    });
    let mut unused: Vec<_> = unused
        .map(|(id, _)| (body.name_range(id).end(), id))
        .collect();
    unused.sort_unstable();
    unused
}
