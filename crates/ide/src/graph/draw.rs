//! Builds the graph of a function from its body and facts: statements become nodes, names in operands become edges.

mod exprs;

use hir::body::{Body, Expr, ExprId, Function, Stmt, StmtKind, Target};
use hir::facts::{Join, VarId};
use hir::{Database, FunctionItem, SourceFile};
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database as _;
use text_size::{TextRange, TextSize};

use super::canvas::{Canvas, Input};
use super::{Graph, GroupKind, Node, NodeKind, Omitted};
use crate::semantics::function_range;
use crate::semantics::{FunctionContext, module_of};
use exprs::{Computation, shape, short};

pub fn draw(db: &Database, file: SourceFile, function: FunctionItem<'_>) -> Option<Graph> {
    let cx = FunctionContext::new(db, file, function)?;
    let module = module_of(db, function);
    let name = function.name(db);
    let joined: FxHashSet<VarId> = cx.facts.joins.iter().map(|join| join.after).collect();
    // The variable after an `if` has the name and the range of the variable in the first branch.
    let bound = cx
        .facts
        .vars()
        .inspect(|_| db.unwind_if_revision_cancelled())
        .filter(|var| !joined.contains(&var.id));
    let drawing = Drawing {
        bound: bound.map(|var| (var.name_range, var.id)).collect(),
        joins: cx
            .facts
            .joins
            .iter()
            .map(|join| (cx.facts.var(join.after).range, *join))
            .collect(),
        canvas: Canvas::new(
            match module {
                Some(module) => format!("{}.{name}", module.name(db)),
                None => name.to_string(),
            },
            function_range(db, function),
            cx.body.function.name.range + cx.start,
            cx.start,
        ),
        nodes: FxHashMap::default(),
        signatures: FxHashMap::default(),
        file,
        cx,
    };
    Some(drawing.into_graph())
}

struct Drawing<'db> {
    cx: FunctionContext<'db>,
    file: SourceFile,
    canvas: Canvas,
    /// The variables that statements bind, by the range of the name.
    bound: FxHashMap<TextRange, VarId>,
    /// The joined variables of an `if`, by the range of the `if`.
    joins: FxHashMap<TextRange, Join>,
    nodes: FxHashMap<VarId, usize>,
    /// The parameter names of called functions.
    signatures: FxHashMap<String, Vec<String>>,
}

impl<'db> Drawing<'db> {
    fn into_graph(mut self) -> Graph {
        let body = self.cx.body;
        self.function(&body.function);
        let inputs = attributes(body).find_map(|(key, value)| match body.exprs[value] {
            Expr::Int(count) if key == "num_input" => usize::try_from(count).ok(),
            _ => None,
        });
        Graph {
            inputs,
            ..self.canvas.finish()
        }
    }

    fn function(&mut self, function: &'db Function) {
        for param in function.params.iter() {
            if let Some(&var) = self.bound.get(&param.name.range) {
                self.variable(NodeKind::Parameter, var, Computation::default());
            }
        }
        self.block(&function.body);
    }

