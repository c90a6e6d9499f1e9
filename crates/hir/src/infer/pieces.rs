//! A function piece by piece: what the last version concluded of a piece stands where the piece, the state around it
//! and all that it looked at are what they were.
//!
//! The version before is a cache. Whether it can be used is decided by what it was made from, never by where it is from.

use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashSet;
use syntax::pieces::{Piece, PieceKind};

use super::align::{align, ends_alike};
use super::base::{Base, FUNCTION};
use super::checkpoint::{Checkpoint, Way};
use super::names::{NameId, Names, PieceUid};
use super::read::{end_of_block, read};
use super::rows::rows_after;
use super::state::{Block, Changed, Entry, Outputs, Row, State};
use super::world::{Seen, World, global_name, lock};
use super::{Context, Counts, Effort, Globals, Sheet, compose};
use crate::body::{Body, Place};
use crate::facts::pieces::PieceFacts;
use crate::facts::{Facts, VarId};

/// The facts of a Relax function, of which `before` are perhaps those of another version.
pub fn infer(body: &Arc<Body>, cx: &Context<'_>, before: Option<&Facts>) -> Facts {
    let seen = Seen::new(cx.globals);
    let cx = Context {
        globals: &seen,
        ..*cx
    };
    let usable = |facts: &&Facts| {
        let world = facts.world.as_ref();
        world.is_some_and(|world| world.is_around(&cx) && !is_bloated(facts, &world.names()))
    };
    let before = before.filter(usable);
    let world = before.and_then(|facts| facts.world.as_deref());
    let names = world.map_or_else(Arc::default, |world| Arc::clone(&world.names));
    let mut locked = lock(&names);
    let mut run = Run {
        cx: &cx,
        seen: &seen,
        names: &mut locked,
        body,
        before,
        flow: State::default(),
        old_flow: State::default(),
        state: None,
        way: None,
        changed: Changed::default(),
        replaced: FxHashSet::default(),
        facts: Facts::default(),
    };
    run.all();
    let (rows, counts) = run.totals();
    let checkpoint = run.checkpoint();
    let mut facts = run.facts;
    facts.rows = rows;
    facts.counts = counts;
    facts.checkpoint = Mutex::new(checkpoint);
    compose::finish(&mut facts, body, &cx, &locked);
    drop(locked);
    facts.world = Some(Arc::new(World::new(body, &cx, &seen, names)));
    facts
}

/// The StructInfo of the parameters and the annotated return of a function, its purity, whether it is private.
pub fn signature(header: &Arc<Body>, cx: &Context<'_>) -> Facts {
    let mut facts = infer(header, cx, None);
    facts.diagnostics.clear();
    if let Some(root) = facts.functions.first_mut() {
        root.ret = root.annotated_ret.clone().unwrap_or_default();
    }
    facts
}

fn has_same_functions(a: &PieceFacts, b: &PieceFacts) -> bool {
    let mut pairs = a.functions.iter().zip(&b.functions);
    a.functions == b.functions && pairs.all(|(a, b)| a.is_written_like(b))
}

/// Names that nothing uses any more are dropped, with all the rest, when they are too many.
fn is_bloated(before: &Facts, names: &Names) -> bool {
    let live = before.rows.iter().flatten().count();
    names.vars() > 2 * live + 4096
        || names.len() > 8 * live + 65536
        || names.struct_infos() > 2 * live + 4096
}

/// Infers again what the expressions of these pieces are, which are in order; of those of which nobody has asked before.
pub(crate) fn again(facts: &Facts, pieces: impl Iterator<Item = usize>) {
    let Some(world) = &facts.world else { return };
    let mut pieces = pieces.filter(|&at| facts.sheets[at].get().is_none());
    let Some(first) = pieces.next() else { return };
    // Taken away while it is moved: who asks meanwhile begins at the start.
    let kept = lock(&facts.checkpoint).take_if(|kept| kept.at <= first);
    let mut way = kept.as_ref().map(Checkpoint::way_back);
    let mut held = kept.unwrap_or_else(|| Checkpoint::start(&world.names()));
    for at in iter::once(first).chain(pieces) {
        for piece in &facts.pieces[held.at..at] {
            if let Some(way) = &mut way {
                way.note(&held.state, piece);
            }
            held.pass(piece);
        }
        if at > 0 {
            way.get_or_insert_with(|| held.way_back());
        }
        facts.sheets[at].get_or_init(|| sheet(facts, world, &held.state, at));
    }
    if let Some(way) = way {
        held.go_back(way);
        *lock(&facts.checkpoint) = Some(held);
    }
}

