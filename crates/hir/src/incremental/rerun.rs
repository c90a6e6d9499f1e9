//! Infers a function from its previous version: the facts of a piece are kept if the piece, the state before it and
//! all names that it looked up are the same.
//!
//! The previous version is a cache. Whether it can be used depends only on what it was computed from, not on its
//! origin. An edit costs what it touches: changed pieces are read, and the readers of names that they change.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::pieces::{Piece, PieceKind};

use crate::body::Place;
use crate::facts::Facts;
use crate::facts::pieces::PieceFacts;
use crate::incremental::align::align;
use crate::incremental::base::{Around, FUNCTION};
use crate::incremental::history::{History, Readers, Version};
use crate::incremental::ids::Released;
use crate::incremental::names::{NameId, PieceUid};
use crate::incremental::pieces::Reader;
use crate::incremental::state::Entry;
use crate::incremental::world::{World, global_name};
use crate::infer::Globals as _;

/// The number of pieces that keep the types of their expressions after an edit, since the next request is probably
/// about them.
const FRESH: usize = 16;

pub(crate) fn rerun(reader: Reader<'_>, before: &Facts) -> Facts {
    let Some(world) = before.world.as_deref() else {
        return Facts::default();
    };
    let mut run = Rerun::new(reader, before, world);
    run.compare_globals();
    run.all();
    run.finish()
}

struct Rerun<'a> {
    reader: Reader<'a>,
    before: &'a Facts,
    world: &'a World,
    kinds: Vec<PieceKind>,
    /// For each piece, the piece of the previous version with the same text.
    aligned: Vec<Option<usize>>,
    pieces: Vec<Arc<PieceFacts>>,
    places: Vec<Place>,
    history: History,
    readers: &'a Readers,
    /// The pieces that were read, in order of their positions.
    added: Vec<usize>,
    removed: Vec<&'a PieceFacts>,
    replaced: FxHashSet<PieceUid>,
    released: Released,
    /// Names whose meaning may have changed.
    changed: FxHashSet<NameId>,
    /// Those among them that the pieces around the edit bind, so that they may be unchanged after these.
    maybe_changed: Vec<NameId>,
    /// Names of module functions and of the function itself whose meaning has changed everywhere.
    changed_for_good: FxHashSet<NameId>,
    /// Blocks have changed, so from this position on, any name lookup may be affected.
    everything_from: usize,
    /// `true` if the state before the next piece may differ, apart from names.
    flow_differs: bool,
    /// Positions of pieces whose facts may be outdated.
    doubtful: BTreeSet<usize>,
    /// For each piece, the positions of pieces whose diagnostics refer to it.
    pointing: FxHashMap<PieceUid, Vec<usize>>,
    /// Positions of pieces that have looked at all names.
    at_all_names: Vec<usize>,
    /// Positions of the pieces that change the state besides names.
    flow_changes: Vec<usize>,
    /// The state before the piece at the position, apart from names.
    entry: Entry,
    at: usize,
    sheets: Vec<(usize, Arc<crate::infer::Sheet>)>,
}

