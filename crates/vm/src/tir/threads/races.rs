//! Runs the indices of a loop over threads, to find an element that one thread writes and another one reads or writes.
//!
//! Indices are sums of variables from outside of the loop and a number, so that only the latter differs between the
//! iterations.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use hir::tir::{
    self, Binary, Block, BufferId, Compare, Expr, ExprKind, PrimFunc, Stmt, StmtKind, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use text_size::TextRange;

use super::places::Places;
use super::sums::{Sum, Term, both};
use super::values_written::{Overwritten, Values};
use super::{stored, stores_itself};

/// The most operations without a known value.
const MOST_OTHERS: usize = 64;

/// What is known about memory that a loop over threads writes and reads.
pub(super) enum Race {
    /// Threads only read what they write themselves.
    None,
    /// A thread reads at this place what another one writes.
    Found(TextRange),
    /// Two threads write different values to an element, the second one at this place.
    Overwritten(Overwritten),
    /// The elements at this place are not known.
    Unknown(TextRange),
}

/// A loop over threads whose memory is searched for races.
pub(super) struct Search<'f> {
    pub func: &'f PrimFunc,
    /// The buffers through which the loop uses the memory.
    pub views: &'f [BufferId],
    pub threads: &'f Stmt,
    /// The variables and the extents of the loops over threads around it.
    pub around: &'f [(VarId, i64)],
    /// `true` if all threads write the same elements. Then, one that reads what it has written itself reads no value of
    /// another thread.
    pub alike: bool,
    /// `true` if blocks may accumulate over the loop.
    pub accumulates: bool,
}

impl Search<'_> {
    /// Looks for a race between the iterations. Takes its steps from `left`, and gives up when none is left.
    pub fn race(&self, left: &mut usize) -> Race {
        let symbolic = self.race_for(FxHashMap::default(), left);
        if !matches!(symbolic, Race::Unknown(_)) || self.around.is_empty() {
            return symbolic;
        }
        // The loops around may be known by their numbers only.
        let extents = self.around.iter().map(|it| it.1);
        let count = extents.into_iter().try_fold(1i64, i64::checked_mul);
        for position in 0..count.unwrap_or(0) {
            let mut rest = position;
            let values = self.around.iter().map(|&(var, extent)| {
                let value = rest % extent;
                rest /= extent;
                (var, Some(Sum::number(value)))
            });
            match self.race_for(values.collect(), left) {
                Race::None => {}
                race => return race,
            }
        }
        if count.is_some() {
            Race::None
        } else {
            symbolic
        }
    }

    /// Looks for a race with these values of the variables around.
    fn race_for(&self, values: FxHashMap<VarId, Option<Sum>>, left: &mut usize) -> Race {
        let threads = self.threads;
        let StmtKind::For {
            var, extent, body, ..
        } = &threads.kind
        else {
            return Race::None;
        };
        let count = match extent.as_int() {
            Some(1) => return Race::None,
            Some(count) => count,
            None => return Race::Unknown(threads.range),
        };
        let Some(places) = Places::of(self.func, self.views) else {
            return Race::Unknown(threads.range);
        };
        let mut turns = Turns {
            func: self.func,
            places,
            offset: None,
            thread: 0,
            values,
            depend: FxHashSet::from_iter([*var]),
            alike: self.alike,
            elements: FxHashMap::default(),
            others: RefCell::default(),
            accumulated: false,
            may_accumulate: self.accumulates,
            certain: true,
            unknown: None,
            steps: 0,
            effort: *left,
            stored: stored(self.func, body),
        };
        for thread in 0..count {
            turns.thread = thread;
            turns.values.insert(*var, Some(Sum::number(thread)));
            turns.stmts(body);
            if turns.steps > turns.effort {
                *left = 0;
                // What was found so far is certain.
                return match turns.race(threads.range, Some(thread)) {
                    Race::None => Race::Unknown(threads.range),
                    race => race,
                };
            }
        }
        *left -= turns.steps;
        turns.race(threads.range, None)
    }
}

