//! Loops over the threads of a GPU run sequentially here. `split` divides them at barriers. This rejects programs in
//! which threads need each other in between.

mod implied;
mod places;
mod races;
mod split;
mod sums;
mod values_written;

use hir::tir::{
    self, Block, BufferId, Data, Expr, ExprKind, ForKind, Iter, PackedArg, PrimFunc, Stmt,
    StmtKind, TirError, VarId, Visit,
};
use rustc_hash::FxHashSet;
use text_size::TextRange;

use races::{Race, Search};
use values_written::Overwritten;

/// The number of steps in which a function is searched for exchanges of values: a second or two.
const MOST_STEPS: usize = 1 << 22;
/// The number of steps for memory of one loop. A loop that takes more is not known.
const LOOP_STEPS: usize = 1 << 20;
/// The same for memory about which nothing must be known. There may be much of it, so it gets a small share.
const FEW_STEPS: usize = 1 << 16;
/// The same for memory that sound programs do not exchange values through.
const FEWEST_STEPS: usize = 1 << 12;

/// Returns the function with its loops over threads split at barriers, or `None` if it needs none.
///
/// As in TVM, threads also wait where they exchange values through shared memory. The threads of a warp run in step,
/// and programs rely on it for memory of the device: one of them reads what the others are about to write.
pub(super) fn split(func: &PrimFunc) -> Result<Option<PrimFunc>, Vec<TirError>> {
    let mut steps = MOST_STEPS;
    let split = split::split(func)?;
    let found = find_exchanges(split.as_ref().unwrap_or(func), &mut steps);
    if found.is_empty() {
        return Ok(split);
    }
    // TVM adds no barrier between two that write.
    let exchanged = found.iter().filter(|it| it.1 == ExchangeKind::Exchange);
    let memory: FxHashSet<BufferId> = exchanged.map(|it| it.0).collect();
    if memory.is_empty() {
        return Err(found.into_iter().map(|it| it.2).collect());
    }
    let split = split::split(&implied::with_barriers(func, memory))?;
    let mut errors: Vec<TirError> = Vec::new();
    for (_, _, error) in find_exchanges(split.as_ref().unwrap_or(func), &mut steps) {
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        Ok(split)
    } else {
        Err(errors)
    }
}

/// Returns each buffer through whose memory the threads of a loop may exchange values without a barrier, with the error
/// to report. A view is no buffer of its own here.
fn find_exchanges(func: &PrimFunc, steps: &mut usize) -> Vec<Found> {
    let ids = (0..func.buffers.len() as u32).map(BufferId);
    let mut exchanges = Exchanges {
        func,
        owners: ids.filter(|id| func.root(*id) == *id).collect(),
        around: Vec::new(),
        steps,
        found: Vec::new(),
    };
    exchanges.stmts(&func.body);
    exchanges.found
}

/// A buffer whose memory is used without a barrier, how, and the error.
type Found = (BufferId, ExchangeKind, TirError);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExchangeKind {
    /// Threads of a block exchange values: TVM adds a barrier to shared memory.
    Exchange,
    /// What no barrier makes right.
    Race,
}

struct Exchanges<'f> {
    func: &'f PrimFunc,
    /// The buffers that own their memory.
    owners: Vec<BufferId>,
    /// The variables and the extents of the loops over threads around the statement.
    around: Vec<(VarId, i64)>,
    steps: &'f mut usize,
    found: Vec<Found>,
}

impl<'f> Visit<'f> for Exchanges<'f> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        let outside = self.around.len();
        if let StmtKind::For {
            var,
            min,
            extent,
            kind,
            ..
        } = &stmt.kind
        {
            match kind {
                ForKind::Parallel => self.independent(stmt, "iteration"),
                // Each block has shared memory of its own.
                ForKind::Thread(axis) if split::is_block(*axis) => {
                    self.independent(stmt, "block");
                }
                ForKind::Thread(_) => {
                    for &owner in &self.owners {
                        let error = exchanged(self.func, owner, stmt, &self.around, self.steps);
                        self.found.extend(error.map(|it| (owner, it.0, it.1)));
                    }
                    if let (Some(0), Some(extent)) = (min.as_int(), extent.as_int()) {
                        self.around.push((*var, extent.max(1)));
                    }
                }
                _ => {}
            }
        }
        tir::walk_stmt(self, stmt);
        self.around.truncate(outside);
    }
}

impl Exchanges<'_> {
    /// Reports memory through which blocks, or the iterations of a parallel loop, certainly depend on each other.
    fn independent(&mut self, stmt: &Stmt, what: &str) {
        let StmtKind::For { var, body, .. } = &stmt.kind else {
            return;
        };
        for &owner in &self.owners {
            let buffer = self.func.buffer(owner);
            // What is allocated inside belongs to one iteration.
            if buffer.scope != "global" || stmt.range.contains_range(buffer.range) {
                continue;
            }
            let mut use_of = Use::new(self.func, owner, *var);
            use_of.stmts(body);
            if !use_of.writes || use_of.is_apart() {
                continue;
            }
            let mut left = FEWEST_STEPS.min(*self.steps / 64);
            let search = Search {
                func: self.func,
                views: &use_of.views,
                threads: stmt,
                around: &[],
                alike: !use_of.writes_part,
                accumulates: what == "block",
            };
            let name = name_of(self.func, owner, &use_of.views);
            let (range, message) = match search.race(&mut left) {
                Race::Found(range) => (
                    range,
                    format!("one {what} reads `{name}` where another {what} writes to it"),
                ),
                Race::Overwritten(it) => (it.range, overwritten(name, what, &it)),
                Race::None | Race::Unknown(_) => continue,
            };
            self.found
                .push((owner, ExchangeKind::Race, TirError { message, range }));
        }
    }
}

