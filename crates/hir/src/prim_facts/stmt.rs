//! Statements: what they bind, what they write to, and those that TVMScript has no meaning for.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::dtype::DType;

use super::call::Made;
use super::resolve::Resolve;
use super::value::{Named, Value};
use super::{Access, BufferFact, BufferOrigin, LoopKind, PrimDefKind, Target};
use crate::body::{self, Expr, ExprId, StmtKind};
use crate::enclosing::PyValue;

/// Calls that give an identity of the running thread.
const THREADS: &[&str] = &[
    "cluster_id",
    "cta_id",
    "cta_id_in_cluster",
    "cta_id_in_pair",
    "warpgroup_id",
    "warp_id",
    "warp_id_in_wg",
    "lane_id",
    "thread_id",
    "thread_id_in_wg",
    "scope_id",
];

impl Resolve<'_> {
    /// Statements of one suite; a block that a bare call opens lasts until its end.
    pub fn stmts(&mut self, stmts: &[body::Stmt]) {
        let blocks = self.blocks.len();
        for stmt in stmts {
            (self.around.give_way)();
            self.nested(|it| it.stmt(stmt));
        }
        self.blocks.truncate(blocks);
    }

    fn stmt(&mut self, stmt: &body::Stmt) {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                if targets.len() > 1 {
                    let message = "TVMScript assigns to one target at a time";
                    self.report(Code::UnsupportedStatement, range, message);
                }
                for target in targets {
                    self.assign(target, *value, range);
                }
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => self.annotated(target, *annotation, *value, range),
            StmtKind::AugAssign { target, value, .. } => {
                self.operand(*value);
                match target {
                    body::Target::Place(place) => {
                        self.operand(*place);
                        self.mark_written(*place);
                    }
                    body::Target::Name(name) => {
                        self.name(&name.text, name.range);
                        self.mark_last(name.range);
                    }
                    body::Target::Tuple(..) => {}
                }
            }
            StmtKind::Expr(expr) => self.expr_stmt(*expr, range),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(*value);
                }
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => self.if_stmt(*test, then, otherwise.as_deref()),
            StmtKind::With { items, body } => {
                self.scoped(range, |it| it.with_stmt(items, body, range));
            }
            StmtKind::For { target, iter, body } => self.for_stmt(target, *iter, body, range),
            StmtKind::While { test, body } => {
                let doubt = !self.operand(*test).is_tir();
                self.scoped(range, |it| it.doubtful_if(doubt, |it| it.stmts(body)));
            }
            StmtKind::Function(function) => self.function(function),
            StmtKind::Assert { test, message } => {
                self.operand(*test);
                if let Some(message) = message {
                    self.expr(*message);
                }
            }
            StmtKind::Pass
            | StmtKind::Python {
                keyword: "break" | "continue" | "nonlocal" | "global",
                ..
            } => {}
            StmtKind::Python { keyword, .. } => {
                let long = if *keyword == body::ELSE_IF {
                    body::LONG_CHAIN
                } else {
                    ""
                };
                let message = format!("{long}`{keyword}` has no meaning in a PrimFunc");
                self.report(Code::UnsupportedStatement, range, message);
                // What it would have bound is not known.
                self.doubt += 1;
            }
            StmtKind::Error => self.doubt += 1,
        }
    }

    fn if_stmt(&mut self, test: ExprId, then: &[body::Stmt], otherwise: Option<&[body::Stmt]>) {
        let otherwise = otherwise.unwrap_or_default();
        if self.operand(test).is_tir() {
            for branch in [then, otherwise] {
                if let (Some(first), Some(last)) = (branch.first(), branch.last()) {
                    let range = first.range.cover(last.range);
                    self.scoped(range, |it| it.stmts(branch));
                }
            }
            return;
        }
        // Python chooses a branch, and what it binds stays bound.
        self.doubtful(|it| {
            it.stmts(then);
            it.stmts(otherwise);
        });
    }

    /// A macro inside the function: its names are looked up where it is called.
    fn function(&mut self, function: &body::Function) {
        let name = Named {
            text: function.name.text.clone(),
            range: function.name.range,
        };
        self.define(&name, function.range, PrimDefKind::Function);
        self.doubtful(|it| {
            for decorator in &function.decorators {
                it.expr(*decorator);
            }
            it.scoped(function.range, |it| {
                for param in function.params.iter() {
                    if let Some(annotation) = param.annotation {
                        it.expr(annotation);
                    }
                    it.define_python(&param.name);
                }
                it.stmts(&function.body);
            });
        });
    }

    fn assign(&mut self, target: &body::Target, value: ExprId, range: text_size::TextRange) {
        match target {
            body::Target::Name(name) => {
                let named = Named {
                    text: name.text.clone(),
                    range: name.range,
                };
                self.assign_name(&named, value, range);
            }
            body::Target::Tuple(targets, _) => self.unpack(targets, value, range),
            body::Target::Place(place) => {
                let value_is = self.operand(value);
                self.store(*place, &value_is, self.range(value));
            }
        }
    }

    fn store(&mut self, place: ExprId, value: &Value, value_range: text_size::TextRange) {
        let target = self.expr(place);
        self.mark_written(place);
        match target {
            Value::Region {
                buffer,
                given,
                sliced: false,
            } if given > 0 => {
                if let PrimDefKind::Buffer(fact) = &self.facts.def(buffer).kind {
                    let rank = fact.shape.as_ref().map_or(0, Vec::len);
                    self.wrong_index_count(buffer, given, rank, self.range(place));
                }
            }
            Value::Number(_) if matches!(value, Value::Python(PyValue::Str(_))) => {
                let message = "a string is not an element of a buffer";
                self.report(Code::DtypeMismatch, value_range, message);
            }
            _ => {}
        }
    }

    /// `A[i] = ...` writes to `A`.
    pub fn mark_written(&mut self, place: ExprId) {
        if let Expr::Subscript { base, .. } = self.body.exprs[place]
            && matches!(self.body.exprs[base], Expr::Name(_))
        {
            self.mark_last(self.range(base));
        }
    }

    fn mark_last(&mut self, range: text_size::TextRange) {
        let mut mentions = self.facts.mentions.iter_mut().rev();
        if let Some(mention) = mentions.find(|it| it.range == range) {
            mention.access = Access::Write;
        }
    }

    fn assign_name(&mut self, name: &Named, value: ExprId, range: text_size::TextRange) {
        let body = self.body;
        let path = match &body.exprs[value] {
            Expr::Call { callee, .. } => self.script(*callee),
            _ => None,
        };
        if let (Some(path), Expr::Call { callee, args }) = (&path, &body.exprs[value]) {
            self.callee(*callee);
            match self.make(path, args) {
                Made::Buffer(fact) => {
                    self.define(name, range, PrimDefKind::Buffer(fact));
                    return;
                }
                Made::Pointer(fact) => {
                    self.define(name, range, PrimDefKind::Pointer(Some(fact)));
                    return;
                }
                Made::No => {}
            }
            // The callee is marked once.
            self.facts.mentions.pop();
            if let Some(axis) = path.strip_prefix("axis.") {
                self.callee(*callee);
                self.axis(axis, &[Some(name.clone())], true, args, range);
                return;
            }
            let only_keywords = args.iter().all(|arg| arg.keyword.is_some());
            match (path.as_str(), DType::of_constructor(path)) {
                ("handle" | "ptr" | "TensorMap", _) => {
                    self.expr(value);
                    self.define(name, range, PrimDefKind::Handle);
                    return;
                }
                (_, Some(dtype)) if only_keywords => {
                    self.expr(value);
                    self.declare(name, Some(dtype), range);
                    return;
                }
                ("var" | "Var" | "SizeVar", _) => {
                    self.callee(*callee);
                    let mut dtype = Some(DType::I32);
                    for arg in args {
                        let is_name = args.len() > 1 && self.is_first_string(args, arg);
                        dtype = if is_name {
                            dtype
                        } else {
                            self.dtype(arg.value)
                        };
                    }
                    self.declare(name, dtype, range);
                    return;
                }
                ("env_thread", _) => {
                    self.expr(value);
                    let tag = match args.first().map(|arg| &body.exprs[arg.value]) {
                        Some(Expr::Str(tag)) => tag.clone(),
                        _ => smol_str::SmolStr::default(),
                    };
                    self.define(name, range, PrimDefKind::Thread(tag));
                    return;
                }
                ("launch_thread", _) => {
                    let fact = self.loop_fact(LoopKind::Thread, *callee, args);
                    self.define(name, range, PrimDefKind::Loop(fact));
                    return;
                }
                (identity, _) if THREADS.contains(&identity) => {
                    self.expr(value);
                    self.define(name, range, PrimDefKind::Thread(identity.into()));
                    return;
                }
                ("alloc_scalar" | "local_scalar" | "shared_scalar" | "decl_scalar", _) => {
                    self.callee(*callee);
                    let dtype = Self::arg(args, 0, "dtype");
                    let dtype = dtype.map_or(Some(DType::F32), |at| self.dtype(at));
                    let rest = args.iter().skip(1);
                    rest.for_each(|arg| drop(self.expr(arg.value)));
                    let kind = PrimDefKind::Let {
                        dtype,
                        mutable: true,
                        annotated: true,
                    };
                    self.define(name, range, kind);
                    return;
                }
                _ => {}
            }
        }
        let is_script_call = path.is_some();
        let annotated = path.is_some_and(|path| DType::of_constructor(&path).is_some());
        let is_view = self.is_view(value);
        let value = self.expr(value);
        if self.writes_existing(name, &value) {
            return;
        }
        let mutable = self.around.dialect == Dialect::Type;
        let kind = match value {
            Value::Buffer(id) => match &self.facts.def(id).kind {
                PrimDefKind::Buffer(fact) => PrimDefKind::Buffer(BufferFact {
                    origin: BufferOrigin::View,
                    ..fact.clone()
                }),
                _ => PrimDefKind::Python,
            },
            Value::Pointer => PrimDefKind::Pointer(None),
            Value::Handle => PrimDefKind::Handle,
            Value::Number(number) => PrimDefKind::Let {
                dtype: number.dtype,
                mutable,
                annotated,
            },
            Value::Python(PyValue::Int(_) | PyValue::Float(_) | PyValue::Bool(_)) => {
                PrimDefKind::Let {
                    dtype: value.dtype(),
                    mutable,
                    annotated,
                }
            }
            Value::Unknown if is_view => PrimDefKind::Buffer(BufferFact {
                origin: BufferOrigin::View,
                shape: None,
                dtype: None,
                strides: None,
                offset: None,
                scope: None,
            }),
            Value::Unknown if is_script_call => PrimDefKind::Let {
                dtype: None,
                mutable,
                annotated,
            },
            _ => PrimDefKind::Python,
        };
        self.define(name, range, kind);
    }

    /// In the Type dialect an assignment to a scalar that exists writes to it.
    fn writes_existing(&mut self, name: &Named, value: &Value) -> bool {
        let Some(id) = self.lookup(&name.text) else {
            return false;
        };
        let is_number = value.is_tir() || value.dtype().is_some();
        let writes = match &self.facts.def(id).kind {
            PrimDefKind::Let { mutable, .. } => *mutable,
            PrimDefKind::Buffer(fact) => {
                let dims = fact.shape.as_deref().unwrap_or_default();
                matches!(dims, [dim] if dim.value == Some(1))
            }
            _ => false,
        };
        let writes = writes && is_number && self.around.dialect == Dialect::Type;
        if writes {
            self.mention(name.range, Target::Def(id), Access::Write);
        }
        writes
    }

    /// `A.view(...)`, `A.local(...)`: another look at a buffer.
    fn is_view(&self, value: ExprId) -> bool {
        let Expr::Call { callee, .. } = &self.body.exprs[value] else {
            return false;
        };
        matches!(&self.body.exprs[*callee], Expr::Attribute { base, .. } if self.buffer_named(*base).is_some())
    }

    fn is_first_string(&self, args: &[body::Arg], arg: &body::Arg) -> bool {
        let first = args.first().is_some_and(|first| first.value == arg.value);
        first && matches!(self.body.exprs[arg.value], Expr::Str(_)) && arg.keyword.is_none()
    }

    /// `n = T.int64()`; where a shape has named `n` before, it is that variable.
    fn declare(&mut self, name: &Named, dtype: Option<DType>, range: text_size::TextRange) {
        if let Some(id) = self.lookup(&name.text)
            && matches!(self.facts.def(id).kind, PrimDefKind::ShapeVar(_))
        {
            self.mention(name.range, Target::Def(id), Access::Read);
            return;
        }
        self.define(name, range, PrimDefKind::ShapeVar(dtype));
    }

    fn unpack(&mut self, targets: &[body::Target], value: ExprId, range: text_size::TextRange) {
        let body = self.body;
        if let Expr::Tuple(items) | Expr::List(items) = &body.exprs[value]
            && items.len() == targets.len()
            && !items
                .iter()
                .any(|&it| matches!(body.exprs[it], Expr::Star(_)))
        {
            for (target, &item) in targets.iter().zip(items) {
                self.assign(target, item, range);
            }
            return;
        }
        let names: Vec<Option<Named>> = targets.iter().map(target_name).collect();
        let open = names.iter().any(Option::is_none);
        if let Expr::Call { callee, args } = &body.exprs[value]
            && let Some(path) = self.script(*callee)
        {
            if let Some(axis) = path.strip_prefix("axis.")
                && !open
            {
                self.callee(*callee);
                self.axis(axis, &names, false, args, range);
                return;
            }
            if THREADS.contains(&path.as_str()) {
                self.expr(value);
                for name in names.iter().flatten() {
                    self.define(name, range, PrimDefKind::Thread(path.clone()));
                }
                return;
            }
        }
        let is_shape = matches!(&body.exprs[value], Expr::Attribute { base, name } if name.text == "shape" && self.buffer_named(*base).is_some());
        self.expr(value);
        for target in targets {
            match target_name(target) {
                Some(name) if is_shape => {
                    let kind = PrimDefKind::Let {
                        dtype: None,
                        mutable: self.around.dialect == Dialect::Type,
                        annotated: false,
                    };
                    self.define(&name, range, kind);
                }
                _ => self.define_python_target(target),
            }
        }
    }

    /// `x: T.let[T.float32] = value`, `x: T.float32 = value`, `x: T.float32[4]`.
    fn annotated(
        &mut self,
        target: &body::Target,
        annotation: ExprId,
        value: Option<ExprId>,
        range: text_size::TextRange,
    ) {
        let value = value.map(|at| self.operand(at));
        self.expr(annotation);
        let Some(name) = target_name(target) else {
            self.define_python_target(target);
            return;
        };
        let body = self.body;
        let (root, index) = match &body.exprs[annotation] {
            Expr::Subscript { base, index } => (*base, Some(*index)),
            Expr::Call { callee, .. } => (*callee, None),
            _ => (annotation, None),
        };
        let path = self.script(root).unwrap_or_default();
        let kind = match (path.as_str(), DType::of_constructor(&path), index) {
            ("let" | "Let", _, inner) => {
                let inner = inner.and_then(|at| {
                    let (callee, _) = self.call_parts(at);
                    DType::of_constructor(&self.script(callee)?)
                });
                let dtype = inner.or_else(|| value?.dtype());
                PrimDefKind::Let {
                    dtype,
                    mutable: false,
                    annotated: inner.is_some(),
                }
            }
            // `T.float32[4, 4]`: elements of the thread's own.
            (_, Some(dtype), Some(index)) if value.is_none() => {
                let shape = self.dims(index);
                PrimDefKind::Buffer(BufferFact {
                    origin: BufferOrigin::Alloc,
                    shape,
                    dtype: Some(dtype),
                    strides: None,
                    offset: None,
                    scope: Some(smol_str::SmolStr::new_static("local")),
                })
            }
            ("handle", _, _) => PrimDefKind::Handle,
            (_, Some(dtype), _) => PrimDefKind::Let {
                dtype: Some(dtype),
                mutable: self.around.dialect == Dialect::Type,
                annotated: true,
            },
            _ => PrimDefKind::Let {
                dtype: None,
                mutable: self.around.dialect == Dialect::Type,
                annotated: true,
            },
        };
        self.define(&name, range, kind);
    }
}

pub(super) fn target_name(target: &body::Target) -> Option<Named> {
    match target {
        body::Target::Name(name) => Some(Named {
            text: name.text.clone(),
            range: name.range,
        }),
        _ => None,
    }
}
