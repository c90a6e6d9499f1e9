//! The pieces that an edit leaves alone.
//!
//! An edit usually changes one statement, which afterwards binds the same names with the same types. Then the results
//! of the pieces before and after it are kept without a look at any of them: [`Links`] says which ones need one.

use std::collections::BTreeSet;
use std::sync::Arc;

use relax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::super::body::{Body, LocalId, PieceId};
use super::super::facts::{Facts, PieceFacts};
use super::super::names::{KeptNames, OuterNames};
use super::Infer;

/// What the pieces of a definition have to do with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::relay) struct Links {
    /// The locals that pieces bind for those after them, by name, in order.
    pub bound: Arc<FxHashMap<SmolStr, Vec<LocalId>>>,
    /// The pieces that are not settled.
    unsettled: BTreeSet<PieceId>,
    /// The pieces that asked for the value of a local, each after the piece of the local.
    asked: BTreeSet<(PieceId, PieceId)>,
}

impl Links {
    /// Reads the links of all pieces.
    fn of(body: &Body, facts: &Facts) -> Links {
        let mut links = Links::default();
        let mut bound: FxHashMap<SmolStr, Vec<LocalId>> = FxHashMap::default();
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
    }

    /// Returns the diagnostics of all pieces.
    pub fn diagnostics<'a>(&'a self, facts: &'a Facts) -> impl Iterator<Item = &'a Diagnostic> {
        let unsettled = self.unsettled.iter();
        unsettled
            .filter_map(|it| facts.piece(*it))
            .flat_map(|it| &it.diagnostics)
    }
}

/// The pieces that a body shares with the version before it, as positions in their order.
pub(super) struct Unchanged<'a> {
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
    /// Returns `None` if the first pieces are not the same.
    pub(super) fn of(body: &Body, (old, before): (&Body, &'a Facts)) -> Option<Unchanged<'a>> {
        let order: Vec<PieceId> = body.pieces().map(|it| it.0).collect();
        let order_before: Vec<PieceId> = old.pieces().map(|it| it.0).collect();
        let mut positions = vec![0; before.pieces.len()];
        for (at, piece) in (0..).zip(&order_before) {
            *positions.get_mut(piece.index())? = at;
        }
        // The block is always inferred.
        let shared = |(one, other): &(&PieceId, &PieceId)| one == other && body.shares(**one, old);
        let (new, old) = (
            &order[..order.len().saturating_sub(1)],
            &order_before[..order_before.len().saturating_sub(1)],
        );
        let same = new.iter().zip(old).take_while(shared).count();
        let is_end = |it: &usize| before.piece(order[it - 1]).is_some_and(|it| it.ends_region);
        let front = (1..=same).rev().find(is_end)?;
        let rest = new.len().min(old.len()) - same;
        let ends = new.iter().rev().zip(old.iter().rev()).take(rest);
        let kept = ends.take_while(shared).count();
        let (back, back_before) = (new.len() - kept, old.len() - kept);
        let replaced = old[front..back_before].to_vec();
        Some(Unchanged {
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
    fn links(&self, again: &FxHashSet<PieceId>) -> KeptLinks {
        let before = &self.before.links;
        let mut inferred: FxHashSet<PieceId> = again.clone();
        inferred.extend(&self.order[self.front..self.back]);
        inferred.extend(&self.replaced);
        inferred.insert(PieceId::BLOCK);
        let is_kept = |it: &PieceId| !inferred.contains(it);
        let unsettled = before.unsettled.iter().copied().filter(is_kept);
        let asked = before.asked.iter().copied().filter(|it| is_kept(&it.1));
        KeptLinks {
            links: Links {
                bound: Arc::clone(&before.bound),
                unsettled: unsettled.collect(),
                asked: asked.collect(),
            },
            inferred,
        }
    }

    /// Returns the pieces after the edit that need to be inferred again though they are the same.
    fn pieces_to_infer(&self) -> FxHashSet<PieceId> {
        let links = &self.before.links;
        let is_after = |it: &&PieceId| self.positions[it.index()] as usize >= self.back_before;
        let asked = links.asked.iter();
        let users = asked.filter(|it| self.replaced.contains(&it.0));
        let pieces = links.unsettled.iter().chain(users.map(|it| &it.1));
        pieces.filter(is_after).copied().collect()
    }
}

impl Infer<'_> {
    /// Infers the pieces that an edit did not leave alone. Returns the position of the first piece that is still to be
    /// inferred.
    pub(super) fn around(&mut self, kept: &Unchanged<'_>) -> usize {
        for &piece in &kept.order[..kept.front] {
            self.keep(kept.before, piece);
        }
        self.enter_again();
        self.scope.kept = Some(kept.names());
        for &piece in &kept.order[kept.front..kept.back] {
            self.piece_or_kept(piece);
        }
        if !self.region.is_empty() || self.outer_changed || !self.binds_the_same(kept) {
            return self.without_kept_names(kept, kept.back);
        }
        let again = kept.pieces_to_infer();
        let end = kept.order.len() - 1;
        for at in kept.back..end {
            let piece = kept.order[at];
            if self.region.is_empty() && !again.contains(&piece) {
                self.keep(kept.before, piece);
                continue;
            }
            if let Some(names) = &mut self.scope.kept {
                names.back.end = kept.positions[piece.index()];
            }
            self.piece(piece);
            if self.outer_changed {
                return self.without_kept_names(kept, at + 1);
            }
        }
        if let Some(names) = &mut self.scope.kept {
            names.back.end = u32::MAX;
        }
        self.links = Some(kept.links(&again));
        end
    }

    fn keep(&mut self, before: &Facts, piece: PieceId) {
        self.facts.pieces[piece.index()].clone_from(&before.pieces[piece.index()]);
    }

    /// Returns whether the pieces in place of the replaced ones bind the same names.
    fn binds_the_same(&self, kept: &Unchanged<'_>) -> bool {
        let new = kept.order[kept.front..kept.back].iter();
        let new = new.filter_map(|it| self.facts.piece(*it));
        let mut new = new.flat_map(|it| &it.names.bound);
        let old = kept.replaced.iter();
        let old = old.filter_map(|it| kept.before.piece(*it));
        let mut old = old.flat_map(|it| &it.names.bound);
        loop {
            match (new.next(), old.next()) {
                (None, None) => return true,
                (Some(new), Some(old)) => {
                    let name = &self.body[*new].name.text;
                    let before = kept.before.links.bound.get(name);
                    if new != old || !before.is_some_and(|it| it.contains(new)) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    /// Binds the names of all pieces up to a position, which is where the usual inference goes on.
    fn without_kept_names(&mut self, kept: &Unchanged<'_>, at: usize) -> usize {
        self.scope = OuterNames::default();
        for piece in &kept.order[..at] {
            if let Some(facts) = self.facts.pieces[piece.index()].clone() {
                self.scope.bind(self.body, &facts.names.bound);
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
        kept.links
    }
}

/// The links that hold after an edit, and the pieces whose links are to be read again.
pub(super) struct KeptLinks {
    links: Links,
    inferred: FxHashSet<PieceId>,
}
