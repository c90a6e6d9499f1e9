//! Infers signatures without complete annotations: a function after the functions that it names, then again while types
//! change. Without recursion each function is inferred once.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use relax::relay::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::body::{Body, Expr};
use super::env::Env;
use super::facts::Facts;

/// How often functions that call each other are inferred again. Types that still change after that grow without end:
/// `def @f(%x: int32) { (@f(%x), 1) }`.
const ROUNDS: usize = 8;

/// The functions that a definition names, once each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globals(Box<[SmolStr]>);

/// The types inferred so far of the functions with open signatures that a definition names, sorted by name.
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
        let globals = body.exprs().filter_map(|it| match it.1 {
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
        let at = self.0.binary_search_by(|it| it.0.as_str().cmp(name)).ok()?;
        Some(&self.0[at].1)
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
        let places = open.iter().enumerate().map(|(at, it)| (it.0, at));
        let places: FxHashMap<&SmolStr, usize> = places.collect();
        let mut users = vec![Vec::new(); open.len()];
        let mut used = Vec::with_capacity(open.len());
        for (at, (name, signature)) in open.iter().enumerate() {
            found.types.insert((*name).clone(), signature.ty.clone());
            let named = globals(signature.definition).open(env);
            let named: Vec<usize> = named.filter_map(|it| places.get(it).copied()).collect();
            for &it in &named {
                users[it].push(at);
            }
            used.push(named);
        }
        let order = after_used(&used);
        let mut is_stale = vec![true; open.len()];
        for round in 0..=ROUNDS {
            for &at in &order {
                if !std::mem::take(&mut is_stale[at]) {
                    continue;
                }
                let (name, signature) = open[at];
                let definition = signature.definition;
                let facts = infer(definition, &found.types_of(globals(definition)));
                let ty = facts.ty.clone().filter(|_| round < ROUNDS);
                found.facts.insert(definition, facts);
                if let Some(ty) = ty.filter(|it| found.types.get(name) != Some(it)) {
                    found.types.insert(name.clone(), ty);
                    for &user in &users[at] {
                        is_stale[user] = true;
                    }
                }
            }
            if !is_stale.contains(&true) {
                break;
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
        let mut types: Vec<_> = globals.0.iter().filter_map(known).collect();
        types.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        InferredTypes(types.into())
    }

    /// Returns the environment with these signatures.
    pub fn completed(&self, mut env: Env) -> Env {
        for (name, ty) in &self.types {
            env.infer(name, ty.clone());
        }
        env
    }
}

/// Returns all functions, each after those that it uses unless they use it too. Functions that do not depend on each
/// other stay in the order of the text.
fn after_used(used: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(used.len());
    let mut is_seen = vec![false; used.len()];
    for first in 0..used.len() {
        let mut path = vec![(first, 0)];
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        while let Some((at, next)) = path.last_mut() {
            if let Some(&it) = used[*at].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut is_seen[it], true) {
                    path.push((it, 0));
                }
            } else {
                order.push(*at);
                path.pop();
            }
        }
    }
    order
}
