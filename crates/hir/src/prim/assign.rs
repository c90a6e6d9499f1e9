//! Assignments: lets, buffers, unpacking, stores.

use relax::diagnostics::{Code, Diagnostic};
use relax::dialect::Dialect;
use relax::dtype::DType;
use smol_str::SmolStr;
use text_size::TextRange;

use super::value::{Named, Value};
use super::{Entity, Reader, arith};
use crate::body::{Arg, Expr, ExprId, Target};
use crate::enclosing::PyValue;
use crate::prim_facts::{
    self, Access, BufferFact, BufferOrigin, PrimDefId, PrimDefKind, ThreadFact,
};
use crate::tir::{self, BufferId, Data, ExprKind, StmtKind, VarId};

/// Calls that return an identity of the running thread.
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

impl Reader<'_> {
    pub fn assign(&mut self, target: &Target, value: ExprId, range: TextRange) {
        match target {
            Target::Name(name) => self.assign_name(&Named::of(name), value, range),
            Target::Tuple(targets, _) => self.unpack(targets, value, range),
            Target::Place(place) => {
                let at = self.range(value);
                let value = self.operand(value);
                let target = self.value(*place);
                self.mark_written(*place);
                if let (true, Value::Python(PyValue::Str(_))) = (target.is_number(), &value) {
                    let message = "a string is not an element of a buffer";
                    self.report(Code::DtypeMismatch, at, message);
                    return;
                }
                let value = self.number_of(value, at);
                self.store(target, value, self.range(*place), range);
            }
        }
    }

    /// Marks the buffer that an assignment writes to: `A` in `A[i] = ...`.
    pub fn mark_written(&mut self, place: ExprId) {
        if let Expr::Subscript { base, .. } = self.body.exprs[place]
            && matches!(self.body.exprs[base], Expr::Name(_))
        {
            self.mark_last(self.range(base));
        }
    }

    pub fn mark_last(&mut self, range: TextRange) {
        let mut mentions = self.facts.mentions.iter_mut().rev();
        if let Some(mention) = mentions.find(|it| it.range == range) {
            mention.access = Access::Write;
        }
    }

    fn assign_name(&mut self, name: &Named, value: ExprId, range: TextRange) {
        let body = self.body;
        let called = match &body.exprs[value] {
            Expr::Call { callee, args } => self.script(*callee).map(|path| (path, *callee, args)),
            _ => None,
        };
        if let Some((path, callee, args)) = &called
            && self.assign_call(name, path, *callee, args, range)
        {
            return;
        }
        if let Some((fact, id)) = self.view(&name.text, value, range) {
            self.check_defined_once(name);
            self.define(name, range, PrimDefKind::Buffer(fact), Entity::Buffer(id));
            return;
        }
        let path = called.map(|(path, ..)| path);
        let is_view = self.is_view(value);
        let at = self.range(value);
        let value = self.value(value);
        if let Some(id) = self.writes_existing(name, &value) {
            let value = self.number_of(value, at);
            return self.write_scalar(id, value, range);
        }
        let aliases = path
            .as_deref()
            .is_some_and(|it| matches!(it, "meta_var" | "I.meta_var"));
        let is_call = path.is_some();
        let annotated = path.is_some_and(|path| DType::of_constructor(&path).is_some());
        let mutable = self.around.release.assigns_scalars();
        let kind = |dtype| PrimDefKind::Let {
            dtype,
            mutable,
            annotated,
        };
        let (kind, entity) = match value {
            Value::Buffer(id) => {
                let entity = self.buffer_id(id).map_or(Entity::Hole, Entity::Buffer);
                match &self.facts.def(id).kind {
                    PrimDefKind::Buffer(fact) => {
                        let fact = BufferFact {
                            origin: BufferOrigin::View,
                            ..fact.clone()
                        };
                        (PrimDefKind::Buffer(fact), entity)
                    }
                    _ => (PrimDefKind::Python, entity),
                }
            }
            Value::Pointer(memory) => (
                PrimDefKind::Pointer(None),
                memory.map_or(Entity::Hole, Entity::Pointer),
            ),
            Value::Handle(at) => (PrimDefKind::Handle, at.map_or(Entity::Hole, Entity::Handle)),
            Value::Number(number) if aliases => {
                let value = self.strong(number);
                (kind(Some(value.dtype)), Entity::Alias(value))
            }
            Value::Number(_)
            | Value::Python(PyValue::Int(_) | PyValue::Float(_) | PyValue::Bool(_)) => {
                let Some(number) = self.number_of(value, at) else {
                    return;
                };
                let value = self.strong(number);
                self.check_defined_once(name);
                let var = self.define_var(name, range, value.dtype, |dtype| kind(Some(dtype)));
                self.emit(StmtKind::Let { var, value }, range);
                return;
            }
            Value::Thread(_) => (kind(Some(DType::I32)), Entity::Hole),
            Value::Untyped => (kind(None), Entity::Hole),
            Value::Items(items) => (PrimDefKind::Python, Entity::Items(items)),
            Value::Python(known) => (PrimDefKind::Python, Entity::Python(known)),
            Value::Unknown if is_view => {
                let fact = BufferFact {
                    origin: BufferOrigin::View,
                    shape: None,
                    dtype: None,
                    strides: None,
                    offset: None,
                    scope: None,
                };
                (PrimDefKind::Buffer(fact), Entity::Hole)
            }
            Value::Unknown if is_call => (kind(None), Entity::Hole),
            _ => (PrimDefKind::Python, Entity::Hole),
        };
        if matches!(entity, Entity::Hole) {
            self.not_a_number(at);
        }
        match entity {
            Entity::Buffer(buffer) => self.check_alias(name, buffer),
            Entity::Pointer(_) => self.check_defined_once(name),
            _ => {}
        }
        self.define(name, range, kind, entity);
    }

    /// Assigns the result of some calls under `T`; returns `false` for other calls.
    fn assign_call(
        &mut self,
        name: &Named,
        path: &SmolStr,
        callee: ExprId,
        args: &[Arg],
        range: TextRange,
    ) -> bool {
        let mentions = self.facts.mentions.len();
        self.read_callee(callee, args);
        if let Some((kind, entity)) = self.make(path, args, (&name.text, range)) {
            self.check_defined_once(name);
            let made = self.define(name, range, kind, entity);
            self.note_undeclared(made, path, callee);
            return true;
        }
        if let Some(axis) = path.strip_prefix("axis.") {
            self.axis(axis, &[Some(name.clone())], true, args, range);
            return true;
        }
        let only_keywords = args.iter().all(|arg| arg.keyword.is_some());
        let (kind, entity) = match (path.as_str(), DType::of_constructor(path)) {
            ("handle" | "ptr" | "TensorMap", _) => {
                self.silent_args(args);
                (PrimDefKind::Handle, Entity::Hole)
            }
            (_, Some(dtype)) if only_keywords => {
                self.silent_args(args);
                self.declare(name, Some(dtype), range);
                return true;
            }
            ("var" | "Var" | "SizeVar", _) => {
                let mut dtype = Some(DType::I32);
                for (at, arg) in args.iter().enumerate() {
                    let is_text = matches!(self.body.exprs[arg.value], Expr::Str(_));
                    let is_name = at == 0 && args.len() > 1 && is_text && arg.keyword.is_none();
                    if !is_name {
                        dtype = self.dtype(arg.value);
                    }
                }
                self.declare(name, dtype, range);
                return true;
            }
            ("env_thread", _) => {
                let (axis, tag) = match args.first() {
                    Some(tag) => self.thread_axis(tag.value),
                    None => (None, None),
                };
                self.silent_args(args.iter().skip(1));
                let entity = axis.map_or(Entity::Hole, Entity::Thread);
                (thread(tag.unwrap_or_default()), entity)
            }
            ("launch_thread", _) => {
                self.launch(args, Some(name), range);
                return true;
            }
            (identity, _) if THREADS.contains(&identity) => {
                self.check_identity(args);
                self.silent_args(args);
                self.refuse(range, format!("`T.{path}` does not run on this machine"));
                (thread(identity.into()), Entity::Hole)
            }
            ("alloc_scalar" | "local_scalar" | "shared_scalar" | "decl_scalar", _) => {
                let dtype = self.arg(path, args, "dtype");
                let dtype = dtype.map_or(Some(DType::F32), |at| self.dtype(at));
                self.silent_args(args.iter().skip(1));
                self.refuse(range, format!("`T.{path}` does not run on this machine"));
                let kind = PrimDefKind::Let {
                    dtype,
                    mutable: true,
                    annotated: true,
                };
                (kind, Entity::Hole)
            }
            _ => {
                // The callee is marked where the call is read.
                self.facts.mentions.truncate(mentions);
                return false;
            }
        };
        self.check_defined_once(name);
        self.define(name, range, kind, entity);
        true
    }

    /// Checks the extents and the dtype of an identity of the running thread: `T.thread_id([128])`.
    fn check_identity(&mut self, args: &[Arg]) {
        let body = self.body;
        if let Some(Expr::List(extents)) = args.first().map(|arg| &body.exprs[arg.value]) {
            for &extent in extents {
                let value = self.silent(|it| it.value(extent)).int();
                if value.is_some_and(|it| it <= 0) {
                    let message = "the number of threads must be positive";
                    self.report(Code::ArgumentValue, self.range(extent), message);
                }
            }
        }
        for arg in args.iter().skip(1) {
            if let Expr::Str(text) = &body.exprs[arg.value]
                && DType::parse(text).is_some_and(|it| !it.is_int())
            {
                let message = "the identity of a thread is an int32";
                self.report(Code::DtypeMismatch, self.range(arg.value), message);
            }
        }
    }

    /// Returns the existing scalar that the assignment writes to, as in the Type dialect.
    fn writes_existing(&mut self, name: &Named, value: &Value) -> Option<PrimDefId> {
        let id = self.lookup(&name.text)?;
        let is_number = value.is_tir() || value.dtype().is_some();
        let writes = is_number && self.is_written_by_name(id);
        if writes {
            self.mention(name.range, prim_facts::Target::Def(id), Access::Write);
        }
        writes.then_some(id)
    }

    /// Returns whether `x = value` writes to this definition.
    pub fn is_written_by_name(&self, id: PrimDefId) -> bool {
        let is_scalar = match &self.facts.def(id).kind {
            PrimDefKind::Let { mutable, .. } => *mutable,
            PrimDefKind::Buffer(fact) => {
                let dims = fact.shape.as_deref().unwrap_or_default();
                matches!(dims, [dim] if dim.value == Some(1))
            }
            _ => false,
        };
        is_scalar && self.around.release.assigns_scalars()
    }

    /// Returns whether a call makes a view of a buffer: `A.view(...)`, `A.local(...)`.
    fn is_view(&self, value: ExprId) -> bool {
        let Expr::Call { callee, .. } = &self.body.exprs[value] else {
            return false;
        };
        matches!(&self.body.exprs[*callee], Expr::Attribute { base, .. } if self.buffer_named(*base).is_some())
    }

    /// Declares `n = T.int64()`. If a shape has named `n` before, it is that variable.
    fn declare(&mut self, name: &Named, dtype: Option<DType>, range: TextRange) {
        if let Some(id) = self.lookup(&name.text)
            && let def = self.facts.def(id)
            && matches!(def.kind, PrimDefKind::ShapeVar(_))
        {
            // Only names that a statement has declared, not those in a string.
            if def.range != def.name_range {
                self.check_defined_once(name);
            }
            self.mention(name.range, prim_facts::Target::Def(id), Access::Read);
            if let (&Entity::Var(var), Some(dtype)) = (self.entity(id), dtype) {
                self.redeclared(var, dtype);
            }
            return;
        }
        self.check_defined_once(name);
        let entity = match dtype {
            Some(dtype) => Entity::Var(self.var(name.text.clone(), dtype)),
            None => Entity::Hole,
        };
        self.define(name, range, PrimDefKind::ShapeVar(dtype), entity);
    }

    /// Gives a dtype to a variable that shapes have named before.
    pub fn redeclared(&mut self, var: VarId, dtype: DType) {
        self.func.vars[var.0 as usize].dtype = dtype;
        let mut buffers = std::mem::take(&mut self.func.buffers);
        for buffer in &mut buffers {
            let strides = buffer.strides.iter_mut().flatten();
            let dims = buffer.shape.iter_mut().chain(strides);
            for expr in dims.chain(&mut buffer.offset) {
                if let Some(made) = self.with_redeclared(expr, var) {
                    *expr = made;
                }
            }
        }
        self.func.buffers = buffers;
    }

    /// Returns an expression with the new dtype of a variable; `None` if it does not contain the variable.
    fn with_redeclared(&mut self, expr: &tir::Expr, var: VarId) -> Option<tir::Expr> {
        match &expr.kind {
            ExprKind::Var(it) => (*it == var).then(|| self.var_expr(var, expr.range)),
            ExprKind::Cast(inner) => {
                let inner = self.with_redeclared(inner, var)?;
                Some(arith::cast(inner, expr.dtype))
            }
            ExprKind::Binary(op, a, b) => {
                let made = [self.with_redeclared(a, var), self.with_redeclared(b, var)];
                if made.iter().all(Option::is_none) {
                    return None;
                }
                let [a, b] = [(a, &made[0]), (b, &made[1])]
                    .map(|(old, new)| new.clone().unwrap_or_else(|| (**old).clone()));
                let (a, b) = (arith::Number::strong(a), arith::Number::strong(b));
                Some(self.binary(*op, a, b, expr.range).expr)
            }
            _ => None,
        }
    }

    fn unpack(&mut self, targets: &[Target], value: ExprId, range: TextRange) {
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
        let names: Vec<Option<Named>> = targets.iter().map(Named::of_target).collect();
        let open = names.iter().any(Option::is_none);
        if let Expr::Call { callee, args } = &body.exprs[value]
            && let Some(path) = self.script(*callee)
        {
            if let Some(axis) = path.strip_prefix("axis.")
                && !open
            {
                self.read_callee(*callee, args);
                self.axis(axis, &names, false, args, range);
                return;
            }
            if THREADS.contains(&path.as_str()) {
                self.value(value);
                for name in names.iter().flatten() {
                    self.define(name, range, thread(path.clone()), Entity::Hole);
                }
                return;
            }
        }
        let dims = match self.value(value) {
            Value::Items(items) if items.len() == targets.len() => items,
            _ => {
                self.unsupported(range);
                Vec::new()
            }
        };
        let mut dims = dims.into_iter();
        for target in targets {
            match (Named::of_target(target), dims.next()) {
                (Some(name), Some(value)) => {
                    let kind = |dtype| PrimDefKind::Let {
                        dtype: Some(dtype),
                        mutable: self.around.release.assigns_scalars(),
                        annotated: false,
                    };
                    let kind = kind(value.dtype);
                    self.check_defined_once(&name);
                    let var = self.define_var(&name, range, value.dtype, |_| kind);
                    self.emit(StmtKind::Let { var, value }, range);
                }
                _ => self.define_python_target(target),
            }
        }
    }

    /// Reads `x: T.let[T.float32] = value`, `x: T.float32 = value` and `x: T.float32[4]`.
    pub fn annotated(
        &mut self,
        target: &Target,
        annotation: ExprId,
        value: Option<ExprId>,
        range: TextRange,
    ) {
        let Some(name) = Named::of_target(target) else {
            if let Some(value) = value {
                self.value(value);
            }
            self.silent(|it| it.value(annotation));
            self.unsupported(range);
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
        let dtype = DType::of_constructor(&path).filter(|it| *it != DType::HANDLE);
        let Some(value) = value else {
            // `T.float32[4, 4]` allocates elements for the thread alone.
            if let (Some(dtype), Some(index)) = (dtype, index) {
                self.callee(root);
                self.local_buffer(&name, dtype, index, range);
                return;
            }
            self.silent(|it| it.value(annotation));
            self.unsupported(range);
            let kind = match path.as_str() {
                "handle" => PrimDefKind::Handle,
                path => self.let_kind(path, dtype, None),
            };
            self.define(&name, range, kind, Entity::Hole);
            return;
        };
        let at = self.range(value);
        let value = self.operand(value);
        self.silent(|it| it.value(annotation));
        let inner = match path.as_str() {
            "let" | "Let" => index.and_then(|at| {
                let (callee, _) = self.call_parts(at);
                DType::of_constructor(&self.script(callee)?)
            }),
            _ => dtype,
        };
        let kind = match path.as_str() {
            "handle" => PrimDefKind::Handle,
            path => self.let_kind(path, inner, value.dtype()),
        };
        let entity = match value {
            Value::Pointer(Some(memory)) => Entity::Pointer(memory),
            value => match self.number_of(value, at) {
                Some(number) => {
                    let mut value = self.strong(number);
                    if let Some(dtype) = inner.filter(|it| *it != DType::HANDLE) {
                        value = arith::cast(value, dtype);
                    }
                    let var = self.var(name.text.clone(), value.dtype);
                    self.emit(StmtKind::Let { var, value }, range);
                    Entity::Var(var)
                }
                None => Entity::Hole,
            },
        };
        self.check_defined_once(&name);
        self.define(&name, range, kind, entity);
    }

    /// Returns the kind of an annotated name, from the name under `T` and its dtype.
    fn let_kind(&self, path: &str, said: Option<DType>, of_value: Option<DType>) -> PrimDefKind {
        let is_let = matches!(path, "let" | "Let");
        PrimDefKind::Let {
            dtype: said.or(of_value.filter(|_| is_let)),
            mutable: !is_let && self.around.release.assigns_scalars(),
            annotated: !is_let || said.is_some(),
        }
    }

    /// Reports a name that this scope has defined already, which TVM refuses.
    fn check_defined_once(&mut self, name: &Named) {
        if self.around.open || self.around.release.dialect() == Dialect::Rfc {
            return;
        }
        let Some(id) = self.defined_here(&name.text) else {
            return;
        };
        // The printer of the RFC wrote `T.env_thread` once for each use.
        let may_be_rfc = self.around.releases.since.dialect() == Dialect::Rfc;
        if may_be_rfc && matches!(self.facts.def(id).kind, PrimDefKind::Thread(_)) {
            return;
        }
        // A name that a branch of Python has bound may be unbound.
        if matches!(self.entity(id), Entity::Hole)
            && !matches!(self.facts.def(id).kind, PrimDefKind::Buffer(_))
        {
            return;
        }
        let def = self.facts.def(id);
        let is_outermost = self.scopes.len() == 1;
        // TVM prints a buffer that `T.reads` names before the statement that allocates it.
        if let (PrimDefKind::Buffer(fact), false) = (&def.kind, is_outermost)
            && fact.origin == BufferOrigin::View
        {
            return;
        }
        let first = def.name_range;
        let scope = if is_outermost { "function" } else { "block" };
        let message = format!("`{}` is already defined in this {scope}", name.text);
        let diagnostic = Diagnostic::new(Code::Redefinition, name.range, message);
        self.diagnose(diagnostic.related(first, "the first one"));
    }

    /// Like `check_defined_once` for an alias of a buffer, which may be defined twice.
    fn check_alias(&mut self, name: &Named, buffer: BufferId) {
        let Some(id) = self.defined_here(&name.text) else {
            return;
        };
        let is_same = matches!(self.entity(id), Entity::Buffer(known) if *known == buffer);
        if !is_same && !self.is_written_by_name(id) {
            self.check_defined_once(name);
        }
    }

    fn local_buffer(&mut self, name: &Named, dtype: DType, index: ExprId, range: TextRange) {
        let positional = |value| Arg {
            keyword: None,
            starred: false,
            is_mapping: false,
            value,
        };
        let (origin, data) = (BufferOrigin::Alloc, Some(Data::Alloc));
        let place = (&name.text, range);
        let (mut fact, id) = self.buffer("Buffer", &[positional(index)], origin, data, place);
        let scope = SmolStr::new_static("local");
        let buffer = &mut self.func.buffers[id.0 as usize];
        (buffer.dtype, buffer.scope) = (dtype, scope.clone());
        (fact.dtype, fact.scope) = (Some(dtype), Some(scope));
        self.define(name, range, PrimDefKind::Buffer(fact), Entity::Buffer(id));
    }
}

/// Returns the kind of a thread axis that is not launched.
fn thread(tag: SmolStr) -> PrimDefKind {
    PrimDefKind::Thread(ThreadFact { tag, extent: None })
}
