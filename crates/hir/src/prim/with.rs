//! `with`, and calls that hold the rest of their suite: blocks, launched threads, memory.

use smol_str::SmolStr;
use text_size::TextRange;

use super::nest::for_stmt;
use super::value::{Named, Value};
use super::{Entity, Reader};
use crate::body::{self, Arg, Expr, ExprId};
use crate::enclosing::PyValue;
use crate::prim_facts::{Dim, LoopFact, LoopKind, PrimDefId, PrimDefKind};
use crate::tir::{self, Block, ForKind, StmtKind, VarId};

/// A scope over the statements after it, to the end of its suite.
pub(super) struct Frame {
    /// The number of statements before it.
    before: usize,
    range: TextRange,
    kind: FrameKind,
}

pub(super) enum FrameKind {
    Block,
    Init,
    Threads {
        var: VarId,
        extent: tir::Expr,
        kind: ForKind,
        /// The variable of `T.env_thread` that is launched here.
        launched: Option<(PrimDefId, Entity)>,
    },
    /// An unknown call, which may be a block.
    Unknown,
}

impl Reader<'_> {
    pub fn emit(&mut self, kind: StmtKind, range: TextRange) {
        self.out.push(tir::Stmt { kind, range });
    }

    pub fn open_frame(&mut self, kind: FrameKind, range: TextRange) {
        self.depth += 1;
        self.unknown_frames += u32::from(matches!(kind, FrameKind::Unknown));
        self.frames.push(Frame {
            before: self.out.len(),
            range,
            kind,
        });
    }

    /// Closes the frames that were opened after the first `keep`.
    pub fn close_frames(&mut self, keep: usize) {
        while self.frames.len() > keep
            && let Some(frame) = self.frames.pop()
        {
            self.depth -= 1;
            let body = self.out.split_off(frame.before);
            let range = frame.range;
            match frame.kind {
                FrameKind::Block => {
                    if let Some(open) = self.blocks.pop() {
                        self.check_scalars(&open);
                        let block = Block { body, ..open.block };
                        self.emit(StmtKind::Block(block), range);
                    }
                }
                FrameKind::Init => match self.blocks.last_mut() {
                    Some(open) => open.block.init = body,
                    None => self.refuse(range, "`T.init` belongs to a block"),
                },
                FrameKind::Threads {
                    var,
                    extent,
                    kind,
                    launched,
                } => {
                    if let Some((id, entity)) = launched {
                        self.entities[id.0 as usize] = entity;
                    }
                    let min = tir::Expr::int(0, extent.dtype, range);
                    self.out
                        .push(for_stmt(var, min, extent, 1, kind, body, range));
                }
                FrameKind::Unknown => {
                    self.unknown_frames -= 1;
                    self.out.extend(body);
                }
            }
        }
    }

    pub fn with_stmt(
        &mut self,
        items: &[(ExprId, Option<body::Target>)],
        stmts: &[body::Stmt],
        range: TextRange,
    ) {
        let frames = self.frames.len();
        for (item, target) in items {
            self.with_item(*item, target.as_ref(), range);
        }
        self.stmts(stmts);
        self.close_frames(frames);
    }

    fn with_item(&mut self, item: ExprId, target: Option<&body::Target>, range: TextRange) {
        let body = self.body;
        let name = target.and_then(Named::of_target);
        let Expr::Call { callee, args } = &body.exprs[item] else {
            self.silent(|it| it.value(item));
            self.unknown_with(target, range);
            return;
        };
        let path = self.script(*callee).unwrap_or_default();
        if path == "attr" && self.reduce_scope(*callee, args) {
            self.define_targets(target);
            return;
        }
        self.read_callee(*callee, args);
        match path.as_str() {
            "block" | "sblock" => {
                self.open_block(args, range);
                self.define_targets(target);
                return;
            }
            "init" => {
                self.block_statement("init", self.range(item));
                self.open_frame(FrameKind::Init, range);
                return;
            }
            "launch_thread" => {
                self.launch(args, name.as_ref(), range);
                if name.is_none() {
                    self.define_targets(target);
                }
                return;
            }
            "LetStmt" | "let" | "Let" | "Bind" => {
                self.let_frame(args, name.as_ref(), range);
                if name.is_none() {
                    self.define_targets(target);
                }
                return;
            }
            "attr" | "realize" => {
                self.silent_args(args);
                self.define_targets(target);
                return;
            }
            "Assert" => {
                match self.arg("Assert", args, "condition") {
                    Some(test) => {
                        self.assert(test, self.arg("Assert", args, "message"), range);
                    }
                    None => self.refuse(range, "this has no condition"),
                }
                self.define_targets(target);
                return;
            }
            _ => {}
        }
        let empty = SmolStr::default();
        let text = name.as_ref().map_or(&empty, |name| &name.text);
        match (self.make(&path, args, (text, self.range(item))), &name) {
            (Some((kind, entity)), Some(name)) => {
                self.define(name, name.range, kind, entity);
            }
            (Some(_), None) => self.unknown_with(target, range),
            (None, _) => {
                self.silent_args(args);
                if matches!(path.as_str(), "If" | "Then" | "Else" | "While") {
                    self.refuse(range, "this `with` is not supported in a PrimFunc");
                    self.define_targets(target);
                } else {
                    self.unknown_with(target, range);
                }
            }
        }
    }

    pub fn assert(&mut self, test: ExprId, message: Option<ExprId>, range: TextRange) {
        let test = self.test(test);
        let message = match message.map(|at| self.silent(|it| it.value(at))) {
            Some(Value::Python(PyValue::Str(text))) => text,
            _ => SmolStr::default(),
        };
        self.emit(StmtKind::Assert { test, message }, range);
    }

    /// Reads a `with` over an unknown call, which may be a block.
    fn unknown_with(&mut self, target: Option<&body::Target>, range: TextRange) {
        self.refuse(range, "this `with` is not supported in a PrimFunc");
        self.define_targets(target);
        self.open_frame(FrameKind::Unknown, range);
    }

    fn define_targets(&mut self, target: Option<&body::Target>) {
        if let Some(target) = target {
            self.define_python_target(target);
        }
    }

    /// Reads `with T.LetStmt(value) as x` and `with T.let(x, value)`.
    fn let_frame(&mut self, args: &[Arg], name: Option<&Named>, range: TextRange) {
        let body = self.body;
        self.silent_args(args.iter().filter(|arg| arg.keyword.is_some()));
        let mut args = args.iter().filter(|arg| arg.keyword.is_none());
        let (first, second) = (args.next(), args.next());
        let variable = match (first, second) {
            (Some(var), Some(_)) => Some(var.value),
            _ => None,
        };
        let Some(value) = second.or(first) else {
            self.refuse(range, "this binds no value");
            return;
        };
        let value = self.value(value.value);
        let known = match variable.map(|at| (at, &body.exprs[at])) {
            Some((at, Expr::Name(text))) => {
                self.silent(|it| it.value(at));
                self.lookup(text)
            }
            _ => None,
        };
        let Some(number) = self.number_of(value, range) else {
            if let Some(name) = name {
                let kind = PrimDefKind::Let {
                    dtype: None,
                    mutable: false,
                    annotated: false,
                };
                self.define(name, name.range, kind, Entity::Hole);
            }
            return;
        };
        let value = self.strong(number);
        self.refuse_vectors(range);
        match (name, known) {
            (Some(name), _) => {
                let kind = |dtype| PrimDefKind::Let {
                    dtype: Some(dtype),
                    mutable: false,
                    annotated: false,
                };
                let var = self.define_var(name, name.range, value.dtype, kind);
                self.emit(StmtKind::Let { var, value }, range);
            }
            // The variable is declared before.
            (None, Some(id)) => {
                let var = self.var(self.facts.def(id).name.clone(), value.dtype);
                self.emit(StmtKind::Let { var, value }, range);
                self.entities[id.0 as usize] = Entity::Var(var);
            }
            (None, None) => self.refuse(range, "this binds no name"),
        }
    }

    /// Reads `T.launch_thread("threadIdx.x", 32)`: the rest of the suite runs for each thread.
    pub fn launch(&mut self, args: &[Arg], name: Option<&Named>, range: TextRange) {
        let (mut axis, mut launched, mut tag, mut extent) = (None, None, None, None);
        for (param, arg) in self.bound("launch_thread", args) {
            match param {
                "thread" => {
                    (axis, tag) = self.thread_axis(arg.value);
                    if let Expr::Name(name) = &self.body.exprs[arg.value] {
                        launched = self.lookup(name);
                    }
                }
                "extent" => extent = Some(self.bound_at(arg.value)),
                _ => self.silent_args([arg]),
            }
        }
        let (stop, number) = match extent {
            Some((stop, number)) => (Some(stop), number),
            None => (None, None),
        };
        if let Some(id) = launched
            && let PrimDefKind::Thread(fact) = &mut self.facts.defs[id.0 as usize].kind
        {
            fact.extent = stop.map(|it: Dim| it.range);
        }
        let fact = |dtype| LoopFact {
            kind: LoopKind::Thread,
            start: None,
            stop,
            step: None,
            thread: tag,
            dtype,
        };
        let (Some(axis), Some(number)) = (axis, number) else {
            self.refuse_whole(range, "this does not launch any known threads");
            if let Some(name) = name {
                let kind = PrimDefKind::Loop(fact(None));
                self.define(name, name.range, kind, Entity::Hole);
            }
            return;
        };
        let extent = self.strong(number);
        let extent = self.integer(extent);
        let min = tir::Expr::int(0, extent.dtype, range);
        let text = name.map(|name| name.text.clone());
        let text = text.or_else(|| Some(self.facts.def(launched?).name.clone()));
        let var = self.loop_var(text.unwrap_or_default(), &min, &extent);
        let launched = match name {
            Some(name) => {
                let kind = PrimDefKind::Loop(fact(Some(extent.dtype)));
                self.define(name, name.range, kind, Entity::Var(var));
                None
            }
            None => launched.map(|id| {
                let entity = &mut self.entities[id.0 as usize];
                (id, std::mem::replace(entity, Entity::Var(var)))
            }),
        };
        let kind = ForKind::Thread(axis);
        self.open_frame(
            FrameKind::Threads {
                var,
                extent,
                kind,
                launched,
            },
            range,
        );
    }
}
