//! Finds the `local` buffers that need copies for threads, and the axes of the copies.
//!
//! A buffer needs copies if a loop over threads stores to it at the same place for each thread, and something outside
//! of that loop also uses it, or the loop itself runs again. The target of a reduction across threads is shared.

use hir::tir::{
    self, Block, BufferId, Data, Expr, ExprKind, ForKind, PackedArg, ParamKind, PrimFunc, Stmt,
    StmtKind, ThreadAxis, VarId, Visit,
};
use rustc_hash::FxHashMap;

use super::reach::{Axes, Reach};

/// The number of threads along each axis; `None` if it is not known at the function's entry.
pub(super) type Extents = FxHashMap<ThreadAxis, Option<Expr>>;

pub(super) fn copies(func: &PrimFunc) -> FxHashMap<BufferId, Axes> {
    let is_own = |id: &BufferId| {
        let buffer = func.buffer(*id);
        buffer.scope == "local" && buffer.data == Data::Alloc
    };
    let mut own = (0..func.buffers.len() as u32).map(BufferId).filter(is_own);
    if own.next().is_none() {
        return FxHashMap::default();
    }
    let mut contents = FxHashMap::default();
    // What depends on a copied buffer may need copies too. The sets only grow, so this terminates.
    loop {
        let mut walk = UseWalk {
            reach: Reach {
                contents,
                ..Reach::default()
            },
            loops: Vec::new(),
            count: 0,
            control: Axes::default(),
            reduces: Axes::default(),
            uses: FxHashMap::default(),
        };
        walk.stmts(&func.body);
        let uses = walk.uses.iter().filter(|(id, _)| is_own(id));
        let needed: FxHashMap<BufferId, Axes> =
            uses.clone().map(|(id, uses)| (*id, uses.needed)).collect();
        if needed == walk.reach.contents {
            return uses
                .map(|(id, uses)| (*id, uses.needed.without(uses.lives_in())))
                .filter(|(_, axes)| !axes.is_empty())
                .collect();
        }
        contents = needed;
    }
}

/// Returns the maximum number of threads of any loop over each axis.
pub(super) fn extents(func: &PrimFunc) -> Extents {
    let mut found = Extents::default();
    tir::for_each_stmt(&func.body, &mut |stmt| {
        let StmtKind::For {
            kind: ForKind::Thread(axis),
            extent,
            ..
        } = &stmt.kind
        else {
            return;
        };
        let all = match found.remove(axis) {
            None => is_known(func, extent).then(|| extent.clone()),
            Some(before) => before.and_then(|before| larger(before, extent)),
        };
        found.insert(*axis, all);
    });
    found
}

fn larger(a: Expr, b: &Expr) -> Option<Expr> {
    match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) => Some(if x < y { b.clone() } else { a }),
        _ => a.is_same_formula(b).then_some(a),
    }
}

/// Returns `true` if an extent consists of constants, scalar parameters and variables of parameter shapes.
fn is_known(func: &PrimFunc, expr: &Expr) -> bool {
    let of_params = |var: &VarId| {
        let scalar = ParamKind::Scalar(*var);
        let mut params = func.buffers.iter();
        func.params.iter().any(|param| param.kind == scalar)
            || params.any(|buffer| {
                let mut dims = buffer.shape.iter();
                matches!(buffer.data, Data::Param(_))
                    && dims.any(|dim| dim.kind == ExprKind::Var(*var))
            })
    };
    let mut known = match &expr.kind {
        ExprKind::Int(_) | ExprKind::Cast(_) | ExprKind::Binary(..) => true,
        ExprKind::Var(var) => of_params(var),
        _ => false,
    };
    expr.for_each_child(&mut |child| known &= is_known(func, child));
    known
}

/// Returns `true` if other buffers are views of a buffer's memory.
pub(super) fn is_viewed(func: &PrimFunc, id: BufferId) -> bool {
    func.buffers.iter().any(|it| it.data == Data::View(id))
}

/// A loop around a statement.
#[derive(Clone, PartialEq)]
struct Around {
    /// The position in the order in which loops begin.
    number: usize,
    var: VarId,
    thread: Option<ThreadAxis>,
    extent: Option<i64>,
}

#[derive(Default)]
struct Uses {
    needed: Axes,
    /// The loops that are around every use.
    around: Option<Vec<Around>>,
}

impl Uses {
    /// Returns the axes of loops that contain all uses and run once, so that each thread is done with the buffer
    /// before the next one starts.
    fn lives_in(&self) -> Axes {
        let around = self.around.iter().flatten();
        around
            .map_while(|it| it.thread)
            .fold(Axes::default(), |all, axis| all.with(Axes::of(axis)))
    }
}

