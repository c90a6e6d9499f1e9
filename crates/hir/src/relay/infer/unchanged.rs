//! The pieces that an edit leaves alone.
//!
//! An edit usually changes one statement, which afterwards binds the same names with the same types. Then the results
//! of the pieces before and after it are kept without a look at any of them: [`Links`](super::links::Links) says which
//! ones need one.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::body::{Body, LocalId, PieceId};
use super::super::facts::{Facts, PieceFacts, PieceResult};
use super::super::names::{BoundNames, KeptNames, LocalsOfName, OuterNames};
use super::Infer;
use super::links::KeptLinks;
use super::local_set::LocalSet;

/// The pieces that a body shares with the version before it, as positions in their order.
pub(super) struct Unchanged<'a> {
    old: &'a Body,
    before: &'a Facts,
    order: Vec<PieceId>,
    /// The pieces before this position are the same as before, and their types are all known after them.
    front: usize,
    /// The pieces from this position up to the block are the same as before.
    back: usize,
    /// The pieces that were replaced or removed.
    replaced: Vec<PieceId>,
    /// The position of each piece in the version before, by number.
    positions: Vec<u32>,
    /// The position in the version before of the piece at `back`.
    back_before: usize,
}

impl<'a> Unchanged<'a> {
    /// Returns `None` if types are still open after the first pieces.
    pub(super) fn of(body: &Body, (old, before): (&'a Body, &'a Facts)) -> Option<Unchanged<'a>> {
        let order: Vec<PieceId> = body.pieces().map(|it| it.0).collect();
        let order_before: Vec<PieceId> = old.pieces().map(|it| it.0).collect();
        let mut positions = vec![0; before.pieces.len()];
        for (at, piece) in (0..).zip(&order_before) {
            *positions.get_mut(piece.index())? = at;
        }
        // The block is always inferred.
        let shared = |(one, other): &(&PieceId, &PieceId)| one == other && body.shares(**one, old);
        let (new, was) = (
            &order[..order.len().saturating_sub(1)],
            &order_before[..order_before.len().saturating_sub(1)],
        );
        let same = new.iter().zip(was).take_while(shared).count();
        let is_end = |it: &usize| before.piece(order[it - 1]).is_some_and(|it| it.ends_region);
        let front = match same {
            0 => 0,
            _ => (1..=same).rev().find(is_end)?,
        };
        let rest = new.len().min(was.len()) - same;
        let ends = new.iter().rev().zip(was.iter().rev()).take(rest);
        let kept = ends.take_while(shared).count();
        let (back, back_before) = (new.len() - kept, was.len() - kept);
        let replaced = was[front..back_before].to_vec();
        Some(Unchanged {
            old,
            before,
            order,
            front,
            back,
            replaced,
            positions,
            back_before,
        })
    }

    fn names(&self) -> KeptNames {
        KeptNames {
            bound: Arc::clone(&self.before.links.bound),
            positions: self.positions.clone(),
            front: self.front as u32,
            back: self.back_before as u32..self.back_before as u32,
        }
    }

    /// Returns the links of the version before, without those of the pieces that are inferred again.
    fn links(&self, mut inferred: Vec<PieceId>, bound: Arc<BoundNames>) -> KeptLinks {
        inferred.extend(&self.order[self.front..self.back]);
        inferred.push(PieceId::BLOCK);
        let links = &self.before.links;
        KeptLinks {
            links: links.without(&inferred, &self.replaced, bound),
            inferred,
        }
    }

    /// Returns the locals of a name, where those of the replaced pieces are others now.
    fn with_new(&self, before: &[LocalId], new: &[LocalId]) -> LocalsOfName {
        let position = |it: &&LocalId| self.positions[it.piece.index()] as usize;
        let front = before.iter().filter(|it| position(it) < self.front);
        let back = before.iter().filter(|it| position(it) >= self.back_before);
        front.chain(new).chain(back).copied().collect()
    }

    /// Returns what the edit changed for a piece.
    fn effect(&self, piece: PieceId, changed: &LocalSet, renamed: &Renamed) -> Effect {
        if changed.is_empty() && renamed.is_empty() {
            return Effect::None;
        }
        if renamed.binding.contains(&piece) {
            return Effect::Names;
        }
        let effect = |local: LocalId| {
            if renamed.locals.contains(local) {
                Effect::Names
            } else if changed.contains(local) {
                Effect::Types
            } else {
                Effect::None
            }
        };
        let mut strongest = Effect::None;
        let links = &self.before.links;
        links.for_each_outer(self.before, piece, |it| {
            strongest = strongest.max(effect(it));
        });
        strongest
    }

    /// Returns the pieces after the edit that need to be inferred again though they are the same.
    fn pieces_to_infer(&self) -> FxHashSet<PieceId> {
        let is_after = |it: &PieceId| self.positions[it.index()] as usize >= self.back_before;
        let users = self
            .replaced
            .iter()
            .flat_map(|it| self.before.links.askers(*it));
        let unsettled = self.before.links.unsettled();
        unsettled.chain(users).filter(is_after).collect()
    }
}

