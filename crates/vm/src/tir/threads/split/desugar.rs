//! Exchanges between threads as stores and loads of memory, with barriers between them.

use hir::tir::{
    Binary, BufferId, Collective, Compare, Expr, ExprKind, Group, Reduce, Shuffle, Source, Stmt,
    StmtKind, ThreadAxis, VarId, int,
};
use relax::dtype::DType;
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::values::{cast, compare, replace, store};
use super::{EXCHANGE, Split, and, branch};

/// The axes in the order in which threads are numbered. Virtual threads have warps of their own.
const ORDER: &[ThreadAxis] = &[
    ThreadAxis::ThreadX,
    ThreadAxis::ThreadY,
    ThreadAxis::ThreadZ,
    ThreadAxis::VirtualX,
    ThreadAxis::VirtualY,
    ThreadAxis::VirtualZ,
];

/// The position of a thread.
struct Position {
    /// Its number in the block.
    number: Expr,
    /// Its number among all threads, virtual ones included.
    place: Expr,
    /// The number of threads of the block.
    count: Expr,
    /// The number of all threads, virtual ones included.
    places: Expr,
}

impl Split {
    /// Returns statements with the meaning of an exchange. Only barriers are left in them.
    pub(super) fn desugar(&mut self, collective: Collective, range: TextRange) -> Vec<Stmt> {
        match collective {
            Collective::Barrier(_) => Vec::new(),
            Collective::ActiveMask { var, warp } => self.active_mask(var, warp, range),
            Collective::Shuffle(it) => self.shuffle(*it, range),
            Collective::Reduce(it) => self.reduce(*it, range),
        }
    }

    fn shuffle(&mut self, it: Shuffle, range: TextRange) -> Vec<Stmt> {
        let at = self.position(range);
        let values = self.exchange("exchanged", it.value.dtype, &at, range);
        let warp = number(it.warp, range);
        let lane = op(Binary::FloorMod, at.number.clone(), warp);
        let by = cast(it.lane, DType::I64);
        let width = cast(it.width, DType::I64);
        // Only neighbours exchange values.
        let inner = op(Binary::FloorMod, lane.clone(), width.clone());
        let first = op(Binary::Sub, lane.clone(), inner.clone());
        let source = match it.source {
            Source::Position => op(
                Binary::Add,
                first.clone(),
                op(Binary::FloorMod, by, width.clone()),
            ),
            Source::Before => op(Binary::Sub, lane.clone(), by),
            Source::After => op(Binary::Add, lane.clone(), by),
            Source::Xor => op(Binary::BitXor, lane.clone(), by),
        };
        let end = op(Binary::Add, first.clone(), width);
        // As on a GPU, a lane may exchange its value with one of an earlier group, which then keeps its own.
        let start = match it.source {
            Source::Xor => number(0, range),
            _ => first,
        };
        let distance = op(Binary::Sub, source.clone(), lane);
        let other = op(Binary::Add, at.number.clone(), distance.clone());
        let is_neighbour = [
            compare(Compare::Ge, source.clone(), start),
            compare(Compare::Lt, source, end),
            compare(Compare::Lt, other, at.count.clone()),
        ];
        let place = at.place.clone();
        let other = op(Binary::Add, place.clone(), distance);
        let mut exists = is_neighbour.into_iter().reduce(and);
        let mut stmts = Vec::new();
        if !self.guards.is_empty() {
            // A thread that does not get here has no value to read.
            let active = self.exchange("active", DType::BOOL, &at, range);
            let clear = store(
                active,
                vec![place.clone()],
                Expr::int(0, DType::BOOL, range),
            );
            let guards = std::mem::take(&mut self.guards);
            self.flush(vec![clear]);
            self.guards = guards;
            stmts.push(store(
                active,
                vec![place.clone()],
                Expr::int(1, DType::BOOL, range),
            ));
            let is_active = load(active, DType::BOOL, other.clone());
            exists = exists.map(|it| and(it, is_active));
        }
        let dtype = it.value.dtype;
        stmts.push(store(values, vec![place.clone()], it.value));
        stmts.push(barrier(range));
        let own = load(values, dtype, place);
        let value = match exists {
            Some(test) => Expr {
                dtype,
                kind: ExprKind::Select(
                    Box::new(test),
                    Box::new(load(values, dtype, other)),
                    Box::new(own),
                ),
                range,
            },
            None => own,
        };
        let kind = StmtKind::Let { var: it.var, value };
        stmts.push(Stmt { kind, range });
        stmts
    }

    fn active_mask(&mut self, var: VarId, warp: i64, range: TextRange) -> Vec<Stmt> {
        let at = self.position(range);
        let masks = self.exchange("mask", DType::U32, &at, range);
        let lane = op(Binary::FloorMod, at.number.clone(), number(warp, range));
        // The first thread of a warp has the mask.
        let first = op(Binary::Sub, at.place, lane.clone());
        let mask = load(masks, DType::U32, first.clone());
        let one = Expr::int(1, DType::U32, range);
        let bit = op(Binary::ShiftLeft, one, cast(lane, DType::U32));
        let with = op(Binary::BitOr, mask.clone(), bit);
        vec![
            store(masks, vec![first.clone()], Expr::int(0, DType::U32, range)),
            barrier(range),
            store(masks, vec![first], with),
            barrier(range),
            Stmt {
                kind: StmtKind::Let { var, value: mask },
                range,
            },
        ]
    }

