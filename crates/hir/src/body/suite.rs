//! The statements of a function. Those of a function in pieces are only collected when all are needed.

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

/// Statements, as they are found when going backwards through a function.
#[derive(Clone, Copy, Debug)]
pub enum Run<'a> {
    Statements(Statements<'a>),
    /// A `with` without its body, whose statements came before it in this iteration.
    With(&'a Stmt),
    WithEnd,
}

/// Consecutive statements that begin before a position. Those of a piece are lowered when they are read.
#[derive(Clone, Copy, Debug)]
pub struct Statements<'a> {
    source: StatementsSource<'a>,
    before: TextSize,
}

#[derive(Clone, Copy, Debug)]
enum StatementsSource<'a> {
    Lowered(&'a [Stmt]),
    Piece(&'a Parts, usize),
}

impl<'a> Statements<'a> {
    /// Returns the statements in order.
    pub fn get(self) -> &'a [Stmt] {
        let all = match self.source {
            StatementsSource::Lowered(all) => all,
            StatementsSource::Piece(pieces, at) => &pieces.body(at).function.body,
        };
        &all[..all.partition_point(|it| it.range.start() < self.before)]
    }

    /// Returns `false` if all of them are assignments to single names, and none of these is wanted.
    pub fn may_bind(self, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        match self.source {
            StatementsSource::Lowered(_) => true,
            StatementsSource::Piece(pieces, at) => pieces[at].piece.may_bind(is_wanted),
        }
    }
}

impl Suite {
    /// Returns what begins before `at`, the nearest first. Only lowers the requested pieces.
    pub fn back_from(&self, at: TextSize) -> impl Iterator<Item = Run<'_>> + Clone {
        let run = move |source| Run::Statements(Statements { source, before: at });
        // Only without pieces, since otherwise this would collect all statements.
        let whole: Option<&[Stmt]> = self.pieces.is_empty().then(|| &**self);
        let whole = whole.map(move |stmts| run(StatementsSource::Lowered(stmts)));
        let before = self.pieces.partition_point(|it| it.place.offset < at);
        let pieces = (0..before)
            .rev()
            .map(move |piece| match self.pieces[piece].piece.kind {
                PieceKind::WithEnd => Run::WithEnd,
                PieceKind::With => {
                    let stmts = &self.pieces.body(piece).function.body;
                    stmts.first().map_or(Run::WithEnd, Run::With)
                }
                PieceKind::Header | PieceKind::Statements => {
                    run(StatementsSource::Piece(&self.pieces, piece))
                }
            });
        whole.into_iter().chain(pieces)
    }

    /// Returns the first statements of the function: all, or those of the first piece.
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
