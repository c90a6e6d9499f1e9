//! The end of inference: reports each type that stayed open once, and gives every expression its type.

use relax::relay::Type;
use relax::{Code, Diagnostic, Severity};

use super::super::body::{Item, LocalKind};
use super::super::facts::Facts;
use super::spares::Spares;
use super::{Infer, uses};

impl Infer<'_> {
    pub(super) fn finish(mut self) -> Facts {
        self.solve();
        self.open_locals();
        self.open_relations();
        self.facts.ty = match &*self.body.item {
            Item::Function { .. } => {
                let ty = self.signature_of(None).ty();
                Some(self.closed(&ty))
            }
            Item::Expr(root) => {
                let ty = self.ty(*root);
                Some(self.closed(&ty))
            }
            Item::Type(_) | Item::Missing => None,
        };
        self.end_region(Self::closed);
        self.facts.links = self.all_links();
        let found = self.facts.links.diagnostics(&self.facts);
        let mut diagnostics: Vec<Diagnostic> = found.cloned().collect();
        uses::explain_uses(self.body, &self.facts, &mut diagnostics);
        if let Some((_, before)) = self.before {
            self.facts.spares = Spares::after(self.body, &self.facts, before);
        }
        diagnostics.sort_by_key(|it| (it.range.start(), it.range.end()));
        diagnostics.dedup();
        self.facts.diagnostics = diagnostics;
        self.facts
    }

    /// Returns the mistakes found since the last call.
    pub(super) fn reported(&mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.annotations.diagnostics);
        for mut diagnostic in std::mem::take(&mut self.diagnostics) {
            // TVM parses a text that is one expression, and infers no types.
            if !self.is_function && !is_of_names(diagnostic.code) {
                diagnostic.severity = Severity::Warning;
            }
            found.push(diagnostic);
        }
        found
    }

    /// Returns the type with unknown in place of holes that stayed open.
    fn closed(&mut self, ty: &Type) -> Type {
        let ty = self.solver.resolve(ty);
        if !ty.has_holes() {
            return ty;
        }
        ty.map(&mut |leaf| match leaf {
            Type::Hole(_) => Type::Unknown,
            _ => leaf.clone(),
        })
    }

    /// Reports parameters whose type cannot be inferred.
    fn open_locals(&mut self) {
        let body = self.body;
        for local in self.locals_of_region() {
            let binding = &body[local];
            if !matches!(binding.kind, LocalKind::Param | LocalKind::Free) {
                continue;
            }
            let Some(ty) = self.facts.local(local).cloned() else {
                continue;
            };
            let open @ Type::Hole(_) = self.solver.shallow(&ty) else {
                continue;
            };
            if self.is_function && !binding.name.text.is_empty() {
                let message = format!(
                    "the type of `%{}` is unknown: it needs an annotation",
                    binding.name.text
                );
                let range = body.name_range(local);
                self.report(Diagnostic::new(Code::MissingAnnotation, range, message));
            }
            self.forget(&open);
        }
        self.solve();
    }

    /// Reports the first relation that still waits. The types that follow from it become unknown.
    fn open_relations(&mut self) {
        while !self.waiting.is_empty() {
            let waiting = self.waiting.remove(0);
            if self.is_function {
                let range = self.body.range(waiting.expr);
                let message = "the types of the inputs are not known well enough to infer this";
                self.report(Diagnostic::new(Code::MissingAnnotation, range, message));
            }
            let out = waiting.out.clone();
            self.forget(&out);
            self.solve();
        }
    }

    fn forget(&mut self, open: &Type) {
        // A hole unifies with unknown.
        let _ = self.solver.unify(open, &Type::Unknown);
    }
}

/// Returns whether the mistake is in a name, which TVM's parser reports.
pub(super) fn is_of_names(code: Code) -> bool {
    matches!(
        code,
        Code::UndefinedName | Code::UnknownOperator | Code::UnknownArgument | Code::ArgumentValue
    )
}
