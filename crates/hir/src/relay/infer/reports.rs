//! Reports: the parts of two types that differ, and how the expression got its type.

use std::fmt::Write;

use relax::relay::{Differing, Type};
use relax::{Code, Diagnostic};

use text_size::TextRange;

use super::super::body::{Expr, ExprId, LocalKind, TypeId};
use super::Infer;

/// The most steps that a report explains.
const MOST_STEPS: usize = 4;

impl Infer<'_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a diagnostic and explains how these expressions got their types.
    pub(super) fn report_with(&mut self, mut diagnostic: Diagnostic, about: &[ExprId]) {
        for expr in about {
            self.explain(&mut diagnostic, *expr, MOST_STEPS);
        }
        self.report(diagnostic);
    }

    /// Unifies the type of an expression with the wanted type and reports a difference. Returns the type that both
    /// agree on.
    pub(super) fn expect(
        &mut self,
        wanted: &Type,
        expr: ExprId,
        message: impl FnOnce(&Type, &Type) -> String,
    ) -> Type {
        self.expect_beside(wanted, expr, &[expr], message)
    }

    /// Like `expect`, where the wanted type follows from the given expressions.
    pub(super) fn expect_beside(
        &mut self,
        wanted: &Type,
        expr: ExprId,
        about: &[ExprId],
        message: impl FnOnce(&Type, &Type) -> String,
    ) -> Type {
        self.expect_as_declared(wanted, None, expr, about, message)
    }

    /// Like `expect_beside`, where the wanted type is annotated.
    pub(super) fn expect_as_declared(
        &mut self,
        wanted: &Type,
        written: Option<TypeId>,
        expr: ExprId,
        about: &[ExprId],
        message: impl FnOnce(&Type, &Type) -> String,
    ) -> Type {
        let ty = self.ty(expr);
        match self.solver.unify(wanted, &ty) {
            Ok(ty) => ty,
            Err(differing) => {
                let (wanted, ty) = (self.solver.resolve(wanted), self.solver.resolve(&ty));
                let message = message(&wanted, &ty);
                let declared = written.map(|it| self.body.type_range(it));
                let declared = declared.map(|it| (it, "the result is declared here".to_owned()));
                self.differs(expr, message, &differing, declared, about);
                wanted
            }
        }
    }

    pub(super) fn differs(
        &mut self,
        expr: ExprId,
        message: String,
        differing: &Differing,
        declared: Option<(TextRange, String)>,
        about: &[ExprId],
    ) {
        let range = self.body.range(self.tail(expr));
        let mut diagnostic = Diagnostic::new(Code::ArgumentType, range, message);
        diagnostic.related.extend(declared);
        let diagnostic = with_differing(diagnostic, differing);
        self.report_with(diagnostic, about);
    }

    /// Adds the steps by which an expression got its type: where it is bound, from which value, and so on.
    pub(super) fn explain(&mut self, diagnostic: &mut Diagnostic, expr: ExprId, most: usize) {
        let body = self.body;
        let mut at = self.tail(expr);
        for _ in 0..most {
            match &body[at] {
                Expr::Local(name) => {
                    let Some(local) = self.facts.use_of(at) else {
                        return;
                    };
                    let ty = self.resolved_type(at);
                    let binding = &body[local];
                    let (range, note) = match (binding.kind, binding.annotation) {
                        (LocalKind::Graph | LocalKind::Let, _) => (
                            body.name_range(local),
                            format!("`%{name}` is {ty}, bound here"),
                        ),
                        (_, Some(written)) => (
                            body.type_range(written),
                            format!("`%{name}` is declared as {ty} here"),
                        ),
                        (_, None) => (body.name_range(local), format!("`%{name}` is {ty}")),
                    };
                    if !diagnostic.related.iter().any(|it| it.0 == range) {
                        diagnostic.related.push((range, note));
                    }
                    match self.facts.value(local) {
                        Some(value) => at = self.tail(value),
                        None => return,
                    }
                }
                // The first input determines most of the result.
                Expr::Call { callee, args, .. } => match (&body[*callee], args.first()) {
                    (Expr::Name(_), Some(first)) => at = *first,
                    _ => return,
                },
                Expr::Projection { tuple, .. } => at = *tuple,
                _ => return,
            }
        }
    }
}

/// Names the part that differs, unless the whole types differ.
pub(super) fn with_differing(mut diagnostic: Diagnostic, differing: &Differing) -> Diagnostic {
    if differing.is_endless {
        diagnostic.message += ": a type cannot contain itself";
        return diagnostic;
    }
    let (Type::Tensor(one), Type::Tensor(other)) = (&differing.one, &differing.other) else {
        return diagnostic;
    };
    if one.dtype != other.dtype {
        diagnostic.code = Code::DtypeMismatch;
        diagnostic.differing = Some((one.dtype.to_string().into(), other.dtype.to_string().into()));
    } else if one.rank() != other.rank() {
        diagnostic.code = Code::RankMismatch;
    } else if let Some(&dim) = differing.dims.first() {
        let (one, other) = (&one.shape[dim], &other.shape[dim]);
        diagnostic.code = Code::ShapeMismatch;
        let _ = write!(
            diagnostic.message,
            " (dimension {dim}: {one} is not {other})"
        );
        diagnostic.differing = Some((one.to_string().into(), other.to_string().into()));
    }
    diagnostic.severity = diagnostic.code.severity();
    diagnostic
}
