//! The facts of one piece of a function. Ranges and ids of expressions are relative to the piece.

use relax::diagnostics::Diagnostic;
use relax::sinfo::StructInfo;
use relax::value::Value;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::{ExprId, Place};
use crate::facts::{FunctionFact, Join, SymId, VarFact, VarId};
use crate::incremental::names::{NameId, PieceUid};
use crate::incremental::state::{Anchor, Block, Entry, NameChange, Outputs};

/// The facts of one piece, without the types of its expressions, which are inferred again on request.
#[derive(Clone, Debug, Default)]
pub(crate) struct PieceFacts {
    pub uid: PieceUid,
    // The dependencies.
    pub entry: Entry,
    pub touched: Box<[NameId]>,
    /// `true` if it looked at all names, to find one similar to an unbound one.
    pub all_names: bool,
    /// The pieces that its diagnostics refer to.
    pub points_into: Box<[PieceUid]>,
    // The effects on later pieces.
    pub changes: Box<[NameChange]>,
    pub blocks: Box<[Block]>,
    pub bound_values: Box<[Value]>,
    pub opens: Option<(TextRange, bool)>,
    pub closes: bool,
    pub ended: bool,
    pub emitted: bool,
    /// Outputs of the block that contains it.
    pub outputs: Box<[VarId]>,
    pub returned: Option<Anchor>,
    // The facts that it adds.
    pub vars: Box<[VarFact]>,
    pub var_ids: Box<[VarId]>,
    pub functions: Box<[FunctionFact]>,
    pub syms: Box<[SymPart]>,
    pub joins: Box<[Join]>,
    /// The names of module functions.
    pub globals: Box<[(SmolStr, TextRange)]>,
    /// Calls of module functions whose arguments have errors, by callee.
    pub refused: Box<[(SmolStr, TextRange)]>,
    /// Variables of other pieces that it uses.
    pub uses: Box<[VarId]>,
    /// Its variables that it does not use itself. One that no other piece uses is reported as unused.
    pub unused_here: Box<[u32]>,
    /// Its unused variables that are never reported: parameters, and names like `_`.
    pub unused_exempt: Box<[u32]>,
    /// Dataflow variables that `R.output` makes visible after the block.
    pub promoted: Box<[VarId]>,
    pub result: Option<StructInfo>,
    pub force_pure: Option<bool>,
    /// `true` if a branch contains a `return`, which is reported.
    pub returns_in_branch: bool,
    pub impure: Box<[(TextRange, SmolStr)]>,
    pub reports: Box<[Report]>,
    /// Blocks whose missing output is covered by another report.
    pub withdrawn: Box<[Anchor]>,
}

/// A shape variable in a piece.
#[derive(Clone, Debug)]
pub(crate) struct SymPart {
    pub sym: SymId,
    pub declared_at: Option<TextRange>,
    pub bound_at: Option<TextRange>,
    pub mentions: Box<[TextRange]>,
}

/// A diagnostic, with the pieces that contain its ranges.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub diagnostic: Diagnostic,
    pub at: PieceUid,
    pub related: Box<[PieceUid]>,
}

impl PieceFacts {
    /// Returns the effect of the piece on a name.
    pub fn change(&self, name: NameId) -> Option<&NameChange> {
        let at = self
            .changes
            .binary_search_by_key(&name, |change| change.name);
        self.changes.get(at.ok()?)
    }

    /// Returns `true` if the state after the piece differs from that before it, apart from names.
    pub fn changes_flow(&self) -> bool {
        !self.functions.is_empty()
            || self.returned.is_some()
            || self.opens.is_some()
            || self.closes
            || self.ended
            || !self.outputs.is_empty()
    }

    /// Returns `true` if the state after both is the same.
    pub fn affects_flow_like(&self, other: &PieceFacts) -> bool {
        self.functions.len() == other.functions.len()
            && self.returned == other.returned
            // The following code is in another block, if only because it refers to another piece.
            && self.opens.is_none()
            && other.opens.is_none()
            && self.closes == other.closes
            && self.ended == other.ended
            && self.emitted == other.emitted
            && self.outputs == other.outputs
    }

    /// Returns `true` if the piece uses its own variable of this row.
    pub fn uses_own(&self, row: u32) -> bool {
        let among = |rows: &[u32]| rows.binary_search(&row).is_ok();
        !among(&self.unused_here) && !among(&self.unused_exempt)
    }

    /// Returns the outputs of the block that ends here.
    pub fn block_outputs(&self) -> Outputs {
        let open = self.entry.open.as_ref();
        open.map_or(Outputs::None, |open| Outputs::of(&open.outputs))
    }

    pub fn has_same_functions(&self, other: &PieceFacts) -> bool {
        let mut pairs = self.functions.iter().zip(&other.functions);
        self.functions == other.functions && pairs.all(|(a, b)| a.is_written_like(b))
    }

    /// Returns `true` if the variable of a row looks the same to its users.
    pub fn same_var(&self, row: u32, other: &PieceFacts, other_row: u32) -> bool {
        let (at, other_at) = (row as usize, other_row as usize);
        let (Some(a), Some(b)) = (self.vars.get(at), other.vars.get(other_at)) else {
            return false;
        };
        a.struct_info == b.struct_info
            && a.kind == b.kind
            && a.function == b.function
            && a.in_dataflow == b.in_dataflow
            && a.dtype == b.dtype
            && a.contradicted == b.contradicted
    }
}

impl Place {
    pub fn range(self, range: TextRange) -> TextRange {
        range + self.offset
    }

    pub fn expr(self, expr: ExprId) -> ExprId {
        ExprId(expr.0 + self.base)
    }

    pub fn relative_expr(self, expr: ExprId) -> ExprId {
        ExprId(expr.0.saturating_sub(self.base))
    }

    pub fn relative(self, range: TextRange) -> TextRange {
        // A piece's reports are inside it. A range before it could only be a missing one.
        if range.start() < self.offset {
            return TextRange::empty(TextSize::new(0));
        }
        range - self.offset
    }
}
