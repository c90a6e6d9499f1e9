//! Infers a function piece by piece, from scratch or from the version before, and the types of one piece's
//! expressions.

use std::sync::Arc;

use syntax::pieces::PieceKind;

use crate::body::{Body, Place};
use crate::facts::Facts;
use crate::facts::pieces::PieceFacts;
use crate::incremental::base::{Around, Base};
use crate::incremental::compose;
use crate::incremental::counts::Counts;
use crate::incremental::history::History;
use crate::incremental::ids::{Ids, Released};
use crate::incremental::names::Names;
use crate::incremental::rerun::rerun;
use crate::incremental::state::Entry;
use crate::incremental::world::{ObservedGlobals, World, lock};
use crate::infer::read::{end_of_block, read};
use crate::infer::{Context, Effort, Sheet};

/// Infers a Relax function. `before` may be the facts of another version.
pub fn infer(body: &Arc<Body>, cx: &Context<'_>, before: Option<&Facts>) -> Facts {
    concluded(body, cx, before, KeptReading::Nothing)
}

/// Infers a function, and keeps the values of all expressions.
pub fn infer_with_expressions(body: &Arc<Body>, cx: &Context<'_>) -> Facts {
    body.lower_pieces();
    concluded(body, cx, None, KeptReading::Sheets)
}

/// What is kept from a first inference besides the facts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeptReading {
    /// Nothing: requests need little of a function that was just opened.
    Nothing,
    Sheets,
}

fn concluded(
    body: &Arc<Body>,
    cx: &Context<'_>,
    before: Option<&Facts>,
    keep: KeptReading,
) -> Facts {
    let seen = ObservedGlobals::new(cx.globals);
    let cx = Context {
        globals: &seen,
        ..*cx
    };
    let before = before.filter(|facts| {
        let world = facts.world.as_ref();
        world.is_some_and(|world| world.is_around(&cx) && !is_bloated(facts, &world.names()))
    });
    let names = before.and_then(|facts| facts.world.as_deref());
    let names = names.map_or_else(Arc::default, |world| Arc::clone(&world.names));
    let mut locked = lock(&names);
    let reader = Reader {
        cx: &cx,
        seen: &seen,
        names: &mut locked,
        body,
    };
    let mut facts = match before {
        Some(before) => rerun(reader, before),
        None => read_all(reader, keep),
    };
    compose::finish(&mut facts, body, &cx, &locked);
    drop(locked);
    facts.world = Some(Arc::new(World::new(body, &cx, &seen, names)));
    facts
}

/// Infers the parameters and the annotated result of a function, its purity, and whether it is private.
pub fn signature(header: &Arc<Body>, cx: &Context<'_>) -> Facts {
    let mut facts = infer(header, cx, None);
    facts.diagnostics.clear();
    if let Some(root) = facts.functions.first_mut() {
        root.ret = root.annotated_ret.clone().unwrap_or_default();
    }
    facts
}

/// Returns `true` if there are so many unused names that everything should be inferred from scratch.
fn is_bloated(before: &Facts, names: &Names) -> bool {
    let live = before.history.bound();
    names.vars() > 2 * live + 4096 || names.are_bloated()
}

/// Returns the values of the expressions in the piece at an index.
pub(crate) fn sheet(facts: &Facts, at: usize) -> Arc<Sheet> {
    let Some(world) = &facts.world else {
        return Arc::default();
    };
    let kind = world.body.pieces().nth(at).map(|(piece, _)| piece.kind);
    let Some(kind) = kind.filter(|kind| *kind != PieceKind::WithEnd) else {
        return Arc::default();
    };
    let effort = Effort::new(&|| ());
    let (piece, cx) = (&facts.pieces[at], world.context(&effort));
    let mut names = world.names();
    world.body.with_piece(at, |body| {
        let around = Around {
            history: &facts.history,
            entry: &piece.entry,
            pieces: &facts.pieces[..at],
            places: &facts.places[..at],
        };
        let ids = Ids::Known(piece.var_ids.iter());
        let base = Base::new(around, &mut names, ids, piece.uid, facts.places[at]);
        Arc::new(read(body, kind, &cx, base).into_sheet())
    })
}

/// Reads pieces.
pub(crate) struct Reader<'a> {
    pub cx: &'a Context<'a>,
    pub seen: &'a ObservedGlobals<'a>,
    pub names: &'a mut Names,
    pub body: &'a Body,
}

impl Reader<'_> {
    /// Reads the piece at `place`, and returns its expression values too, if they are kept.
    pub fn read(
        &mut self,
        kind: PieceKind,
        place: Place,
        around: Around<'_>,
        released: &mut Released,
    ) -> (PieceFacts, Option<Sheet>) {
        let uid = self.names.piece();
        if kind == PieceKind::WithEnd {
            return (end_of_block(&around, self.names, uid), None);
        }
        self.body.with_piece(around.pieces.len(), |body| {
            let entry = around.entry.clone();
            let ids = Ids::Released(released);
            let base = Base::new(around, self.names, ids, uid, place);
            let mut reading = read(body, kind, self.cx, base);
            for global in self.seen.take_fresh() {
                reading.touch(&global);
            }
            let piece = reading.summary(entry);
            (piece, Some(reading.into_sheet()))
        })
    }
}

/// Reads all pieces.
fn read_all(mut reader: Reader<'_>, keep: KeptReading) -> Facts {
    let body = reader.body;
    let mut facts = Facts::default();
    let mut history = History::default();
    let mut entry = Entry::default();
    for (piece, place) in body.pieces() {
        let around = Around {
            history: &history,
            entry: &entry,
            pieces: &facts.pieces,
            places: &facts.places,
        };
        let (new, sheet) = reader.read(piece.kind, place, around, &mut Released::default());
        if let Some(sheet) = sheet.filter(|_| keep == KeptReading::Sheets) {
            facts.fresh.push((facts.pieces.len(), Arc::new(sheet)));
        }
        entry.advance_past(&new);
        history.push(&new);
        facts.pieces.push(Arc::new(new));
        facts.places.push(place);
    }
    reader.names.end_first_version();
    facts.counts = Counts::of(&facts.pieces);
    facts.history = history;
    facts
}
