//! Reads one piece, and summarizes it for other pieces.

use relax::diagnostics::{Code, Diagnostic};
use rustc_hash::FxHashSet;
use syntax::pieces::PieceKind;
use text_size::TextRange;

use crate::body::{Body, Place, Stmt, StmtKind};
use crate::facts::pieces::{PieceFacts, Report, SymPart};
use crate::facts::{FunctionFact, SymId, VarFact, VarId, VarKind};
use crate::incremental::base::{Around, Base};
use crate::incremental::names::{NameId, Names, PieceUid};
use crate::incremental::state::{Entry, NameChange, Slot};
use crate::infer::draft::{Draft, SymDraft};
use crate::infer::{Context, Frame, Infer, Sheet};

/// A piece that has been read.
pub(crate) struct Reading<'a> {
    infer: Infer<'a>,
    opens: Option<(TextRange, bool)>,
}

pub(crate) fn read<'a>(
    body: &'a Body,
    kind: PieceKind,
    cx: &'a Context<'a>,
    base: Base<'a>,
) -> Reading<'a> {
    cx.effort.begin_piece(body.exprs.own_len());
    let mut infer = Infer::new(body, cx, base);
    let mut opens = None;
    if kind == PieceKind::Header {
        infer.root();
    } else {
        let returned = infer.base.entry().returned;
        infer.frames.push(Frame {
            returned: returned.map(|at| infer.base.range(at)),
            ..Frame::default()
        });
        match (kind, body.function.body.first()) {
            (
                PieceKind::With,
                Some(Stmt {
                    kind: StmtKind::With { items, .. },
                    range,
                }),
            ) => opens = Some(infer.with_header(items, *range)),
            _ => infer.block(&body.function.body),
        }
    }
    Reading { infer, opens }
}

impl Reading<'_> {
    pub fn touch(&self, name: &str) {
        self.infer.base.touch(name);
    }

    pub fn into_sheet(self) -> Sheet {
        self.infer.facts.sheet
    }

    pub fn summary(&mut self, entry: Entry) -> PieceFacts {
        let infer = &mut self.infer;
        let (changes, touched) = infer.base.changes();
        let frame = infer.frames.pop().unwrap_or_default();
        let draft = &mut infer.facts;
        let base = &infer.base;
        let place = base.place;
        let reports: Box<[Report]> = std::mem::take(&mut draft.diagnostics)
            .into_iter()
            .map(|diagnostic| report(diagnostic, base))
            .collect();
        let mut points_into: Vec<PieceUid> = reports
            .iter()
            .flat_map(|it| it.related.iter().copied().chain([it.at]))
            .filter(|piece| *piece != base.uid)
            .collect();
        points_into.sort_unstable();
        points_into.dedup();
        let (uses, [unused_here, unused_exempt]) = uses(draft);
        PieceFacts {
            uid: base.uid,
            returned: match entry.returned {
                Some(_) => None,
                None => frame.returned.map(|at| base.anchor(at)),
            },
            entry,
            touched: touched.into(),
            all_names: base.all_names.get(),
            points_into: points_into.into(),
            changes: changes.into(),
            blocks: draft.blocks.as_slice().into(),
            bound_values: draft.bound_values.as_slice().into(),
            opens: self
                .opens
                .map(|(range, dataflow)| (place.relative(range), dataflow)),
            closes: false,
            ended: draft.ended,
            emitted: draft.emitted,
            outputs: draft.outputs.as_slice().into(),
            vars: std::mem::take(&mut draft.vars)
                .into_iter()
                .map(|var| relative_var(var, place))
                .collect(),
            var_ids: draft.var_ids.as_slice().into(),
            functions: std::mem::take(&mut draft.functions)
                .into_iter()
                .map(|function| relative_function(function, place))
                .collect(),
            syms: draft
                .take_syms()
                .into_iter()
                .map(|(sym, draft)| sym_part(sym, draft, place))
                .collect(),
            globals: draft
                .globals
                .drain(..)
                .map(|(name, at)| (name, place.relative(at)))
                .collect(),
            refused: draft
                .refused
                .drain(..)
                .map(|(name, at)| (name, place.relative(at)))
                .collect(),
            joins: draft.joins.as_slice().into(),
            uses,
            unused_here,
            unused_exempt,
            promoted: draft.promoted.iter().copied().collect(),
            result: frame.result,
            force_pure: frame.force_pure,
            returns_in_branch: frame.returns_in_branch,
            impure: frame
                .impure
                .into_iter()
                .map(|(range, what)| (place.relative(range), what))
                .collect(),
            reports,
            withdrawn: draft.withdrawn.iter().map(|&at| base.anchor(at)).collect(),
        }
    }
}