fn name_of<'f>(func: &'f PrimFunc, owner: BufferId, views: &[BufferId]) -> &'f str {
    match views {
        [view] => &func.buffer(*view).name,
        _ => &func.buffer(owner).name,
    }
}

fn overwritten(name: &str, what: &str, it: &Overwritten) -> String {
    let indices: Option<Vec<String>> = it
        .indices
        .iter()
        .map(|index| index.map(|it| it.to_string()))
        .collect();
    let place = match indices {
        Some(indices) => format!("`{name}[{}]`", indices.join(", ")),
        None => format!("an element of `{name}`"),
    };
    let (a, b) = it.threads;
    format!("{what}s {a} and {b} write different values to {place}")
}

/// Returns the error for a buffer through whose memory the threads of a loop exchange values: one may read what another
/// has written. If each thread writes all of it first, running sequentially is correct.
fn exchanged(
    func: &PrimFunc,
    memory: BufferId,
    threads: &Stmt,
    around: &[(VarId, i64)],
    steps: &mut usize,
) -> Option<(ExchangeKind, TirError)> {
    let StmtKind::For {
        var, body, kind, ..
    } = &threads.kind
    else {
        return None;
    };
    let owner = func.buffer(memory);
    let is_shared = owner.scope.starts_with("shared") && owner.data == Data::Alloc;
    if !is_shared && owner.scope != "global" {
        return None;
    }
    let mut use_of = Use::new(func, memory, *var);
    use_of.stmts(body);
    // One thread runs all virtual threads, in order.
    let is_virtual = matches!(kind, ForKind::Thread(axis) if axis.name().starts_with("vthread"));
    if !use_of.writes || !use_of.reads && (is_virtual || use_of.is_apart()) {
        return None;
    }
    let must_know = is_shared && use_of.writes_part && use_of.reads;
    let granted = match (must_know, use_of.reads) {
        (true, _) => LOOP_STEPS.min(*steps / 2),
        (false, true) => FEW_STEPS.min(*steps / 64),
        (false, false) => FEWEST_STEPS.min(*steps / 64),
    };
    let mut left = granted;
    let search = Search {
        func,
        views: &use_of.views,
        threads,
        around: if must_know { around } else { &[] },
        alike: !use_of.writes_part,
        accumulates: true,
    };
    let race = search.race(&mut left);
    *steps -= granted - left;
    let name = name_of(func, memory, &use_of.views);
    let error = |range: TextRange, message: String| {
        Some((ExchangeKind::Exchange, TirError { message, range }))
    };
    match race {
        Race::None => None,
        Race::Found(range) => error(
            range,
            format!(
                "a thread reads `{name}` where another thread may write to it: there is no barrier between them"
            ),
        ),
        Race::Overwritten(_) if is_virtual => None,
        Race::Overwritten(it) => {
            let message = format!(
                "{}: there is no barrier between them",
                overwritten(name, "thread", &it)
            );
            let range = it.range;
            Some((ExchangeKind::Race, TirError { message, range }))
        }
        // Threads rarely exchange values through memory that all blocks share.
        Race::Unknown(_) if !must_know => None,
        Race::Unknown(range) => error(
            range,
            format!(
                "the threads of this loop may exchange values through `{name}` without a barrier: its elements are not known here"
            ),
        ),
    }
}

/// How a loop's body uses the memory of a buffer.
struct Use<'f> {
    func: &'f PrimFunc,
    /// The buffer that owns the memory.
    memory: BufferId,
    /// The buffers through which the body uses the memory.
    views: Vec<BufferId>,
    /// Variables that are computed from the thread's number.
    depend: FxHashSet<VarId>,
    writes: bool,
    /// `true` if the position of a store, or its condition, depends on the thread's number.
    writes_part: bool,
    reads: bool,
    /// `true` in a block that accumulates over threads.
    accumulates: bool,
    /// Variables that have the thread's number.
    numbers: FxHashSet<VarId>,
    /// For each index, whether it is the thread's number in all accesses; `None` before the first.
    apart: Option<Vec<bool>>,
}

