//! In which piece each variable is bound, from one version of a function to the next.

use std::sync::Arc;

use super::state::Row;
use crate::facts::Facts;
use crate::facts::pieces::PieceFacts;

/// Where the variables are, if the pieces are those of `before` but for the `replaced`.
pub(super) fn rows_after(
    before: &Facts,
    pieces: &[Arc<PieceFacts>],
    replaced: &[u32],
) -> Arc<Vec<Option<Row>>> {
    let gone: Vec<_> = bound_by(&before.pieces, replaced).collect();
    let new: Vec<_> = bound_by(pieces, replaced).collect();
    if gone == new {
        return Arc::clone(&before.rows);
    }
    let mut rows = Vec::clone(&before.rows);
    for (var, _) in gone {
        rows[var] = None;
    }
    for (var, row) in new {
        if var >= rows.len() {
            rows.resize(var + 1, None);
        }
        rows[var] = Some(row);
    }
    Arc::new(rows)
}

fn bound_by<'a>(
    pieces: &'a [Arc<PieceFacts>],
    these: &'a [u32],
) -> impl Iterator<Item = (usize, Row)> + 'a {
    these.iter().flat_map(|&piece| {
        let ids = (0..).zip(&pieces[piece as usize].var_ids);
        ids.map(move |(at, id)| (id.0 as usize, Row { piece, at }))
    })
}
