//! Checks `R.match_cast`: whether the cast is possible, and whether the annotation agrees with it.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::sinfo::{Fit, Mismatch, Shape, StructInfo, Tensor};
use relax::value::{MatchCast, Value};
use text_size::TextRange;

use crate::body::{ExprId, Name};
use crate::facts::VarKind;
use crate::infer::Infer;
use crate::infer::reports::mismatch::because;

impl Infer<'_> {
    /// Infers the value of a binding, which may be a cast.
    pub(in crate::infer) fn bound_value(&mut self, expr: ExprId) -> Value {
        let (value, casts) = self.value_and_casts(expr);
        self.check_bound(casts.into_iter().filter(|it| *it != expr));
        value
    }

    /// Infers a value that is not bound to a name.
    pub(in crate::infer) fn used_value(&mut self, expr: ExprId) -> Value {
        let (value, casts) = self.value_and_casts(expr);
        self.check_bound(casts.into_iter());
        value
    }

    /// Returns the value of an expression, and the casts in it unless something is reported.
    fn value_and_casts(&mut self, expr: ExprId) -> (Value, Vec<ExprId>) {
        let reported = self.facts.diagnostics.len();
        self.casts.clear();
        let value = self.expr(expr);
        let casts = std::mem::take(&mut self.casts);
        if self.facts.diagnostics.len() > reported {
            return (value, Vec::new());
        }
        (value, casts)
    }

    /// Reports casts that are not the whole value of a binding.
    fn check_bound(&mut self, mut casts: impl Iterator<Item = ExprId>) {
        if let Some(cast) = casts.next() {
            let range = self.range(cast);
            let message =
                "`R.match_cast` can only be the whole value of a binding: bind it to a name first";
            self.report(Code::UnsupportedStatement, range, message);
        }
    }

    /// TVM requires the annotation of a cast to equal its target. The RFC only forbids contradictions.
    pub(in crate::infer) fn check_cast_annotation(
        &mut self,
        name: &Name,
        at: ExprId,
        annotation: &StructInfo,
        target: &StructInfo,
    ) {
        if !annotation.says_other_than(target) {
            return;
        }
        let release = self.cx.release;
        if release.dialect() == Dialect::Rfc && target.fit(annotation, &self.sym) > Fit::Never {
            return;
        }
        let message = format!(
            "`{}` is annotated `{}`, but is cast to `{}`: TVM requires both to be the same",
            name.text,
            annotation.quoted(release.dialect()),
            target.quoted(release.dialect())
        );
        let range = self.range(at);
        self.report(Code::AnnotationMismatch, range, message);
    }

    pub(in crate::infer) fn bind_match_cast(
        &mut self,
        name: &Name,
        expr: ExprId,
        cast: &MatchCast,
        range: TextRange,
    ) {
        let possible = self.check_match_cast(expr, cast);
        let var = self.emit(
            name,
            Some(expr),
            cast.target.clone(),
            VarKind::MatchCast,
            true,
            range,
        );
        if let (false, Some(fact)) = (possible, self.var_mut(var)) {
            fact.contradicted = true;
        }
    }

    /// Reports an impossible cast.
    pub(in crate::infer) fn check_match_cast(&mut self, expr: ExprId, cast: &MatchCast) -> bool {
        let at = self.range(expr);
        // As in TVM: the target must be compatible with the value. The purity of an impure function may be refined.
        let possible =
            cast.value.is_unknown() || cast.target.fit(&cast.value, &self.sym) != Fit::Never;
        if !possible {
            let release = self.cx.release;
            let differs = cast.value.worst_mismatch(&cast.target, &self.sym);
            let differs = differs.filter(|it| it.fit == Fit::Never);
            let differs = differs.or_else(|| cast.target.worst_mismatch(&cast.value, &self.sym));
            let message = format!(
                "no value of `{}` can be cast to `{}`{}",
                cast.value.quoted(release.dialect()),
                cast.target.quoted(release.dialect()),
                differs.as_ref().map_or_else(String::new, because)
            );
            self.report(Code::ImpossibleCast, at, message).differing =
                differs.as_ref().and_then(Mismatch::differing);
        }
        if !self.is_outermost() && self.is_type_dialect() {
            self.frame().cast.extend(cast.target.defined_vars());
        }
        self.bind_sym_vars(&cast.target, at);
        self.check_sym_vars(&cast.target, at);
        possible
    }

    /// Returns the target of the RFC's `R.match_shape(x, (n, m))`, which only gives the shape.
    pub(in crate::infer) fn shape_to_match(value: &StructInfo, dims: Shape) -> StructInfo {
        match (value, dims) {
            (StructInfo::Tensor(tensor), Shape::Known(dims)) => {
                Tensor::new(dims, tensor.dtype).into()
            }
            (_, dims) => StructInfo::Shape(dims),
        }
    }
}
