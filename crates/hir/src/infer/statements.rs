//! Statements: bindings, dataflow blocks, branches, returns.

mod bind;
mod cast;
mod function;
mod shape_variables;
mod unpack;

use relax::diagnostics::{Code, Severity};
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::{Mismatch, Shape, StructInfo, Tensor};
use relax::sym::Tri;
use relax::value::Value;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{self, Expr, ExprId, Function, Name, Stmt, StmtKind, Target};
use crate::facts::{CallFact, Join, VarId, VarKind};
use crate::incremental::state::{Outputs, UNCLEAR_OUTPUT};
use crate::infer::reports::mismatch::because;
use crate::infer::{Dataflow, Infer, Local, Scope};

impl Infer<'_> {
    pub(in crate::infer) fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                let evaluated = self.expr(*value);
                if targets.len() > 1 {
                    self.unsupported(range, "an assignment to several targets (`a = b = c`)");
                }
                for target in targets {
                    self.assign(target, *value, evaluated.clone(), None, range);
                }
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => {
                let Some(value) = value else {
                    // One that is being typed is a mistake already.
                    if self.annotation(*annotation) == StructInfo::Unknown {
                        return;
                    }
                    self.report(
                        Code::UnboundValue,
                        range,
                        "an annotation alone binds nothing",
                    );
                    return;
                };
                let evaluated = self.expr(*value);
                let sinfo = self.binding_annotation(*annotation, *value, range);
                self.assign(target, *value, evaluated, Some((*annotation, sinfo)), range);
            }
            StmtKind::AugAssign { value, op, .. } => {
                self.expr(*value);
                self.unsupported(range, &format!("`{}=`", op.text()));
                self.unclear(stmt);
            }
            StmtKind::Expr(expr) => self.expr_stmt(*expr, range),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(*value);
                }
                self.returns(*value, range);
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                self.if_stmt(*test, then, otherwise.as_deref(), range);
            }
            StmtKind::With { items, body } => self.with_stmt(items, body, range),
            StmtKind::Function(function) => self.inner_function(function, stmt),
            StmtKind::For { iter, .. } => {
                self.expr(*iter);
                self.unsupported(keyword(range, "for"), "`for`");
                self.unclear(stmt);
            }
            StmtKind::While { test, .. } => {
                self.expr(*test);
                self.unsupported(keyword(range, "while"), "`while`");
                self.unclear(stmt);
            }
            StmtKind::Assert { .. } => self.unsupported(range, "`assert`"),
            StmtKind::Pass
            | StmtKind::Error
            | StmtKind::Python {
                keyword: "nonlocal",
                ..
            } => {}
            StmtKind::Python { keyword: what, .. } => {
                let long = if *what == body::ELSE_IF {
                    body::LONG_CHAIN
                } else {
                    ""
                };
                self.unsupported(keyword(range, what), &format!("{long}`{what}`"));
                self.unclear(stmt);
            }
        }
    }

    /// The annotation of a binding. In 2022 that of a packed function's result binds the shape variables in it.
    fn binding_annotation(&mut self, at: ExprId, value: ExprId, range: TextRange) -> StructInfo {
        let calls_packed = |it: &CallFact| it.op.0.script() == "call_packed";
        if self.cx.release > Release::Rfc || !self.facts.call(value).is_some_and(calls_packed) {
            return self.annotation(at);
        }
        self.frame().implicit_dims = true;
        let sinfo = self.annotation(at);
        self.frame().implicit_dims = false;
        for var in sinfo.defined_vars() {
            self.bind_sym(&var, range);
        }
        sinfo
    }

    fn inner_function(&mut self, function: &Function, stmt: &Stmt) {
        if !function.decorators.iter().any(|it| self.is_prim_func(*it)) {
            self.local_function(function, function.header);
            return;
        }
        // In 2022 it could.
        if self.cx.release == Release::Rfc {
            self.unclear(stmt);
            return;
        }
        let name = &function.name;
        let module = self.cx.module.unwrap_or("Module");
        let message = format!(
            "a PrimFunc cannot stand in a Relax function: define `{0}` in the module, and call it with `R.call_tir({module}.{0}, ...)`",
            name.text
        );
        self.report(Code::UnsupportedStatement, name.range, message);
        self.unclear(stmt);
    }

    /// `@T.prim_func`, with or without arguments.
    fn is_prim_func(&mut self, decorator: ExprId) -> bool {
        let path = match &self.body.exprs[decorator] {
            Expr::Call { callee, .. } => *callee,
            _ => decorator,
        };
        matches!(self.expr(path), Value::Script(path)
            if path.namespace == Namespace::Tir && path.rest == "prim_func")
    }

    /// Binds the names of a reported statement to unknown values, so that the mistake is not reported again at each use.
    fn unclear(&mut self, stmt: &Stmt) {
        let mut names = Vec::new();
        stmt.for_each_bound(&mut |name| names.push(name.clone()));
        let updates = matches!(stmt.kind, StmtKind::AugAssign { .. });
        for name in names {
            if updates && self.lookup(&name.text).is_some() {
                continue;
            }
            let kind = self.kind_of_binding();
            let var = self.emit(&name, None, StructInfo::Unknown, kind, true, stmt.range);
            self.is_used(var);
        }
    }

    fn expr_stmt(&mut self, expr: ExprId, range: TextRange) {
        if let Expr::Walrus { name, value } = &self.body.exprs[expr] {
            let evaluated = self.expr(*value);
            let what = format!("`:=` (write `{} = ...`)", name.text);
            self.unsupported(range, &what);
            let target = Target::Name(name.clone());
            self.assign(&target, *value, evaluated, None, range);
            return;
        }
        let value = self.expr(expr);
        let sinfo = match value {
            Value::MatchCast(cast) => {
                self.check_match_cast(expr, &cast);
                return;
            }
            Value::Unknown if matches!(self.body.exprs[expr], Expr::Ellipsis) => {
                self.unsupported(range, "`...`");
                return;
            }
            Value::Nothing | Value::None | Value::Unknown => return,
            Value::Expr(sinfo) => sinfo,
            Value::ShapeVar { shape, .. } => StructInfo::Shape(shape),
            Value::Str(_) => {
                self.unsupported(range, "a docstring or a string alone");
                return;
            }
            _ => {
                self.unsupported(range, "an expression alone");
                return;
            }
        };
        let void = match &sinfo {
            StructInfo::Tuple(fields) => fields.is_empty(),
            StructInfo::Unknown => true,
            _ => false,
        };
        // The RFC drops what a call gives back; later dialects only what is nothing.
        if void || self.cx.release.dialect() == Dialect::Rfc {
            let name = Name {
                text: SmolStr::new_static("_"),
                range,
            };
            let kind = self.kind_of_binding();
            self.emit(&name, Some(expr), sinfo, kind, false, range);
        } else {
            let message = format!(
                "this value is dropped: `{}` must be bound to a variable",
                sinfo.quoted(self.cx.release.dialect())
            );
            self.report(Code::UnboundValue, range, message);
        }
    }

    /// Notes the result of the function, an expression whose value is known.
    pub(in crate::infer) fn returns(&mut self, value: Option<ExprId>, range: TextRange) {
        let Some(expr) = value else {
            self.report(Code::MissingReturn, range, "`return` needs a value");
            self.frame().returned.get_or_insert(range);
            return;
        };
        let value = self.facts.value(expr).clone();
        let sinfo = match value.struct_info() {
            Some(_) if matches!(value, Value::Global(_)) => self
                .bound_struct_info(expr, &value)
                .unwrap_or(StructInfo::Unknown),
            Some(_) if let Value::List(items) = &value => self.tuple_struct_info(items),
            Some(StructInfo::Prim(prim))
                if matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_)) =>
            {
                StructInfo::Prim(prim)
            }
            Some(sinfo) => sinfo,
            None => {
                let message = "what is returned must be a Relax expression";
                self.report(Code::ArgumentType, self.range(expr), message);
                StructInfo::Unknown
            }
        };
        if self.frame().branches > 0 {
            if !std::mem::replace(&mut self.frame().returns_in_branch, true) {
                self.report(
                    Code::MisplacedReturn,
                    range,
                    "a branch of an `if` cannot return: bind the value to one variable in both branches, and return it after the `if`",
                );
            }
            return;
        }
        if let Some(first) = self.frame().returned {
            self.report(
                Code::MisplacedReturn,
                range,
                "a Relax function has one `return`, at its end",
            )
            .related
            .push((first, "the first `return`".to_owned()));
            return;
        }
        self.check_sym_vars(&sinfo, self.range(expr));
        self.check_return(expr, &sinfo);
        let frame = self.frame();
        frame.returned = Some(range);
        frame.result = Some(sinfo);
        // A dataflow block that returns gives out what it returns.
        if self.in_dataflow() {
            self.output_vars_of(expr);
        }
    }

    fn check_return(&mut self, expr: ExprId, sinfo: &StructInfo) {
        let index = self.frame().index;
        let Some(annotated) = self.function(index).annotated_ret.clone() else {
            return;
        };
        if sinfo.is_subtype(&annotated, &self.sym) == Tri::No {
            let release = self.cx.release;
            let differs = sinfo.worst_mismatch(&annotated, &self.sym);
            let message = format!(
                "the function is annotated to return `{}`, but this is `{}`{}",
                annotated.quoted(release.dialect()),
                sinfo.quoted(release.dialect()),
                differs.as_ref().map_or_else(String::new, because)
            );
            let name = self.function(index).name_range;
            let at = self.range(expr);
            let diagnostic = self.report(Code::ReturnMismatch, at, message);
            diagnostic.differing = differs.as_ref().and_then(Mismatch::differing);
            let note = (name, "the annotation of this function".to_owned());
            diagnostic.related.push(note);
        }
    }

    fn output_vars_of(&mut self, expr: ExprId) {
        let vars: Vec<ExprId> = match &self.body.exprs[expr] {
            Expr::Tuple(items) => items.clone(),
            Expr::Name(_) => vec![expr],
            _ => return,
        };
        for expr in vars {
            if let Some(crate::facts::Def::Var(var)) = self.facts.def(expr).cloned() {
                self.output_var(var);
            }
        }
    }

    /// Marks a variable as an output of the dataflow block that binds it.
    pub(in crate::infer) fn output_var(&mut self, var: VarId) -> bool {
        for scope in self.scopes.iter_mut().rev() {
            if let Some(dataflow) = &mut scope.dataflow {
                if dataflow.emitted.contains(&var) {
                    dataflow.outputs.push(var);
                    self.facts.promoted.insert(var);
                    return true;
                }
                return false;
            }
        }
        let is_output = self.base.is_bound_in_block(var, &self.facts);
        if is_output {
            self.facts.outputs.push(var);
            self.facts.promoted.insert(var);
        }
        is_output
    }

    /// The dataflow block has an output that cannot be determined.
    pub(in crate::infer) fn unclear_output(&mut self) {
        let inside = self
            .scopes
            .iter_mut()
            .rev()
            .find_map(|s| s.dataflow.as_mut());
        match inside {
            Some(dataflow) => dataflow.outputs.push(UNCLEAR_OUTPUT),
            None if self.base.dataflow().is_some() => self.facts.outputs.push(UNCLEAR_OUTPUT),
            None => {}
        }
    }

    /// Notes the `R.output` of the innermost dataflow block, and says whether it had one before. `None`: the statement
    /// is not in the block itself.
    pub(in crate::infer) fn end_block(&mut self) -> Option<bool> {
        if let Some(scope) = self.scopes.last_mut() {
            let dataflow = scope.dataflow.as_mut()?;
            return Some(std::mem::replace(&mut dataflow.ended, true));
        }
        self.base.dataflow()?;
        let before = self.base.has_ended(&self.facts);
        self.facts.ended = true;
        Some(before)
    }

    fn if_stmt(
        &mut self,
        test: ExprId,
        then: &[Stmt],
        otherwise: Option<&[Stmt]>,
        range: TextRange,
    ) {
        self.expr(test);
        self.check_condition(test);
        if self.in_dataflow() {
            self.report(
                Code::ControlFlowInDataflow,
                keyword(range, "if"),
                "a dataflow block has no control flow: move this `if` out of it",
            );
        }
        let Some(otherwise) = otherwise else {
            self.report(
                Code::MissingElse,
                keyword(range, "if"),
                "an `if` of Relax is an expression: it needs an `else`",
            );
            let then_var = self.branch(then);
            self.reported_if(&[then_var]);
            return;
        };
        let branches = [self.branch(then), self.branch(otherwise)];
        let [Some(then_var), Some(else_var)] = branches else {
            self.reported_if(&branches);
            return;
        };
        let (a, b) = (self.var(then_var), self.var(else_var));
        if a.name != b.name {
            let message = format!(
                "both branches must end by binding the same variable: this one binds `{}`, the first `{}`",
                b.name, a.name
            );
            let (at, first) = (b.name_range, a.name_range);
            self.report(Code::BranchVariableMismatch, at, message)
                .related
                .push((first, "the first branch".to_owned()));
            self.reported_if(&branches);
            return;
        }
        let name = Name {
            text: a.name.clone(),
            range: a.name_range,
        };
        let joined = self.join_branches(&[a.struct_info.clone(), b.struct_info.clone()]);
        self.is_used(then_var);
        self.is_used(else_var);
        let after = self.emit(&name, None, joined, VarKind::Var, true, range);
        self.facts.joins.push(Join {
            branches: [then_var, else_var],
            after,
        });
    }

    /// The condition of an `if` is a value that the function computes; the specification wants one truth value.
    fn check_condition(&mut self, test: ExprId) {
        let value = self.facts.value(test).clone();
        let python = match &value {
            Value::None | Value::List(_) | Value::Dict(_) | Value::Annotation(_) => true,
            Value::Str(_) => self.is_type_dialect(),
            _ => false,
        };
        if python {
            let message = format!(
                "the condition of an `if` is a scalar tensor of dtype bool, and this is {}",
                value.kind_name()
            );
            let range = self.range(test);
            self.report(Code::ArgumentType, range, message);
            return;
        }
        let other = match &value {
            Value::ShapeVar { .. } => true,
            Value::Expr(StructInfo::Tensor(tensor)) => {
                // One element is one truth value, as importers of models write it.
                tensor
                    .dims()
                    .is_some_and(|dims| dims.iter().any(|dim| dim.as_int() != Some(1)))
                    || tensor
                        .known_dtype()
                        .is_some_and(|dtype| dtype != DType::BOOL)
            }
            Value::Expr(sinfo) => matches!(
                sinfo,
                StructInfo::Tuple(_) | StructInfo::Callable(_) | StructInfo::String
            ),
            _ => false,
        };
        if other && let Some(sinfo) = value.struct_info() {
            let message = format!(
                "the condition of an `if` is a scalar tensor of dtype bool, and this is `{}`",
                sinfo.quoted(self.cx.release.dialect())
            );
            let range = self.range(test);
            let reported = self.report(Code::ArgumentType, range, message);
            reported.severity = Severity::Warning;
        }
    }

    /// Behind an `if` that is reported, what its branches end with is there: that it is not is the same mistake.
    fn reported_if(&mut self, branches: &[Option<VarId>]) {
        for &var in branches.iter().flatten() {
            let name = self.var(var).name.clone();
            if self.lookup(&name).is_none() {
                self.bind_local(name, Local::Value(Value::Unknown));
            }
        }
    }

    pub(in crate::infer) fn join_branches(&self, branches: &[StructInfo; 2]) -> StructInfo {
        let keep = |var: &relax::sym::SymVar| var.is_python() || self.is_bound(var);
        let [a, b] = branches;
        let (a, b) = (
            a.erase_to_scope(&keep, &|_, _| true),
            b.erase_to_scope(&keep, &|_, _| true),
        );
        a.join(&b, &self.sym)
    }

    /// Reads one branch in a scope of its own; its value is its last binding.
    fn branch(&mut self, stmts: &[Stmt]) -> Option<VarId> {
        let bound = self.frame().bound_order.len();
        self.scopes.push(Scope::default());
        self.frame().branches += 1;
        self.block(stmts);
        self.frame().branches -= 1;
        let scope = self.scopes.pop()?;
        self.unbind_since(bound);
        let returns = stmts
            .iter()
            .any(|it| matches!(it.kind, StmtKind::Return(_)));
        if scope.last.is_none()
            && !returns
            && let Some(last) = stmts.last()
        {
            self.report(
                Code::BranchVariableMismatch,
                last.range,
                "a branch must end with a binding, which is its value",
            );
        }
        scope.last
    }

    fn with_stmt(&mut self, items: &[(ExprId, Option<Target>)], body: &[Stmt], range: TextRange) {
        let (header, dataflow) = self.with_header(items, range);
        let state = Dataflow {
            range: header,
            emitted: FxHashSet::default(),
            outputs: Vec::new(),
            ended: false,
        };
        self.scopes.push(Scope {
            dataflow: dataflow.then_some(state),
            ..Scope::default()
        });
        self.block(body);
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        if let Some(state) = scope.dataflow {
            self.end_dataflow(&state, scope.names);
        }
    }

    /// What stands before the colon: its range, and whether a dataflow block begins.
    pub(in crate::infer) fn with_header(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        range: TextRange,
    ) -> (TextRange, bool) {
        let mut dataflow = false;
        for (item, target) in items {
            let reported = self.facts.diagnostics.len();
            match self.expr(*item) {
                Value::Dataflow => dataflow = true,
                // Misspelt, as reported: there is nothing else that it could be.
                Value::Unknown => dataflow |= self.facts.diagnostics.len() > reported,
                _ => {
                    let at = self.range(*item);
                    self.unsupported(at, "`with` of anything but `R.dataflow()`");
                }
            }
            if target.is_some() {
                let at = self.range(*item);
                self.unsupported(at, "`as` in a `with`");
            }
        }
        if items.len() > 1 {
            self.unsupported(range, "a `with` of several items");
        }
        let header = items.first().map_or(range, |(item, _)| self.range(*item));
        if dataflow && self.in_dataflow() {
            self.unsupported(header, "a dataflow block in another");
        }
        (header, dataflow)
    }

    fn end_dataflow(&mut self, state: &Dataflow, names: rustc_hash::FxHashMap<SmolStr, Local>) {
        let outputs = Outputs::of(&state.outputs);
        let given_out: FxHashSet<VarId> = state.outputs.iter().copied().collect();
        let gone = names.into_iter().filter_map(|(name, local)| match local {
            Local::Var(var) if !given_out.contains(&var) => Some((name, var)),
            _ => None,
        });
        if self.is_outermost() {
            self.base
                .end_own_block(gone, state.range, outputs, &mut self.facts);
        } else {
            let of_block = |(name, var)| (name, (var, state.range, outputs));
            self.frame().gone.extend(gone.map(of_block));
        }
        for &var in state.outputs.iter().filter(|var| **var != UNCLEAR_OUTPUT) {
            let name = self.var(var).name.clone();
            self.bind_local(name, Local::Var(var));
            if let Some(scope) = self.scopes.last_mut() {
                scope.last = Some(var);
            }
        }
        if outputs == Outputs::None && !state.ended && !state.emitted.is_empty() {
            self.report(Code::MissingOutput, state.range, MISSING_OUTPUT);
        }
    }

    /// The shape of a value that is to be cast, for the RFC's `R.match_shape(x, (n, m))`.
    pub(in crate::infer) fn shape_to_match(value: &StructInfo, dims: Shape) -> StructInfo {
        match (value, dims) {
            (StructInfo::Tensor(tensor), Shape::Known(dims)) => {
                Tensor::new(dims, tensor.dtype).into()
            }
            (_, dims) => StructInfo::Shape(dims),
        }
    }
}

pub(in crate::infer) const MISSING_OUTPUT: &str =
    "this dataflow block has no `R.output`: nothing that it computes can be used";

/// The keyword that a statement begins with.
fn keyword(stmt: TextRange, text: &str) -> TextRange {
    let end = stmt.start() + text_size::TextSize::of(text);
    TextRange::new(stmt.start(), end.min(stmt.end()))
}