/// Returns the variables of other pieces that a piece uses, and the indices of its own unused variables: those that
/// should be used, and the others.
fn uses(draft: &Draft) -> (Box<[VarId]>, [Box<[u32]>; 2]) {
    let own: FxHashSet<VarId> = draft.var_ids.iter().copied().collect();
    let unused = |unused_exempt: bool| {
        let rows = draft.var_ids.iter().zip(&draft.vars).enumerate();
        let rows = rows.filter(move |(_, (id, var))| {
            let is_exempt = var.kind == VarKind::Param || var.name.starts_with('_');
            is_exempt == unused_exempt && !draft.used.contains(*id)
        });
        rows.map(|(row, _)| row as u32).collect()
    };
    let others = draft.used.iter().copied().filter(|id| !own.contains(id));
    (others.collect(), [unused(false), unused(true)])
}

fn report(mut diagnostic: Diagnostic, base: &Base<'_>) -> Report {
    let at = base.anchor(diagnostic.range);
    diagnostic.range = at.range;
    let instead = diagnostic.instead.iter_mut().map(|(range, _)| range);
    for range in instead.chain(&mut diagnostic.repeats) {
        *range = base.anchor(*range).range;
    }
    let related = diagnostic.related.iter_mut().map(|(range, _)| {
        let at = base.anchor(*range);
        *range = at.range;
        at.piece
    });
    Report {
        related: related.collect(),
        at: at.piece,
        diagnostic,
    }
}

fn relative_var(var: VarFact, place: Place) -> VarFact {
    VarFact {
        name_range: place.relative(var.name_range),
        range: place.relative(var.range),
        value: var.value.map(|value| place.relative_expr(value)),
        ..var
    }
}

fn relative_function(function: FunctionFact, place: Place) -> FunctionFact {
    FunctionFact {
        name_range: place.relative(function.name_range),
        range: place.relative(function.range),
        ..function
    }
}

fn sym_part(sym: SymId, draft: SymDraft, place: Place) -> SymPart {
    let relative = |range: TextRange| place.relative(range);
    SymPart {
        sym,
        declared_at: draft.declared_at.map(relative),
        bound_at: draft.bound_at.map(relative),
        mentions: draft.mentions.into_iter().map(relative).collect(),
    }
}

/// Returns the facts for the end of a `with`, after which its outputs are known.
pub(crate) fn end_of_block(around: &Around<'_>, names: &mut Names, uid: PieceUid) -> PieceFacts {
    let entry = around.entry.clone();
    let Some(open) = &entry.open else {
        return PieceFacts {
            uid,
            entry,
            closes: true,
            ..PieceFacts::default()
        };
    };
    let history = around.history;
    let mut changes: Vec<NameChange> = Vec::new();
    let mut changed: FxHashSet<NameId> = FxHashSet::default();
    for &var in open.outputs.iter().rev() {
        let Some(row) = history.row(var) else {
            continue;
        };
        let Some(piece) = history.position(row.piece) else {
            continue;
        };
        let name = names.name(&around.pieces[piece].vars[row.at as usize].name);
        if changed.insert(name) {
            changes.push(NameChange {
                name,
                outer: Some(Slot::Var(var)),
                inner: Some((Slot::Unbound, open.at)),
                sym: history.name_before(around.pieces.len(), name).sym,
            });
        }
    }
    changes.sort_unstable_by_key(|change| change.name);
    let touched: Vec<_> = changes.iter().map(|change| change.name).collect();
    let nothing_out = open.outputs.is_empty() && !open.ended && open.emitted && open.dataflow;
    let report = nothing_out.then(|| Report {
        diagnostic: Diagnostic::new(
            Code::MissingOutput,
            open.at.range,
            crate::infer::statements::dataflow::MISSING_OUTPUT,
        ),
        at: open.at.piece,
        related: Box::default(),
    });
    PieceFacts {
        uid,
        points_into: report.iter().map(|report| report.at).collect(),
        reports: report.into_iter().collect(),
        changes: changes.into(),
        touched: touched.into(),
        closes: true,
        entry,
        ..PieceFacts::default()
    }
}
