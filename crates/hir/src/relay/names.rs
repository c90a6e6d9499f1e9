//! Resolves the names of a definition: the local of each use, and the order in which expressions are visited.
//!
//! Walks iteratively, so that deep programs do not overflow the stack. Inference follows its steps, and has no scopes
//! of its own.

#[cfg(test)]
mod tests;

use relax::nearest_name;
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::body::{
    AttrValue, Body, Expr, ExprId, Function, Item, Local, LocalId, LocalKind, Pattern, PatternKind,
    Statement,
};
use super::unknown_name::unknown_name;

/// The resolved names of a definition and the steps of the walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// The locals that uses of `%x` and `%0` refer to.
    pub uses: Vec<(ExprId, LocalId)>,
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

pub fn resolve(body: &Body) -> Names {
    let mut walk = Walk {
        body,
        names: Names::default(),
        scopes: FxHashMap::default(),
        bound: Vec::new(),
        marks: Vec::new(),
        graph: FxHashMap::default(),
        tasks: Vec::new(),
    };
    match &body.item {
        Item::Function { function, .. } => walk.function(None, function),
        Item::Expr(root) => walk.tasks.push(Task::Visit(*root)),
        Item::Type(_) | Item::Missing => {}
    }
    walk.run();
    walk.names
}

struct Walk<'a> {
    body: &'a Body,
    names: Names,
    /// The locals in scope by name, the innermost last.
    scopes: FxHashMap<SmolStr, Vec<LocalId>>,
    /// The names in scope in the order of their binding; they are removed when their scope closes.
    bound: Vec<LocalId>,
    marks: Vec<usize>,
    /// The graph bindings, which hold in the whole definition after them.
    graph: FxHashMap<SmolStr, LocalId>,
    /// The tasks to do, the next one last.
    tasks: Vec<Task>,
}

impl Walk<'_> {
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
            if let Some(&first) = self.graph.get(&name.text) {
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
            }
            return;
        }
        self.scopes
            .entry(name.text.clone())
            .or_default()
            .push(local);
        self.bound.push(local);
    }

    fn look_up(&mut self, expr: ExprId, name: &SmolStr) {
        if name.is_empty() {
            return;
        }
        let is_graph = Local::is_graph_name(name);
        let found = if is_graph {
            self.graph.get(name).copied()
        } else {
            self.scopes.get(name).and_then(|it| it.last()).copied()
        };
        if let Some(local) = found {
            self.names.uses.push((expr, local));
            return;
        }
        let range = self.body.range(expr);
        let message = format!("`%{name}` is not bound here");
        let known = self.scopes.iter().filter(|it| !it.1.is_empty());
        let near = nearest_name::nearest(name, known.map(|it| it.0)).filter(|_| !is_graph);
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