fn sheet(facts: &Facts, world: &World, state: &State, at: usize) -> Arc<Sheet> {
    let Some(kind) = world.body.pieces().nth(at).map(|(piece, _)| piece.kind) else {
        return Arc::default();
    };
    if kind == PieceKind::WithEnd {
        return Arc::default();
    }
    let effort = Effort::new(&|| ());
    let cx = world.context(&effort);
    let mut names = world.names();
    world.body.with_piece(at, |body| {
        let base = Base::new(
            &mut names,
            state,
            &facts.pieces[..at],
            &facts.places[..at],
            facts.pieces[at].uid,
            facts.places[at],
        );
        Arc::new(read(body, kind, &cx, base).into_sheet())
    })
}

struct Run<'a> {
    cx: &'a Context<'a>,
    seen: &'a Seen<'a>,
    names: &'a mut Names,
    body: &'a Body,
    before: Option<&'a Facts>,
    /// What holds here, names and variables aside.
    flow: State,
    /// The same in the version before.
    old_flow: State,
    /// What held before some piece, which lags behind until somebody needs it.
    state: Option<Checkpoint>,
    /// From there back to what held before the first piece that was inferred.
    way: Option<Way>,
    changed: Changed,
    /// The pieces of the version before that are not part of this one.
    replaced: FxHashSet<PieceUid>,
    facts: Facts,
}

impl<'a> Run<'a> {
    fn all(&mut self) {
        let pieces: Vec<(&Piece, Place)> = self.body.pieces().collect();
        let world = self.before.and_then(|facts| facts.world.as_deref());
        let old: Vec<&Piece> = world.map_or_else(Vec::new, |world| {
            self.compare_globals(world);
            world.body.pieces().map(|(piece, _)| piece).collect()
        });
        let aligned = align(&old, &pieces);
        let places: Vec<Place> = pieces.iter().map(|&(_, place)| place).collect();
        let mut next = self.take_over_start(&aligned, &places);
        let end_begins = aligned.len() - ends_alike(&aligned, old.len());
        for (at, &(piece, place)) in pieces.iter().enumerate().skip(next) {
            let same = aligned[at];
            if at >= end_begins && same == Some(next) && self.is_back_on_track(next) {
                self.take_over(next..old.len(), &places[at..]);
                return;
            }
            let upcoming = || aligned[at..].iter().flatten().next().copied();
            let end = same.or_else(upcoming).unwrap_or(old.len());
            self.drop_old(next..end);
            next = end + usize::from(same.is_some());
            self.piece(at, piece.kind, place, same);
        }
    }

    fn compare_globals(&mut self, world: &World) {
        for (name, before) in &world.globals {
            if self.seen.get(name) != *before {
                let name = self.names.name(&global_name(name));
                self.changed.add(name);
            }
        }
        self.seen.take_fresh();
        if let Some(listed) = &world.global_names
            && self.seen.names() != *listed
        {
            self.changed.everything = true;
        }
    }

    /// Takes over the pieces before the first that differs, for all that they depend on is before it too. Gives their
    /// number.
    fn take_over_start(&mut self, aligned: &[Option<usize>], places: &[Place]) -> usize {
        let Some(before) = self.before.filter(|_| self.changed.is_empty()) else {
            return 0;
        };
        let same = aligned.iter().enumerate();
        let count = same.take_while(|(at, same)| **same == Some(*at)).count();
        self.state = lock(&before.checkpoint).take_if(|kept| kept.at <= count);
        let known = self.state.as_ref().map_or(0, |kept| kept.at);
        if let Some(Checkpoint { state, .. }) = &self.state {
            self.flow = state.flow();
        }
        for piece in &before.pieces[known..count] {
            self.flow.pass(piece);
        }
        self.old_flow = self.flow.clone();
        self.take_over(0..count, &places[..count]);
        count
    }

