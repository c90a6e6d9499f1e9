//! Numbers the pieces of a body so that those that an earlier version has too keep their number.

use syntax::relay::pieces::{Piece, Pieces};

use crate::incremental::align;
use crate::relay::body::{Body, PieceId};

/// Returns the number of each piece of the body, and whether the piece of that number in `before` is the same.
///
/// A changed piece takes the number of the piece that it replaces, so that uses of its name stay the same.
pub(super) fn of(before: Option<&Body>, syntax: &Pieces) -> Vec<(PieceId, bool)> {
    let numbered =
        |it: usize| PieceId(u32::try_from(it).expect("fewer pieces than bytes of a file"));
    let first = PieceId::BLOCK.index() + 1;
    let Some(before) = before else {
        let new = first..first + syntax.body.len();
        return new.map(|it| (numbered(it), false)).collect();
    };
    let old: Vec<&Piece> = before.syntax.body.iter().collect();
    let new: Vec<&Piece> = syntax.body.iter().collect();
    let aligned = align(&old, &new);
    let mut is_kept = vec![false; old.len()];
    for at in aligned.iter().flatten() {
        is_kept[*at] = true;
    }
    let replaced = before.order.iter().zip(&is_kept).filter(|it| !it.1);
    let unused = before.pieces.iter().enumerate().skip(first);
    let unused = unused.filter(|it| it.1.is_none()).map(|it| numbered(it.0));
    let free = replaced.map(|it| *it.0).chain(unused);
    let mut free = free.chain((before.pieces.len().max(first)..).map(numbered));
    let ids = aligned.into_iter().map(|at| match at {
        Some(at) => (before.order[at], true),
        None => (free.next().expect("numbers do not end"), false),
    });
    ids.collect()
}
