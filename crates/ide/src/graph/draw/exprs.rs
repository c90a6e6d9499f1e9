//! Computes the node of an expression: its operation, its inputs, and its other arguments.

use hir::body::{Arg, Expr, ExprId};
use hir::facts::{ArgFact, CallFact, Def};
use relax::ops::{self, Kind};
use relax::sinfo::{Shape, StructInfo, TensorShape};
use relax::value::Value;

use super::Drawing;
use crate::graph::NodeKind;
use crate::graph::canvas::Input;
use crate::mentions::function_named;

/// The operation of a node, with its inputs and arguments.
#[derive(Default)]
pub struct Computation {
    pub operation: String,
    pub callee: Option<String>,
    pub family: &'static str,
    pub inputs: Vec<Input>,
    pub arguments: Vec<(String, String)>,
}

impl<'db> Drawing<'db> {
    pub fn node_of(&mut self, expr: ExprId) -> (NodeKind, Computation) {
        let (body, facts) = (self.cx.body, self.cx.facts);
        if let Some(call) = facts.call(expr) {
            return self.operator(call);
        }
        match &body.exprs[expr] {
            Expr::Call { callee, args } => self.call(*callee, args),
            Expr::Tuple(items) => {
                let mut computation = Computation::operation("tuple");
                for (at, item) in items.iter().enumerate() {
                    self.argument(*item, &at.to_string(), &mut computation);
                }
                (NodeKind::Tuple, computation)
            }
            _ if self.cx.body.is_metadata(expr) => {
                (NodeKind::Constant, Computation::operation("constant"))
            }
            Expr::Subscript { base, index } => {
                let mut computation = Computation::operation(&format!("[{}]", self.text(*index)));
                self.argument(*base, "", &mut computation);
                (NodeKind::Tuple, computation)
            }
            Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) | Expr::BigNumber(_) | Expr::Str(_) => {
                (NodeKind::Constant, Computation::operation(&self.text(expr)))
            }
            _ => {
                let mut computation = Computation::default();
                self.inputs(expr, "", &mut computation.inputs);
                (NodeKind::Value, computation)
            }
        }
    }

    /// Reads a call of an operator. Its operands are named by parameter.
    fn operator(&mut self, call: &'db CallFact) -> (NodeKind, Computation) {
        let op = call.op.0;
        let mut computation = Computation::operation(op.script());
        computation.family = self.canvas.family(op.name);
        for (param, arg) in op.params.iter().zip(&call.args) {
            match (param.kind, arg) {
                (Kind::Annotation, _) | (_, ArgFact::Absent) => {}
                (Kind::Function, ArgFact::One(function)) => {
                    self.callee(*function, &mut computation);
                }
                (_, ArgFact::One(operand)) => self.argument(*operand, param.name, &mut computation),
                (_, ArgFact::Many(operands)) => {
                    for (at, operand) in operands.iter().enumerate() {
                        let name = self.element(param.name, at, &computation);
                        self.argument(*operand, &name, &mut computation);
                    }
                }
            }
        }
        let kind = match (op.script(), &computation.callee) {
            ("match_cast", _) => NodeKind::MatchCast,
            ("tuple", _) => NodeKind::Tuple,
            ("const", _) => NodeKind::Constant,
            (_, Some(_)) => NodeKind::Call,
            (_, None) => NodeKind::Operator,
        };
        (kind, computation)
    }

    /// Reads the function argument of an operator such as `call_tir`.
    fn callee(&mut self, function: ExprId, computation: &mut Computation) {
        self.inputs(function, "function", &mut computation.inputs);
        computation.callee = Some(match self.cx.facts.value(function) {
            Value::Global(name) | Value::Extern(name) | Value::Str(name) => name.to_string(),
            _ => self.text(function),
        });
    }

    /// Reads a call of a function, or of a name under `R` that is not an operator.
    fn call(&mut self, callee: ExprId, args: &'db [Arg]) -> (NodeKind, Computation) {
        let script = match (self.cx.facts.def(callee), self.cx.facts.value(callee)) {
            (Some(Def::Global(_) | Def::Var(_)), _) => None,
            (_, Value::Script(path)) => Some(path.rest.as_str()),
            _ => None,
        };
        let mut computation = Computation::operation(script.unwrap_or_default());
        let kind = match script {
            Some("const") => {
                let value = args.first().map(|arg| self.text(arg.value));
                let computation = Computation::operation(&value.unwrap_or_default());
                return (NodeKind::Constant, computation);
            }
            Some("match_cast") => {
                if let Some(value) = args.first() {
                    self.argument(value.value, "", &mut computation);
                }
                return (NodeKind::MatchCast, computation);
            }
            Some("tuple") => NodeKind::Tuple,
            Some(_) => NodeKind::Operator,
            None => {
                self.callee(callee, &mut computation);
                NodeKind::Call
            }
        };
        for (at, arg) in args.iter().enumerate() {
            let name = match &arg.keyword {
                Some(keyword) => keyword.text.to_string(),
                None if script.is_some() => at.to_string(),
                None => self.element("", at, &computation),
            };
            self.argument(arg.value, &name, &mut computation);
        }
        (kind, computation)
    }

    /// Adds an argument: as an edge if it contains a value of the function, otherwise as text.
    pub fn argument(&mut self, expr: ExprId, name: &str, computation: &mut Computation) {
        let tuple = match &self.cx.body.exprs[expr] {
            Expr::Tuple(items) | Expr::List(items) if !name.is_empty() => Some(items),
            _ => None,
        };
        let mut given = false;
        match tuple {
            Some(items) => {
                for (at, &item) in items.iter().enumerate() {
                    let name = self.element(name, at, computation);
                    given |= self.inputs(item, &name, &mut computation.inputs);
                }
            }
            None => given = self.inputs(expr, name, &mut computation.inputs),
        }
        if !given && !matches!(self.cx.body.exprs[expr], Expr::None) {
            computation
                .arguments
                .push((name.to_owned(), self.text(expr)));
        }
    }

    /// Returns the name of one of several operands: the callee's parameter if the callee is known.
    fn element(&mut self, name: &str, at: usize, computation: &Computation) -> String {
        let known = match &computation.callee {
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
            let at = self.cx.function.offset(db);
            let function = function_named(db, self.file, module, callee, at);
            let def = function.and_then(|it| it.header(db).def());
            let list = def.and_then(|it| it.params());
            let params = list.into_iter().flat_map(|list| list.params());
            let names = params.filter_map(|param| Some(param.name()?.text().to_owned()));
            self.signatures.insert(callee.to_owned(), names.collect());
        }
        &self.signatures[callee]
    }

    /// Adds the values that an expression reads to `inputs`, and returns `true` if there are any.
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

    /// Returns `true` if an operand gets its own node: calls and constants do, shapes and numbers do not.
    fn is_value(&self, expr: ExprId) -> bool {
        let facts = self.cx.facts;
        let called = match &self.cx.body.exprs[expr] {
            _ if self.cx.body.is_metadata(expr) => return true,
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

    pub fn value_of(&self, expr: ExprId) -> StructInfo {
        let value = self.cx.facts.value(expr);
        value.struct_info().unwrap_or(StructInfo::Unknown)
    }

    /// Returns the text of a StructInfo, truncated if it is very long.
    pub fn written(&self, sinfo: &StructInfo) -> String {
        let written = sinfo.display(self.cx.release.dialect());
        written.within(LONGEST).to_string()
    }

    /// Returns the text of an expression on one line, truncated if it is long.
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

impl Computation {
    pub fn operation(operation: &str) -> Computation {
        Computation {
            operation: operation.to_owned(),
            ..Computation::default()
        }
    }
}

/// The maximum length of a type: each variable may be a tuple of all others.
const LONGEST: usize = 10_000;

/// Returns the text of a type in short notation.
pub fn short(sinfo: &StructInfo) -> String {
    sinfo.short_within(LONGEST).to_string()
}

/// Returns the dimensions of a tensor or a shape, or an empty string if they are unknown.
pub fn shape(sinfo: &StructInfo) -> String {
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
