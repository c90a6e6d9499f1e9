//! Earlier results of pieces.
//!
//! An edit of a type changes the types that depend on it. If the user undoes the edit, the earlier results are valid
//! again, and nothing is inferred.

use std::sync::Arc;

use super::super::body::{Body, Piece, PieceId};
use super::super::facts::{Facts, PieceFacts};

/// The spare results, by the number of the piece.
#[derive(Clone, Debug, Default)]
pub(in crate::relay) struct Spares(Arc<Vec<Option<SpareFacts>>>);

#[derive(Clone, Debug)]
struct SpareFacts {
    piece: Arc<Piece>,
    facts: Arc<PieceFacts>,
}

impl PartialEq for Spares {
    /// Spare results are no part of the facts.
    fn eq(&self, _: &Spares) -> bool {
        true
    }
}

impl Spares {
    /// Returns the spare results of a piece.
    pub(super) fn get(&self, body: &Body, piece: PieceId) -> Option<&Arc<PieceFacts>> {
        let spare = self.0.get(piece.index())?.as_ref()?;
        let current = body.pieces[piece.index()].as_ref()?;
        Arc::ptr_eq(&spare.piece, current).then_some(&spare.facts)
    }

    /// Keeps the results of the version before that are not those of this one.
    pub(super) fn after(body: &Body, facts: &Facts, before: &Facts) -> Spares {
        let mut spares = before.spares.clone();
        let pieces = body.pieces.iter().zip(&facts.pieces).zip(&before.pieces);
        for (at, ((piece, now), before)) in pieces.enumerate() {
            let (Some(piece), Some(now), Some(before)) = (piece, now, before) else {
                continue;
            };
            let (now, before) = (&now.facts, &before.facts);
            let is_other = !Arc::ptr_eq(now, before) && Arc::ptr_eq(&now.names, &before.names);
            // A constant that it asked for may be another one when the types are the same again.
            if !is_other || !before.is_whole() {
                continue;
            }
            let spares = Arc::make_mut(&mut spares.0);
            spares.resize(spares.len().max(at + 1), None);
            spares[at] = Some(SpareFacts {
                piece: Arc::clone(piece),
                facts: Arc::clone(before),
            });
        }
        spares
    }
}