/// The threads that use an element.
#[derive(Default)]
struct Element {
    writer: Users,
    reader: Users,
    read_at: TextRange,
    last_writer: Option<i64>,
    /// `true` if a condition that is not known decides about an access.
    unsure: bool,
    values: Values,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Users {
    #[default]
    None,
    One(i64),
    Several,
}

impl Users {
    fn with(self, thread: i64) -> Users {
        match self {
            Users::None => Users::One(thread),
            Users::One(known) if known == thread => self,
            _ => Users::Several,
        }
    }
}

impl Element {
    fn race(&self) -> Option<TextRange> {
        match (self.writer, self.reader) {
            (Users::None, _) | (_, Users::None) => None,
            (Users::One(a), Users::One(b)) if a == b => None,
            _ => Some(self.read_at),
        }
    }
}

struct Turns<'f> {
    func: &'f PrimFunc,
    places: Places,
    /// The offset of the only view: its indices tell its elements apart as long as it does not move.
    offset: Option<Sum>,
    thread: i64,
    /// The values of variables in this iteration; `None` if they are not known.
    values: FxHashMap<VarId, Option<Sum>>,
    /// Variables that are computed from the thread's number.
    depend: FxHashSet<VarId>,
    /// `true` if all threads write the same elements.
    alike: bool,
    elements: FxHashMap<Vec<Sum>, Element>,
    /// Operations that no iteration changes.
    others: RefCell<Vec<(Binary, Sum, Sum)>>,
    /// `true` in a block that accumulates over threads.
    accumulated: bool,
    may_accumulate: bool,
    /// `false` under a condition that is not known.
    certain: bool,
    /// An access to elements that are not known.
    unknown: Option<TextRange>,
    steps: usize,
    effort: usize,
    /// The buffers whose memory the loop stores to.
    stored: FxHashSet<BufferId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ThreadAccess {
    Read,
    /// With the key of the value, if it is known.
    Write(Option<u64>),
}

impl Turns<'_> {
    /// `unfinished` is a thread that has not run to its end.
    fn race(&mut self, threads: TextRange, unfinished: Option<i64>) -> Race {
        let races = self.elements.values();
        let races = races.filter_map(|it| Some((it.unsure, it.race()?)));
        // The first place is reported, whatever the order of the map is.
        let found = races.min_by_key(|(unsure, place)| (*unsure, place.start()));
        if let Some((false, place)) = found {
            return Race::Found(place);
        }
        let mut overwritten: Vec<Overwritten> = Vec::new();
        for (place, element) in &mut self.elements {
            let clash = element.values.clash(unfinished).filter(|_| !element.unsure);
            overwritten.extend(clash.map(|(threads, range)| Overwritten {
                range,
                threads,
                indices: place.iter().map(Sum::constant).collect(),
            }));
        }
        overwritten.sort_by_key(|it| (it.range.start(), it.threads, it.indices.clone()));
        if let Some(first) = overwritten.into_iter().next() {
            return Race::Overwritten(first);
        }
        if let Some((_, place)) = found {
            return Race::Unknown(place);
        }
        match self.unknown {
            Some(place) => Race::Unknown(place),
            None if self.origins() > 1 => Race::Unknown(threads),
            None => Race::None,
        }
    }

