//! A function piece by piece: what the last version concluded of a piece stands where the piece, the state around it
//! and all that it looked at are what they were.
//!
//! The version before is a cache. Whether it can be used is decided by what it was made from, never by where it is from.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::pieces::{Piece, PieceKind};

use super::base::{Base, FUNCTION};
use super::names::{NameId, Names, PieceUid};
use super::read::{end_of_block, read};
use super::state::{Block, Changed, Checkpoint, Entry, Outputs, Row, State};
use super::world::{Seen, World, global_name, lock};
use super::{Context, Counts, Globals, Sheet, compose};
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
        state: None,
        checkpoint: None,
        changed: Changed::default(),
        replaced: FxHashSet::default(),
        facts: Facts::default(),
    };
    run.all();
    let (rows, counts) = run.totals();
    let Run {
        mut facts,
        checkpoint,
        ..
    } = run;
    drop(locked);
    facts.rows = rows;
    facts.counts = counts;
    facts.checkpoint = Mutex::new(checkpoint);
    compose::finish(&mut facts, body, &cx);
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

/// Names that nothing uses any more are dropped, with all the rest, when they are too many.
fn is_bloated(before: &Facts, names: &Names) -> bool {
    let live = before.rows.iter().flatten().count();
    names.vars() > 2 * live + 4096 || names.len() > 8 * live + 65536
}

/// What the expressions of a piece are, inferred again.
pub(crate) fn again(facts: &Facts, piece: usize) -> Arc<Sheet> {
    let Some(world) = &facts.world else {
        return Arc::default();
    };
    let kept = lock(&facts.checkpoint)
        .as_ref()
        .filter(|kept| kept.at <= piece)
        .cloned();
    let Checkpoint { at, mut state } = kept.unwrap_or_else(|| Checkpoint {
        at: 0,
        state: State::sized(&world.names()),
    });
    for at in at..piece {
        state.apply(at as u32, &facts.pieces[at]);
    }
    sheet(facts, world, &state, piece)
}

/// The same for every piece of which nobody has asked before.
pub(crate) fn all_again(facts: &Facts) {
    let Some(world) = &facts.world else { return };
    if facts.sheets.iter().all(|sheet| sheet.get().is_some()) {
        return;
    }
    let mut state = State::sized(&world.names());
    for (at, piece) in facts.pieces.iter().enumerate() {
        facts.sheets[at].get_or_init(|| sheet(facts, world, &state, at));
        state.apply(at as u32, piece);
    }
}

fn sheet(facts: &Facts, world: &World, state: &State, at: usize) -> Arc<Sheet> {
    let Some(kind) = world.body.pieces().nth(at).map(|(piece, _)| piece.kind) else {
        return Arc::default();
    };
    if kind == PieceKind::WithEnd {
        return Arc::default();
    }
    let cx = world.context();
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
    /// What held before some piece, which lags behind until somebody needs it.
    state: Option<Checkpoint>,
    /// What held before the first piece that was inferred.
    checkpoint: Option<Checkpoint>,
    changed: Changed,
    /// The pieces of the version before that are not part of this one.
    replaced: FxHashSet<PieceUid>,
    facts: Facts,
}

