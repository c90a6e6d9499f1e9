//! The statements of a function. Those of a function in pieces are put together when somebody wants them all.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use syntax::pieces::PieceKind;

use super::exprs::Lazy;
use super::{Stmt, StmtKind};

#[derive(Clone, Debug, Default)]
pub struct Suite {
    stmts: OnceLock<Vec<Stmt>>,
    pieces: Arc<[Lazy]>,
}

impl Suite {
    pub(super) fn of_pieces(pieces: Arc<[Lazy]>) -> Suite {
        Suite {
            stmts: OnceLock::new(),
            pieces,
        }
    }

    fn assembled(&self) -> Vec<Stmt> {
        let mut outer: Vec<Stmt> = Vec::new();
        let mut with: Option<Stmt> = None;
        for lazy in &*self.pieces {
            let stmts = || lazy.body().function.body.iter().cloned();
            match (lazy.piece.kind, &mut with) {
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
