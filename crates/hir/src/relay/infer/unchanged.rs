//! The pieces that an edit leaves alone.
//!
//! An edit usually changes one statement, which afterwards binds the same names with the same types. Then the results
//! of the pieces before and after it are kept without a look at any of them: [`Links`] says which ones need one.

use std::collections::BTreeSet;
use std::sync::Arc;

use relax::Diagnostic;
use rustc_hash::FxHashSet;

use super::super::body::{Body, LocalId, PieceId};
use super::super::facts::{Facts, PieceFacts, PieceResult};
use super::super::names::{BoundNames, KeptNames, LocalsOfName, Names, OuterNames};
use super::Infer;

/// What the pieces of a definition have to do with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::relay) struct Links {
    /// The locals that pieces bind for those after them, by name, in order.
    pub bound: Arc<BoundNames>,
    /// The pieces that are not settled.
    unsettled: BTreeSet<PieceId>,
    /// The pieces that asked for the value of a local, each after the piece of the local.
    asked: BTreeSet<(PieceId, PieceId)>,
    /// The locals of other pieces that each piece refers to, by number.
    outer: Arc<Vec<OuterLocals>>,
}

impl Links {
    /// Reads the links of all pieces.
    fn of(body: &Body, facts: &Facts) -> Links {
        let mut links = Links::default();
        let mut bound = BoundNames::default();
        for (piece, _) in body.pieces() {
            let Some(known) = facts.piece(piece) else {
                continue;
            };
            links.add(piece, known);
            for local in &known.names.bound {
                let name = body[*local].name.text.clone();
                bound.entry(name).or_default().push(*local);
            }
        }
        links.bound = Arc::new(bound);
        links
    }

    fn add(&mut self, piece: PieceId, facts: &PieceFacts) {
        if !facts.is_settled {
            self.unsettled.insert(piece);
        }
        let asked = facts.constants.iter().map(|it| (it.piece, piece));
        self.asked.extend(asked);
        let outer = OuterLocals::of(&facts.names);
        if self.outer.get(piece.index()) != Some(&outer) {
            let all = Arc::make_mut(&mut self.outer);
            all.resize(all.len().max(piece.index() + 1), OuterLocals::default());
            all[piece.index()] = outer;
        }
    }

    /// Calls `look` with the locals of other pieces that a piece refers to.
    pub(super) fn for_each_outer(
        &self,
        facts: &Facts,
        piece: PieceId,
        mut look: impl FnMut(LocalId),
    ) {
        match self.outer.get(piece.index()).and_then(OuterLocals::few) {
            Some(few) => few.iter().for_each(|it| look(*it)),
            None => {
                let names = facts.piece(piece).map(|it| &it.names);
                let outer = names.into_iter().flat_map(|it| &it.outer);
                outer.filter_map(|it| it.1).for_each(look);
            }
        }
    }

    /// Returns the diagnostics of all pieces.
    pub fn diagnostics<'a>(&'a self, facts: &'a Facts) -> impl Iterator<Item = &'a Diagnostic> {
        let unsettled = self.unsettled.iter();
        unsettled
            .filter_map(|it| facts.piece(*it))
            .flat_map(|it| &it.diagnostics)
    }
}

/// The number of locals that most pieces refer to at most.
const FEW: usize = 5;

/// The locals of other pieces that a piece refers to, if they are few. Those of all pieces lie in one array, which an
/// edit goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OuterLocals {
    count: u32,
    first: [LocalId; FEW],
}

impl Default for OuterLocals {
    fn default() -> OuterLocals {
        let none = LocalId {
            piece: PieceId::LAST,
            index: 0,
        };
        OuterLocals {
            count: 0,
            first: [none; FEW],
        }
    }
}

impl OuterLocals {
    fn of(names: &Names) -> OuterLocals {
        let mut outer = OuterLocals::default();
        for local in names.outer.iter().filter_map(|it| it.1) {
            if let Some(place) = outer.first.get_mut(outer.count as usize) {
                *place = local;
            }
            outer.count += 1;
        }
        outer
    }