impl Infer<'_> {
    /// Infers the pieces that an edit did not leave alone. Returns the position of the first piece that is still to be
    /// inferred.
    pub(super) fn around(&mut self, kept: &Unchanged<'_>) -> usize {
        for &piece in &kept.order[..kept.front] {
            self.keep(kept.before, piece);
        }
        if kept.front > 0 {
            self.enter_again();
        }
        self.scope.kept = Some(kept.names());
        for &piece in &kept.order[kept.front..kept.back] {
            self.piece_or_kept(piece);
        }
        if !self.region.is_empty() {
            return self.without_kept_names(kept, kept.back);
        }
        let (renamed, bound) = self.renamed(kept);
        let mut again = kept.pieces_to_infer();
        let mut inferred = Vec::new();
        let end = kept.order.len() - 1;
        for at in kept.back..end {
            let piece = kept.order[at];
            let effect = if !self.region.is_empty() || again.contains(&piece) {
                Effect::Other
            } else {
                kept.effect(piece, &self.changed, &renamed)
            };
            if effect == Effect::None {
                self.keep(kept.before, piece);
                continue;
            }
            if let Some(names) = &mut self.scope.kept {
                names.back.end = kept.positions[piece.index()];
            }
            match effect {
                Effect::Types if self.takes_known(kept.before, piece) => {
                    // The links of results that are whole are the same.
                    if kept.before.piece(piece).is_none_or(|it| !it.is_whole()) {
                        inferred.push(piece);
                    }
                    continue;
                }
                Effect::Names => self.piece_or_kept(piece),
                _ => self.piece(piece),
            }
            if self.binds_others(kept.before, piece) {
                return self.without_kept_names(kept, at + 1);
            }
            inferred.push(piece);
            again.extend(kept.before.links.askers(piece));
        }
        if let Some(names) = &mut self.scope.kept {
            names.back.end = u32::MAX;
        }
        self.links = Some(kept.links(inferred, bound));
        end
    }

    /// Takes results of versions before for a piece whose names mean the same, if they hold for the present types.
    fn takes_known(&mut self, before: &Facts, piece: PieceId) -> bool {
        let Some(last) = before.result(piece) else {
            return false;
        };
        let spare = || {
            let spare = before.spares.get(self.body, piece);
            spare.filter(|it| Arc::ptr_eq(&it.names, &last.facts.names))
        };
        let found = self
            .result_if_valid(&last.facts)
            .or_else(|| self.result_if_valid(spare()?));
        let is_known = found.is_some();
        if is_known {
            self.facts.pieces[piece.index()] = found;
            self.note_changes(piece);
        }
        is_known
    }

    /// Returns facts as the results of their piece, unless something about them may be otherwise now.
    fn result_if_valid(&self, facts: &Arc<PieceFacts>) -> Option<PieceResult> {
        let unknown = facts.is_whole().then(|| self.unknown_types(facts))??;
        Some(PieceResult {
            facts: Arc::clone(facts),
            unknown,
        })
    }

    /// Returns whether a piece binds other names than before.
    fn binds_others(&self, before: &Facts, piece: PieceId) -> bool {
        match (self.facts.piece(piece), before.piece(piece)) {
            (Some(now), Some(before)) => {
                !Arc::ptr_eq(&now.names, &before.names) && now.names.bound != before.names.bound
            }
            _ => true,
        }
    }

    /// Returns the names that the pieces in place of the replaced ones bind otherwise, and the locals of all names.
    fn renamed(&self, kept: &Unchanged<'_>) -> (Renamed, Arc<BoundNames>) {
        let locals = |facts: &Facts, pieces: &[PieceId]| -> Vec<LocalId> {
            let known = pieces.iter().filter_map(|it| facts.piece(*it));
            known
                .flat_map(|it| it.names.bound.iter().copied())
                .collect()
        };
        let new = locals(&self.facts, &kept.order[kept.front..kept.back]);
        let old = locals(kept.before, &kept.replaced);
        let mut between = BoundNames::default();
        for local in new {
            let name = self.body[local].name.text.clone();
            between.entry(name).or_default().push(local);
        }
        for local in old {
            between
                .entry(kept.old[local].name.text.clone())
                .or_default();
        }
        let mut renamed = Renamed::default();
        let mut bound = Arc::clone(&kept.before.links.bound);
        for (name, new) in between {
            let before = bound.get(&name).map_or(&[][..], |it| it.as_slice());
            let all = kept.with_new(before, &new);
            if before == all.as_slice() {
                continue;
            }
            for local in before {
                renamed.locals.insert(*local);
            }
            renamed.binding.extend(all.iter().map(|it| it.piece));
            let bound = Arc::make_mut(&mut bound);
            if all.is_empty() {
                bound.remove(&name);
            } else {
                bound.insert(name, all);
            }
        }
        (renamed, bound)
    }

    fn keep(&mut self, before: &Facts, piece: PieceId) {
        self.facts.pieces[piece.index()].clone_from(&before.pieces[piece.index()]);
    }

    /// Binds the names of all pieces up to a position, which is where the usual inference goes on.
    fn without_kept_names(&mut self, kept: &Unchanged<'_>, at: usize) -> usize {
        self.scope = OuterNames::default();
        for piece in &kept.order[..at] {
            if let Some(result) = self.facts.pieces[piece.index()].clone() {
                self.scope.bind(self.body, &result.facts.names.bound);
            }
        }
        at
    }
}

/// What an edit of other pieces changed for a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    None,
    /// The types of names that it looks up.
    Types,
    /// What its names refer to.
    Names,
    /// It depends on more than its names.
    Other,
}

/// Names that refer to other locals than before.
#[derive(Debug, Default)]
struct Renamed {
    /// The locals that they referred to. A piece that found none has a mistake, so it is inferred again anyway.
    locals: LocalSet,
    /// The pieces that bind these names. A graph binding looks for an earlier one of its name.
    binding: FxHashSet<PieceId>,
}

impl Renamed {
    fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.binding.is_empty()
    }
}