    /// Whether all is again what it was in the version before in front of its piece `at`, so that nothing is new to the
    /// pieces from there on.
    fn is_back_on_track(&self, at: usize) -> bool {
        let Some(before) = self.before else {
            return false;
        };
        let points_into_replaced = |at: usize| {
            let mut points_into = before.pieces[at].points_into.iter();
            points_into.any(|it| self.replaced.contains(it))
        };
        self.changed.is_empty()
            && self.old_flow.entry().serves(&self.flow.entry(), true, true)
            && !before
                .counts
                .telling()
                .filter(|it| *it >= at)
                .any(points_into_replaced)
    }

    /// Takes over pieces of the version before, which stand at `places` now.
    fn take_over(&mut self, old: Range<usize>, places: &[Place]) {
        let Some(before) = self.before else { return };
        let pieces = &before.pieces[old.clone()];
        self.facts.pieces.extend_from_slice(pieces);
        self.facts.places.extend_from_slice(places);
        let sheets = old.zip(places).map(|(at, &place)| {
            let sheet = self.kept_sheet(at, place);
            sheet.map_or_else(OnceLock::new, OnceLock::from)
        });
        let sheets: Vec<_> = sheets.collect();
        self.facts.sheets.extend(sheets);
    }

    fn old(&self, at: usize) -> Option<&'a Arc<PieceFacts>> {
        self.before?.pieces.get(at)
    }

    /// Pieces that this version does not have.
    fn drop_old(&mut self, pieces: Range<usize>) {
        for at in pieces {
            if let Some(old) = self.old(at) {
                self.old_flow.pass(old);
                self.changed.everything |= old.closes;
                self.catch_up();
                self.note(Some(old), None, |_| {});
            }
        }
    }

    fn piece(&mut self, at: usize, kind: PieceKind, place: Place, same: Option<usize>) {
        let entry = self.flow.entry();
        let old = same.and_then(|at| self.old(at));
        if let Some(old) = old {
            self.old_flow.pass(old);
        }
        if let Some(old) = old
            && self.serves(old, &entry)
        {
            let sheet = same.and_then(|same| self.kept_sheet(same, place));
            self.push(Arc::clone(old), place, sheet);
            return;
        }
        self.catch_up();
        let (new, sheet) = self.infer(at, kind, place, entry);
        let new = Arc::new(new);
        if let Some(old) = old
            && at == 0
            && !has_same_functions(old, &new)
        {
            let function = self.names.name(FUNCTION);
            self.changed.add(function);
        }
        if self.before.is_some() {
            self.changed.everything |= match old {
                Some(old) => new.closes && old.block_outputs() != new.block_outputs(),
                None => new.closes,
            };
            self.note(old, Some(&new), |run| {
                run.push(Arc::clone(&new), place, sheet);
                run.catch_up();
            });
        } else {
            // Of a function that is read for the first time nobody looks at much.
            self.push(Arc::clone(&new), place, None);
        }
    }

    /// Brings the state to where the next piece begins.
    fn catch_up(&mut self) {
        if self.state.is_none() {
            self.state = self.kept_checkpoint();
        }
        let names = &*self.names;
        let held = self.state.get_or_insert_with(|| Checkpoint::start(names));
        for piece in &self.facts.pieces[held.at..] {
            if let Some(way) = &mut self.way {
                way.note(&held.state, piece);
            }
            held.pass(piece);
        }
        if self.before.is_some() {
            self.way.get_or_insert_with(|| held.way_back());
        }
    }

    /// What the version before has kept, if all before it is still there.
    fn kept_checkpoint(&self) -> Option<Checkpoint> {
        let before = self.before?;
        let mut kept = lock(&before.checkpoint);
        let at = kept.as_ref()?.at;
        let (old, new) = (before.pieces.get(..at)?, self.facts.pieces.get(..at)?);
        let is_same = |(old, new): (&Arc<PieceFacts>, &Arc<PieceFacts>)| Arc::ptr_eq(old, new);
        if old.iter().zip(new).all(is_same) {
            kept.take()
        } else {
            None
        }
    }

    /// What held before the first piece that was inferred, for the next edit.
    fn checkpoint(&mut self) -> Option<Checkpoint> {
        let mut held = self.state.take().filter(|_| self.before.is_some())?;
        if let Some(way) = self.way.take() {
            held.go_back(way);
        }
        Some(held)
    }

    /// Where the variables are, and what is counted.
    fn totals(&mut self) -> (Arc<Vec<Option<Row>>>, Counts) {
        if let Some((before, replaced)) = self.before.zip(self.replaced_in_place()) {
            let rows = rows_after(before, &self.facts.pieces, &replaced);
            let row = |var: VarId| rows.get(var.0 as usize).copied().flatten();
            let counts = before.counts.clone();
            let counts = counts.after(&before.pieces, &self.facts.pieces, &replaced, row);
            return (rows, counts);
        }
        self.catch_up();
        let is_kept = self.before.is_some();
        let state = self.state.as_mut().map(|held| &mut held.state);
        let rows = match state {
            Some(state) if is_kept => state.vars.clone(),
            Some(state) => std::mem::take(&mut state.vars),
            None => Vec::new(),
        };
        (Arc::new(rows), Counts::of(&self.facts.pieces))
    }

    /// The pieces that stand where other pieces stood, if there are as many as there were.
    fn replaced_in_place(&self) -> Option<Vec<u32>> {
        let (old, new) = (&self.before?.pieces, &self.facts.pieces);
        if old.len() != new.len() {
            return None;
        }
        let mut replaced = Vec::new();
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            if !Arc::ptr_eq(old, new) {
                replaced.push(at as u32);
            }
        }
        Some(replaced)
    }

    /// Keeps track of the names that one of the two changes.
    fn note(
        &mut self,
        old: Option<&Arc<PieceFacts>>,
        new: Option<&Arc<PieceFacts>>,
        step: impl FnOnce(&mut Self),
    ) {
        let changes = old.into_iter().chain(new).flat_map(|it| it.changes.iter());
        let names: FxHashSet<NameId> = changes.map(|change| change.name).collect();
        if let Some(Checkpoint { state, .. }) = &self.state {
            for &name in &names {
                self.changed.hold(name, state, &self.facts.pieces);
            }
        }
        if let Some(old) = old {
            self.replaced.insert(old.uid);
            let open = old.entry.open.as_ref().map(|open| Block {
                at: open.at,
                dataflow: open.dataflow,
                outputs: Outputs::None,
                closed: false,
            });
            self.changed.apply_before(old, open);
        }
        step(self);
        if let Some(Checkpoint { state, .. }) = &self.state {
            for &name in &names {
                self.changed.settle(name, state, &self.facts.pieces);
            }
        }
    }

    fn push(&mut self, piece: Arc<PieceFacts>, place: Place, sheet: Option<Arc<Sheet>>) {
        self.flow.pass(&piece);
        self.facts.pieces.push(piece);
        self.facts.places.push(place);
        let sheet = sheet.map_or_else(OnceLock::new, OnceLock::from);
        self.facts.sheets.push(sheet);
    }

    /// Whether what was concluded of a piece stands.
    fn serves(&self, old: &PieceFacts, entry: &Entry) -> bool {
        let has_functions = !old.functions.is_empty();
        !self.changed.everything
            && old.entry.serves(entry, old.closes, has_functions)
            && (self.changed.is_empty()
                || !old.all_names && !self.changed.contains_any(&old.touched))
            && !old.points_into.iter().any(|it| self.replaced.contains(it))
    }

    /// What is known of the expressions of a piece, if it has not moved.
    fn kept_sheet(&self, same: usize, place: Place) -> Option<Arc<Sheet>> {
        let before = self.before?;
        (before.places.get(same) == Some(&place))
            .then(|| before.sheets.get(same)?.get().cloned())
            .flatten()
    }

    fn infer(
        &mut self,
        at: usize,
        kind: PieceKind,
        place: Place,
        entry: Entry,
    ) -> (PieceFacts, Option<Arc<Sheet>>) {
        let uid = self.names.piece();
        let Run {
            cx,
            seen,
            names,
            body,
            before,
            state,
            facts,
            ..
        } = self;
        let state = match state {
            Some(Checkpoint { state, .. }) => &*state,
            None => &State::default(),
        };
        if kind == PieceKind::WithEnd {
            let piece = end_of_block(state, names, &facts.pieces, uid, entry);
            return (piece, None);
        }
        let keeps = before.is_some();
        body.with_piece(at, |body| {
            let base = Base::new(names, state, &facts.pieces, &facts.places, uid, place);
            let mut reading = read(body, kind, cx, base);
            for global in seen.take_fresh() {
                reading.touch(&global);
            }
            let piece = reading.summary(entry);
            (piece, keeps.then(|| Arc::new(reading.into_sheet())))
        })
    }
}
