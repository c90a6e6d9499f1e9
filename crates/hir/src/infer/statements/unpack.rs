//! Infers bindings of several names: `a, b = t`, `a, *b = t`.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::sinfo::StructInfo;
use relax::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Expr, ExprId, Name, Target};
use crate::infer::{Infer, Local};

impl Infer<'_> {
    /// Binds the targets to the fields of a Python tuple, or of a Relax tuple whose fields TVM knows.
    pub(in crate::infer) fn unpack(
        &mut self,
        targets: &[Target],
        at: TextRange,
        expr: ExprId,
        value: Value,
        range: TextRange,
    ) {
        self.check_different(targets);
        self.check_fields_of_axes(expr);
        let parts: Option<Vec<(ExprId, Value)>> = match (&self.body.exprs[expr], value) {
            (Expr::Tuple(items) | Expr::List(items), Value::List(values))
                if items.len() == values.len() =>
            {
                Some(items.iter().copied().zip(values.iter().cloned()).collect())
            }
            (_, Value::List(values)) => {
                Some(values.iter().map(|value| (expr, value.clone())).collect())
            }
            (_, Value::Expr(StructInfo::Tuple(fields))) => {
                if self.is_untyped_call(expr) {
                    let message = "TVM does not know the result of a call yet: bind it to a name first, then unpack that";
                    self.report(Code::UnsupportedStatement, at, message);
                }
                let fields = fields
                    .iter()
                    .map(|field| (expr, Value::Expr(field.clone())));
                Some(fields.collect())
            }
            (_, value) if value.is_unknown() => None,
            (_, value) => {
                let message = format!(
                    "only a tuple can be unpacked, but this is {}",
                    value.kind_name()
                );
                let range = self.range(expr);
                self.report(Code::NotATuple, range, message);
                None
            }
        };
        let starred = targets.iter().position(|it| self.starred(it).is_some());
        let fits = |count: usize| match starred {
            Some(_) => count + 1 >= targets.len(),
            None => count == targets.len(),
        };
        let parts = match parts {
            Some(parts) if !fits(parts.len()) => {
                let (wanted, count) = (targets.len(), parts.len());
                let plural = if count == 1 { "" } else { "s" };
                let message = format!("{wanted} names for the {count} field{plural} of this tuple");
                self.report(Code::TupleIndexOutOfRange, at, message);
                None
            }
            parts => parts,
        };
        let Some(parts) = parts else {
            for target in targets {
                let name = self.starred(target).map(Target::Name);
                let target = name.as_ref().unwrap_or(target);
                self.assign(target, expr, Value::Unknown, None, range);
            }
            return;
        };
        // A starred target becomes a Python list.
        let taken = starred.map_or(0, |_| parts.len() + 1 - targets.len());
        let mut parts = parts.into_iter();
        for target in targets {
            if let Some(name) = self.starred(target) {
                let list = parts.by_ref().take(taken).map(|(_, value)| value).collect();
                self.bind_local(name.text, Local::Value(Value::List(list)));
            } else if let Some((expr, value)) = parts.next() {
                self.assign(target, expr, value, None, range);
            }
        }
    }

    /// Reports a name that is assigned twice.
    fn check_different(&mut self, targets: &[Target]) {
        if self.cx.release.dialect() == Dialect::Rfc {
            return;
        }
        let mut names: FxHashMap<SmolStr, TextRange> = FxHashMap::default();
        for target in targets {
            let name = match target {
                Target::Name(name) => Some(name.clone()),
                target => self.starred(target),
            };
            let Some(name) = name.filter(Name::is_written) else {
                continue;
            };
            let Some(first) = names.insert(name.text.clone(), name.range) else {
                continue;
            };
            let message = format!("`{}` is assigned twice in one statement", name.text);
            self.report(Code::Redefinition, name.range, message)
                .related
                .push((first, "the first one".to_owned()));
            return;
        }
    }

    /// Returns the name in `*name`.
    fn starred(&self, target: &Target) -> Option<Name> {
        let Target::Place(place) = target else {
            return None;
        };
        let Expr::Star(inner) = self.body.exprs[*place] else {
            return None;
        };
        match &self.body.exprs[inner] {
            Expr::Name(name) => Some(Name {
                text: name.clone(),
                range: self.range(inner),
            }),
            _ => None,
        }
    }

    /// Returns `true` for a call that is not bound to a variable, whose StructInfo TVM has not inferred yet.
    pub(in crate::infer) fn is_untyped_call(&self, expr: ExprId) -> bool {
        let Expr::Call { callee, .. } = &self.body.exprs[expr] else {
            return false;
        };
        self.facts.call(expr).is_some() || !matches!(self.facts.value(*callee), Value::Script(_))
    }

    /// Reports elements of a tuple that are not Relax values.
    pub(in crate::infer) fn check_fields(&mut self, tuple: ExprId) {
        let Expr::Tuple(items) = &self.body.exprs[tuple] else {
            return;
        };
        for &item in items {
            let value = self.facts.value(item);
            if let Value::None
            | Value::Dict(_)
            | Value::Annotation(_)
            | Value::Module
            | Value::PythonModule = value
            {
                let message = format!("{} cannot be a field of a Relax tuple", value.kind_name());
                let range = self.range(item);
                self.report(Code::ArgumentType, range, message);
            }
        }
    }
}
