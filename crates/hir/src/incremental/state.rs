//! The state at the function's top level before a piece, and the changes that the piece makes to it.
//!
//! Rules access this only through `Infer`, which records each name that a piece looks up. The facts of a piece stay
//! valid while its text, the state before it, and the meanings of these names stay the same.

use relax::dtype::DType;
use text_size::TextRange;

use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;
use crate::incremental::names::{NameId, PieceUid};

/// A range relative to a piece, which may move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Anchor {
    pub piece: PieceUid,
    pub range: TextRange,
}

/// A row of a piece: a variable, or a value that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub piece: PieceUid,
    pub at: u32,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Slot {
    #[default]
    Unbound,
    Var(VarId),
    Sym,
    Value(Row),
}

/// The meaning of a name before a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameState {
    /// The meaning in the function.
    pub outer: Slot,
    /// The meaning, now or earlier, in the `with` whose header is at `block`.
    pub inner: Slot,
    pub block: Anchor,
    pub sym: SymState,
}

/// The state of the shape variable of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SymState {
    pub known: bool,
    pub bound: bool,
    pub reported: bool,
    /// The dtype of its declaration, if it is not int64 and the variable is therefore no dimension.
    pub other_dtype: Option<DType>,
}

/// A dataflow block that begins and ends in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub at: Anchor,
    pub outputs: Outputs,
}

/// The outputs of a dataflow block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outputs {
    None,
    Some,
    /// An `R.output` is misspelt or contains an unbound name, so that any variable may be an output.
    Unclear,
}

/// Stands for an unknown output of a block.
pub(crate) const UNCLEAR_OUTPUT: VarId = VarId(u32::MAX);

impl Outputs {
    pub fn of(outputs: &[VarId]) -> Outputs {
        match outputs {
            [] => Outputs::None,
            some if some.contains(&UNCLEAR_OUTPUT) => Outputs::Unclear,
            _ => Outputs::Some,
        }
    }
}

/// The open `with`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub at: Anchor,
    pub dataflow: bool,
    /// `true` after `R.output`.
    pub ended: bool,
    pub emitted: bool,
    pub outputs: Vec<VarId>,
}

/// The effect of a piece on a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameChange {
    pub name: NameId,
    pub outer: Option<Slot>,
    pub inner: Option<(Slot, Anchor)>,
    pub sym: SymState,
}

impl NameChange {
    pub fn apply(&self, before: NameState) -> NameState {
        let (inner, block) = self.inner.unwrap_or((before.inner, before.block));
        NameState {
            outer: self.outer.unwrap_or(before.outer),
            inner,
            block,
            sym: self.sym,
        }
    }
}

/// The state before a piece, apart from names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub open: Option<Open>,
    pub returned: Option<Anchor>,
    pub functions: u32,
}

impl Entry {
    /// Returns `true` if a piece has the same meaning after `self` as after `other`.
    pub fn is_interchangeable_with(
        &self,
        other: &Entry,
        ends_block: bool,
        has_functions: bool,
    ) -> bool {
        let open = match (&self.open, &other.open) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a.at == b.at
                    && a.dataflow == b.dataflow
                    && a.ended == b.ended
                    && (!ends_block || a.emitted == b.emitted && a.outputs == b.outputs)
            }
            _ => false,
        };
        open && self.returned == other.returned
            && (!has_functions || self.functions == other.functions)
    }

    /// Advances past a piece.
    pub fn advance_past(&mut self, piece: &PieceFacts) {
        self.functions += piece.functions.len() as u32;
        if self.returned.is_none() {
            self.returned = piece.returned;
        }
        if let Some(open) = &mut self.open {
            open.ended |= piece.ended;
            open.emitted |= piece.emitted;
            open.outputs.extend_from_slice(&piece.outputs);
        }
        if let Some((range, dataflow)) = piece.opens {
            self.open = Some(Open {
                at: Anchor {
                    piece: piece.uid,
                    range,
                },
                dataflow,
                ended: false,
                emitted: false,
                outputs: Vec::new(),
            });
        }
        if piece.closes {
            self.open = None;
        }
    }
}
