//! The dataflow graph of a function: bindings become nodes, names in operands become edges.

use hir::RelayFile;
use hir::metadata::MetaRef;
use hir::relay::Facts;
use hir::relay::body::{Arm, Body, Definition, Expr, ExprId, Function, Item, LocalId, Statement};
use relax::relay::{Type, ops as relay_ops};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use super::definitions;
use crate::graph::canvas::{Canvas, Input};
use crate::graph::{Graph, GroupKind, Node, NodeKind};

/// Returns the graph of the function around an offset.
pub fn graph(file: &RelayFile, text: &str, offset: TextSize) -> Option<Graph> {
    let at = definitions(file)
        .zip(super::symbols::ranges(file))
        .find(|(_, range)| range.contains_inclusive(offset));
    let ((_, definition, facts), range) = at?;
    let Item::Function { name, function } = &definition.body.item else {
        return None;
    };
    let mut drawing = Drawing {
        file,
        text,
        body: &definition.body,
        facts,
        start: definition.start,
        canvas: Canvas::new(
            name.text.to_string(),
            range,
            name.range + definition.start,
            definition.start,
        ),
        nodes: FxHashMap::default(),
    };
    drawing.function(function);
    Some(drawing.canvas.finish())
}

struct Drawing<'a> {
    file: &'a RelayFile,
    text: &'a str,
    body: &'a Body,
    facts: &'a Facts,
    start: TextSize,
    canvas: Canvas,
    nodes: FxHashMap<LocalId, usize>,
}

/// The operation of a node, with its inputs and arguments.
struct Computation {
    node: Node,
    inputs: Vec<Input>,
}

impl<'a> Drawing<'a> {
    fn function(&mut self, function: &'a Function) {
        for &param in &function.params {
            self.variable(param, Computation::new(NodeKind::Parameter, ""));
        }
        let mut computation = Computation::new(NodeKind::Result, "return");
        let tail = self.statements_of(function.body);
        match &self.body[tail] {
            Expr::Tuple(fields) => self.inputs(fields, &mut computation, |at| at.to_string()),
            _ => self.input(tail, String::new(), &mut computation),
        }
        computation.node.struct_info = self.ty(tail);
        let range = self.body.range(tail);
        self.push(computation, range, range);
    }

    /// Adds the bindings of a block, and returns the value after them.
    fn statements_of(&mut self, mut value: ExprId) -> ExprId {
        while let Expr::Block {
            statements,
            value: tail,
        } = &self.body[value]
        {
            for statement in statements {
                match statement {
                    Statement::Binding { local, value } => {
                        let computation = self.computation(*value);
                        self.variable(*local, computation);
                    }
                    Statement::Free(local) => {
                        self.variable(*local, Computation::new(NodeKind::Parameter, ""));
                    }
                    Statement::Effect(value) => {
                        self.inner(*value);
                    }
                }
            }
            value = *tail;
        }
        value
    }

    fn variable(&mut self, local: LocalId, mut computation: Computation) {
        computation.node.name = format!("%{}", self.body[local].name.text);
        let name = self.body.name_range(local);
        let ty = self.facts.local(local);
        computation.node.struct_info = ty.map(ToString::to_string).unwrap_or_default();
        let value = self.facts.value(local);
        let whole = value.map_or(name, |it| name.cover(self.body.range(it)));
        let at = self.push(computation, whole, name);
        self.nodes.insert(local, at);
    }

    /// Adds a node for a value inside an expression.
    fn inner(&mut self, expr: ExprId) -> usize {
        let mut computation = self.computation(expr);
        computation.node.struct_info = self.ty(expr);
        let range = self.body.range(expr);
        self.push(computation, range, range)
    }

    fn computation(&mut self, expr: ExprId) -> Computation {
        let expr = self.statements_of(expr);
        match &self.body[expr] {
            Expr::Call {
                callee,
                args,
                attrs,
            } => {
                let mut computation = self.call(*callee, args);
                for attr in attrs {
                    let written = &self.text[attr.range + self.start];
                    let value = written.split_once('=').map_or(written, |it| it.1);
                    let argument = (attr.name.text.to_string(), value.trim().to_owned());
                    computation.node.arguments.push(argument);
                }
                computation
            }
            Expr::Tuple(fields) => {
                let mut computation = Computation::new(NodeKind::Tuple, "tuple");
                self.inputs(fields, &mut computation, |at| at.to_string());
                computation
            }
            Expr::Projection { tuple, index } => {
                let index = index.map(|it| it.to_string()).unwrap_or_default();
                let mut computation = Computation::new(NodeKind::Tuple, &format!("[{index}]"));
                self.input(*tuple, String::new(), &mut computation);
                computation
            }
            Expr::If {
                condition,
                then,
                otherwise,
            } => {
                let mut computation = Computation::new(NodeKind::Branch, "if");
                self.input(*condition, "condition".to_owned(), &mut computation);
                self.branch(GroupKind::Then, *then, &mut computation);
                self.branch(GroupKind::Else, *otherwise, &mut computation);
                computation
            }
            Expr::Match { value, arms, .. } => self.matched(*value, arms),
            Expr::Function(function) => {
                let range = self.body.range(expr);
                self.grouped(GroupKind::Function, "fn", range, |it| it.function(function));
                Computation::new(NodeKind::Function, "fn")
            }
            Expr::RefCreate(value) => self.of_reference("ref", &[*value]),
            Expr::RefRead(reference) => self.of_reference("ref_read", &[*reference]),
            Expr::RefWrite { reference, value } => {
                self.of_reference("ref_write", &[*reference, *value])
            }
            Expr::Constant(_) => Computation::new(NodeKind::Constant, self.written(expr)),
            Expr::Meta(MetaRef { .. }) => Computation::new(NodeKind::Constant, "constant"),
            Expr::Local(_) => {
                let mut computation = Computation::new(NodeKind::Value, "");
                self.input(expr, String::new(), &mut computation);
                computation
            }
            Expr::Global(_) | Expr::Name(_) => {
                Computation::new(NodeKind::Value, self.written(expr))
            }
            Expr::Missing | Expr::Block { .. } => Computation::new(NodeKind::Value, ""),
        }
    }

