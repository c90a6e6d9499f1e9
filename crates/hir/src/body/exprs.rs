//! Where expressions are: an arena for each piece of the function, found by the expression's number.

use std::ops::Index;
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
    list: Vec<Expr>,
    ranges: Vec<TextRange>,
    /// Those of the pieces behind the header.
    pieces: Arc<[Lazy]>,
}

/// A piece that is lowered when it is first asked for.
#[derive(Debug)]
pub(super) struct Lazy {
    pub(super) piece: Piece,
    pub(super) place: Place,
    lowered: OnceLock<Box<Body>>,
}

impl Lazy {
    pub(super) fn new(piece: Piece, index: usize) -> Lazy {
        Lazy {
            place: Place::of(&piece, index),
            piece,
            lowered: OnceLock::new(),
        }
    }

    pub(super) fn show<T>(&self, show: impl FnOnce(&Body) -> T) -> T {
        match self.lowered.get() {
            Some(body) => show(body),
            None => show(&lower::piece(&self.piece, self.place)),
        }
    }

    pub(super) fn body(&self) -> &Body {
        self.lowered
            .get_or_init(|| Box::new(lower::piece(&self.piece, self.place)))
    }
}

impl Exprs {
    pub(super) fn based(base: u32) -> Exprs {
        Exprs {
            base,
            ..Exprs::default()
        }
    }

    pub(super) fn set_pieces(&mut self, pieces: Arc<[Lazy]>) {
        self.pieces = pieces;
    }

    pub(super) fn pieces(&self) -> &Arc<[Lazy]> {
        &self.pieces
    }

    pub(super) fn alloc(&mut self, expr: Expr, range: TextRange) -> ExprId {
        self.list.push(expr);
        self.ranges.push(range);
        ExprId(self.base + self.list.len() as u32 - 1)
    }

    /// How many are in the arena of this very piece.
    pub(crate) fn own_len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// The piece that the expression is in, if it is not the header.
    fn piece(&self, expr: ExprId) -> Option<&Body> {
        let after = self.pieces.partition_point(|it| it.place.base <= expr.0);
        Some(self.pieces.get(after.checked_sub(1)?)?.body())
    }

    fn own(&self, expr: ExprId) -> Option<usize> {
        let at = expr.0.checked_sub(self.base)? as usize;
        (at < self.list.len()).then_some(at)
    }

    pub(super) fn range(&self, expr: ExprId) -> TextRange {
        if let Some(at) = self.own(expr) {
            return self.ranges[at];
        }
        match self.piece(expr) {
            Some(piece) => piece
                .exprs
                .own(expr)
                .map_or_else(TextRange::default, |at| piece.exprs.ranges[at]),
            None => TextRange::default(),
        }
    }

    /// Every expression, in the order of lowering.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> + '_ {
        self.arenas(None).flat_map(|exprs| {
            let ids = (exprs.base..).map(ExprId);
            ids.zip(&exprs.list)
        })
    }

    /// Those of this very piece.
    pub(crate) fn own_iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> + '_ {
        (self.base..).map(ExprId).zip(&self.list)
    }

    /// The header's, and those of the pieces, of which a window may leave out many.
    fn arenas(&self, window: Option<TextRange>) -> impl Iterator<Item = &Exprs> + '_ {
        let window = window.unwrap_or(TextRange::up_to(TextSize::new(u32::MAX)));
        let inner = self.bodies(window).map(|it| &it.exprs);
        std::iter::once(self).chain(inner)
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
        self.pieces[from..to.max(from)].iter().map(Lazy::body)
    }

    pub(super) fn ranges(
        &self,
        window: Option<TextRange>,
    ) -> impl Iterator<Item = (ExprId, TextRange)> + '_ {
        self.arenas(window).flat_map(|exprs| {
            let ids = (exprs.base..).map(ExprId);
            ids.zip(exprs.ranges.iter().copied())
        })
    }

    /// The piece behind the header that an offset is in, as a body of its own.
    pub(super) fn piece_at(&self, offset: TextSize) -> Option<&Body> {
        let after = self.pieces.partition_point(|it| it.place.offset <= offset);
        Some(self.pieces.get(after.checked_sub(1)?)?.body())
    }
}

impl Index<ExprId> for Exprs {
    type Output = Expr;

    fn index(&self, expr: ExprId) -> &Expr {
        if let Some(at) = self.own(expr) {
            return &self.list[at];
        }
        let inner = self
            .piece(expr)
            .and_then(|it| it.exprs.own(expr).map(|at| &it.exprs.list[at]));
        inner.unwrap_or(&Expr::Missing)
    }
}

impl PartialEq for Exprs {
    fn eq(&self, other: &Exprs) -> bool {
        self.base == other.base
            && self.list == other.list
            && self.ranges == other.ranges
            && self.pieces.len() == other.pieces.len()
            && std::iter::zip(&*self.pieces, &*other.pieces).all(|(a, b)| a.body() == b.body())
    }
}