    /// Returns `None` if there are too many.
    fn few(&self) -> Option<&[LocalId]> {
        self.first.get(..self.count as usize)
    }
}

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
        let before = &self.before.links;
        inferred.extend(&self.order[self.front..self.back]);
        inferred.push(PieceId::BLOCK);
        let mut is_inferred = vec![false; self.positions.len()];
        for piece in inferred.iter().chain(&self.replaced) {
            if let Some(it) = is_inferred.get_mut(piece.index()) {
                *it = true;
            }
        }
        let is_kept = |it: PieceId| !is_inferred[it.index()];
        let unsettled = before.unsettled.iter().copied().filter(|it| is_kept(*it));
        let asked = before.asked.iter().copied().filter(|it| is_kept(it.1));
        let mut outer = Arc::clone(&before.outer);
        for piece in &self.replaced {
            if let Some(it) = Arc::make_mut(&mut outer).get_mut(piece.index()) {
                *it = OuterLocals::default();
            }
        }
        KeptLinks {
            links: Links {
                bound,
                outer,
                unsettled: unsettled.collect(),
                asked: asked.collect(),
            },
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
        if changed.is_empty() && renamed.locals.is_empty() && renamed.binding.is_empty() {
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

    /// Returns the pieces that asked for the value of a local of this piece.
    fn askers(&self, piece: PieceId) -> impl Iterator<Item = PieceId> {
        let asked = &self.before.links.asked;
        let all = (piece, PieceId::HEADER)..=(piece, PieceId::LAST);
        asked.range(all).map(|it| it.1)
    }

    /// Returns the pieces after the edit that need to be inferred again though they are the same.
    fn pieces_to_infer(&self) -> FxHashSet<PieceId> {
        let is_after = |it: &PieceId| self.positions[it.index()] as usize >= self.back_before;
        let users = self.replaced.iter().flat_map(|it| self.askers(*it));
        let unsettled = self.before.links.unsettled.iter().copied();
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
                    // Otherwise its links are the same.
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
            again.extend(kept.askers(piece));
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

    /// Returns the links of all pieces, when they are all inferred.
    pub(super) fn all_links(&mut self) -> Links {
        let body = self.body;
        let Some(mut kept) = self.links.take() else {
            return Links::of(body, &self.facts);
        };
        for piece in kept.inferred {
            if let Some(facts) = self.facts.piece(piece) {
                kept.links.add(piece, facts);
            }
        }
        let count = body.pieces.len();
        if kept.links.outer.len() > count {
            Arc::make_mut(&mut kept.links.outer).truncate(count);
        }
        kept.links
    }
}

/// The links that hold after an edit, and the pieces whose links are to be read again.
pub(super) struct KeptLinks {
    links: Links,
    inferred: Vec<PieceId>,
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

/// A set of locals: a bit for each of the first locals of a piece.
#[derive(Debug, Default)]
pub(super) struct LocalSet(Vec<u64>);

impl LocalSet {
    pub(super) fn insert(&mut self, local: LocalId) {
        let at = local.piece.index();
        self.0.resize(self.0.len().max(at + 1), 0);
        self.0[at] |= LocalSet::bit(local.index);
    }

    fn contains(&self, local: LocalId) -> bool {
        let bits = self.0.get(local.piece.index()).copied();
        bits.unwrap_or_default() & LocalSet::bit(local.index) != 0
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last bit is for all other locals.
    fn bit(index: u32) -> u64 {
        1 << index.min(63)
    }
}

/// Names that refer to other locals than before.
#[derive(Debug, Default)]
struct Renamed {
    /// The locals that they referred to. A piece that found none has a mistake, so it is inferred again anyway.
    locals: LocalSet,
    /// The pieces that bind these names. A graph binding looks for an earlier one of its name.
    binding: FxHashSet<PieceId>,
}
