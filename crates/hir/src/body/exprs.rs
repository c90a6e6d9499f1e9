//! Stores expressions in an arena for each piece of the function, found by the expression's id.

use std::ops::{Deref, Index};
use std::sync::{Arc, OnceLock};

use syntax::pieces::Piece;
use text_size::{TextRange, TextSize};

use super::{Body, Expr, lower};

/// An expression of a function. Ids increase with the position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of ids reserved per byte of a piece's text: each expression has its own token and at most three missing
/// operands.
const PER_BYTE: u32 = 4;
const PER_PIECE: u32 = 16;

/// The position of a piece: the offset of its ranges, and the first id of its expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub offset: TextSize,
    pub base: u32,
}

impl Place {
    pub fn of(piece: &Piece, index: usize) -> Place {
        let offset = u32::from(piece.offset);
        Place {
            offset: piece.offset,
            base: offset
                .saturating_mul(PER_BYTE)
                .saturating_add(PER_PIECE * index as u32),
        }
    }
}

/// The expressions of a body.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    base: u32,
    /// Shared by the versions of a function with the same header.
    own: Arc<Arena>,
    /// The expressions of the pieces after the header.
    pieces: Arc<Parts>,
}

/// Expressions of one piece, with their ranges.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arena {
    list: Vec<Expr>,
    ranges: Vec<TextRange>,
}

impl Arena {
    /// Returns the number of expressions.
    pub(super) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    pub(super) fn push(&mut self, expr: Expr, range: TextRange) {
        self.list.push(expr);
        self.ranges.push(range);
    }
}

/// A piece after the header, with its position.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) piece: Piece,
    pub(super) place: Place,
}

/// The pieces after the header, which are lowered on demand.
#[derive(Debug, Default)]
pub(super) struct Parts {
    parts: Arc<[Part]>,
    lowered: Box<[OnceLock<Box<Body>>]>,
}

impl Parts {
    pub(super) fn new(parts: Arc<[Part]>) -> Parts {
        Parts {
            lowered: parts.iter().map(|_| OnceLock::new()).collect(),
            parts,
        }
    }

    /// Returns the pieces with nothing lowered.
    pub(super) fn afresh(&self) -> Parts {
        Parts::new(Arc::clone(&self.parts))
    }

    pub(super) fn show<T>(&self, at: usize, show: impl FnOnce(&Body) -> T) -> T {
        match self.lowered[at].get() {
            Some(body) => show(body),
            None => show(&self.lower(at)),
        }
    }

    pub(super) fn body(&self, at: usize) -> &Body {
        self.lowered[at].get_or_init(|| Box::new(self.lower(at)))
    }

    fn lower(&self, at: usize) -> Body {
        let Part { piece, place } = &self.parts[at];
        lower::piece(piece, *place)
    }

    pub(super) fn bodies(&self) -> impl DoubleEndedIterator<Item = &Body> + Clone {
        (0..self.len()).map(|at| self.body(at))
    }
}

impl Deref for Parts {
    type Target = [Part];

    fn deref(&self) -> &[Part] {
        &self.parts
    }
}

impl Exprs {
    pub(super) fn new(base: u32, own: Arena) -> Exprs {
        Exprs {
            base,
            own: Arc::new(own),
            pieces: Arc::default(),
        }
    }

    pub(super) fn without_pieces(&self) -> Exprs {
        Exprs {
            base: self.base,
            own: Arc::clone(&self.own),
            pieces: Arc::default(),
        }
    }

    /// Returns the expressions with other pieces after the header.
    pub(super) fn with_pieces(&self, pieces: Arc<Parts>) -> Exprs {
        Exprs {
            pieces,
            ..self.without_pieces()
        }
    }

    pub(super) fn pieces(&self) -> &Parts {
        &self.pieces
    }

    /// Returns the number of expressions in the arena of this piece.
    pub(crate) fn own_len(&self) -> usize {
        self.own.list.len()
    }

    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Returns the piece that contains the expression, unless it is the header.
    fn piece(&self, expr: ExprId) -> Option<&Body> {
        let after = self.pieces.partition_point(|it| it.place.base <= expr.0);
        Some(self.pieces.body(after.checked_sub(1)?))
    }

    fn own_index(&self, expr: ExprId) -> Option<usize> {
        let at = expr.0.checked_sub(self.base)? as usize;
        (at < self.own.list.len()).then_some(at)
    }