    fn block(&mut self, stmts: &'db [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'db Stmt) {
        // A function may have a hundred thousand statements, and an edit waits until readers stop.
        self.cx.db.unwind_if_revision_cancelled();
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    self.bind(target, *value);
                }
            }
            StmtKind::AnnAssign {
                target,
                value: Some(value),
                ..
            } => self.bind(target, *value),
            // A call without a target binds a variable without a name.
            StmtKind::Expr(value) => {
                if let Some(&var) = self.bound.get(&stmt.range) {
                    self.binding(var, *value);
                }
            }
            StmtKind::Return(Some(value)) => self.result(*value, stmt.range),
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                let mut computation = Computation::operation("if");
                self.argument(*test, "condition", &mut computation);
                self.grouped(GroupKind::Then, "", blocks_range(then), |it| it.block(then));
                if let Some(otherwise) = otherwise {
                    self.grouped(GroupKind::Else, "", blocks_range(otherwise), |it| {
                        it.block(otherwise);
                    });
                }
                self.branch(computation, stmt.range);
            }
            StmtKind::With { items, body } => {
                let dataflow = items
                    .iter()
                    .any(|(context, _)| matches!(self.cx.facts.value(*context), Value::Dataflow));
                if dataflow {
                    self.grouped(GroupKind::Dataflow, "", stmt.range, |it| it.block(body));
                } else {
                    self.block(body);
                }
            }
            StmtKind::Function(inner) => {
                if let Some(&var) = self.bound.get(&inner.name.range) {
                    self.variable(NodeKind::Function, var, Computation::default());
                }
                let name = inner.name.text.as_str();
                self.grouped(GroupKind::Function, name, stmt.range, |it| {
                    it.function(inner);
                });
            }
            _ => {}
        }
    }

    fn grouped(
        &mut self,
        kind: GroupKind,
        label: &str,
        range: TextRange,
        inside: impl FnOnce(&mut Self),
    ) {
        let around = self.canvas.open(kind, label, range);
        inside(self);
        self.canvas.close(around);
    }

    fn bind(&mut self, target: &Target, value: ExprId) {
        match target {
            Target::Name(name) => {
                if let Some(&var) = self.bound.get(&name.range) {
                    self.binding(var, value);
                }
            }
            Target::Tuple(targets, _) => match &self.cx.body.exprs[value] {
                Expr::Tuple(items) | Expr::List(items) if items.len() == targets.len() => {
                    for (target, &item) in targets.iter().zip(items) {
                        self.bind(target, item);
                    }
                }
                _ => {
                    for target in targets {
                        self.bind(target, value);
                    }
                }
            },
            Target::Place(_) => {}
        }
    }

    fn binding(&mut self, var: VarId, value: ExprId) {
        let (kind, computation) = self.node_of(value);
        self.variable(kind, var, computation);
    }

    fn variable(&mut self, kind: NodeKind, var: VarId, computation: Computation) {
        let fact = self.cx.facts.var(var);
        // The variable of a call without a target has no name in the text.
        let named = usize::from(fact.name_range.len()) == fact.name.len();
        let node = Node {
            name: if named {
                fact.name.to_string()
            } else {
                String::new()
            },
            struct_info: self.written(fact.struct_info),
            ty: short(fact.struct_info),
            range: fact.range,
            selection: fact.name_range,
            ..Node::new(kind)
        };
        let at = self.push(node, computation);
        self.nodes.insert(var, at);
    }

    fn branch(&mut self, mut computation: Computation, range: TextRange) {
        let node = Node {
            range,
            selection: TextRange::at(range.start(), TextSize::of("if")),
            ..Node::new(NodeKind::Branch)
        };
        let Some(join) = self.joins.get(&range).copied() else {
            self.push(node, computation);
            return;
        };
        for (var, argument) in join.branches.into_iter().zip(["then", "else"]) {
            if let Some(&from) = self.nodes.get(&var) {
                computation.inputs.push(Input {
                    from,
                    argument: argument.to_owned(),
                    shape: shape(self.cx.facts.var(var).struct_info),
                });
            }
        }
        let after = self.cx.facts.var(join.after);
        let node = Node {
            name: after.name.to_string(),
            struct_info: self.written(after.struct_info),
            ty: short(after.struct_info),
            ..node
        };
        let at = self.push(node, computation);
        self.nodes.insert(join.after, at);
    }

    fn result(&mut self, value: ExprId, range: TextRange) {
        let mut computation = Computation::operation("return");
        match &self.cx.body.exprs[value] {
            Expr::Tuple(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.argument(*item, &at.to_string(), &mut computation);
                }
            }
            _ => self.argument(value, "", &mut computation),
        }
        let node = Node {
            struct_info: self.written(&self.value_of(value)),
            ty: short(&self.value_of(value)),
            range,
            selection: range,
            ..Node::new(NodeKind::Result)
        };
        self.push(node, computation);
    }

    /// Adds a node for a value inside an expression.
    fn inner(&mut self, expr: ExprId) -> usize {
        let (kind, computation) = self.node_of(expr);
        let range = self.cx.body.range(expr);
        let node = Node {
            struct_info: self.written(&self.value_of(expr)),
            ty: short(&self.value_of(expr)),
            range,
            selection: range,
            ..Node::new(kind)
        };
        self.push(node, computation)
    }

    fn push(&mut self, node: Node, computation: Computation) -> usize {
        let node = Node {
            operation: computation.operation,
            callee: computation.callee,
            family: computation.family,
            arguments: computation.arguments,
            ..node
        };
        self.canvas.push(node, computation.inputs)
    }
}

impl Node {
    pub(crate) fn new(kind: NodeKind) -> Node {
        Node {
            kind,
            name: String::new(),
            operation: String::new(),
            callee: None,
            family: "",
            struct_info: String::new(),
            ty: String::new(),
            arguments: Vec::new(),
            weights: Vec::new(),
            range: TextRange::default(),
            selection: TextRange::default(),
            group: None,
            omitted: Omitted::default(),
            change: None,
        }
    }
}

/// Returns the attributes of a function: the entries of `R.func_attr({"num_input": 1})`.
pub fn attributes(body: &Body) -> impl Iterator<Item = (&str, ExprId)> {
    let stmts = body.function.body.iter();
    let arguments = stmts.filter_map(|stmt| match stmt.kind {
        StmtKind::Expr(expr) => match &body.exprs[expr] {
            Expr::Call { args, .. } => args.first(),
            _ => None,
        },
        _ => None,
    });
    let entries = arguments.filter_map(|arg| match &body.exprs[arg.value] {
        Expr::Dict(entries) => Some(entries),
        _ => None,
    });
    entries
        .flatten()
        .filter_map(|(key, value)| match &body.exprs[(*key)?] {
            Expr::Str(key) => Some((key.as_str(), *value)),
            _ => None,
        })
}

fn blocks_range(stmts: &[Stmt]) -> TextRange {
    match stmts {
        [] => TextRange::default(),
        [first, ..] => first.range.cover(stmts[stmts.len() - 1].range),
    }
}
