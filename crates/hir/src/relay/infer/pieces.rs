//! Inference piece by piece, and again after an edit.
//!
//! A binding usually follows from the types of the names that it looks up. Then its results are kept while these types
//! are the same. Where types stay open after a piece (`let %x = Nil;`), it forms a region with the pieces after it, up
//! to the one that closes them; all of a region is inferred again.

use std::sync::Arc;

use relax::relay::Type;

use super::super::body::{ExprId, InPiece as _, LocalId, PieceId};
use super::super::facts::{Facts, OuterLocal, PieceFacts, PieceResult};
use super::super::names::{self, Names};
use super::Infer;
use super::unchanged::Unchanged;

impl Infer<'_> {
    pub(super) fn run(mut self) -> Facts {
        let body = self.body;
        let unchanged = self.before.and_then(|it| Unchanged::of(body, it));
        let first = unchanged.map_or(0, |it| self.around(&it));
        for (piece, _) in body.pieces().skip(first) {
            self.piece_or_kept(piece);
        }
        self.finish()
    }

    /// Infers a piece, or keeps results of versions before.
    pub(super) fn piece_or_kept(&mut self, piece: PieceId) {
        match self.reusable_facts(piece) {
            Some(kept) => {
                self.scope.bind(self.body, &kept.facts.names.bound);
                self.facts.pieces[piece.index()] = Some(kept);
                self.note_changes(piece);
                if piece == PieceId::HEADER {
                    self.enter_again();
                }
            }
            None => self.piece(piece),
        }
    }

    /// Returns the results of the version before, or those for the types that the piece had before these, if they hold.
    fn reusable_facts(&self, piece: PieceId) -> Option<PieceResult> {
        let (before, facts) = self.before?;
        let is_shared = |piece: PieceId| self.body.shares(piece, before);
        if !self.region.is_empty() || piece == PieceId::BLOCK || !is_shared(piece) {
            return None;
        }
        let last = &facts.result(piece)?.facts;
        let spare = facts.spares.get(self.body, piece);
        let mut known = [Some(last), spare].into_iter().flatten();
        known.find_map(|kept| {
            let holds = kept.is_settled
                && self.finds_the_same(&kept.names)
                && kept.constants.iter().all(|it| is_shared(it.piece()));
            let unknown = holds.then(|| self.unknown_types(kept))??;
            Some(PieceResult {
                facts: Arc::clone(kept),
                unknown,
            })
        })
    }

    fn finds_the_same(&self, names: &Names) -> bool {
        let mut outer = names.outer.iter();
        outer.all(|(name, found)| self.scope.get(name) == *found)
    }

    /// Resolves the names of a piece, unless they are those of the version before.
    fn names(&self, piece: PieceId) -> Arc<Names> {
        let before = self.before.filter(|it| self.body.shares(piece, it.0));
        let before = before.and_then(|it| it.1.piece(piece));
        let holds =
            |it: &&PieceFacts| it.names.diagnostics.is_empty() && self.finds_the_same(&it.names);
        match before.filter(holds) {
            Some(before) => Arc::clone(&before.names),
            None => Arc::new(names::resolve(self.body, piece, &self.scope)),
        }
    }

    pub(super) fn piece(&mut self, piece: PieceId) {
        let body = self.body;
        let names = self.names(piece);
        let mut facts = PieceFacts::new(body.piece(piece));
        for (at, local) in &names.uses {
            facts.uses[at.index as usize] = Some(*local);
        }
        self.scope.bind(body, &names.bound);
        facts.diagnostics.clone_from(&names.diagnostics);
        for local in names.outer.iter().filter_map(|it| it.1) {
            let result = self.facts.result(local.piece);
            facts.outer.push(OuterLocal::of(local, result));
            facts.outer_types.push(self.facts.local(local).cloned());
        }
        facts.names = Arc::clone(&names);
        self.facts.pieces[piece.index()] = Some(Arc::new(facts).into());
        self.region.push(piece);
        for step in &names.steps {
            self.step(*step);
        }
        self.solve();
        if self.is_closed() {
            self.end_region(|_, ty| ty.clone());
            self.draft(piece).ends_region = true;
        }
    }

    /// Returns whether all types of the region are known. Fills in the solved holes of those that are.
    fn is_closed(&mut self) -> bool {
        while let Some(&piece) = self.region.get(self.closed.0) {
            let count = types(self.draft(piece)).count();
            while self.closed.1 < count {
                let at = self.closed.1;
                let ty = types(self.draft(piece)).nth(at).and_then(|it| it.clone());
                if let Some(ty) = ty.filter(Type::has_holes) {
                    let ty = self.solver.resolve(&ty);
                    if ty.has_holes() {
                        return false;
                    }
                    if let Some(place) = types(self.draft(piece)).nth(at) {
                        *place = Some(ty);
                    }
                }
                self.closed.1 += 1;
            }
            self.closed = (self.closed.0 + 1, 0);
        }
        self.waiting.is_empty()
    }

    /// Ends the region. `close` makes the types with holes known.
    pub(super) fn end_region(&mut self, mut close: impl FnMut(&mut Self, &Type) -> Type) {
        let region = std::mem::take(&mut self.region);
        self.closed = (0, 0);
        let reported = self.reported();
        let constants = self.constants.take();
        if let Some(first) = region.first() {
            let draft = self.draft(*first);
            draft.diagnostics.extend(reported);
            draft.constants = constants;
        }
        for &piece in &region {
            let mut facts = std::mem::take(self.draft(piece));
            for ty in types(&mut facts).flatten() {
                if ty.has_holes() {
                    *ty = close(self, ty);
                }
            }
            facts.is_settled = region.len() == 1 && facts.diagnostics.is_empty();
            *self.draft(piece) = facts;
            self.note_changes(piece);
        }
    }

    /// Notes which locals of a piece have other types than in the version before.
    pub(super) fn note_changes(&mut self, piece: PieceId) {
        let Some((_, before)) = self.before else {
            return;
        };
        let Some(now) = self.facts.result(piece) else {
            return;
        };
        let was = before.result(piece);
        if let Some(was) = was.filter(|it| Arc::ptr_eq(&it.facts, &now.facts)) {
            if was.unknown.local != now.unknown.local {
                self.changed.insert(LocalId { piece, index: 0 });
            }
            return;
        }
        for index in 0..now.facts.locals.len() {
            let was = was.filter(|it| index < it.facts.locals.len());
            if was.is_none_or(|it| it.local(index) != now.local(index)) {
                let index = index as u32;
                self.changed.insert(LocalId { piece, index });
            }
        }
    }

    pub(super) fn locals_of_region(&self) -> Vec<LocalId> {
        let locals = self.region.iter().flat_map(|&piece| {
            let locals = (0..).zip(&self.body.piece(piece).locals);
            locals.map(move |(index, _)| LocalId { piece, index })
        });
        locals.collect()
    }

    pub(super) fn set_expr(&mut self, id: ExprId, ty: Type) {
        self.draft(id.piece()).exprs[id.index as usize] = Some(ty);
    }

    pub(super) fn set_local(&mut self, id: LocalId, ty: Type) {
        self.draft(id.piece()).locals[id.index as usize] = Some(ty);
    }

    pub(super) fn set_value(&mut self, id: LocalId, value: ExprId) {
        self.draft(id.piece()).values[id.index as usize] = Some(value);
    }

    /// Notes that a call has too few arguments.
    pub(super) fn note_short_call(&mut self, call: ExprId) {
        self.draft(call.piece()).short_calls.push(call);
    }

    /// Returns the results of a piece of the region.
    fn draft(&mut self, piece: PieceId) -> &mut PieceFacts {
        let result = self.facts.pieces[piece.index()].as_mut();
        Arc::make_mut(&mut result.expect("the piece was begun").facts)
    }
}

fn types(facts: &mut PieceFacts) -> impl Iterator<Item = &mut Option<Type>> {
    facts.exprs.iter_mut().chain(&mut facts.locals)
}