    /// Returns the number of different variable parts in the indices. Elements are only compared within one.
    fn origins(&self) -> usize {
        let origin = |index: &Vec<Sum>| -> Vec<Vec<(Term, i64)>> {
            index.iter().map(|it| it.terms.clone()).collect()
        };
        let origins: FxHashSet<_> = self.elements.keys().map(origin).collect();
        origins.len()
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if self.steps > self.effort {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.steps += 1;
        match &stmt.kind {
            _ if stores_itself(stmt) => {}
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => {
                self.expr(value);
                for index in indices {
                    self.expr(index);
                }
                let key = (!self.accumulated).then(|| self.key(value)).flatten();
                self.access(*buffer, indices, stmt.range, ThreadAccess::Write(key));
            }
            StmtKind::Let { var, value } => {
                self.expr(value);
                self.name(*var, value);
            }
            StmtKind::Evaluate(value) | StmtKind::Assert { test: value, .. } => self.expr(value),
            StmtKind::For {
                var,
                min,
                extent,
                step,
                body,
                ..
            } => {
                self.expr(min);
                self.expr(extent);
                let start = self.eval(min);
                let Some(count) = self.eval(extent).and_then(|it| it.constant()) else {
                    self.values.insert(*var, None);
                    return self.under(false, |turns| turns.stmts(body));
                };
                for turn in 0..count {
                    // The body may be empty.
                    self.steps += 1;
                    let moved = turn.checked_mul(*step).map(Sum::number);
                    let value = start.clone().zip(moved);
                    let value = value.and_then(|(start, moved)| start.plus(&moved));
                    self.values.insert(*var, value);
                    self.stmts(body);
                    if self.steps > self.effort {
                        return;
                    }
                }
            }
            StmtKind::While { test, body } => {
                self.expr(test);
                self.under(false, |turns| turns.stmts(body));
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                self.expr(test);
                match self.test(test) {
                    Some(true) => self.stmts(then),
                    Some(false) => self.stmts(otherwise),
                    None => self.under(false, |turns| {
                        turns.stmts(then);
                        turns.stmts(otherwise);
                    }),
                }
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Packed(_) => self.unknown = self.unknown.or(Some(stmt.range)),
            StmtKind::Collective(_) => {}
        }
    }

    fn block(&mut self, block: &Block) {
        let mut accumulates = false;
        for iter in &block.iters {
            self.expr(&iter.value);
            self.name(iter.var, &iter.value);
            accumulates |= self.may_accumulate && iter.reduce && self.depend.contains(&iter.var);
        }
        // What the block only reads may come from another thread.
        accumulates &= tir::any_stmt(
            &block.body,
            &mut |it| matches!(&it.kind, StmtKind::Store { buffer, .. } if self.places.contain(*buffer)),
        );
        let runs = match &block.predicate {
            Some(test) => {
                self.expr(test);
                self.test(test)
            }
            None => Some(true),
        };
        if runs == Some(false) {
            return;
        }
        let outer = self.accumulated;
        self.accumulated |= accumulates;
        self.under(runs.is_some(), |turns| {
            turns.stmts(&block.init);
            turns.stmts(&block.body);
        });
        self.accumulated = outer;
    }

    fn under(&mut self, certain: bool, inside: impl FnOnce(&mut Self)) {
        let outer = self.certain;
        self.certain &= certain;
        inside(self);
        self.certain = outer;
    }

    fn name(&mut self, var: VarId, value: &Expr) {
        if value.uses(&self.depend) {
            self.depend.insert(var);
        }
        let value = self.eval(value);
        self.values.insert(var, value);
    }

    fn expr(&mut self, expr: &Expr) {
        self.steps += 1;
        match &expr.kind {
            // Only the chosen operand is read.
            ExprKind::Select(test, a, b) => {
                self.expr(test);
                match self.test(test) {
                    Some(true) => self.expr(a),
                    Some(false) => self.expr(b),
                    None => self.under(false, |turns| {
                        turns.expr(a);
                        turns.expr(b);
                    }),
                }
            }
            ExprKind::Load(buffer, indices) => {
                for index in indices {
                    self.expr(index);
                }
                self.access(*buffer, indices, expr.range, ThreadAccess::Read);
            }
            _ => expr.for_each_child(&mut |child| self.expr(child)),
        }
    }

    /// Notes a read or a store.
    fn access(
        &mut self,
        buffer: BufferId,
        indices: &[Expr],
        range: TextRange,
        access: ThreadAccess,
    ) {
        if !self.places.contain(buffer) || self.accumulated && access == ThreadAccess::Read {
            return;
        }
        let Some(elements) = self.elements_at(buffer, indices) else {
            self.unknown = self.unknown.or(Some(range));
            return;
        };
        let thread = self.thread;
        for place in elements {
            self.steps += 1;
            let element = self.elements.entry(place).or_default();
            if let ThreadAccess::Write(key) = access {
                element.values.written(thread, key, range);
                element.writer = element.writer.with(thread);
                element.last_writer = Some(thread);
            } else if !self.alike || element.last_writer != Some(thread) {
                element.reader = element.reader.with(thread);
                element.read_at = range;
            }
            element.unsure |= !self.certain;
        }
    }

    /// Returns the elements of the memory that an access uses, if they are known.
    fn elements_at(&mut self, buffer: BufferId, indices: &[Expr]) -> Option<Vec<Vec<Sum>>> {
        let offset = match &self.func.buffer(buffer).offset {
            Some(offset) => Some(self.eval(offset)?),
            None => None,
        };
        let indices = indices.iter().map(|index| self.eval(index));
        let indices = indices.collect::<Option<Vec<Sum>>>()?;
        match &self.places {
            Places::Indices(_) => {
                if self.offset.is_some() && self.offset != offset {
                    return None;
                }
                self.offset = offset;
                Some(vec![indices])
            }
            Places::Positions(layouts) => {
                let layout = layouts.iter().find(|it| it.view == buffer)?;
                let mut position = offset.unwrap_or_default();
                for (index, stride) in indices.into_iter().zip(&layout.strides) {
                    position = position.plus(&index.times(*stride)?)?;
                }
                let position = position.times(layout.units)?;
                let unit = |at| Some(vec![position.clone().plus(&Sum::number(at))?]);
                (0..layout.units).map(unit).collect()
            }
        }
    }

    /// Returns a number that is equal for equal values, and different for values that probably differ; `None` if the
    /// value depends on what threads have stored.
    fn key(&self, expr: &Expr) -> Option<u64> {
        let mut hasher = FxHasher::default();
        std::mem::discriminant(&expr.kind).hash(&mut hasher);
        expr.dtype.hash(&mut hasher);
        if let Some(sum) = self.eval(expr) {
            sum.hash(&mut hasher);
            return Some(hasher.finish());
        }
        match &expr.kind {
            ExprKind::Float(value) => value.to_bits().hash(&mut hasher),
            ExprKind::Var(var) if self.values.contains_key(var) => return None,
            ExprKind::Var(var) => var.hash(&mut hasher),
            ExprKind::Load(buffer, indices) => {
                let root = self.func.buffer(self.func.root(*buffer));
                let is_common = root.scope == "global" || root.scope.starts_with("shared");
                if !is_common || self.stored.contains(&self.func.root(*buffer)) {
                    return None;
                }
                buffer.hash(&mut hasher);
                for index in indices {
                    self.eval(index)?.hash(&mut hasher);
                }
                return Some(hasher.finish());
            }
            ExprKind::Binary(op, ..) => (*op as u8).hash(&mut hasher),
            ExprKind::Compare(op, ..) => (*op as u8).hash(&mut hasher),
            ExprKind::Unary(function, _) => function.hash(&mut hasher),
            ExprKind::Math(function, ..) => function.hash(&mut hasher),
            _ => {}
        }
        let mut is_known = true;
        expr.for_each_child(&mut |child| match self.key(child) {
            Some(key) => key.hash(&mut hasher),
            None => is_known = false,
        });
        is_known.then(|| hasher.finish())
    }

    fn test(&self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value != 0),
            ExprKind::Not(a) => Some(!self.test(a)?),
            ExprKind::And(a, b) => match (self.test(a), self.test(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Or(a, b) => match (self.test(a), self.test(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Compare(op, a, b) => {
                let difference = self.eval(a)?.plus(&self.eval(b)?.times(-1)?)?.constant()?;
                Some(match op {
                    Compare::Eq => difference == 0,
                    Compare::Ne => difference != 0,
                    Compare::Lt => difference < 0,
                    Compare::Le => difference <= 0,
                    Compare::Gt => difference > 0,
                    Compare::Ge => difference >= 0,
                })
            }
            _ => None,
        }
    }

    /// Returns an operation without a known value as a term of its own.
    fn other(&self, op: Binary, a: Sum, b: Sum) -> Option<Sum> {
        // An overflow has no value.
        if a.constant().is_some() && b.constant().is_some() {
            return None;
        }
        let mut others = self.others.borrow_mut();
        let wanted = (op, a, b);
        let at = match others.iter().position(|it| *it == wanted) {
            Some(at) => at,
            None if others.len() < MOST_OTHERS => {
                others.push(wanted);
                others.len() - 1
            }
            None => return None,
        };
        Some(Sum {
            number: 0,
            terms: vec![(Term::Other(at), 1)],
        })
    }

    fn eval(&self, expr: &Expr) -> Option<Sum> {
        if !expr.dtype.is_int() {
            return None;
        }
        match &expr.kind {
            ExprKind::Int(value) => Some(Sum::number(i64::try_from(*value).ok()?)),
            ExprKind::Var(var) => match self.values.get(var) {
                Some(value) => value.clone(),
                None => Some(Sum {
                    number: 0,
                    terms: vec![(Term::Var(*var), 1)],
                }),
            },
            ExprKind::Cast(inner) => self.eval(inner),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let known = match op {
                    Binary::Add => a.clone().plus(&b),
                    Binary::Sub => b.clone().times(-1).and_then(|b| a.clone().plus(&b)),
                    Binary::Mul => match (a.constant(), b.constant()) {
                        (_, Some(by)) => a.clone().times(by),
                        (Some(by), _) => b.clone().times(by),
                        _ => None,
                    },
                    Binary::FloorDiv => a.divided(&b).map(|it| it.0),
                    Binary::FloorMod => a.divided(&b).map(|it| Sum::number(it.1)),
                    Binary::TruncDiv => both(&a, &b, i64::checked_div),
                    Binary::TruncMod => both(&a, &b, i64::checked_rem),
                    Binary::Min => both(&a, &b, |a, b| Some(a.min(b))),
                    Binary::Max => both(&a, &b, |a, b| Some(a.max(b))),
                    Binary::BitXor => both(&a, &b, |a, b| Some(a ^ b)),
                    Binary::BitAnd => both(&a, &b, |a, b| Some(a & b)),
                    _ => None,
                };
                known.or_else(|| self.other(*op, a, b))
            }
            _ => None,
        }
    }
}