    pub(super) fn range(&self, expr: ExprId) -> TextRange {
        if let Some(at) = self.own_index(expr) {
            return self.own.ranges[at];
        }
        match self.piece(expr) {
            Some(piece) => piece
                .exprs
                .own_index(expr)
                .map_or_else(TextRange::default, |at| piece.exprs.own.ranges[at]),
            None => TextRange::default(),
        }
    }

    /// Returns every expression in the order of lowering.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> + '_ {
        self.arenas(None).flat_map(|exprs| {
            let ids = (exprs.base..).map(ExprId);
            ids.zip(&exprs.own.list)
        })
    }

    /// Returns the arenas of the header and of the pieces. With a window, skips pieces outside of it.
    fn arenas(&self, window: Option<TextRange>) -> impl Iterator<Item = &Exprs> + '_ {
        let window = window.unwrap_or(TextRange::up_to(TextSize::new(u32::MAX)));
        let inner = self.bodies(window).map(|it| &it.exprs);
        // The header of a printed model has thousands of parameters.
        let behind_header = |first: &Part| first.place.offset < window.start();
        let own = !self.pieces.first().is_some_and(behind_header);
        own.then_some(self).into_iter().chain(inner)
    }

    /// Returns the pieces that a window touches.
    pub(super) fn bodies(&self, window: TextRange) -> impl Iterator<Item = &Body> + '_ {
        // The pieces are sorted by position.
        let from = self
            .pieces
            .partition_point(|it| it.place.offset + it.piece.text_len() < window.start());
        let to = self
            .pieces
            .partition_point(|it| it.place.offset <= window.end());
        (from..to).map(|at| self.pieces.body(at))
    }

    pub(super) fn ranges(
        &self,
        window: Option<TextRange>,
    ) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.arenas(window).flat_map(|exprs| {
            let ids = (exprs.base..).map(ExprId);
            ids.zip(exprs.own.ranges.iter().copied())
        })
    }

    /// Returns the piece after the header that contains the start of a range, as a separate body, and whether it
    /// contains the whole range.
    pub(super) fn piece_at(&self, range: TextRange) -> Option<(&Body, bool)> {
        let (start, end) = (range.start(), range.end());
        let at = self.pieces.partition_point(|it| it.place.offset <= start);
        let next = self.pieces.get(at);
        let is_whole = next.is_none_or(|it| end <= it.place.offset);
        Some((self.pieces.body(at.checked_sub(1)?), is_whole))
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;

    fn index(&self, expr: ExprId) -> &Expr {
        if let Some(at) = self.own_index(expr) {
            return &self.own.list[at];
        }
        let inner = self
            .piece(expr)
            .and_then(|it| it.exprs.own_index(expr).map(|at| &it.exprs.own.list[at]));
        inner.unwrap_or(&Expr::Missing)
    }
}

impl PartialEq for Exprs {
    fn eq(&self, other: &Exprs) -> bool {
        self.base == other.base
            && self.own == other.own
            && self.pieces.len() == other.pieces.len()
            && self.pieces.bodies().eq(other.pieces.bodies())
    }
}

#[cfg(test)]
mod tests {
    use crate::db::{Database, Source, SourceFile};
    use crate::{file_items, function_body};

    const PRINTED: &str = include_str!("../../../../tests/fixtures/models/lm32-nn.tvm-0.27.py");

    /// Lines with as many expressions, written and missing, as their text allows.
    const DENSE: [&str; 8] = [
        "a=b=c",
        "-+~",
        "a[::]",
        "f(,,)(,)",
        "()()[][]",
        "a<<b",
        "x if else",
        "{:,:}",
    ];

    /// Ids identify expressions across the pieces of a function only if the pieces cannot use each other's ids.
    #[test]
    fn ids_increase_and_find_their_expressions() {
        let header = "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Object):\n";
        let lines = DENSE.iter().cycle().take(800);
        let dense: String = lines.map(|line| ["    ", line, "\n"].concat()).collect();
        for text in [PRINTED, &format!("{header}{dense}")] {
            let db = Database::default();
            let file = SourceFile::new(&db, Source::new(text));
            let mut pieces = 0;
            for &function in &file_items(&db, file).functions {
                let body = function_body(&db, function);
                pieces = pieces.max(body.pieces().count());
                let ids: Vec<_> = body.exprs.iter().map(|(id, _)| id).collect();
                assert!(ids.is_sorted_by(|a, b| a < b));
                for (id, expr) in body.exprs.iter() {
                    assert!(std::ptr::eq(expr, &raw const body.exprs[id]));
                }
            }
            assert!(pieces > 1, "the function is in pieces");
        }
    }
}
