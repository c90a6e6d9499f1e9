//! From a function's body and facts to its graph: statements become nodes, names in operands edges.

mod exprs;

use hir::body::{Expr, ExprId, Function, Stmt, StmtKind, Target};
use hir::facts::{Join, VarId};
use hir::{Database, FunctionItem, SourceFile};
use relax::ops;
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database as _;
use text_size::{TextRange, TextSize};

use super::{Edge, Graph, Group, GroupKind, Node, NodeKind, Omitted};
use crate::semantics::function_range;
use crate::semantics::{FunctionContext, module_of};
use exprs::{Computation, Input, shape};

pub fn draw(db: &Database, file: SourceFile, function: FunctionItem<'_>) -> Option<Graph> {
    let cx = FunctionContext::new(db, file, function)?;
    let module = module_of(db, function);
    let name = function.name(db);
    let joined: FxHashSet<VarId> = cx.facts.joins.iter().map(|join| join.after).collect();
    // The variable after an `if` has the name, and its place, of that in the first branch.
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
        families: ops::families()
            .iter()
            .flat_map(|(family, ops)| ops.iter().map(|op| (op.name, *family)))
            .collect(),
        graph: Graph {
            function: match module {
                Some(module) => format!("{}.{name}", module.name(db)),
                None => name.to_string(),
            },
            range: function_range(db, function),
            name_range: cx.body.function.name.range + cx.start,
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
            focus: None,
            total: 0,
        },
        nodes: FxHashMap::default(),
        signatures: FxHashMap::default(),
        group: None,
        file,
        cx,
    };
    Some(drawing.whole())
}

struct Drawing<'db> {
    cx: FunctionContext<'db>,
    file: SourceFile,
    graph: Graph,
    /// The variables that statements bind, by the place of the name.
    bound: FxHashMap<TextRange, VarId>,
    /// By the `if`.
    joins: FxHashMap<TextRange, Join>,
    nodes: FxHashMap<VarId, usize>,
    /// The parameters of the functions that are called.
    signatures: FxHashMap<String, Vec<String>>,
    families: FxHashMap<&'static str, &'static str>,
    group: Option<usize>,
}

impl<'db> Drawing<'db> {
    fn whole(mut self) -> Graph {
        let body = self.cx.body;
        self.function(&body.function);
        self.graph.total = self.graph.nodes.len();
        self.graph
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
        // There may be a hundred thousand, and an edit waits for readers.
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
            // A call alone stands for the name that it lacks.
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
                let mut made = Computation::operation("if");
                self.argument(*test, "condition", &mut made);
                self.grouped(GroupKind::Then, "", blocks_range(then), |it| it.block(then));
                if let Some(otherwise) = otherwise {
                    self.grouped(GroupKind::Else, "", blocks_range(otherwise), |it| {
                        it.block(otherwise);
                    });
                }
                self.branch(made, stmt.range);
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
        let parent = self.group;
        self.group = Some(self.graph.groups.len());
        self.graph.groups.push(Group {
            kind,
            label: label.to_owned(),
            range: range + self.cx.start,
            parent,
            alike: None,
        });
        inside(self);
        self.group = parent;
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
        let (kind, made) = self.node_of(value);
        self.variable(kind, var, made);
    }

    fn variable(&mut self, kind: NodeKind, var: VarId, made: Computation) {
        let fact = self.cx.facts.var(var);
        // What a call alone binds has no name in the text.
        let named = usize::from(fact.name_range.len()) == fact.name.len();
        let node = Node {
            name: if named {
                fact.name.to_string()
            } else {
                String::new()
            },
            struct_info: fact
                .struct_info
                .display(self.cx.release.dialect())
                .to_string(),
            range: fact.range,
            selection: fact.name_range,
            ..Node::new(kind)
        };
        let at = self.push(node, made);
        self.nodes.insert(var, at);
    }

    fn branch(&mut self, mut made: Computation, range: TextRange) {
        let node = Node {
            range,
            selection: TextRange::at(range.start(), TextSize::of("if")),
            ..Node::new(NodeKind::Branch)
        };
        let Some(join) = self.joins.get(&range).copied() else {
            self.push(node, made);
            return;
        };
        for (var, argument) in join.branches.into_iter().zip(["then", "else"]) {
            if let Some(&from) = self.nodes.get(&var) {
                made.inputs.push(Input {
                    from,
                    argument: argument.to_owned(),
                    shape: shape(self.cx.facts.var(var).struct_info),
                });
            }
        }
        let after = self.cx.facts.var(join.after);
        let node = Node {
            name: after.name.to_string(),
            struct_info: after
                .struct_info
                .display(self.cx.release.dialect())
                .to_string(),
            ..node
        };
        let at = self.push(node, made);
        self.nodes.insert(join.after, at);
    }

    fn result(&mut self, value: ExprId, range: TextRange) {
        let mut made = Computation::operation("return");
        match &self.cx.body.exprs[value] {
            Expr::Tuple(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.argument(*item, &at.to_string(), &mut made);
                }
            }
            _ => self.argument(value, "", &mut made),
        }
        let node = Node {
            struct_info: self.struct_info(value),
            range,
            selection: range,
            ..Node::new(NodeKind::Result)
        };
        self.push(node, made);
    }

    /// A value inside an expression, as a node of its own.
    fn inner(&mut self, expr: ExprId) -> usize {
        let (kind, made) = self.node_of(expr);
        let range = self.cx.body.range(expr);
        let node = Node {
            struct_info: self.struct_info(expr),
            range,
            selection: range,
            ..Node::new(kind)
        };
        self.push(node, made)
    }

    fn push(&mut self, node: Node, made: Computation) -> usize {
        let to = self.graph.nodes.len();
        let edges = made.inputs.into_iter().map(|input| Edge {
            from: input.from,
            to,
            argument: input.argument,
            shape: input.shape,
        });
        self.graph.edges.extend(edges);
        self.graph.nodes.push(Node {
            operation: made.operation,
            callee: made.callee,
            family: made.family,
            arguments: made.arguments,
            range: node.range + self.cx.start,
            selection: node.selection + self.cx.start,
            group: self.group,
            ..node
        });
        to
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
            arguments: Vec::new(),
            range: TextRange::default(),
            selection: TextRange::default(),
            group: None,
            omitted: Omitted::default(),
            change: None,
        }
    }
}

fn blocks_range(stmts: &[Stmt]) -> TextRange {
    match stmts {
        [] => TextRange::default(),
        [first, ..] => first.range.cover(stmts[stmts.len() - 1].range),
    }
}
