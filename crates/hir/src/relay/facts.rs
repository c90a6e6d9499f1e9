//! What inference found, as plain data: of one definition, and of a module.

use std::sync::Arc;

use la_arena::ArenaMap;
use relax::Diagnostic;
use relax::relay::Type;

use super::body::{Body, Definition, ExprId, Item, LocalId, Module};
use super::env::Env;
use super::infer::infer;
use super::names;

/// What is known of one definition. Ranges are relative to its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The type of the function, or of the expression.
    pub ty: Option<Type>,
    pub exprs: ArenaMap<ExprId, Type>,
    pub locals: ArenaMap<LocalId, Type>,
    /// What `%x` and `%0` stand for, where they are bound.
    pub uses: ArenaMap<ExprId, LocalId>,
    /// What each binding binds.
    pub values: ArenaMap<LocalId, ExprId>,
    pub diagnostics: Vec<Diagnostic>,
}

/// What is known of a module, by definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModuleFacts {
    pub env: Arc<Env>,
    pub definitions: Vec<Arc<Facts>>,
}

impl Facts {
    /// Infers one definition in its module.
    pub fn of(env: &Env, body: &Body) -> Facts {
        infer(env, body, names::resolve(body))
    }
}

impl ModuleFacts {
    /// Infers a module.
    pub fn of(module: &Module) -> ModuleFacts {
        let env = Env::complete(module);
        let facts = |definition: &Definition| Arc::new(Facts::of(&env, &definition.body));
        ModuleFacts {
            definitions: module.definitions.iter().map(facts).collect(),
            env: Arc::new(env),
        }
    }

    /// Every mistake, with its place in the file.
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

impl Env {
    /// What the definitions of a module see of each other, with the signatures that annotations leave open: they are
    /// inferred in the order of the text, and again as long as one learns from another.
    pub fn complete(module: &Module) -> Env {
        let mut env = Env::of(module);
        let open: Vec<(&str, &Body)> = module
            .definitions
            .iter()
            .filter_map(|definition| match &definition.body.item {
                Item::Function { name, .. } => Some((name.text.as_str(), &*definition.body)),
                _ => None,
            })
            .filter(|(name, _)| env.function(name).is_some_and(|it| !it.is_annotated))
            .collect();
        // Each round settles at least one function that the others wait for.
        for _ in 0..open.len() {
            let mut has_changed = false;
            for (name, body) in &open {
                let Some(ty) = Facts::of(&env, body).ty else {
                    continue;
                };
                if env.function(name).is_some_and(|it| it.ty != ty) {
                    env.infer(name, ty);
                    has_changed = true;
                }
            }
            if !has_changed {
                break;
            }
        }
        env
    }
}
