//! Notes about the uses of bindings, which are only known after all pieces.
//!
//! Where a value has a mistake, its name has no type in the statements after it. Where a call lacks an argument, a name
//! without a use may be the one that was left out.

use relax::relay::Type;
use relax::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextSize;

use super::super::body::{
    Body, ExprId, InPiece as _, LocalId, LocalKind, PieceId, PieceRole, Statement,
};
use super::super::facts::Facts;
use super::finish::is_of_names;

pub(super) fn explain_uses(body: &Body, facts: &Facts, diagnostics: &mut [Diagnostic]) {
    let errors = { diagnostics }.iter_mut();
    let errors: Vec<&mut Diagnostic> = errors.filter(|it| it.severity == Severity::Error).collect();
    if errors.is_empty() {
        return;
    }
    let mut short = Vec::new();
    let mut without_type = Vec::new();
    for error in errors {
        let start = error.range.start();
        let at = { &body.order }.partition_point(|it| body.starts[it.index()] <= start);
        let Some(&piece) = at.checked_sub(1).and_then(|it| body.order.get(it)) else {
            continue;
        };
        // A wrong name says enough.
        let untyped = untyped_binding(body, facts, piece);
        let untyped = untyped.filter(|_| !is_of_names(error.code));
        let calls = facts.piece(piece).map_or(&[][..], |it| &it.short_calls);
        if calls.iter().any(|it| body.range(*it) == error.range) {
            short.push((error, bound_by(body, piece), untyped));
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
        unused_names(body, facts)
    };
    let untyped = short.iter().filter_map(|it| it.2);
    let untyped = untyped.chain(without_type.iter().map(|it| it.1));
    let last_uses = last_uses(body, facts, untyped);
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

/// Returns the name that the statement of a piece binds.
fn bound_by(body: &Body, piece: PieceId) -> Option<LocalId> {
    match body.piece(piece).role {
        PieceRole::Statement(Statement::Binding { local, .. }) => Some(local),
        _ => None,
    }
}

/// Returns the name that the statement of a piece binds, if its type is unknown.
fn untyped_binding(body: &Body, facts: &Facts, piece: PieceId) -> Option<LocalId> {
    let local = bound_by(body, piece)?;
    let ty = facts.local(local);
    ty.is_some_and(Type::is_unknown).then_some(local)
}

fn all_uses<'a>(body: &'a Body, facts: &'a Facts) -> impl Iterator<Item = (ExprId, LocalId)> + 'a {
    let pieces = body.pieces().filter_map(|it| facts.piece(it.0));
    pieces.flat_map(|it| it.names.uses.iter().copied())
}

/// Returns the last use of each of these names.
fn last_uses(
    body: &Body,
    facts: &Facts,
    names: impl Iterator<Item = LocalId>,
) -> FxHashMap<LocalId, Option<ExprId>> {
    let mut last_uses: FxHashMap<LocalId, Option<ExprId>> = names.map(|it| (it, None)).collect();
    let own: FxHashSet<PieceId> = last_uses.keys().map(|it| it.piece).collect();
    let mut left = last_uses.len();
    let pieces = body.order.iter().rev().copied();
    for piece in [PieceId::BLOCK].into_iter().chain(pieces) {
        if left == 0 {
            break;
        }
        let mut may_use = own.contains(&piece);
        facts
            .links
            .for_each_outer(facts, piece, |it| may_use |= last_uses.contains_key(&it));
        let known = facts.piece(piece).filter(|_| may_use);
        for (expr, local) in known.into_iter().flat_map(|it| it.names.uses.iter().rev()) {
            if let Some(last @ None) = last_uses.get_mut(local) {
                *last = Some(*expr);
                left -= 1;
            }
        }
    }
    last_uses
}

/// Returns the names without a use, with the ends of their ranges, in order.
fn unused_names(body: &Body, facts: &Facts) -> Vec<(TextSize, LocalId)> {
    // A bit for each of the first locals of a piece.
    let mut used = vec![0_u64; body.pieces.len()];
    for (_, local) in all_uses(body, facts) {
        used[local.piece().index()] |= 1 << local.index.min(63);
    }
    let unused = body.locals().filter(|(id, local)| {
        !matches!(local.kind, LocalKind::Pattern | LocalKind::Free)
            && !local.name.text.is_empty()
            && id.index < 63
            && used[id.piece().index()] & 1 << id.index == 0
    });
    unused
        .map(|(id, _)| (body.name_range(id).end(), id))
        .collect()
}
