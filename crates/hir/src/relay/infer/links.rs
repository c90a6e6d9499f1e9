//! Links between the pieces of a definition: which of them look up what others bind. An edit goes through the links
//! instead of the pieces.

use std::collections::BTreeSet;
use std::sync::Arc;

use relax::Diagnostic;
use rustc_hash::FxHashSet;

use super::super::body::{Body, LocalId, PieceId};
use super::super::facts::{Facts, PieceFacts};
use super::super::names::{BoundNames, Names};
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

    /// Returns the links without those of some pieces and of the removed ones.
    pub(super) fn without(
        &self,
        pieces: &[PieceId],
        removed: &[PieceId],
        bound: Arc<BoundNames>,
    ) -> Links {
        let left_out: FxHashSet<PieceId> = pieces.iter().chain(removed).copied().collect();
        let unsettled = self.unsettled().filter(|it| !left_out.contains(it));
        let asked = self.asked.iter().filter(|it| !left_out.contains(&it.1));
        let mut outer = Arc::clone(&self.outer);
        for piece in removed {
            if let Some(it) = Arc::make_mut(&mut outer).get_mut(piece.index()) {
                *it = OuterLocals::default();
            }
        }
        Links {
            bound,
            outer,
            unsettled: unsettled.collect(),
            asked: asked.copied().collect(),
        }
    }

    pub(super) fn unsettled(&self) -> impl Iterator<Item = PieceId> {
        self.unsettled.iter().copied()
    }

    /// Returns the pieces that asked for the value of a local of this piece.
    pub(super) fn askers(&self, piece: PieceId) -> impl Iterator<Item = PieceId> {
        let all = (piece, PieceId::HEADER)..=(piece, PieceId::LAST);
        self.asked.range(all).map(|it| it.1)
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

/// The links that hold after an edit, and the pieces whose links are to be read again.
pub(super) struct KeptLinks {
    pub(super) links: Links,
    pub(super) inferred: Vec<PieceId>,
}

impl Infer<'_> {
    /// Returns the links of all pieces, when they are all inferred.
    pub(super) fn all_links(&mut self) -> Links {
        let body = self.body;
        let Some(KeptLinks {
            mut links,
            inferred,
        }) = self.links.take()
        else {
            return Links::of(body, &self.facts);
        };
        for piece in inferred {
            if let Some(facts) = self.facts.piece(piece) {
                links.add(piece, facts);
            }
        }
        let count = body.pieces.len();
        if links.outer.len() > count {
            Arc::make_mut(&mut links.outer).truncate(count);
        }
        links
    }
}
