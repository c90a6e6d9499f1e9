//! From a function's body and facts to its graph: statements become nodes, names in operands edges.

use hir::body::{Arg, Expr, ExprId, Function, Stmt, StmtKind, Target};
use hir::facts::{ArgFact, CallFact, Def, Join, VarId};
use hir::ops::{self, Kind};
use hir::sinfo::{Shape, StructInfo, TensorShape};
use hir::value::Value;
use hir::{Database, FunctionItem, SourceFile, file_items};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database as _;
use text_size::{TextRange, TextSize};

use super::{Edge, Graph, Group, GroupKind, Node, NodeKind, Omitted};
use crate::function_context::FunctionContext;
use crate::locate::function_range;
use crate::mentions::function_named;

pub fn draw(db: &Database, file: SourceFile, function: FunctionItem<'_>) -> Option<Graph> {
    let cx = FunctionContext::new(db, file, function)?;
    let items = file_items(db, file);
    let module = function
        .module(db)
        .and_then(|at| items.modules.get(at as usize));
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

/// How a value is made.
#[derive(Default)]
struct Made {
    operation: String,
    callee: Option<String>,
    family: &'static str,
    inputs: Vec<Input>,
    arguments: Vec<(String, String)>,
}

struct Input {
    from: usize,
    argument: String,
    shape: String,
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
                self.variable(NodeKind::Parameter, var, Made::default());
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
        // There may be a hundred thousand, and an edit waits for whoever reads.
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
                let mut made = Made::operation("if");
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
                    self.variable(NodeKind::Function, var, Made::default());
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
        let (kind, made) = self.made(value);
        self.variable(kind, var, made);
    }

    fn variable(&mut self, kind: NodeKind, var: VarId, made: Made) {
        let fact = self.cx.facts.var(var);
        // What a call alone binds has no name in the text.
        let named = usize::from(fact.name_range.len()) == fact.name.len();
        let node = Node {
            name: if named {
                fact.name.to_string()
            } else {
                String::new()
            },
            struct_info: fact.struct_info.display(self.cx.dialect).to_string(),
            range: fact.range,
            selection: fact.name_range,
            ..Node::new(kind)
        };
        let at = self.push(node, made);
        self.nodes.insert(var, at);
    }

    fn branch(&mut self, mut made: Made, range: TextRange) {
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
            struct_info: after.struct_info.display(self.cx.dialect).to_string(),
            ..node
        };
        let at = self.push(node, made);
        self.nodes.insert(join.after, at);
    }

    fn result(&mut self, value: ExprId, range: TextRange) {
        let mut made = Made::operation("return");
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
        let (kind, made) = self.made(expr);
        let range = self.cx.body.range(expr);
        let node = Node {
            struct_info: self.struct_info(expr),
            range,
            selection: range,
            ..Node::new(kind)
        };
        self.push(node, made)
    }

    fn push(&mut self, node: Node, made: Made) -> usize {
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

    fn made(&mut self, expr: ExprId) -> (NodeKind, Made) {
        let (body, facts) = (self.cx.body, self.cx.facts);
        if let Some(call) = facts.call(expr) {
            return self.operator(call);
        }
        match &body.exprs[expr] {
            Expr::Call { callee, args } => self.call(*callee, args),
            Expr::Tuple(items) => {
                let mut made = Made::operation("tuple");
                for (at, item) in items.iter().enumerate() {
                    self.argument(*item, &at.to_string(), &mut made);
                }
                (NodeKind::Tuple, made)
            }
            _ if self.is_metadata(expr) => (NodeKind::Constant, Made::operation("constant")),
            Expr::Subscript { base, index } => {
                let mut made = Made::operation(&format!("[{}]", self.text(*index)));
                self.argument(*base, "", &mut made);
                (NodeKind::Tuple, made)
            }
            Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) | Expr::BigNumber | Expr::Str(_) => {
                (NodeKind::Constant, Made::operation(&self.text(expr)))
            }
            _ => {
                let mut made = Made::default();
                self.inputs(expr, "", &mut made.inputs);
                (NodeKind::Value, made)
            }
        }
    }

    /// A call of an operator, its operands by parameter.
    fn operator(&mut self, call: &'db CallFact) -> (NodeKind, Made) {
        let op = call.op.0;
        let mut made = Made::operation(op.script());
        made.family = self.families.get(op.name).copied().unwrap_or_default();
        for (param, arg) in op.params.iter().zip(&call.args) {
            match (param.kind, arg) {
                (Kind::Annotation, _) | (_, ArgFact::Absent) => {}
                (Kind::Function, ArgFact::One(function)) => {
                    self.callee(*function, &mut made);
                }
                (_, ArgFact::One(operand)) => self.argument(*operand, param.name, &mut made),
                (_, ArgFact::Many(operands)) => {
                    for (at, operand) in operands.iter().enumerate() {
                        let name = self.element(param.name, at, &made);
                        self.argument(*operand, &name, &mut made);
                    }
                }
            }
        }
        let kind = match (op.script(), &made.callee) {
            ("match_cast", _) => NodeKind::MatchCast,
            ("tuple", _) => NodeKind::Tuple,
            ("const", _) => NodeKind::Constant,
            (_, Some(_)) => NodeKind::Call,
            (_, None) => NodeKind::Operator,
        };
        (kind, made)
    }

    /// The function that an operator is given.
    fn callee(&mut self, function: ExprId, made: &mut Made) {
        self.inputs(function, "function", &mut made.inputs);
        made.callee = Some(match self.cx.facts.value(function) {
            Value::Global(name) | Value::Extern(name) | Value::Str(name) => name.to_string(),
            _ => self.text(function),
        });
    }

    /// A call of a function, or of what `R` offers besides operators.
    fn call(&mut self, callee: ExprId, args: &'db [Arg]) -> (NodeKind, Made) {
        let script = match (self.cx.facts.def(callee), self.cx.facts.value(callee)) {
            (Some(Def::Global(_) | Def::Var(_)), _) => None,
            (_, Value::Script(path)) => Some(path.rest.as_str()),
            _ => None,
        };
        let mut made = Made::operation(script.unwrap_or_default());
        let kind = match script {
            Some("const") => {
                let value = args.first().map(|arg| self.text(arg.value));
                let made = Made::operation(&value.unwrap_or_default());
                return (NodeKind::Constant, made);
            }
            Some("match_cast") => {
                if let Some(value) = args.first() {
                    self.argument(value.value, "", &mut made);
                }
                return (NodeKind::MatchCast, made);
            }
            Some("tuple") => NodeKind::Tuple,
            Some(_) => NodeKind::Operator,
            None => {
                self.callee(callee, &mut made);
                NodeKind::Call
            }
        };
        for (at, arg) in args.iter().enumerate() {
            let name = match &arg.keyword {
                Some(keyword) => keyword.text.to_string(),
                None if script.is_some() => at.to_string(),
                None => self.element("", at, &made),
            };
            self.argument(arg.value, &name, &mut made);
        }
        (kind, made)
    }

    /// An argument: an edge if it has a value of the function in it, else its text.
    fn argument(&mut self, expr: ExprId, name: &str, made: &mut Made) {
        let tuple = match &self.cx.body.exprs[expr] {
            Expr::Tuple(items) | Expr::List(items) if !name.is_empty() => Some(items),
            _ => None,
        };
        let mut given = false;
        match tuple {
            Some(items) => {
                for (at, &item) in items.iter().enumerate() {
                    let name = self.element(name, at, made);
                    given |= self.inputs(item, &name, &mut made.inputs);
                }
            }
            None => given = self.inputs(expr, name, &mut made.inputs),
        }
        if !given && !matches!(self.cx.body.exprs[expr], Expr::None) {
            made.arguments.push((name.to_owned(), self.text(expr)));
        }
    }

    /// The name of an operand among several: the parameter of the function that is called, if it is known.
    fn element(&mut self, name: &str, at: usize, made: &Made) -> String {
        let known = match &made.callee {
            Some(callee) if name.is_empty() || name == "args" => self.signature(callee).get(at),
            _ => None,
        };
        match known {
            Some(param) => param.clone(),
            None if name.is_empty() => at.to_string(),
            None => format!("{name}[{at}]"),
        }
    }

    fn signature(&mut self, callee: &str) -> &[String] {
        if !self.signatures.contains_key(callee) {
            let db = self.cx.db;
            let module = self.cx.function.module(db);
            let function = function_named(db, self.file, module, callee);
            let def = function.and_then(|it| it.header(db).def());
            let list = def.and_then(|it| it.params());
            let params = list.into_iter().flat_map(|list| list.params());
            let names = params.filter_map(|param| Some(param.name()?.text().to_owned()));
            self.signatures.insert(callee.to_owned(), names.collect());
        }
        &self.signatures[callee]
    }

    /// The values of the function that an expression reads; whether there is one.
    fn inputs(&mut self, expr: ExprId, argument: &str, inputs: &mut Vec<Input>) -> bool {
        let (body, facts) = (self.cx.body, self.cx.facts);
        let before = inputs.len();
        match &body.exprs[expr] {
            Expr::Name(_) => {
                if let Some(Def::Var(var)) = facts.def(expr)
                    && let Some(&from) = self.nodes.get(var)
                {
                    inputs.push(self.input(from, argument, expr));
                }
            }
            _ if self.is_value(expr) => {
                let from = self.inner(expr);
                inputs.push(self.input(from, argument, expr));
            }
            Expr::Subscript { base, .. } => {
                self.inputs(*base, argument, inputs);
                if let [field] = &mut inputs[before..] {
                    field.shape = shape(&self.value_of(expr));
                }
            }
            Expr::Call { args, .. } => {
                for arg in args {
                    self.inputs(arg.value, argument, inputs);
                }
            }
            other => {
                let mut children = Vec::new();
                other.for_each_child(&mut |child| children.push(child));
                for child in children {
                    self.inputs(child, argument, inputs);
                }
            }
        }
        inputs.len() > before
    }

    fn input(&self, from: usize, argument: &str, expr: ExprId) -> Input {
        Input {
            from,
            argument: argument.to_owned(),
            shape: shape(&self.value_of(expr)),
        }
    }

    /// Whether an operand has a value worth a node: calls and constants, but not shapes and numbers.
    fn is_value(&self, expr: ExprId) -> bool {
        let facts = self.cx.facts;
        let called = match &self.cx.body.exprs[expr] {
            _ if self.is_metadata(expr) => return true,
            Expr::Call { callee, .. } => {
                facts.call(expr).is_some()
                    || matches!(facts.def(*callee), Some(Def::Global(_) | Def::Var(_)))
                    || matches!(facts.value(*callee), Value::Script(_))
            }
            _ => facts.call(expr).is_some(),
        };
        called
            && match facts.value(expr) {
                Value::Expr(it) => !matches!(
                    it,
                    StructInfo::Shape(_) | StructInfo::Prim(_) | StructInfo::String
                ),
                Value::Unknown | Value::MatchCast(_) | Value::List(_) => true,
                _ => false,
            }
    }

    /// `metadata["relax.expr.Constant"][0]`, which TVM prints for what is too long.
    fn is_metadata(&self, expr: ExprId) -> bool {
        let base = |expr: ExprId| match &self.cx.body.exprs[expr] {
            Expr::Subscript { base, .. } => Some(*base),
            _ => None,
        };
        let root = base(expr).and_then(base);
        root.is_some_and(
            |it| matches!(&self.cx.body.exprs[it], Expr::Name(name) if name == "metadata"),
        )
    }

    fn value_of(&self, expr: ExprId) -> StructInfo {
        let value = self.cx.facts.value(expr);
        value.struct_info().unwrap_or(StructInfo::Unknown)
    }

    fn struct_info(&self, expr: ExprId) -> String {
        self.value_of(expr).display(self.cx.dialect).to_string()
    }

    /// An expression on one line, cut where it is long.
    fn text(&self, expr: ExprId) -> String {
        const LONGEST: usize = 60;
        let text = self.cx.slice(self.cx.body.range(expr));
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }
}

impl Made {
    fn operation(operation: &str) -> Made {
        Made {
            operation: operation.to_owned(),
            ..Made::default()
        }
    }
}

impl Node {
    fn new(kind: NodeKind) -> Node {
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
        }
    }
}

fn blocks_range(stmts: &[Stmt]) -> TextRange {
    match stmts {
        [] => TextRange::default(),
        [first, ..] => first.range.cover(stmts[stmts.len() - 1].range),
    }
}

/// The dimensions of a tensor or a shape; empty if nothing is known of them.
fn shape(sinfo: &StructInfo) -> String {
    let tensor = match sinfo {
        StructInfo::Tensor(tensor) => tensor,
        StructInfo::DTensor(dtensor) => &dtensor.tensor,
        StructInfo::Shape(Shape::Known(dims)) => return ops::show_dims(dims),
        _ => return String::new(),
    };
    match (&tensor.shape, tensor.dims()) {
        (_, Some(dims)) => ops::show_dims(dims),
        (TensorShape::Unknown(Some(ndim)), None) => format!("ndim={ndim}"),
        _ => String::new(),
    }
}
