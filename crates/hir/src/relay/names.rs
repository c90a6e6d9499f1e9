//! Resolves the names of one piece of a definition: the local of each use, and the order in which expressions are
//! visited.
//!
//! Walks iteratively, so that deep programs do not overflow the stack. Inference follows its steps, and has no scopes
//! of its own.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use relax::nearest_name;
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smol_str::{SmolStr, format_smolstr};

use super::body::{
    AttrValue, Body, Expr, ExprId, Function, Item, Local, LocalId, LocalKind, Pattern, PatternKind,
    PieceId, PieceRole, Statement,
};
use super::unknown_name::unknown_name;

/// The names that the pieces before one bind.
#[derive(Clone, Debug, Default)]
pub struct OuterNames {
    locals: FxHashMap<SmolStr, LocalId>,
    /// The graph bindings, which hold in the whole definition after them.
    graph: FxHashMap<SmolStr, LocalId>,
    /// The names of pieces that were not visited.
    pub kept: Option<KeptNames>,
}

/// The locals of one name, in the order of their pieces.
pub type LocalsOfName = SmallVec<[LocalId; 2]>;

/// The locals that pieces bind for those after them, by name.
pub type BoundNames = FxHashMap<SmolStr, LocalsOfName>;

/// The names that pieces bind which an edit left alone. The other names of [`OuterNames`] are from pieces between the
/// two parts.
#[derive(Clone, Debug)]
pub struct KeptNames {
    /// The locals of each name in the version before, in order.
    pub bound: Arc<BoundNames>,
    /// The position of each piece in the version before, by number.
    pub positions: Vec<u32>,
    /// The pieces before this position are left alone.
    pub front: u32,
    /// So are these, up to the one whose names are looked up.
    pub back: Range<u32>,
}

impl KeptNames {
    fn last(&self, locals: &[LocalId], positions: Range<u32>) -> Option<LocalId> {
        let position = |it: &&LocalId| self.positions.get(it.piece.index()).copied();
        let mut last = locals.iter().rev();
        last.find(|it| position(it).is_some_and(|it| positions.contains(&it)))
            .copied()
    }

    /// Returns the local of a name, where `between` is the one of the pieces between the two parts.
    fn get(&self, name: &str, between: Option<LocalId>) -> Option<LocalId> {
        let locals = self.bound.get(name).map_or(&[][..], SmallVec::as_slice);
        let after = self.last(locals, self.back.clone());
        after
            .or(between)
            .or_else(|| self.last(locals, 0..self.front))
    }
}

impl OuterNames {
    pub fn get(&self, name: &str) -> Option<LocalId> {
        let names = if Local::is_graph_name(name) {
            &self.graph
        } else {
            &self.locals
        };
        let found = names.get(name).copied();
        match &self.kept {
            Some(kept) => kept.get(name, found),
            None => found,
        }
    }

    /// Returns the names of locals that are not graph bindings, some of them twice.
    fn local_names(&self) -> impl Iterator<Item = &SmolStr> {
        let kept = self.kept.iter().flat_map(|kept| {
            let bound = kept.bound.iter();
            let bound = bound.filter(|it| !Local::is_graph_name(it.0));
            bound.filter_map(|it| kept.get(it.0, None).map(|_| it.0))
        });
        self.locals.keys().chain(kept)
    }

    /// Binds the names that a piece leaves to those after it.
    pub fn bind(&mut self, body: &Body, bound: &[LocalId]) {
        for id in bound {
            let Local { name, kind, .. } = &body[*id];
            let names = match kind {
                LocalKind::Graph => &mut self.graph,
                _ => &mut self.locals,
            };
            names.insert(name.text.clone(), *id);
        }
    }
}

/// The resolved names of a piece and the steps of the walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// The locals that uses of `%x` and `%0` refer to.
    pub uses: Vec<(ExprId, LocalId)>,
    /// The names that the piece looks up in the pieces before it, and what it finds.
    pub outer: Vec<(SmolStr, Option<LocalId>)>,
    /// The locals that the piece binds for the pieces after it.
    pub bound: Vec<LocalId>,
    pub steps: Vec<Step>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A step of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An expression after its parts.
    Expr(ExprId),
    /// The start of a function with its parameters bound. `None` is the function of the definition.
    Enter(Option<ExprId>),
    Leave(Option<ExprId>),
    /// A function literal that its own body may call by this name.
    Recursive {
        local: LocalId,
        value: ExprId,
    },
    /// A binding after its value.
    Bind {
        local: LocalId,
        value: ExprId,
    },
    Free(LocalId),
    /// An arm of a match, after the matched value.
    Arm {
        of: ExprId,
        arm: usize,
    },
}

enum Task {
    Visit(ExprId),
    Step(Step),
    Bind(LocalId),
    BindPattern { of: ExprId, arm: usize },
    Open,
    Close,
}

