//! Infers the statements of a Relax function, and its result.

mod bind;
mod branches;
mod cast;
pub(in crate::infer) mod dataflow;
mod function;
mod shape_variables;
mod unpack;

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::{Mismatch, StructInfo};
use relax::sym::Tri;
use relax::value::Value;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{self, Expr, ExprId, Function, Name, Stmt, StmtKind, Target};
use crate::facts::CallFact;
use crate::infer::Infer;
use crate::infer::reports::mismatch::because;

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
                let evaluated = self.bound_value(*value);
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
                    // An incomplete statement is already a syntax error.
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
                let evaluated = self.bound_value(*value);
                let sinfo = self.binding_annotation(*annotation, *value, range);
                self.assign(target, *value, evaluated, Some((*annotation, sinfo)), range);
            }
            StmtKind::AugAssign { value, op, .. } => {
                self.expr(*value);
                self.unsupported(range, &format!("`{}=`", op.text()));
                self.bind_as_unknown(stmt);
            }
            StmtKind::Expr(expr) => {
                let reported = self.facts.diagnostics.len();
                self.expr_stmt(*expr, range);
                let mut new = self.facts.diagnostics[reported..].iter();
                // A call of the wrong function may have been meant as `R.output`.
                if new.any(|it| matches!(it.code, Code::ArgumentCount | Code::UnboundValue)) {
                    self.unclear_output();
                }
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.used_value(*value);
                }
                self.record_return(*value, range);
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
                self.bind_as_unknown(stmt);
            }
            StmtKind::While { test, .. } => {
                self.expr(*test);
                self.unsupported(keyword(range, "while"), "`while`");
                self.bind_as_unknown(stmt);
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
                self.bind_as_unknown(stmt);
            }
        }
    }

    /// Infers the annotation of a binding. In 2022, the annotation of a packed function's result binds its shape
    /// variables.
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
        // Before TVM 0.16 it could.
        if self.cx.release <= Release::Unity {
            self.bind_as_unknown(stmt);
            return;
        }
        let name = &function.name;
        let module = self.cx.module.unwrap_or("Module");
        let message = format!(
            "a PrimFunc cannot be defined in a Relax function: define `{0}` in the module, and call it with `R.call_tir({module}.{0}, ...)`",
            name.text
        );
        self.report(Code::UnsupportedStatement, name.range, message);
        self.bind_as_unknown(stmt);
    }

    /// Returns `true` for `@T.prim_func`, with or without arguments.
    fn is_prim_func(&mut self, decorator: ExprId) -> bool {
        let path = match &self.body.exprs[decorator] {
            Expr::Call { callee, .. } => *callee,
            _ => decorator,
        };
        matches!(self.expr(path), Value::Script(path)
            if path.namespace == Namespace::Tir && path.rest == "prim_func")
    }

    /// Binds the names of a reported statement to unknown values, so that the mistake is not reported again at each use.
    fn bind_as_unknown(&mut self, stmt: &Stmt) {
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
        let value = self.used_value(expr);
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
        // The RFC allows any call as a statement; later dialects only calls without a result.
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

    /// Records the result of the function, if its expression is known.
    pub(in crate::infer) fn record_return(&mut self, value: Option<ExprId>, range: TextRange) {
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
                let message = "the returned value must be a Relax expression";
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
                "a Relax function can have only one `return`, at its end",
            )
            .related
            .push((first, "the first `return`".to_owned()));
            return;
        }
        self.check_inferred_vars(&sinfo, expr);
        self.check_return(expr, &sinfo);
        let frame = self.frame();
        frame.returned = Some(range);
        frame.result = Some(sinfo);
        // A `return` inside a dataflow block makes its value an output.
        if self.in_dataflow() {
            if self.cx.release < Release::V0_18 {
                let message = "until TVM 0.17, a dataflow block cannot return: list the value in `R.output`, and return it after the block";
                self.report(Code::MisplacedReturn, range, message);
            }
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
}

/// Returns the range of the keyword at the start of a statement.
fn keyword(stmt: TextRange, text: &str) -> TextRange {
    let end = stmt.start() + text_size::TextSize::of(text);
    TextRange::new(stmt.start(), end.min(stmt.end()))
}
