//! Finds the pieces that two versions of a function have in common.

use rustc_hash::FxHashMap;
use syntax::pieces::Piece;

/// Returns, for each new piece, the index of the same old piece, in increasing order.
pub(crate) fn align(old: &[&Piece], new: &[&Piece]) -> Vec<Option<usize>> {
    let is_same = |(old, new): (&&Piece, &&Piece)| old.is_same(new);
    let prefix = old.iter().zip(new).take_while(|it| is_same(*it)).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = pairs.take_while(|it| is_same(*it)).count();
    let mut aligned: Vec<Option<usize>> = (0..prefix).map(Some).collect();
    let mut places: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let middle = old.iter().enumerate().take(old.len() - suffix).skip(prefix);
    for (at, piece) in middle {
        places.entry(piece.key()).or_default().push(at);
    }
    let mut next = prefix;
    for &piece in &new[prefix..new.len() - suffix] {
        let candidates = places.get(&piece.key()).map_or(&[][..], Vec::as_slice);
        let same = candidates
            .iter()
            .copied()
            .find(|&at| at >= next && old[at].is_same(piece));
        next = same.map_or(next, |at| at + 1);
        aligned.push(same);
    }
    aligned.extend((old.len() - suffix..old.len()).map(Some));
    aligned
}