impl Run<'_> {
    fn all(&mut self) {
        let pieces: Vec<(&Piece, Place)> = self.body.pieces().collect();
        let world = self.before.and_then(|facts| facts.world.as_deref());
        let old: Vec<&Piece> = world.map_or_else(Vec::new, |world| {
            self.compare_globals(world);
            world.body.pieces().map(|(piece, _)| piece).collect()
        });
        let aligned = align(&old, &pieces);
        let mut next = 0;
        for (at, &(piece, place)) in pieces.iter().enumerate() {
            let same = aligned[at];
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

    fn old(&self, at: usize) -> Option<&Arc<PieceFacts>> {
        self.before?.pieces.get(at)
    }

    /// Pieces that this version does not have.
    fn drop_old(&mut self, pieces: Range<usize>) {
        for at in pieces {
            if let Some(old) = self.old(at).cloned() {
                self.changed.everything |= old.closes;
                self.catch_up();
                self.note(Some(&old), None, |_| {});
            }
        }
    }

    fn piece(&mut self, at: usize, kind: PieceKind, place: Place, same: Option<usize>) {
        let entry = self.flow.entry();
        let old = same.and_then(|at| self.old(at).cloned());
        if let Some(old) = &old
            && self.serves(old, &entry)
        {
            let sheet = same.and_then(|same| self.kept_sheet(same, place));
            self.push(Arc::clone(old), place, sheet);
            return;
        }
        self.catch_up();
        let (new, sheet) = self.infer(at, kind, place, entry);
        let new = Arc::new(new);
        if let Some(old) = &old
            && at == 0
            && old.functions != new.functions
        {
            let function = self.names.name(FUNCTION);
            self.changed.add(function);
        }
        if self.before.is_some() {
            self.changed.everything |= match &old {
                Some(old) => new.closes && old.block_outputs() != new.block_outputs(),
                None => new.closes,
            };
            self.note(old.as_ref(), Some(&new), |run| {
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
        let is_first = self.state.is_none();
        if is_first {
            self.state = self.kept_checkpoint();
        }
        let names = &*self.names;
        let Checkpoint { at, state } = self.state.get_or_insert_with(|| Checkpoint {
            at: 0,
            state: State::sized(names),
        });
        for piece in &self.facts.pieces[*at..] {
            state.apply(*at as u32, piece);
            *at += 1;
        }
        if is_first && self.before.is_some() {
            self.checkpoint.clone_from(&self.state);
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

    /// Where the variables are, which is where they were if the pieces bind the same; and what is counted.
    fn totals(&mut self) -> (Arc<Vec<Option<Row>>>, Counts) {
        if let Some((before, replaced)) = self.before.zip(self.replaced_in_place()) {
            let rows = Arc::clone(&before.rows);
            let row = |var: VarId| rows.get(var.0 as usize).copied().flatten();
            let counts = before.counts.clone();
            let counts = counts.after(&before.pieces, &self.facts.pieces, &replaced, row);
            return (rows, counts);
        }
        self.catch_up();
        let state = self.state.take();
        let rows = state.map(|it| it.state.vars).unwrap_or_default();
        (Arc::new(rows), Counts::of(&self.facts.pieces))
    }

    /// The pieces that stand where other pieces stood, if all bind what those did.
    fn replaced_in_place(&self) -> Option<Vec<u32>> {
        let (old, new) = (&self.before?.pieces, &self.facts.pieces);
        let mut replaced = Vec::new();
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            if !Arc::ptr_eq(old, new) {
                if old.var_ids != new.var_ids {
                    return None;
                }
                replaced.push(at as u32);
            }
        }
        (old.len() == new.len()).then_some(replaced)
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
                || !old.all_names && !old.touched.iter().any(|it| self.changed.contains(*it)))
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

/// For each new piece the old one that is the same, in order.
fn align(old: &[&Piece], new: &[(&Piece, Place)]) -> Vec<Option<usize>> {
    let is_same = |(old, new): (&&Piece, &(&Piece, Place))| old.is_same(new.0);
    let prefix = old.iter().zip(new).take_while(|it| is_same(*it)).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = pairs.take_while(|it| is_same(*it)).count();
    let mut aligned: Vec<Option<usize>> = (0..prefix).map(Some).collect();
    let mut places: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let middle = old.iter().enumerate().take(old.len() - suffix).skip(prefix);
    for (at, piece) in middle {
        places.entry(piece.key()).or_default().push(at);
    }
    let mut next = prefix;
    for &(piece, _) in &new[prefix..new.len() - suffix] {
        let candidates = places.get(&piece.key()).map_or(&[][..], Vec::as_slice);
        let same = candidates
            .iter()
            .copied()
            .find(|&at| at >= next && old[at].is_same(piece));
        next = same.map_or(next, |at| at + 1);
        aligned.push(same);
    }
    aligned.extend((old.len() - suffix..old.len()).map(Some));
    aligned
}
