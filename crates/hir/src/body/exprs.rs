//! Where expressions are: an arena for each piece of the function, found by the expression's number.

use std::ops::{Deref, Index};
use std::sync::{Arc, OnceLock};

use syntax::pieces::Piece;
use text_size::{TextRange, TextSize};

use super::{Body, Expr, lower};

/// An expression of a function. What comes later in the text has the greater number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The numbers that a piece may give out per byte of its text, and beyond: each expression has a token of its own and
/// at most three missing operands.
const PER_BYTE: u32 = 4;
const PER_PIECE: u32 = 16;

/// Where a piece stands: what its ranges and the numbers of its expressions begin with.
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
    /// Shared by the versions of a function whose headers are the same.
    own: Arc<Arena>,
    /// Those of the pieces behind the header.
    pieces: Arc<Parts>,
}

/// Expressions of one piece, with their ranges.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arena {
    list: Vec<Expr>,
    ranges: Vec<TextRange>,
}

impl Arena {
    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    pub(super) fn push(&mut self, expr: Expr, range: TextRange) {
        self.list.push(expr);
        self.ranges.push(range);
    }
}

/// A piece behind the header, and where it stands.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) piece: Piece,
    pub(super) place: Place,
}

/// The pieces behind the header, each lowered when it is first asked for.
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

    /// The same with nothing lowered.
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

    /// The same with other pieces behind the header.
    pub(super) fn with_pieces(&self, pieces: Arc<Parts>) -> Exprs {
        Exprs {
            pieces,
            ..self.without_pieces()
        }
    }

    pub(super) fn pieces(&self) -> &Parts {
        &self.pieces
    }

    /// How many are in the arena of this very piece.
    pub(crate) fn own_len(&self) -> usize {
        self.own.list.len()
    }

    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// The piece that the expression is in, if it is not the header.
    fn piece(&self, expr: ExprId) -> Option<&Body> {
        let after = self.pieces.partition_point(|it| it.place.base <= expr.0);
        Some(self.pieces.body(after.checked_sub(1)?))
    }

    fn own(&self, expr: ExprId) -> Option<usize> {
        let at = expr.0.checked_sub(self.base)? as usize;
        (at < self.own.list.len()).then_some(at)
    }

    pub(super) fn range(&self, expr: ExprId) -> TextRange {
        if let Some(at) = self.own(expr) {
            return self.own.ranges[at];
        }
        match self.piece(expr) {
            Some(piece) => piece
                .exprs
                .own(expr)
                .map_or_else(TextRange::default, |at| piece.exprs.own.ranges[at]),
            None => TextRange::default(),
        }
    }

    /// Every expression, in the order of lowering.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> + '_ {
        self.arenas(None).flat_map(|exprs| {
            let ids = (exprs.base..).map(ExprId);
            ids.zip(&exprs.own.list)
        })
    }

    /// The arenas of the header and of the pieces. A window leaves out the pieces outside of it.
    fn arenas(&self, window: Option<TextRange>) -> impl Iterator<Item = &Exprs> + '_ {
        let window = window.unwrap_or(TextRange::up_to(TextSize::new(u32::MAX)));
        let inner = self.bodies(window).map(|it| &it.exprs);
        // The header of a printed model has thousands of parameters.
        let behind_header = |first: &Part| first.place.offset < window.start();
        let own = !self.pieces.first().is_some_and(behind_header);
        own.then_some(self).into_iter().chain(inner)
    }

    /// The pieces that a window touches.
    pub(super) fn bodies(&self, window: TextRange) -> impl Iterator<Item = &Body> + '_ {
        // They stand one behind the other.
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

    /// The piece behind the header that an offset is in, as a body of its own.
    pub(super) fn piece_at(&self, offset: TextSize) -> Option<&Body> {
        let after = self.pieces.partition_point(|it| it.place.offset <= offset);
        Some(self.pieces.body(after.checked_sub(1)?))
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;

    fn index(&self, expr: ExprId) -> &Expr {
        if let Some(at) = self.own(expr) {
            return &self.own.list[at];
        }
        let inner = self
            .piece(expr)
            .and_then(|it| it.exprs.own(expr).map(|at| &it.exprs.own.list[at]));
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
