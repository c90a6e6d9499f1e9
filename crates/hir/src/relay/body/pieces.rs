//! Pieces of a body: its header, each statement of its outermost block, and its value.
//!
//! A piece knows nothing of the others: its ids and ranges are its own. After an edit, the pieces of other statements
//! are shared with the version before.

use smol_str::SmolStr;
use text_size::TextRange;

use super::{Expr, Local, Statement, TypeExpr};

/// The number of a piece. A piece keeps its number when others are inserted or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub(in crate::relay) u32);

impl PieceId {
    /// The definition without its body.
    pub const HEADER: PieceId = PieceId(0);
    /// The block around the statements and the value.
    pub const BLOCK: PieceId = PieceId(1);
    /// No number is larger.
    pub const LAST: PieceId = PieceId(u32::MAX);

    pub(in crate::relay) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An id of something in a piece.
pub trait InPiece {
    fn piece(&self) -> PieceId;
}

macro_rules! ids {
    ($($id:ident)*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id {
            pub(in crate::relay) piece: PieceId,
            pub(in crate::relay) index: u32,
        }

        impl InPiece for $id {
            fn piece(&self) -> PieceId {
                self.piece
            }
        }
    )*};
}

ids! { ExprId LocalId TypeId }

/// What a piece is in its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::relay) enum PieceRole {
    Header,
    Block,
    Statement(Statement),
    Value(ExprId),
}

/// The contents of one piece. Ranges are relative to its start.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::relay) struct Piece {
    pub role: PieceRole,
    pub exprs: Vec<(Expr, TextRange)>,
    pub types: Vec<(TypeExpr, TextRange)>,
    pub locals: Vec<Local>,
    /// The global functions that it names.
    pub globals: Vec<SmolStr>,
    /// Whether a value of it is in the metadata.
    pub names_metadata: bool,
}

/// Builds a piece from the leaves up.
#[derive(Debug)]
pub(in crate::relay) struct PieceBuilder {
    id: PieceId,
    piece: Piece,
}

impl PieceBuilder {
    pub fn new(id: PieceId) -> PieceBuilder {
        PieceBuilder {
            id,
            piece: Piece {
                role: PieceRole::Header,
                exprs: Vec::new(),
                types: Vec::new(),
                locals: Vec::new(),
                globals: Vec::new(),
                names_metadata: false,
            },
        }
    }

    pub fn finish(self, role: PieceRole) -> Piece {
        Piece { role, ..self.piece }
    }

    pub fn expr(&mut self, expr: Expr, range: TextRange) -> ExprId {
        match &expr {
            Expr::Global(name) => self.piece.globals.push(name.clone()),
            Expr::Meta(_) => self.piece.names_metadata = true,
            _ => {}
        }
        let index = next_index(&self.piece.exprs);
        self.piece.exprs.push((expr, range));
        ExprId {
            piece: self.id,
            index,
        }
    }

    pub fn ty(&mut self, ty: TypeExpr, range: TextRange) -> TypeId {
        let index = next_index(&self.piece.types);
        self.piece.types.push((ty, range));
        TypeId {
            piece: self.id,
            index,
        }
    }

    pub fn local(&mut self, local: Local) -> LocalId {
        let index = next_index(&self.piece.locals);
        self.piece.locals.push(local);
        LocalId {
            piece: self.id,
            index,
        }
    }
}

fn next_index<T>(of: &[T]) -> u32 {
    u32::try_from(of.len()).expect("fewer parts than bytes of a file")
}
