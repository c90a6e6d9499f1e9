//! Expands comprehensions over constants.

use relax::value::Value;

use crate::body::{CompClause, Comprehension, ExprId, Target};
use crate::infer::{Infer, Local, Scope};

/// The cost of an element, in expressions.
const ELEMENT: usize = 8;
/// The maximum number of clauses of one comprehension.
const MOST_CLAUSES: usize = 8;

impl Infer<'_> {
    /// Expands `[f(i) for i in range(4) if i]` over constants to a list. Only Python knows the value of any other.
    pub(in crate::infer) fn comprehension(&mut self, it: &Comprehension) -> Value {
        let mut made = Vec::new();
        self.scopes.push(Scope::default());
        let plain = it.key.is_none()
            && it.clauses.len() <= MOST_CLAUSES
            && self.by_python(|infer| infer.clauses(&it.clauses, it.element, &mut made));
        self.scopes.pop();
        if plain {
            Value::list(made)
        } else {
            Value::Unknown
        }
    }

    /// Reads the elements that the clauses generate, or, if they are not constant, the element once.
    fn clauses(&mut self, clauses: &[CompClause], element: ExprId, made: &mut Vec<Value>) -> bool {
        let Some((clause, rest)) = clauses.split_first() else {
            let value = self.expr(element);
            made.push(value);
            return made.len() <= 256;
        };
        match clause {
            CompClause::If(test) => match self.expr(*test) {
                Value::Bool(true) => self.clauses(rest, element, made),
                Value::Bool(false) => true,
                _ => {
                    self.clauses(rest, element, made);
                    false
                }
            },
            CompClause::For { target, iter } => match self.expr(*iter) {
                Value::List(items) if items.len() <= 256 => {
                    // The first iteration is always read, so that errors in it are found.
                    items.iter().enumerate().all(|(round, item)| {
                        self.bind_plain(target, item);
                        let mut read = |this: &mut Self| this.clauses(rest, element, made);
                        match round {
                            0 => read(self),
                            _ => self.may_read(element, ELEMENT) && self.read_again(read),
                        }
                    })
                }
                _ => {
                    self.bind_unknown(target);
                    self.clauses(rest, element, made);
                    false
                }
            },
        }
    }

    fn bind_plain(&mut self, target: &Target, value: &Value) {
        match (target, value) {
            (Target::Name(name), value) => {
                self.bind_local(name.text.clone(), Local::Value(value.clone()));
            }
            (Target::Tuple(targets, _), Value::List(items)) if targets.len() == items.len() => {
                for (target, item) in targets.iter().zip(items.iter()) {
                    self.bind_plain(target, item);
                }
            }
            _ => self.bind_unknown(target),
        }
    }

    fn bind_unknown(&mut self, target: &Target) {
        match target {
            Target::Name(name) => self.bind_local(name.text.clone(), Local::Value(Value::Unknown)),
            Target::Tuple(targets, _) => targets.iter().for_each(|t| self.bind_unknown(t)),
            Target::Place(_) => {}
        }
    }
}
