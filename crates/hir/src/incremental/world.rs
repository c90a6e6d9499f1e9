//! The inputs of a function's facts besides its own text, as they were at inference.

use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use relax::nearest_name::Vocabulary;
use relax::release::Releases;
use relax::sinfo::VDevice;
use relax::sym::SymCx;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use crate::body::Body;
use crate::enclosing::Env;
use crate::incremental::names::Names;
use crate::infer::{Context, Effort, Global, Globals};

/// Everything that is needed to infer a piece of the function again.
#[derive(Debug)]
pub(crate) struct World {
    pub body: Arc<Body>,
    releases: Releases,
    has_target: bool,
    env: Arc<Env>,
    module: Option<SmolStr>,
    vdevices: Option<Vec<VDevice>>,
    sizes: SymCx,
    checked: bool,
    pub globals: FxHashMap<SmolStr, Option<Global>>,
    /// The names of all globals, if a suggestion needed them.
    pub global_names: Option<Arc<Vocabulary>>,
    /// Shared by the versions of the function.
    pub names: Arc<Mutex<Names>>,
}

impl World {
    pub(crate) fn new(
        body: &Arc<Body>,
        cx: &Context<'_>,
        seen: &ObservedGlobals<'_>,
        names: Arc<Mutex<Names>>,
    ) -> World {
        let listed = seen.listed.get().then(|| seen.inner.names());
        World {
            body: Arc::clone(body),
            releases: cx.releases,
            has_target: cx.has_target,
            env: Arc::clone(cx.env),
            module: cx.module.map(SmolStr::from),
            vdevices: cx.vdevices.map(<[VDevice]>::to_vec),
            sizes: cx.sizes.clone(),
            checked: cx.checked,
            globals: seen.globals.take(),
            global_names: listed,
            names,
        }
    }

    /// Returns `true` if the function's surroundings are unchanged, apart from globals.
    pub fn is_around(&self, cx: &Context<'_>) -> bool {
        self.releases == cx.releases
            && self.has_target == cx.has_target
            && (Arc::ptr_eq(&self.env, cx.env) || self.env == *cx.env)
            && self.module.as_deref() == cx.module
            && self.vdevices.as_deref() == cx.vdevices
            && self.sizes == *cx.sizes
            && self.checked == cx.checked
    }

    pub fn names(&self) -> MutexGuard<'_, Names> {
        lock(&self.names)
    }

    /// Returns the context at inference.
    pub fn context<'a>(&'a self, effort: &'a Effort<'a>) -> Context<'a> {
        Context {
            release: self.releases.until,
            releases: self.releases,
            has_target: self.has_target,
            env: &self.env,
            module: self.module.as_deref(),
            globals: self,
            vdevices: self.vdevices.as_deref(),
            sizes: &self.sizes,
            checked: self.checked,
            effort,
        }
    }
}

/// The locked data is consistent after every step, so a panic has not corrupted it.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Globals for World {
    fn get(&self, name: &str) -> Option<Global> {
        self.globals.get(name).cloned().flatten()
    }

    fn names(&self) -> Arc<Vocabulary> {
        self.global_names.clone().unwrap_or_default()
    }
}

/// The globals, recording each that is looked up.
pub(crate) struct ObservedGlobals<'a> {
    inner: &'a dyn Globals,
    globals: RefCell<FxHashMap<SmolStr, Option<Global>>>,
    /// Names looked up since the last call of `take_fresh`.
    fresh: RefCell<Vec<SmolStr>>,
    listed: Cell<bool>,
}

impl<'a> ObservedGlobals<'a> {
    pub fn new(inner: &'a dyn Globals) -> ObservedGlobals<'a> {
        ObservedGlobals {
            inner,
            globals: RefCell::default(),
            fresh: RefCell::default(),
            listed: Cell::new(false),
        }
    }

    /// Returns the names under which recently looked up globals are recorded.
    pub fn take_fresh(&self) -> Vec<SmolStr> {
        let mut fresh = std::mem::take(&mut *self.fresh.borrow_mut());
        fresh.sort_unstable();
        fresh.dedup();
        fresh.iter().map(|name| global_name(name)).collect()
    }
}

/// Returns the name under which a global is recorded. It is not a valid Python name.
pub(crate) fn global_name(name: &str) -> SmolStr {
    format_smolstr!("@{name}")
}

impl Globals for ObservedGlobals<'_> {
    fn get(&self, name: &str) -> Option<Global> {
        self.fresh.borrow_mut().push(name.into());
        if let Some(known) = self.globals.borrow().get(name) {
            return known.clone();
        }
        let global = self.inner.get(name);
        self.globals
            .borrow_mut()
            .insert(name.into(), global.clone());
        global
    }

    fn names(&self) -> Arc<Vocabulary> {
        self.listed.set(true);
        self.inner.names()
    }
}
