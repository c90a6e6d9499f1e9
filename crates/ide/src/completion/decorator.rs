//! Completion after `@`: the decorators that make a function or a class TVMScript.

use relax::script::Namespace;
use relax::script::{Role, entries};

use super::Site;
use super::document::key;
use super::item::{Completion, CompletionKind, Items, rank};

impl Site<'_, '_> {
    pub(super) fn decorators(self, items: &mut Items) {
        // Complete either the part after the namespace, or all of `R.function`.
        let path = self.cursor.path.as_ref();
        let within = match path {
            Some(path) => match self.scope.script(&path.names) {
                Some(script) if script.rest.is_empty() => Some(script.namespace),
                _ => return,
            },
            None => None,
        };
        for namespace in [Namespace::Relax, Namespace::Tir, Namespace::Ir] {
            if within.is_some_and(|within| within != namespace) {
                continue;
            }
            let alias = self.scope.alias(namespace);
            let rows = entries(namespace).filter(|entry| {
                entry.role == Role::Decorator && entry.releases.contains(self.scope.release())
            });
            for entry in rows {
                let name = match within {
                    Some(_) => entry.name.to_owned(),
                    None => format!("{alias}.{}", entry.name),
                };
                items.push(
                    Completion::new(name, CompletionKind::Statement)
                        .detail(entry.doc)
                        .rank(rank::FITS)
                        .doc(key(namespace, entry.name, self.scope.release())),
                );
            }
        }
    }
}