/// Resolves the names of a piece, after those that bind the names of `outer`.
pub fn resolve(body: &Body, piece: PieceId, outer: &OuterNames) -> Names {
    let mut walk = Walk {
        body,
        outer,
        names: Names::default(),
        scopes: FxHashMap::default(),
        bound: Vec::new(),
        marks: Vec::new(),
        graph: FxHashMap::default(),
        tasks: Vec::new(),
    };
    walk.piece(piece);
    walk.run();
    walk.names.bound.append(&mut walk.bound);
    walk.names
}

struct Walk<'a> {
    body: &'a Body,
    outer: &'a OuterNames,
    names: Names,
    /// The locals that this piece binds, by name, the innermost last.
    scopes: FxHashMap<SmolStr, Vec<LocalId>>,
    /// The names in scope in the order of their binding; they are removed when their scope closes.
    bound: Vec<LocalId>,
    marks: Vec<usize>,
    /// The graph bindings of this piece.
    graph: FxHashMap<SmolStr, LocalId>,
    /// The tasks to do, the next one last.
    tasks: Vec<Task>,
}

impl Walk<'_> {
    fn piece(&mut self, piece: PieceId) {
        let body = self.body;
        match body.piece(piece).role {
            PieceRole::Header => {
                if let Item::Function { function, .. } = &*body.item {
                    self.tasks.push(Task::Step(Step::Enter(None)));
                    self.next(function.params.iter().map(|it| Task::Bind(*it)));
                }
            }
            PieceRole::Statement(statement) => self.statement(&statement),
            PieceRole::Value(value) => self.tasks.push(Task::Visit(value)),
            PieceRole::Block => self.block(),
        }
    }

    /// The block around the other pieces, which come before it.
    fn block(&mut self) {
        let root = match &*self.body.item {
            Item::Function { function, .. } => {
                self.tasks.push(Task::Step(Step::Leave(None)));
                function.body
            }
            Item::Expr(root) => *root,
            Item::Type(_) | Item::Missing => return,
        };
        match &self.body[root] {
            _ if root.piece != PieceId::BLOCK => {}
            Expr::Block { value, .. } => {
                self.tasks.push(Task::Step(Step::Expr(root)));
                if value.piece == PieceId::BLOCK {
                    self.tasks.push(Task::Visit(*value));
                }
            }
            _ => self.tasks.push(Task::Visit(root)),
        }
    }

    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(expr) => self.visit(expr),
                Task::Step(step) => self.names.steps.push(step),
                Task::Bind(local) => self.bind(local),
                Task::BindPattern { of, arm } => {
                    let body = self.body;
                    if let Expr::Match { arms, .. } = &body[of] {
                        for local in locals_of(&arms[arm].pattern) {
                            self.bind(local);
                        }
                    }
                }
                Task::Open => self.marks.push(self.bound.len()),
                Task::Close => {
                    let mark = self.marks.pop().unwrap_or_default();
                    for local in self.bound.drain(mark..) {
                        if let Some(same) = self.scopes.get_mut(&self.body[local].name.text) {
                            same.pop();
                        }
                    }
                }
            }
        }
    }

    /// Does these tasks next, in order.
    fn next(&mut self, tasks: impl IntoIterator<Item = Task, IntoIter: DoubleEndedIterator>) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    fn visit(&mut self, expr: ExprId) {
        let body = self.body;
        let done = Task::Step(Step::Expr(expr));
        let visit = |it: &ExprId| Task::Visit(*it);
        match &body[expr] {
            Expr::Local(name) => {
                self.look_up(expr, name);
                self.names.steps.push(Step::Expr(expr));
            }
            Expr::Missing | Expr::Global(_) | Expr::Name(_) | Expr::Constant(_) | Expr::Meta(_) => {
                self.names.steps.push(Step::Expr(expr));
            }
            Expr::Tuple(fields) => {
                self.tasks.push(done);
                self.next(fields.iter().map(visit));
            }
            Expr::Projection { tuple: of, .. } | Expr::RefCreate(of) | Expr::RefRead(of) => {
                self.next([Task::Visit(*of), done]);
            }
            Expr::RefWrite { reference, value } => {
                self.next([Task::Visit(*reference), Task::Visit(*value), done]);
            }
            Expr::Call {
                callee,
                args,
                attrs,
            } => {
                let mut parts: Vec<Task> = vec![Task::Visit(*callee)];
                parts.extend(args.iter().map(visit));
                for attr in attrs {
                    exprs_of(&attr.value, &mut |it| parts.push(Task::Visit(it)));
                }
                self.tasks.push(done);
                self.next(parts);
            }
            Expr::Block { statements, value } => {
                self.next([Task::Visit(*value), done, Task::Close]);
                for statement in statements.iter().rev() {
                    self.statement(statement);
                }
                self.tasks.push(Task::Open);
            }
            Expr::Function(function) => self.function(Some(expr), function),
            Expr::If {
                condition,
                then,
                otherwise,
            } => self.next([
                Task::Visit(*condition),
                Task::Open,
                Task::Visit(*then),
                Task::Close,
                Task::Open,
                Task::Visit(*otherwise),
                Task::Close,
                done,
            ]),
            Expr::Match { value, arms, .. } => {
                let mut parts = vec![Task::Visit(*value)];
                for (arm, it) in arms.iter().enumerate() {
                    parts.extend([
                        Task::Open,
                        Task::Step(Step::Arm { of: expr, arm }),
                        Task::BindPattern { of: expr, arm },
                        Task::Visit(it.body),
                        Task::Close,
                    ]);
                }
                parts.push(done);
                self.next(parts);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match *statement {
            Statement::Binding { local, value } => {
                let bind = Task::Step(Step::Bind { local, value });
                if self.body[local].kind == LocalKind::Graph {
                    self.next([Task::Visit(value), bind, Task::Bind(local)]);
                } else if matches!(self.body[value], Expr::Function(_)) {
                    let recursive = Task::Step(Step::Recursive { local, value });
                    self.next([recursive, Task::Bind(local), Task::Visit(value), bind]);
                } else {
                    self.next([Task::Visit(value), bind, Task::Bind(local)]);
                }
            }
            Statement::Free(local) => {
                self.next([Task::Step(Step::Free(local)), Task::Bind(local)]);
            }
            Statement::Effect(value) => self.tasks.push(Task::Visit(value)),
        }
    }

    fn function(&mut self, at: Option<ExprId>, function: &Function) {
        let mut tasks = vec![Task::Open];
        tasks.extend(function.params.iter().map(|it| Task::Bind(*it)));
        tasks.push(Task::Step(Step::Enter(at)));
        tasks.push(Task::Visit(function.body));
        tasks.push(Task::Step(Step::Leave(at)));
        tasks.push(Task::Close);
        tasks.extend(at.map(|it| Task::Step(Step::Expr(it))));
        self.next(tasks);
    }

    fn bind(&mut self, local: LocalId) {
        let Local { name, kind, .. } = &self.body[local];
        if *kind == LocalKind::Graph {
            // TVM keeps the first.
            let inner = self.graph.get(&name.text).copied();
            if let Some(first) = inner.or_else(|| self.look_outside(&name.text)) {
                let message = format!(
                    "`%{}` is bound already; TVM goes on with its first value",
                    name.text
                );
                let first = self.body.name_range(first);
                let range = self.body.name_range(local);
                let mut diagnostic = Diagnostic::new(Code::Redefinition, range, message)
                    .related(first, "it is bound here first");
                diagnostic.severity = relax::Severity::Warning;
                self.names.diagnostics.push(diagnostic);
            } else {
                self.graph.insert(name.text.clone(), local);
                self.names.bound.push(local);
            }
            return;
        }
        self.scopes
            .entry(name.text.clone())
            .or_default()
            .push(local);
        self.bound.push(local);
    }

    fn look_outside(&mut self, name: &SmolStr) -> Option<LocalId> {
        let found = self.outer.get(name);
        self.names.outer.push((name.clone(), found));
        found
    }

    fn look_up(&mut self, expr: ExprId, name: &SmolStr) {
        if name.is_empty() {
            return;
        }
        let is_graph = Local::is_graph_name(name);
        let inner = if is_graph {
            self.graph.get(name).copied()
        } else {
            self.scopes.get(name).and_then(|it| it.last()).copied()
        };
        if let Some(local) = inner.or_else(|| self.look_outside(name)) {
            self.names.uses.push((expr, local));
            return;
        }
        let range = self.body.range(expr);
        let message = format!("`%{name}` is not bound here");
        let known = self.scopes.iter().filter(|it| !it.1.is_empty());
        let known = known.map(|it| it.0).chain(self.outer.local_names());
        let near = nearest_name::nearest(name, known).filter(|_| !is_graph);
        let near = near.map(|near| format_smolstr!("%{near}"));
        let mut diagnostic = unknown_name(Code::UndefinedName, range, message, near);
        diagnostic.about = Some(name.clone());
        self.names.diagnostics.push(diagnostic);
    }
}

/// Returns the locals that a pattern binds.
pub fn locals_of(pattern: &Pattern) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut open = vec![pattern];
    while let Some(pattern) = open.pop() {
        match &pattern.kind {
            PatternKind::Local(local) => found.push(*local),
            PatternKind::Constructor { fields, .. } | PatternKind::Tuple(fields) => {
                open.extend(fields.iter().rev());
            }
            PatternKind::Missing | PatternKind::Wildcard => {}
        }
    }
    found
}

fn exprs_of(value: &AttrValue, found: &mut impl FnMut(ExprId)) {
    match value {
        AttrValue::Expr(expr) => found(*expr),
        AttrValue::List(items) => items.iter().for_each(|it| exprs_of(it, found)),
        _ => {}
    }
}
