//! Loops and `with`: what a loop variable runs over, what a frame binds.

use relax::diagnostics::Code;
use relax::dtype::DType;
use text_size::TextRange;

use super::block::BLOCK_STATEMENTS;
use super::call::Made;
use super::resolve::Resolve;
use super::stmt::target_name;
use super::value::Value;
use super::{Dim, LoopFact, LoopKind, PrimDefKind};
use crate::body::{self, Arg, Expr, ExprId};
use crate::enclosing::PyValue;

impl Resolve<'_> {
    pub fn for_stmt(
        &mut self,
        target: &body::Target,
        iter: ExprId,
        stmts: &[body::Stmt],
        range: TextRange,
    ) {
        let body = self.body;
        let (callee, args) = match &body.exprs[iter] {
            Expr::Call { callee, args } => (*callee, args.as_slice()),
            _ => (iter, [].as_slice()),
        };
        let kind = match (&body.exprs[callee], self.script(callee)) {
            (Expr::Name(name), _) if name == "range" && self.lookup(name).is_none() => {
                Some(LoopKind::Serial)
            }
            (_, Some(path)) => LoopKind::parse(&path),
            _ => None,
        };
        match kind {
            Some(LoopKind::Grid) => {
                let dims = self.grid(callee, args);
                self.scoped(range, |it| {
                    it.grid_targets(target, dims, self_range(args, body, iter));
                    it.stmts(stmts);
                });
            }
            Some(kind) => {
                let fact = self.loop_fact(kind, callee, args);
                self.scoped(range, |it| {
                    match target_name(target) {
                        Some(name) => {
                            it.define(&name, name.range, PrimDefKind::Loop(fact));
                        }
                        None => it.define_python_target(target),
                    }
                    it.stmts(stmts);
                });
            }
            None => {
                if matches!(body.exprs[iter], Expr::List(_) | Expr::Tuple(_)) {
                    let message =
                        "a loop of a PrimFunc runs over `range`, `T.grid` or another loop of `T`";
                    self.report(Code::UnsupportedStatement, self.range(iter), message);
                }
                self.expr(iter);
                self.scoped(range, |it| {
                    it.define_python_target(target);
                    it.stmts(stmts);
                });
            }
        }
    }

    /// The extents of `T.grid`; `None` where only Python knows how many there are.
    fn grid(&mut self, callee: ExprId, args: &[Arg]) -> Option<Vec<LoopFact>> {
        self.callee(callee);
        let mut loops = Vec::with_capacity(args.len());
        let mut open = false;
        for arg in args {
            if arg.starred || arg.keyword.is_some() {
                open |= arg.starred;
                self.expr(arg.value);
                continue;
            }
            let (start, stop) = self.domain(arg.value);
            loops.push(LoopFact {
                kind: LoopKind::Grid,
                start: start.map(|(dim, _)| dim),
                stop: Some(stop.0),
                step: None,
                thread: None,
                dtype: stop.1,
            });
        }
        (!open).then_some(loops)
    }

    fn grid_targets(
        &mut self,
        target: &body::Target,
        loops: Option<Vec<LoopFact>>,
        extents: Option<TextRange>,
    ) {
        let Some(loops) = loops else {
            self.define_python_target(target);
            return;
        };
        let (targets, range) = match target {
            body::Target::Tuple(targets, range) => (targets.as_slice(), *range),
            _ => {
                match (target_name(target), loops.into_iter().next()) {
                    (Some(name), Some(fact)) if extents.is_none() => {
                        self.define(&name, name.range, PrimDefKind::Loop(fact));
                    }
                    _ => self.define_python_target(target),
                }
                return;
            }
        };
        let starred = targets.iter().any(|target| target_name(target).is_none());
        if starred {
            self.define_python_target(target);
            return;
        }
        if targets.len() != loops.len() {
            let message = format!(
                "`T.grid` has {}, and {} named",
                count(loops.len(), "extent"),
                are(targets.len(), "loop variable"),
            );
            self.report(Code::IterationCount, range, message);
        }
        for (at, target) in targets.iter().enumerate() {
            let (Some(name), fact) = (target_name(target), loops.get(at)) else {
                continue;
            };
            let twice = name.text != "_" && self.defined_here(&name.text).is_some();
            if twice {
                let message = format!("the loop variable `{}` is named twice", name.text);
                self.report(Code::Redefinition, name.range, message);
            }
            let kind = fact.map_or(PrimDefKind::Python, |fact| PrimDefKind::Loop(fact.clone()));
            self.define(&name, name.range, kind);
        }
    }

    /// `range(4)`, `T.serial(0, n)`, `T.thread_binding(32, thread="threadIdx.x")`.
    pub fn loop_fact(&mut self, kind: LoopKind, callee: ExprId, args: &[Arg]) -> LoopFact {
        self.callee(callee);
        let mut fact = LoopFact {
            kind,
            start: None,
            stop: None,
            step: None,
            thread: None,
            dtype: Some(DType::I32),
        };
        // `T.launch_thread("threadIdx.x", 32)` has the thread first.
        let launched = usize::from(
            kind == LoopKind::Thread && self.script(callee).as_deref() == Some("launch_thread"),
        );
        let mut bounds: Vec<(Dim, Option<DType>)> = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let keyword = arg.keyword.as_ref().map(|name| name.text.as_str());
            let is_thread = keyword.is_none() && launched == 1 && at == 0
                || keyword.is_none() && kind == LoopKind::Thread && at == 2
                || keyword == Some("thread");
            let is_bound = matches!(keyword, Some("start" | "stop" | "extent"))
                || keyword.is_none() && at < launched + 2 && !arg.starred;
            let is_step =
                keyword == Some("step") || keyword.is_none() && at == 2 && kind == LoopKind::Serial;
            if is_thread {
                fact.thread = match self.expr(arg.value) {
                    Value::Python(PyValue::Str(tag)) => Some(tag),
                    _ => None,
                };
            } else if is_step {
                fact.step = Some(self.dim(arg.value));
            } else if is_bound {
                let range = self.range(arg.value);
                let value = self.operand(arg.value);
                let dim = Dim {
                    range,
                    value: value.int(),
                };
                bounds.push((dim, value.dtype()));
            } else {
                self.expr(arg.value);
            }
        }
        match bounds.as_slice() {
            [stop] => (fact.stop, fact.dtype) = (Some(stop.0), stop.1),
            [start, stop, ..] => {
                fact.start = Some(start.0);
                fact.stop = Some(stop.0);
                fact.dtype = if start.1 == stop.1 { start.1 } else { None };
            }
            [] => {}
        }
        fact
    }

    pub fn with_stmt(
        &mut self,
        items: &[(ExprId, Option<body::Target>)],
        stmts: &[body::Stmt],
        range: TextRange,
    ) {
        let blocks = self.blocks.len();
        let mut doubt = 0;
        for (item, target) in items {
            doubt += u32::from(!self.with_item(*item, target.as_ref(), range));
        }
        // A frame that is not known may be a block.
        self.unknown_frames += doubt;
        self.stmts(stmts);
        self.unknown_frames -= doubt;
        self.blocks.truncate(blocks);
    }

    /// Whether it is known what the item does.
    fn with_item(&mut self, item: ExprId, target: Option<&body::Target>, range: TextRange) -> bool {
        let body = self.body;
        let name = target.and_then(target_name);
        let Expr::Call { callee, args } = &body.exprs[item] else {
            self.expr(item);
            self.define_targets(target);
            return false;
        };
        let path = self.script(*callee).unwrap_or_default();
        match path.as_str() {
            "block" | "sblock" => {
                self.callee(*callee);
                self.open_block(args, range);
                self.define_targets(target);
                return true;
            }
            "init" => {
                self.callee(*callee);
                self.block_statement("init", self.range(item));
                return true;
            }
            "launch_thread" => {
                let fact = self.loop_fact(LoopKind::Thread, *callee, args);
                match &name {
                    Some(name) => {
                        self.define(name, name.range, PrimDefKind::Loop(fact));
                    }
                    None => self.define_targets(target),
                }
                return true;
            }
            "LetStmt" | "let" | "Let" | "Bind" => {
                self.callee(*callee);
                let mut dtype = None;
                for arg in args {
                    let value = self.expr(arg.value);
                    if arg.keyword.is_none() {
                        dtype = value.dtype();
                    }
                }
                match &name {
                    Some(name) => {
                        let kind = PrimDefKind::Let {
                            dtype,
                            mutable: false,
                            annotated: false,
                        };
                        self.define(name, name.range, kind);
                    }
                    None => self.define_targets(target),
                }
                return true;
            }
            _ => {}
        }
        self.callee(*callee);
        match (self.make(&path, args), &name) {
            (Made::Buffer(fact), Some(name)) => {
                self.define(name, name.range, PrimDefKind::Buffer(fact));
                return true;
            }
            (Made::Pointer(fact), Some(name)) => {
                self.define(name, name.range, PrimDefKind::Pointer(Some(fact)));
                return true;
            }
            (Made::Buffer(_) | Made::Pointer(_), None) => {}
            (Made::No, _) => {
                self.args(args);
            }
        }
        self.define_targets(target);
        matches!(
            path.as_str(),
            "attr" | "realize" | "If" | "Then" | "Else" | "While" | "Assert"
        )
    }

    fn define_targets(&mut self, target: Option<&body::Target>) {
        if let Some(target) = target {
            self.define_python_target(target);
        }
    }

    /// `n`, `(low, high)`: bounds with their dtype.
    #[expect(clippy::type_complexity, reason = "the two bounds of one domain")]
    pub fn domain(&mut self, at: ExprId) -> (Option<(Dim, Option<DType>)>, (Dim, Option<DType>)) {
        let body = self.body;
        match &body.exprs[at] {
            Expr::Tuple(items) | Expr::List(items) if items.len() == 2 => {
                let (low, high) = (self.bound(items[0]), self.bound(items[1]));
                (Some(low), high)
            }
            _ => (None, self.bound(at)),
        }
    }

    fn bound(&mut self, at: ExprId) -> (Dim, Option<DType>) {
        let range = self.range(at);
        let value = self.operand(at);
        let dim = Dim {
            range,
            value: value.int(),
        };
        (dim, value.dtype())
    }

    pub fn expr_stmt(&mut self, expr: ExprId, range: TextRange) {
        let body = self.body;
        let Expr::Call { callee, args } = &body.exprs[expr] else {
            self.expr(expr);
            return;
        };
        let path = self.script(*callee).unwrap_or_default();
        if matches!(path.as_str(), "block" | "sblock") {
            self.callee(*callee);
            self.open_block(args, range);
            return;
        }
        if let Some(row) = BLOCK_STATEMENTS.iter().find(|row| row.0 == path) {
            self.block_statement(row.0, range);
        }
        match path.as_str() {
            "launch_thread" => {
                self.loop_fact(LoopKind::Thread, *callee, args);
            }
            "where" => {
                self.callee(*callee);
                for arg in args {
                    self.operand(arg.value);
                }
            }
            _ => {
                self.expr(expr);
            }
        }
    }
}

/// The range of the extents if there are several.
fn self_range(args: &[Arg], body: &body::Body, iter: ExprId) -> Option<TextRange> {
    let extents = args.iter().filter(|arg| arg.keyword.is_none()).count();
    (extents != 1).then(|| body.range(iter))
}

pub(super) fn count(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

fn are(n: usize, what: &str) -> String {
    let verb = if n == 1 { "is" } else { "are" };
    format!("{} {verb}", count(n, what))
}