impl<'a> Rerun<'a> {
    fn new(reader: Reader<'a>, before: &'a Facts, world: &'a World) -> Rerun<'a> {
        let new: Vec<(&Piece, Place)> = reader.body.pieces().collect();
        let old: Vec<&Piece> = world.body.pieces().map(|(piece, _)| piece).collect();
        let here: Vec<&Piece> = new.iter().map(|it| it.0).collect();
        let aligned = align(&old, &here);
        let nothing: Arc<PieceFacts> = Arc::default();
        let pieces = aligned.iter().map(|same| match same {
            Some(at) => Arc::clone(&before.pieces[*at]),
            None => Arc::clone(&nothing),
        });
        let mut run = Rerun {
            before,
            world,
            kinds: new.iter().map(|(piece, _)| piece.kind).collect(),
            pieces: pieces.collect(),
            places: new.iter().map(|&(_, place)| place).collect(),
            history: before.history.clone(),
            readers: before.readers.get_or_init(|| Readers::of(&before.pieces)),
            reader,
            aligned,
            added: Vec::new(),
            removed: Vec::new(),
            replaced: FxHashSet::default(),
            released: Released::default(),
            changed: FxHashSet::default(),
            maybe_changed: Vec::new(),
            changed_for_good: FxHashSet::default(),
            everything_from: usize::MAX,
            flow_differs: false,
            doubtful: BTreeSet::new(),
            pointing: FxHashMap::default(),
            at_all_names: Vec::new(),
            flow_changes: Vec::new(),
            entry: Entry::default(),
            at: 0,
            sheets: Vec::new(),
        };
        let gone = run.remove_old_pieces();
        run.update_positions();
        for (at, piece) in gone {
            run.doubt_readers(at, piece.changes.iter().map(|change| change.name));
            run.doubt_pointing(piece.uid);
            if piece.changes_flow() {
                run.doubt_flow(at);
            }
            if piece.closes {
                run.doubt_everything(at);
            }
        }
        let new = run.aligned.iter().enumerate();
        let new = new.filter(|(_, same)| same.is_none());
        run.doubtful.extend(new.map(|(at, _)| at));
        run
    }

    /// Removes the pieces that are not in this version. Returns them with the position that follows them and their
    /// replacements.
    fn remove_old_pieces(&mut self) -> Vec<(usize, &'a PieceFacts)> {
        let old = &self.before.pieces;
        let mut gone = Vec::new();
        let mut next = 0;
        let same = self.aligned.iter().enumerate();
        let same = same.filter_map(|(at, same)| Some((at, (*same)?)));
        for (at, same) in same.chain([(self.aligned.len(), old.len())]) {
            gone.extend(old[next..same].iter().map(|piece| (at, &**piece)));
            next = same + 1;
        }
        for &(_, piece) in &gone {
            self.history.remove(piece, |at| &*old[at]);
            self.removed.push(piece);
            self.replaced.insert(piece.uid);
            self.released.add(piece);
        }
        gone
    }

    /// Updates the positions of the previous version's pieces.
    fn update_positions(&mut self) {
        let same = self.aligned.iter().zip(&self.pieces).enumerate();
        let same = same.filter(|(_, (same, _))| same.is_some());
        let positions = same.map(|(at, (_, piece))| (piece.uid, at));
        self.history.set_positions(self.pieces.len(), positions);
        let position = |piece: &PieceUid| self.history.position(*piece);
        let counts = &self.before.counts;
        self.flow_changes = counts.flow_changes().iter().filter_map(position).collect();
        for at in counts.notable().iter().filter_map(position) {
            let piece = &self.pieces[at];
            for &into in &piece.points_into {
                self.pointing.entry(into).or_default().push(at);
            }
            if piece.all_names {
                self.at_all_names.push(at);
            }
        }
    }

    /// Compares the globals that the previous version looked up. Those that no piece of it looks up, such as a name
    /// that was misspelt earlier, are forgotten.
    fn compare_globals(&mut self) {
        for (name, before) in &self.world.globals {
            let read = self.reader.names.id_of(&global_name(name));
            let read = read.filter(|id| !self.readers.of_name(*id).is_empty());
            if let Some(id) = read
                && self.reader.seen.get(name) != *before
            {
                self.changed_for_good.insert(id);
                self.doubt_readers(0, std::iter::once(id));
            }
        }
        self.reader.seen.take_fresh();
        if let Some(listed) = &self.world.global_names
            && self.reader.seen.names() != *listed
        {
            self.doubt_everything(0);
        }
    }

    fn all(&mut self) {
        while let Some(at) = self.doubtful.pop_first() {
            self.go_to(at);
            match self.aligned[at] {
                Some(same) => self.reread_if_outdated(same),
                None => self.read(None),
            }
            if (self.flow_differs || at >= self.everything_from) && at + 1 < self.pieces.len() {
                self.doubtful.insert(at + 1);
            }
        }
    }

    /// Reads the current piece again if its facts are outdated.
    fn reread_if_outdated(&mut self, same: usize) {
        self.drop_unchanged(same);
        let old = &*self.before.pieces[same];
        let entry = self.entry_of(old.closes);
        let has_functions = !old.functions.is_empty();
        self.flow_differs = !old
            .entry
            .is_interchangeable_with(&entry, old.closes, has_functions);
        if self.flow_differs || !self.is_valid(old, same) {
            self.read(Some(old));
        }
    }

    /// Moves to the piece at `at`, and computes the state before it.
    fn go_to(&mut self, at: usize) {
        let from = self.flow_changes.partition_point(|it| *it < self.at);
        let to = self.flow_changes.partition_point(|it| *it < at);
        for &piece in &self.flow_changes[from..to] {
            self.entry.advance_past(&self.pieces[piece]);
        }
        self.at = at;
    }

    /// Returns `true` if the facts of the current piece are valid, as far as they depend on more than the state before
    /// it.
    fn is_valid(&self, old: &PieceFacts, same: usize) -> bool {
        self.at < self.everything_from
            && !old.points_into.iter().any(|it| self.replaced.contains(it))
            && !(old.all_names && self.has_changes())
            && old.touched.iter().all(|name| self.is_same(*name, same))
    }

    /// Returns the state before the current piece. Only a piece that closes a block sees whether anything was bound in
    /// it.
    fn entry_of(&self, closes: bool) -> Entry {
        let mut entry = self.entry.clone();
        if closes
            && let Some(open) = &mut entry.open
            && let Some(header) = self.history.position(open.at.piece)
        {
            let inside = &self.pieces[header + 1..self.at];
            open.emitted = inside.iter().any(|piece| piece.emitted);
        }
        entry
    }

    /// Removes names of replaced pieces from the changed ones if they have their old meaning here.
    fn drop_unchanged(&mut self, same: usize) {
        for name in std::mem::take(&mut self.maybe_changed) {
            if self.means_the_same(name, same, self.at) {
                self.changed.remove(&name);
            }
        }
    }

    fn has_changes(&self) -> bool {
        !self.changed.is_empty() || !self.changed_for_good.is_empty()
    }

    fn is_same(&self, name: NameId, same: usize) -> bool {
        !self.changed_for_good.contains(&name)
            && (!self.changed.contains(&name) || self.means_the_same(name, same, self.at))
    }

    /// Returns `true` if a name has the same meaning before the piece at `at` as before the old piece at `old`.
    fn means_the_same(&self, name: NameId, old: usize, at: usize) -> bool {
        let before = Version {
            history: &self.before.history,
            pieces: &self.before.pieces,
        };
        let now = Version {
            history: &self.history,
            pieces: &self.pieces,
        };
        before.means_the_same(name, old, now, at)
    }

    /// Reads the current piece, which may have been read before.
    fn read(&mut self, old: Option<&'a PieceFacts>) {
        let at = self.at;
        if let Some(old) = old {
            self.released.add_own(old);
            self.history.remove(old, |at| &*self.pieces[at]);
            self.removed.push(old);
            self.replaced.insert(old.uid);
        }
        let entry = self.entry_of(self.kinds[at] == PieceKind::WithEnd);
        let around = Around {
            history: &self.history,
            entry: &entry,
            pieces: &self.pieces[..at],
            places: &self.places[..at],
        };
        let (kind, place) = (self.kinds[at], self.places[at]);
        let (new, sheet) = self.reader.read(kind, place, around, &mut self.released);
        let new = Arc::new(new);
        self.pieces[at] = Arc::clone(&new);
        self.history.insert(at, &new, |at| &*self.pieces[at]);
        self.added.push(at);
        if let Some(sheet) = sheet.filter(|_| self.sheets.len() < FRESH) {
            self.sheets.push((at, Arc::new(sheet)));
        }
        self.note_flow_change(at, new.changes_flow());
        self.doubt_followers(old, &new);
    }

    fn note_flow_change(&mut self, at: usize, changes_flow: bool) {
        let index = self.flow_changes.partition_point(|it| *it < at);
        let was_listed = self.flow_changes.get(index) == Some(&at);
        if changes_flow && !was_listed {
            self.flow_changes.insert(index, at);
        } else if was_listed && !changes_flow {
            self.flow_changes.remove(index);
        }
    }

    /// Marks pieces as doubtful that may notice the change of the current piece.
    fn doubt_followers(&mut self, old: Option<&'a PieceFacts>, new: &PieceFacts) {
        let at = self.at;
        let before = old.into_iter().flat_map(|old| old.changes.iter());
        let names = before.chain(&new.changes).map(|change| change.name);
        let names: FxHashSet<NameId> = names.collect();
        match self.aligned[at] {
            Some(same) => {
                let differs = |name: &NameId| !self.means_the_same(*name, same + 1, at + 1);
                let changed: Vec<NameId> = names.into_iter().filter(differs).collect();
                self.doubt_readers(at + 1, changed.into_iter());
            }
            None => self.doubt_readers(at + 1, names.into_iter()),
        }
        if let Some(old) = old {
            self.doubt_pointing(old.uid);
        }
        if at == 0 && !self.before.pieces[0].has_same_functions(new) {
            let function = self.reader.names.name(FUNCTION);
            self.changed_for_good.insert(function);
            self.doubt_readers(1, std::iter::once(function));
        }
        if !old.is_some_and(|old| old.affects_flow_like(new)) {
            if new.changes_flow() || old.is_some_and(PieceFacts::changes_flow) {
                self.flow_differs = true;
                self.doubt_flow(at + 1);
            }
            self.doubt_end_of_block();
        }
        let gives_out_the_same =
            old.is_some_and(|old| !old.closes || old.block_outputs() == new.block_outputs());
        if new.closes && !gives_out_the_same {
            self.doubt_everything(at + 1);
        }
    }

    /// Marks the pieces from `from` on as doubtful that look up one of these names.
    fn doubt_readers(&mut self, from: usize, names: impl Iterator<Item = NameId>) {
        for name in names {
            if self.changed.insert(name) {
                self.maybe_changed.push(name);
            }
            let readers = self.readers.of_name(name).iter();
            let positions = readers.filter_map(|piece| self.history.position(*piece));
            self.doubtful.extend(positions.filter(|at| *at >= from));
        }
        let at_all_names = self.at_all_names.iter().copied();
        self.doubtful.extend(at_all_names.filter(|at| *at >= from));
    }

    fn doubt_pointing(&mut self, into: PieceUid) {
        if let Some(pointing) = self.pointing.remove(&into) {
            let behind = pointing.into_iter().filter(|at| *at > self.at);
            self.doubtful.extend(behind);
        }
    }

    /// Marks pieces as doubtful that may notice a changed state before `from`: the next piece, and those that change
    /// the state, since each represents the pieces up to the next of them.
    fn doubt_flow(&mut self, from: usize) {
        if from < self.pieces.len() {
            self.doubtful.insert(from);
        }
        let flow_changes = self.flow_changes.iter().copied();
        self.doubtful.extend(flow_changes.filter(|at| *at >= from));
    }

    /// Marks every piece from `from` on as doubtful.
    fn doubt_everything(&mut self, from: usize) {
        self.everything_from = self.everything_from.min(from);
        if from < self.pieces.len() {
            self.doubtful.insert(from);
        }
    }

    fn doubt_end_of_block(&mut self) {
        let mut behind = self.flow_changes.iter().copied().filter(|at| *at > self.at);
        let end = behind.find(|at| self.pieces[*at].closes);
        self.doubtful.extend(end);
    }

    fn finish(self) -> Facts {
        let added: Vec<&PieceFacts> = self.added.iter().map(|at| &*self.pieces[*at]).collect();
        let counts = self.before.counts.clone();
        let counts = counts.after(&self.removed, &added, &self.history, &self.pieces);
        let mut readers = self.readers.clone();
        for piece in &self.removed {
            readers.remove(piece);
        }
        for piece in &added {
            readers.add(piece);
        }
        self.reader.names.take_back(self.released.rest());
        Facts {
            pieces: self.pieces,
            places: self.places,
            history: self.history,
            counts,
            readers: readers.into(),
            fresh: self.sheets,
            ..Facts::default()
        }
    }
}
