//! The end of inference: reports each type that stayed open once, and gives every expression its type.

use relax::relay::Type;
use relax::{Code, Diagnostic, Severity};

use super::super::body::{Item, LocalKind};
use super::super::facts::Facts;
use super::super::names::Names;
use super::{Infer, uses};

impl Infer<'_> {
    pub(super) fn finish(mut self, names: Names) -> Facts {
        self.solve();
        self.open_locals();
        self.open_relations();
        self.facts.ty = match &self.body.item {
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
        let mut facts = std::mem::take(&mut self.facts);
        let types = { &mut facts.types }
            .iter_mut()
            .chain(&mut facts.local_types);
        for ty in types.flatten().filter(|it| it.has_holes()) {
            *ty = self.closed(ty);
        }
        facts.diagnostics = names.diagnostics;
        facts.diagnostics.append(&mut self.annotations.diagnostics);
        for mut diagnostic in self.diagnostics {
            // TVM parses a text that is one expression, and infers no types.
            if !self.is_function && !is_of_names(diagnostic.code) {
                diagnostic.severity = Severity::Warning;
            }
            facts.diagnostics.push(diagnostic);
        }
        uses::explain(self.body, &mut facts, &names.uses, &self.short_calls);
        { &mut facts.diagnostics }.sort_by_key(|it| (it.range.start(), it.range.end()));
        facts.diagnostics.dedup();
        facts
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
        for (local, binding) in body.locals() {
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
