//! Infers signatures without complete annotations: in the order of the text, then again while types change.
//!
//! A function is inferred again only when a function that it names has got another type.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use relax::relay::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::body::{Body, Expr};
use super::env::Env;
use super::facts::Facts;

/// The functions that a definition names, once each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globals(Box<[SmolStr]>);

/// The types inferred so far of the functions with open signatures that a definition names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InferredTypes(Box<[(SmolStr, Type)]>);

/// The inferred results of a module's functions with open signatures.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    types: FxHashMap<SmolStr, Type>,
    facts: FxHashMap<usize, Arc<Facts>>,
}

impl Globals {
    pub fn of(body: &Body) -> Globals {
        let mut seen = FxHashSet::default();
        let globals = body.exprs().filter_map(|(_, expr)| match expr {
            Expr::Global(name) => Some(name),
            _ => None,
        });
        Globals(globals.filter(|it| seen.insert(*it)).cloned().collect())
    }

    /// Returns the functions with open signatures.
    pub fn open<'a>(&'a self, env: &'a Env) -> impl Iterator<Item = &'a SmolStr> {
        let is_open = |it: &&SmolStr| env.function(it).is_some_and(|it| !it.is_annotated);
        self.0.iter().filter(is_open)
    }
}

impl InferredTypes {
    pub fn get(&self, name: &str) -> Option<&Type> {
        self.0.iter().find(|it| it.0 == name).map(|it| &it.1)
    }
}

impl Signatures {
    /// Infers the open signatures. `globals` and `infer` take the index of a definition.
    pub fn infer<'a>(
        env: &Env,
        globals: impl Fn(usize) -> &'a Globals,
        mut infer: impl FnMut(usize, &InferredTypes) -> Arc<Facts>,
    ) -> Signatures {
        let mut found = Signatures::default();
        let open = env.open_functions();
        let mut users = FxHashMap::<&SmolStr, Vec<usize>>::default();
        for (at, (name, signature)) in open.iter().enumerate() {
            found.types.insert((*name).clone(), signature.ty.clone());
            for used in globals(signature.definition).open(env) {
                users.entry(used).or_default().push(at);
            }
        }
        let mut is_stale = vec![true; open.len()];
        // Each round settles at least one function that the others wait for. After the last round, a type that still
        // changes would change for ever.
        for round in 0..=open.len() {
            for (at, (name, signature)) in open.iter().enumerate() {
                if !std::mem::take(&mut is_stale[at]) {
                    continue;
                }
                let definition = signature.definition;
                let facts = infer(definition, &found.types_of(globals(definition)));
                let ty = facts.ty.clone().filter(|_| round < open.len());
                found.facts.insert(definition, facts);
                if let Some(ty) = ty.filter(|it| found.types.get(*name) != Some(it)) {
                    found.types.insert((*name).clone(), ty);
                    for user in users.get(name).into_iter().flatten() {
                        is_stale[*user] = true;
                    }
                }
            }
        }
        found
    }

    /// Returns the results of a function with an open signature.
    pub fn facts(&self, definition: usize) -> Option<&Arc<Facts>> {
        self.facts.get(&definition)
    }

    pub fn types_of(&self, globals: &Globals) -> InferredTypes {
        let known = |name: &SmolStr| Some((name.clone(), self.types.get(name)?.clone()));
        InferredTypes(globals.0.iter().filter_map(known).collect())
    }

    /// Returns the environment with these signatures.
    pub fn completed(&self, mut env: Env) -> Env {
        for (name, ty) in &self.types {
            env.infer(name, ty.clone());
        }
        env
    }
}
