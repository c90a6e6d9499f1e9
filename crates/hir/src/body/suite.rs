//! The statements of a function. Those of a function in pieces are put together when somebody wants them all.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use syntax::pieces::PieceKind;
use text_size::TextSize;

use super::exprs::Parts;
use super::{Stmt, StmtKind};

#[derive(Clone, Debug, Default)]
pub struct Suite {
    stmts: OnceLock<Vec<Stmt>>,
    pieces: Arc<Parts>,
}

impl Suite {
    pub(super) fn of_pieces(pieces: Arc<Parts>) -> Suite {
        Suite {
            stmts: OnceLock::new(),
            pieces,
        }
    }

    fn assembled(&self) -> Vec<Stmt> {
        let mut outer: Vec<Stmt> = Vec::new();
        let mut with: Option<Stmt> = None;
        for (at, part) in self.pieces.iter().enumerate() {
            let stmts = || self.pieces.body(at).function.body.iter().cloned();
            match (part.piece.kind, &mut with) {
                (PieceKind::With, _) => with = stmts().next(),
                (PieceKind::WithEnd, _) => outer.extend(with.take()),
                (_, Some(with)) => {
                    if let StmtKind::With { body, .. } = &mut with.kind {
                        body.extend(stmts());
                        let end = body.last().map_or(with.range, |last| last.range);
                        with.range = with.range.cover(end);
                    }
                }
                (_, None) => outer.extend(stmts()),
            }
        }
        outer
    }
}

/// Statements as one meets them on the way back through a function.
#[derive(Clone, Copy, Debug)]
pub enum Run<'a> {
    /// Some that stand behind one another, in their order.
    Statements(&'a [Stmt]),
    /// A `with`, alone: what is in it came before on this way, back to its end.
    With(&'a Stmt),
    WithEnd,
}

impl Suite {
    /// What begins before `at`, the nearest first. Of a function in pieces only those asked for are lowered.
    pub fn back_from(&self, at: TextSize) -> impl Iterator<Item = Run<'_>> + Clone {
        let begun = move |stmts: &[Stmt]| stmts.partition_point(|stmt| stmt.range.start() < at);
        // Only asked for where nothing is in pieces: of those it would put all together.
        let whole: Option<&[Stmt]> = self.pieces.is_empty().then(|| &**self);
        let whole = whole.map(move |stmts| Run::Statements(&stmts[..begun(stmts)]));
        let before = self.pieces.partition_point(|it| it.place.offset < at);
        let pieces = (0..before).rev().map(move |piece| {
            let stmts = || &*self.pieces.body(piece).function.body;
            match self.pieces[piece].piece.kind {
                PieceKind::WithEnd => Run::WithEnd,
                PieceKind::With => stmts().first().map_or(Run::WithEnd, Run::With),
                PieceKind::Header | PieceKind::Statements => {
                    Run::Statements(&stmts()[..begun(stmts())])
                }
            }
        });
        whole.into_iter().chain(pieces)
    }

    /// The statements that the function begins with: of one in pieces those of the first.
    pub fn beginning(&self) -> &[Stmt] {
        if self.pieces.is_empty() {
            self
        } else {
            &self.pieces.body(0).function.body
        }
    }
}

impl From<Vec<Stmt>> for Suite {
    fn from(stmts: Vec<Stmt>) -> Suite {
        Suite {
            stmts: stmts.into(),
            pieces: Arc::default(),
        }
    }
}

impl Deref for Suite {
    type Target = [Stmt];

    fn deref(&self) -> &[Stmt] {
        self.stmts.get_or_init(|| self.assembled())
    }
}

impl<'a> IntoIterator for &'a Suite {
    type Item = &'a Stmt;
    type IntoIter = std::slice::Iter<'a, Stmt>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Suite {
    fn eq(&self, other: &Suite) -> bool {
        **self == **other
    }
}