struct UseWalk<'f> {
    reach: Reach<'f>,
    loops: Vec<Around>,
    count: usize,
    /// The axes that the conditions around the statement depend on.
    control: Axes,
    /// The axes over which the enclosing block reduces.
    reduces: Axes,
    uses: FxHashMap<BufferId, Uses>,
}

impl<'f> Visit<'f> for UseWalk<'f> {
    fn stmt(&mut self, stmt: &'f Stmt) {
        match &stmt.kind {
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => {
                for index in indices {
                    self.expr(index);
                }
                self.expr(value);
                self.store(*buffer, indices, value);
            }
            StmtKind::Let { var, value } => {
                self.expr(value);
                self.reach.name(*var, value);
            }
            StmtKind::For {
                var,
                min,
                extent,
                kind,
                body,
                ..
            } => {
                self.expr(min);
                self.expr(extent);
                let thread = match kind {
                    ForKind::Thread(axis) => Some(*axis),
                    _ => None,
                };
                let own = thread.map(Axes::of).unwrap_or_default();
                let bounds = self.reach.of(min).with(self.reach.of(extent));
                self.reach.vars.insert(*var, own.with(bounds));
                self.count += 1;
                self.loops.push(Around {
                    number: self.count,
                    var: *var,
                    thread,
                    extent: extent.as_int(),
                });
                self.under(bounds, |walk| walk.stmts(body));
                self.loops.pop();
            }
            StmtKind::While { test, body } => {
                self.expr(test);
                self.count += 1;
                self.loops.push(Around {
                    number: self.count,
                    var: VarId(u32::MAX),
                    thread: None,
                    extent: None,
                });
                let test = self.reach.of(test);
                self.under(test, |walk| walk.stmts(body));
                self.loops.pop();
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                self.expr(test);
                let test = self.reach.of(test);
                self.under(test, |walk| {
                    walk.stmts(then);
                    walk.stmts(otherwise);
                });
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Packed(call) => {
                for arg in &call.args {
                    if let PackedArg::Buffer(id) = arg {
                        self.used(*id);
                    }
                }
                tir::walk_stmt(self, stmt);
            }
            StmtKind::Evaluate(_) | StmtKind::Assert { .. } | StmtKind::Collective(_) => {
                tir::walk_stmt(self, stmt);
            }
        }
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let ExprKind::Load(buffer, _) = &expr.kind {
            self.used(*buffer);
        }
        tir::walk_expr(self, expr);
    }
}

impl<'f> UseWalk<'f> {
    fn under(&mut self, control: Axes, inside: impl FnOnce(&mut Self)) {
        let before = self.control;
        self.control = before.with(control);
        inside(self);
        self.control = before;
    }

    fn block(&mut self, block: &'f Block) {
        let before = self.reduces;
        for iter in &block.iters {
            self.expr(&iter.value);
            self.reach.name(iter.var, &iter.value);
            if iter.reduce && !block.init.is_empty() {
                self.reduces = self.reduces.with(self.reach.of(&iter.value));
            }
        }
        let predicate = match &block.predicate {
            Some(predicate) => {
                self.expr(predicate);
                self.reach.of(predicate)
            }
            None => Axes::default(),
        };
        self.under(predicate, |walk| {
            walk.stmts(&block.init);
            walk.stmts(&block.body);
        });
        self.reduces = before;
    }

    fn store(&mut self, buffer: BufferId, indices: &[Expr], value: &Expr) {
        self.used(buffer);
        let differs = self.reach.of(value).with(self.control);
        let accumulates = value.loads_from(&|it| it == buffer);
        let mut needed = Axes::default();
        for it in &self.loops {
            let Some(axis) = it.thread else { continue };
            let matters = (differs.has(axis) || accumulates) && !self.reduces.has(axis);
            if matters && !self.reach.tells_apart(indices, axis, (it.var, it.extent)) {
                needed = needed.with(Axes::of(axis));
            }
        }
        if let Some(uses) = self.uses.get_mut(&buffer) {
            uses.needed = uses.needed.with(needed);
        }
    }

    fn used(&mut self, buffer: BufferId) {
        let uses = self.uses.entry(buffer).or_default();
        match &mut uses.around {
            None => uses.around = Some(self.loops.clone()),
            Some(around) => {
                let common = around.iter().zip(&self.loops);
                let common = common.take_while(|(a, b)| a == b).count();
                around.truncate(common);
            }
        }
    }
}