    fn reduce(&mut self, it: Reduce, range: TextRange) -> Vec<Stmt> {
        let members = self.members.clone();
        if let Some(other) = (it.over.iter()).find(|var| members.iter().all(|it| it.var != **var)) {
            let name = &self.func.var(*other).name;
            let message = format!("`{name}` is no loop over threads around this reduction");
            self.error(range, message);
            return Vec::new();
        }
        let groups = members
            .iter()
            .filter(|member| !it.over.contains(&member.var));
        let groups: Vec<_> = groups.cloned().collect();
        let one = Expr::int(1, DType::I32, range);
        let mut shape: Vec<Expr> = groups.iter().map(|it| it.extent.clone()).collect();
        let mut index: Vec<Expr> = groups.iter().map(|it| self.var(it.var, range)).collect();
        if groups.is_empty() {
            shape.push(one);
            index.push(Expr::int(0, DType::I32, range));
        }
        let Reduce {
            values,
            condition,
            results,
            mut combiner,
            ..
        } = it;
        // Another reduction may have the same function.
        let mut renamed = FxHashMap::default();
        for var in combiner.left.iter_mut().chain(&mut combiner.right) {
            let of_part = self.renamed(*var);
            renamed.insert(*var, self.var(of_part, range));
            *var = of_part;
        }
        for expr in &mut combiner.combined {
            replace(expr, &renamed);
        }
        let (mut start, mut names, mut sums, mut end) = (vec![], vec![], vec![], vec![]);
        for (at, neutral) in combiner.neutral.into_iter().enumerate() {
            let dtype = neutral.dtype;
            let total = self.memory("total", EXCHANGE, dtype, shape.clone(), range);
            let sum = Expr {
                dtype,
                kind: ExprKind::Load(total, index.clone()),
                range,
            };
            start.push(store(total, index.clone(), neutral));
            let bind = |var, value| Stmt {
                kind: StmtKind::Let { var, value },
                range,
            };
            names.push(bind(combiner.left[at], sum.clone()));
            names.push(bind(combiner.right[at], values[at].clone()));
            // All parts are computed before one is stored.
            let of_part = self.renamed(combiner.left[at]);
            names.push(bind(of_part, combiner.combined[at].clone()));
            sums.push(store(total, index.clone(), self.var(of_part, range)));
            let (buffer, indices) = results[at].clone();
            let dtype = self.func.buffer(buffer).dtype;
            end.push(store(buffer, indices, cast(sum, dtype)));
        }
        // The values of all parts have names before they are combined.
        names.sort_by_key(|it| match &it.kind {
            StmtKind::Let { var, .. } => {
                !combiner.left.contains(var) && !combiner.right.contains(var)
            }
            _ => true,
        });
        names.append(&mut sums);
        let mut stmts = start;
        stmts.push(barrier(range));
        stmts.push(branch(condition, names, range));
        stmts.push(barrier(range));
        stmts.append(&mut end);
        stmts
    }

    /// Adds memory with an element for each thread.
    fn exchange(
        &mut self,
        name: &'static str,
        dtype: DType,
        at: &Position,
        range: TextRange,
    ) -> BufferId {
        self.memory(name, EXCHANGE, dtype, vec![at.places.clone()], range)
    }

    fn position(&self, range: TextRange) -> Position {
        let mut at = Position {
            number: number(0, range),
            place: number(0, range),
            count: number(1, range),
            places: number(1, range),
        };
        for axis in ORDER {
            let Some(member) = self.members.iter().find(|it| it.axis == *axis) else {
                continue;
            };
            let own = cast(self.var(member.var, range), DType::I64);
            let part = op(Binary::Mul, own, at.places.clone());
            at.place = op(Binary::Add, at.place, part);
            at.places = op(Binary::Mul, at.places, cast_known(&member.extent));
            if matches!(
                axis,
                ThreadAxis::ThreadX | ThreadAxis::ThreadY | ThreadAxis::ThreadZ
            ) {
                (at.number, at.count) = (at.place.clone(), at.places.clone());
            }
        }
        at
    }

    fn var(&self, var: VarId, range: TextRange) -> Expr {
        Expr {
            dtype: self.func.var(var).dtype,
            kind: ExprKind::Var(var),
            range,
        }
    }
}

fn barrier(range: TextRange) -> Stmt {
    Stmt {
        kind: StmtKind::Collective(Collective::Barrier(Group::Warp)),
        range,
    }
}

fn load(buffer: BufferId, dtype: DType, index: Expr) -> Expr {
    Expr {
        dtype,
        range: index.range,
        kind: ExprKind::Load(buffer, vec![index]),
    }
}

fn number(value: i64, range: TextRange) -> Expr {
    Expr::int(i128::from(value), DType::I64, range)
}

fn cast_known(extent: &Expr) -> Expr {
    match extent.as_int() {
        Some(known) => number(known, extent.range),
        None => cast(extent.clone(), DType::I64),
    }
}

/// Returns an operation on numbers of one dtype; constants are combined at once.
fn op(op: Binary, a: Expr, b: Expr) -> Expr {
    let (dtype, range) = (a.dtype, a.range);
    if let (ExprKind::Int(x), ExprKind::Int(y)) = (&a.kind, &b.kind)
        && let Some(known) = int::binary(op, dtype, *x, *y)
    {
        return Expr::int(known, dtype, range);
    }
    let kind = match (op, a.as_int(), b.as_int()) {
        (Binary::Add, Some(0), _) => return b,
        (Binary::Add | Binary::Sub, _, Some(0)) | (Binary::Mul, _, Some(1)) => return a,
        _ => ExprKind::Binary(op, Box::new(a), Box::new(b)),
    };
    Expr { dtype, kind, range }
}
