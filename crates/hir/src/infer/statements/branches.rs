//! Infers `if` statements: the condition, the branches, and the variable that both bind.

use relax::diagnostics::{Code, Severity};
use relax::dtype::DType;
use relax::sinfo::StructInfo;
use relax::value::Value;
use text_size::TextRange;

use super::keyword;
use crate::body::{ExprId, Name, Stmt, StmtKind};
use crate::facts::{Join, VarId, VarKind};
use crate::infer::{Infer, Local, Scope};

impl Infer<'_> {
    pub(super) fn if_stmt(
        &mut self,
        test: ExprId,
        then: &[Stmt],
        otherwise: Option<&[Stmt]>,
        range: TextRange,
    ) {
        self.used_value(test);
        self.check_condition(test);
        if self.in_dataflow() {
            self.report(
                Code::ControlFlowInDataflow,
                keyword(range, "if"),
                "a dataflow block cannot contain control flow: move this `if` out of it",
            );
        }
        let is_reported = self.in_dataflow();
        let Some(otherwise) = otherwise else {
            if !is_reported {
                self.report(
                    Code::MissingElse,
                    keyword(range, "if"),
                    "an `if` of Relax is an expression: it needs an `else`",
                );
            }
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
            if is_reported {
                self.reported_if(&branches);
                return;
            }
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

    /// Checks the condition of an `if`: it must be a run-time value, and by the specification a single boolean.
    fn check_condition(&mut self, test: ExprId) {
        let value = self.facts.value(test).clone();
        let python = match &value {
            Value::None | Value::List(_) | Value::Dict(_) | Value::Annotation(_) => true,
            Value::Str(_) => self.is_type_dialect(),
            _ => false,
        };
        if python {
            let message = format!(
                "the condition of an `if` must be a scalar tensor of dtype bool, but this is {}",
                value.kind_name()
            );
            let range = self.range(test);
            self.report(Code::ArgumentType, range, message);
            return;
        }
        let other = match &value {
            Value::ShapeVar { .. } => true,
            Value::Expr(StructInfo::Tensor(tensor)) => {
                // Model importers use tensors with one element as conditions.
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
                "the condition of an `if` must be a scalar tensor of dtype bool, but this is `{}`",
                sinfo.quoted(self.cx.release.dialect())
            );
            let range = self.range(test);
            let reported = self.report(Code::ArgumentType, range, message);
            reported.severity = Severity::Warning;
        }
    }

    /// After a reported `if`, makes the variables at the end of the branches unknown instead of undefined, so that the
    /// mistake is not reported again.
    fn reported_if(&mut self, branches: &[Option<VarId>]) {
        for &var in branches.iter().flatten() {
            let name = self.var(var).name.clone();
            if self.lookup(&name).is_none() {
                self.bind_local(name, Local::Value(Value::Unknown));
            }
        }
    }

    pub(in crate::infer) fn join_branches(&self, branches: &[StructInfo; 2]) -> StructInfo {
        // TVM keeps shape variables of the function itself; one of a function around it is erased (`BeginScope` in
        // `src/relax/ir/block_builder.cc`).
        let own = self.frames.last().filter(|_| !self.is_outermost());
        let keep = |var: &relax::sym::SymVar| {
            let is_kept = own.map_or_else(|| self.is_bound(var), |it| it.bound.contains(var));
            var.is_python() || is_kept
        };
        let [a, b] = branches;
        let (a, b) = (
            a.erase_to_scope(&keep, &|_, _| true),
            b.erase_to_scope(&keep, &|_, _| true),
        );
        a.join(&b, &self.sym)
    }

    /// Infers a branch in its own scope. Its value is its last binding.
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
            && !self.in_dataflow()
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
}
