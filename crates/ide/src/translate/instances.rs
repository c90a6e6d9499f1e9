//! The instances of functions with type parameters. Relax has no type parameters, so such a function is translated once
//! for each list of type arguments that calls give it.

use std::collections::VecDeque;

use hir::relay::body::{Item, Module};
use relax::relay::Type;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::text::Names;

/// The maximum number of instances of one function. A function that calls itself with larger and larger types has no
/// end of them.
const MOST_INSTANCES: usize = 64;

pub(super) struct Instance {
    /// The index of the function among the definitions of the module.
    pub definition: usize,
    pub type_args: Vec<Type>,
    /// The name in the translation.
    pub name: SmolStr,
}

pub(super) struct Instances {
    /// The names of the functions in the translation.
    names: Names,
    /// The name of each instance, by definition and type arguments.
    named: FxHashMap<usize, FxHashMap<Vec<Type>, SmolStr>>,
    /// The instances to translate.
    waiting: VecDeque<Instance>,
}

impl Instances {
    pub(super) fn of(module: &Module) -> Instances {
        let mut names = Names::default();
        for body in module.bodies() {
            if let Item::Function { name, function } = &body.item
                && function.type_params.is_empty()
            {
                names.unused_name(&name.text);
            }
        }
        Instances {
            names,
            named: FxHashMap::default(),
            waiting: VecDeque::new(),
        }
    }

    /// Returns the name of an instance, or `None` if the function has too many of them.
    pub(super) fn name_of(
        &mut self,
        function: &str,
        definition: usize,
        type_args: Vec<Type>,
    ) -> Option<SmolStr> {
        let named = self.named.entry(definition).or_default();
        if let Some(name) = named.get(&type_args) {
            return Some(name.clone());
        }
        if named.len() == MOST_INSTANCES {
            return None;
        }
        let name = self.names.unused_name(function);
        named.insert(type_args.clone(), name.clone());
        self.waiting.push_back(Instance {
            definition,
            type_args,
            name: name.clone(),
        });
        Some(name)
    }

    /// Returns an instance that is not translated yet.
    pub(super) fn next(&mut self) -> Option<Instance> {
        self.waiting.pop_front()
    }

    /// Returns `true` if a call has an instance of the function.
    pub(super) fn has(&self, definition: usize) -> bool {
        self.named.contains_key(&definition)
    }
}
