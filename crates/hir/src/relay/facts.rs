//! The results of inference as plain data: for one definition, and for a module.

use std::sync::Arc;

use relax::Diagnostic;
use relax::relay::Type;

use super::annotations::TypeArguments;
use super::body::{Body, ExprId, LocalId, Module};
use super::env::Env;
use super::infer::infer;
use super::signatures::{Globals, InferredTypes, Signatures};

/// The results for one definition. Ranges are relative to its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The type of the function, or of the expression.
    pub ty: Option<Type>,
    pub diagnostics: Vec<Diagnostic>,
    /// By expression.
    pub(super) types: Vec<Option<Type>>,
    pub(super) uses: Vec<Option<LocalId>>,
    /// By local.
    pub(super) local_types: Vec<Option<Type>>,
    pub(super) values: Vec<Option<ExprId>>,
}

/// The results for a module, by definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModuleFacts {
    pub env: Arc<Env>,
    pub definitions: Vec<Arc<Facts>>,
}

impl Facts {
    /// Infers one definition in its module.
    pub fn of(env: &Env, types: &InferredTypes, body: &Body) -> Facts {
        infer(env, types, body, TypeArguments::default())
    }

    pub fn expr(&self, id: ExprId) -> Option<&Type> {
        self.types[id.index()].as_ref()
    }

    pub fn local(&self, id: LocalId) -> Option<&Type> {
        self.local_types[id.index()].as_ref()
    }

    /// Returns the local that a use of `%x` or `%0` refers to.
    pub fn use_of(&self, id: ExprId) -> Option<LocalId> {
        self.uses[id.index()]
    }

    /// Returns the value that a local is bound to.
    pub fn value(&self, id: LocalId) -> Option<ExprId> {
        self.values[id.index()]
    }
}

impl ModuleFacts {
    /// Infers a module.
    pub fn of(module: &Module) -> ModuleFacts {
        let env = Env::of(module, module.is_excerpt());
        let globals: Vec<Globals> = module.bodies().map(Globals::of).collect();
        let infer = |at: usize, types: &InferredTypes| {
            let body = &module.definitions[at].body;
            Arc::new(Facts::of(&env, types, body))
        };
        let signatures = Signatures::infer(&env, |at| &globals[at], infer);
        let facts = |at| {
            let inferred = signatures.facts(at).cloned();
            inferred.unwrap_or_else(|| infer(at, &signatures.types_of(&globals[at])))
        };
        ModuleFacts {
            definitions: (0..module.definitions.len()).map(facts).collect(),
            env: Arc::new(signatures.completed(env.clone())),
        }
    }

    /// Returns every mistake with its place in the file.
    pub fn diagnostics(&self, module: &Module) -> Vec<Diagnostic> {
        let found = module.definitions.iter().enumerate();
        let found = found.flat_map(|(at, definition)| {
            let of_signature = self.env.diagnostics[at].iter();
            let all = self.definitions[at].diagnostics.iter().chain(of_signature);
            all.map(|it| it.moved(definition.start))
        });
        let mut found: Vec<Diagnostic> = found.collect();
        found.sort_by_key(|it| (it.range.start(), it.range.end()));
        found
    }
}