    fn call(&mut self, callee: ExprId, args: &'a [ExprId]) -> Computation {
        match &self.body[callee] {
            Expr::Name(name) => {
                let mut computation = Computation::new(NodeKind::Operator, name);
                // Many operators have the same name in Relax.
                computation.node.family = self.canvas.family(&format!("relax.{name}"));
                let inputs = relay_ops::by_name(name).map_or(&[][..], |it| &it.inputs);
                let is_alone = args.len() == 1;
                self.inputs(args, &mut computation, |at| match inputs.get(at) {
                    _ if is_alone => String::new(),
                    Some(name) => (*name).to_owned(),
                    None => at.to_string(),
                });
                computation
            }
            Expr::Global(name) => {
                let mut computation = Computation::new(NodeKind::Call, "");
                computation.node.callee = Some(name.to_string());
                let params = self.params(name);
                self.inputs(args, &mut computation, |at| match params.get(at) {
                    Some(name) => name.clone(),
                    None => at.to_string(),
                });
                computation
            }
            _ => {
                let mut computation = Computation::new(NodeKind::Call, "");
                computation.node.callee = Some(self.written(callee).to_owned());
                self.input(callee, "function".to_owned(), &mut computation);
                self.inputs(args, &mut computation, |at| at.to_string());
                computation
            }
        }
    }

    /// Returns the parameters of a function of the file.
    fn params(&self, name: &str) -> Vec<String> {
        let signature = self.file.facts.env.function(name);
        let found = signature.and_then(|it| self.file.module.definitions.get(it.definition));
        match found {
            Some(Definition { body, .. }) => match &body.item {
                Item::Function { function, .. } => {
                    let params = function.params.iter();
                    params.map(|it| body[*it].name.text.to_string()).collect()
                }
                _ => Vec::new(),
            },
            None => Vec::new(),
        }
    }

    fn matched(&mut self, value: ExprId, arms: &'a [Arm]) -> Computation {
        let mut computation = Computation::new(NodeKind::Branch, "match");
        self.input(value, "value".to_owned(), &mut computation);
        for arm in arms {
            let pattern = arm.pattern.range;
            let pattern = &self.text[pattern + self.start];
            let tail = self.statements_of(arm.body);
            self.input(tail, pattern.to_owned(), &mut computation);
        }
        computation
    }

    fn of_reference(&mut self, operation: &str, inputs: &[ExprId]) -> Computation {
        let mut computation = Computation::new(NodeKind::Operator, operation);
        for (name, input) in ["", "value"].into_iter().zip(inputs) {
            self.input(*input, name.to_owned(), &mut computation);
        }
        computation
    }

    fn branch(&mut self, kind: GroupKind, value: ExprId, computation: &mut Computation) {
        let range = self.body.range(value);
        self.grouped(kind, "", range, |it| {
            let tail = it.statements_of(value);
            it.input(tail, kind.name().to_owned(), computation);
        });
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

    fn inputs(
        &mut self,
        args: &[ExprId],
        computation: &mut Computation,
        name: impl Fn(usize) -> String,
    ) {
        for (at, arg) in args.iter().enumerate() {
            self.input(*arg, name(at), computation);
        }
    }

    fn input(&mut self, expr: ExprId, argument: String, computation: &mut Computation) {
        let from = match &self.body[expr] {
            Expr::Missing => return,
            // A variable that a pattern binds has no node.
            Expr::Local(_) => match self.facts.use_of(expr).and_then(|it| self.nodes.get(&it)) {
                Some(&node) => node,
                None => return,
            },
            _ => self.inner(expr),
        };
        computation.inputs.push(Input {
            from,
            argument,
            shape: self.facts.expr(expr).map(shape).unwrap_or_default(),
        });
    }

    fn push(&mut self, computation: Computation, range: TextRange, selection: TextRange) -> usize {
        let node = Node {
            range,
            selection,
            // Relay's own notation is short.
            ty: computation.node.struct_info.clone(),
            ..computation.node
        };
        self.canvas.push(node, computation.inputs)
    }

    fn ty(&self, expr: ExprId) -> String {
        let ty = self.facts.expr(expr);
        ty.map(ToString::to_string).unwrap_or_default()
    }

    fn written(&self, expr: ExprId) -> &'a str {
        &self.text[self.body.range(expr) + self.start]
    }
}

impl Computation {
    fn new(kind: NodeKind, operation: &str) -> Computation {
        let node = Node {
            operation: operation.to_owned(),
            ..Node::new(kind)
        };
        Computation {
            node,
            inputs: Vec::new(),
        }
    }
}

/// Returns the dimensions of a tensor.
fn shape(ty: &Type) -> String {
    let Some(tensor) = ty.as_tensor() else {
        return String::new();
    };
    let dims = tensor.shape.iter().map(ToString::to_string);
    format!("({})", dims.collect::<Vec<_>>().join(", "))
}