impl<'f> Visit<'f> for Use<'_> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        match &stmt.kind {
            _ if stores_itself(stmt) => return,
            StmtKind::Store {
                buffer, indices, ..
            } if self.is_met(*buffer) => {
                self.writes = true;
                let offset = self.func.buffer(*buffer).offset.iter();
                let mut at = indices.iter().chain(offset);
                self.writes_part |= at.any(|index| self.depends(index));
                self.accessed(indices);
            }
            StmtKind::Let { var, value } => self.name(*var, value),
            // Something that only some threads write is also only a part.
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                self.writes_part |= self.depends(test) && self.stores(stmt);
            }
            StmtKind::For {
                var, min, extent, ..
            } if self.depends(min) || self.depends(extent) => {
                self.depend.insert(*var);
                self.writes_part |= self.stores(stmt);
            }
            StmtKind::Packed(call) => {
                for arg in &call.args {
                    self.reads |= matches!(arg, PackedArg::Buffer(id) if self.is_met(*id));
                }
            }
            StmtKind::Block(block) => return self.block(stmt, block),
            _ => {}
        }
        tir::walk_stmt(self, stmt);
    }

    fn axis(&mut self, iter: &'f Iter) {
        self.name(iter.var, &iter.value);
        self.expr(&iter.value);
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, indices) = &expr.kind
            && self.is_met(*buffer)
        {
            self.reads |= !self.accumulates;
            self.accessed(indices);
        }
        tir::walk_expr(self, expr);
    }
}

impl<'f> Use<'f> {
    fn new(func: &'f PrimFunc, memory: BufferId, var: VarId) -> Use<'f> {
        Use {
            func,
            memory,
            views: Vec::new(),
            depend: FxHashSet::from_iter([var]),
            writes: false,
            writes_part: false,
            reads: false,
            accumulates: false,
            numbers: FxHashSet::from_iter([var]),
            apart: None,
        }
    }

    /// Returns `true` if an index tells the elements of different threads apart.
    fn is_apart(&self) -> bool {
        let is_apart = self.apart.as_ref().is_some_and(|it| it.contains(&true));
        is_apart && self.views.len() == 1
    }

    fn accessed(&mut self, indices: &[Expr]) {
        let is_number = |index: &Expr| self.is_number(index);
        let these: Vec<bool> = indices.iter().map(is_number).collect();
        match &mut self.apart {
            None => self.apart = Some(these),
            Some(known) => {
                for (known, this) in known.iter_mut().zip(these) {
                    *known &= this;
                }
            }
        }
    }

    fn is_number(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => self.numbers.contains(var),
            ExprKind::Cast(inner) => expr.dtype.is_int() && self.is_number(inner),
            _ => false,
        }
    }
}

impl Use<'_> {
    fn block<'f>(&mut self, stmt: &'f Stmt, block: &'f Block) {
        let outer = self.accumulates;
        for iter in &block.iters {
            self.axis(iter);
        }
        if let Some(predicate) = &block.predicate {
            self.expr(predicate);
            self.writes_part |= self.depends(predicate) && self.stores(stmt);
        }
        let mut iters = block.iters.iter();
        // What the block only reads may come from another thread.
        self.accumulates |=
            self.stores(stmt) && iters.any(|it| it.reduce && self.depend.contains(&it.var));
        self.stmts(&block.init);
        self.stmts(&block.body);
        self.accumulates = outer;
    }

    /// Returns `true` if a buffer that the body uses has its elements in the memory.
    fn is_met(&mut self, buffer: BufferId) -> bool {
        let is_view = self.func.root(buffer) == self.memory;
        if is_view && !self.views.contains(&buffer) {
            self.views.push(buffer);
        }
        is_view
    }

    fn stores(&self, stmt: &Stmt) -> bool {
        tir::any_stmt(
            std::slice::from_ref(stmt),
            &mut |stmt| matches!(&stmt.kind, StmtKind::Store { buffer, .. } if self.func.root(*buffer) == self.memory),
        )
    }

    fn name(&mut self, var: VarId, value: &Expr) {
        if self.depends(value) {
            self.depend.insert(var);
        }
        if self.is_number(value) {
            self.numbers.insert(var);
        }
    }

    fn depends(&self, expr: &Expr) -> bool {
        differs(self.func, &self.depend, expr)
    }
}

/// Returns `true` if a statement stores an element in its own place.
fn stores_itself(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Store {
            buffer,
            indices,
            value,
        } => match &value.kind {
            ExprKind::Load(from, at) => {
                let mut pairs = at.iter().zip(indices);
                from == buffer && pairs.all(|(a, b)| a.is_same_formula(b))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns `true` if the value of an expression may differ between threads: it uses a variable that does, or memory
/// that is private to a thread.
fn differs(func: &PrimFunc, depend: &FxHashSet<VarId>, expr: &Expr) -> bool {
    expr.uses(depend) || loads_private(func, expr)
}

fn loads_private(func: &PrimFunc, expr: &Expr) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Load(buffer, _) => func.buffer(func.root(*buffer)).scope == "local",
        _ => false,
    };
    expr.for_each_child(&mut |child| found |= loads_private(func, child));
    found
}

/// Returns the buffers whose memory statements store to.
fn stored(func: &PrimFunc, stmts: &[Stmt]) -> FxHashSet<BufferId> {
    let mut found = FxHashSet::default();
    tir::for_each_stmt(stmts, &mut |stmt| {
        if let StmtKind::Store { buffer, .. } = stmt.kind {
            found.insert(func.root(buffer));
        }
    });
    found
}
