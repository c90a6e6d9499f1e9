//! Hashes of the functions of a module, which are equal if the functions are.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::{FunctionForm, Hashes, ModuleForm, word};

/// The hashes of a module's functions, in order.
#[derive(Clone, Debug)]
pub(crate) struct ContentHashes {
    /// The contents, including those of all called functions.
    pub deep: Vec<u64>,
    /// The contents without the names of functions.
    pub own: Vec<u64>,
}

impl ContentHashes {
    pub(super) fn of(module: &ModuleForm) -> ContentHashes {
        let mut search = ContentSearch {
            module,
            known: vec![None; module.functions.len()],
            open: FxHashSet::default(),
        };
        let all = 0..module.functions.len();
        ContentHashes {
            deep: all.map(|at| search.deep(at)).collect(),
            own: module.functions.iter().map(|it| it.own_hash()).collect(),
        }
    }
}

/// The hash of a function without the names of functions, computed on demand.
pub(super) type OwnHash = OnceLock<u64>;

impl FunctionForm {
    fn own_hash(&self) -> u64 {
        let hash = || Hashes::of(self, &|_| 0).function_hash(self);
        *self.own_hash.get_or_init(hash)
    }
}

struct ContentSearch<'a> {
    module: &'a ModuleForm,
    known: Vec<Option<u64>>,
    open: FxHashSet<usize>,
}

impl ContentSearch<'_> {
    fn deep(&mut self, at: usize) -> u64 {
        if let Some(known) = self.known[at] {
            return known;
        }
        let function = &self.module.functions[at];
        if function.callees.is_empty() {
            return function.own_hash();
        }
        if !self.open.insert(at) {
            // Functions that call each other recursively are identified by their names.
            return word(function.name.as_str());
        }
        let callees: Vec<u64> = function
            .callees
            .iter()
            .map(|name| match self.module.named(name, function.module) {
                Some(callee) => self.deep(callee),
                None => word(name.as_str()),
            })
            .collect();
        self.open.remove(&at);
        let hash = Hashes::of(function, &|at| callees[at as usize]).function_hash(function);
        self.known[at] = Some(hash);
        hash
    }
}
