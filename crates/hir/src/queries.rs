//! The queries about functions: signature, body, facts. Each depends on the function's own subtree, on the Python code
//! around it, and on the signatures of the functions that it names.

mod embedded;
mod relay;
pub(crate) mod releases;
mod returns;

use std::cmp::Ordering;
use std::sync::Arc;

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic};
use relax::nearest_name::Vocabulary;
use relax::parts::Parts;
use relax::release::Release;
use relax::sinfo::{AsWritten, Callable, StructInfo, VDevice};
use rustc_hash::FxHashMap;
use salsa::plumbing::AsId as _;
use smol_str::SmolStr;
use syntax::SyntaxError;
use text_size::TextRange;

use crate::body::{Body, lower};
use crate::db::{Config, Db, Language, SourceFile};
use crate::facts::Facts;
use crate::foreign::{Explained, ForeignSpelling};
use crate::incremental;
use crate::incremental::LazyFacts;
use crate::infer::{self, Context, Effort, Global, Globals};
use crate::item_tree::{FunctionItem, file_items};
use crate::prim::{self, Outside, Reading, WithHoles};
use crate::prim_facts::PrimFacts;
use crate::syntax_reports::reports;
use crate::tir::{PrimFunc, TirError};
pub use embedded::{Embedded, embedded_relay};
pub use relay::{RelayFile, relay_file};
use releases::{file_release, file_releases, target};

#[salsa::tracked(returns(ref), no_eq)]
fn body_of<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Arc<Body> {
    let before = previous_facts(db, function);
    let before = before.as_deref().and_then(Facts::body);
    Arc::new(lower(&function.source(db).0, before))
}

/// Returns the body of a function.
pub fn function_body<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> &'db Body {
    let shared = body_of(db, function);
    if db.keeps_expressions() {
        return shared;
    }
    let is_current = |(of, _): &(Arc<Body>, Body)| Arc::ptr_eq(of, shared);
    let make = || (Arc::clone(shared), shared.afresh());
    &db.snapshot()
        .get_or_insert(function.as_id(), is_current, make)
        .1
}

/// The signature of a function, computed from its header.
#[derive(Clone, Debug)]
pub struct Signature {
    pub kind: FunctionKind,
    pub params: Parts<StructInfo>,
    /// The annotated result, if there is one.
    pub ret: Option<StructInfo>,
    pub pure: bool,
}

/// Signatures that are written differently are different, since callers show them.
impl PartialEq for Signature {
    fn eq(&self, other: &Signature) -> bool {
        let (params, others) = (self.params.iter(), other.params.iter());
        let mut pairs = params.zip(others).chain(self.ret.iter().zip(&other.ret));
        self.kind == other.kind
            && self.pure == other.pure
            && self.params == other.params
            && self.ret == other.ret
            && pairs.all(|(a, b)| a.is_written_like(b))
    }
}

/// Returns the signature of a function.
#[salsa::tracked(returns(ref))]
pub fn function_signature<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Signature {
    let kind = function.kind(db);
    let unknown = Signature {
        kind,
        params: Parts::default(),
        ret: None,
        pure: true,
    };
    let give_way = || db.give_way();
    let effort = Effort::new(&give_way);
    if kind == FunctionKind::PrimFunc {
        let cx = header_context(db, function, &effort);
        let signature = infer::prim_signature(function_body(db, function), &cx);
        return Signature {
            kind,
            params: signature.params.into(),
            ret: signature.ret,
            pure: !function_prim_facts(db, function).has_effects(),
        };
    }
    if kind != FunctionKind::Relax {
        return unknown;
    }
    let before = previous_facts(db, function);
    let before = before.as_deref().and_then(Facts::body);
    let header = Arc::new(lower(&function.header(db).0, before));
    let facts = incremental::signature(&header, &header_context(db, function, &effort));
    let Some(root) = facts.functions.first() else {
        return unknown;
    };
    Signature {
        kind,
        params: root
            .params
            .iter()
            .map(|&p| facts.var(p).struct_info.clone())
            .collect(),
        ret: root.annotated_ret.clone(),
        pure: root.pure,
    }
}

/// Returns the context of a signature: what it depends on besides its own text.
fn header_context<'a, 'db: 'a>(
    db: &'db dyn Db,
    function: FunctionItem<'db>,
    effort: &'a Effort<'a>,
) -> Context<'a> {
    Context {
        release: file_release(db, function.file(db)),
        releases: file_releases(db, function.file(db)),
        has_target: target(db, function.file(db)).is_some(),
        env: function.env(db),
        module: None,
        globals: &NoGlobals,
        vdevices: module_devices(db, function),
        sizes: Config::get(db).sizes(db),
        checked: function.checked(db),
        effort,
    }
}

/// Returns the virtual devices that annotations of a function can name, or `None` if they cannot be read.
fn module_devices<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Option<&'db [VDevice]> {
    let module = function.module(db);
    let items = file_items(db, function.file(db));
    module
        .and_then(|m| items.modules.get(m as usize))
        .and_then(|m| m.listed_vdevices(db).as_deref())
}

/// Returns the result of a function if its annotation leaves something to the body.
#[salsa::tracked(returns(ref))]
fn inferred_return<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> AsWritten {
    let root = function_facts(db, function).functions.first();
    AsWritten(root.map_or(StructInfo::Unknown, |f| f.ret.clone()))
}

/// Returns the functions of a module by name. If several have the same name, the first counts.
#[salsa::tracked(returns(ref))]
pub(crate) fn module_names(
    db: &dyn Db,
    file: SourceFile,
    module: u32,
) -> FxHashMap<SmolStr, usize> {
    let items = file_items(db, file);
    let mut names = FxHashMap::default();
    if let Some(module) = items.modules.get(module as usize) {
        for (k, function) in module.functions(db).iter().enumerate() {
            names.entry(function.name(db)).or_insert(k);
        }
    }
    names
}

#[salsa::tracked(returns(ref))]
fn module_vocabulary(db: &dyn Db, file: SourceFile, module: u32) -> Arc<Vocabulary> {
    Arc::new(module_names(db, file, module).keys().cloned().collect())
}

/// Returns the positions of functions in their module.
#[salsa::tracked(returns(ref))]
fn module_order(db: &dyn Db, file: SourceFile, module: u32) -> FxHashMap<salsa::Id, usize> {
    let items = file_items(db, file);
    let module = items.modules.get(module as usize);
    let functions = module
        .into_iter()
        .flat_map(|it| it.functions(db))
        .map(salsa::plumbing::AsId::as_id);
    functions.zip(0..).collect()
}

#[salsa::tracked(returns(ref), no_eq)]
fn facts_of<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> Arc<Facts> {
    let file = function.file(db);
    let module = function
        .module(db)
        .and_then(|m| file_items(db, file).modules.get(m as usize));
    let name = module.map(|m| m.name(db));
    let globals = ModuleGlobals { db, function };
    let give_way = || db.give_way();
    let cx = Context {
        release: file_release(db, file),
        releases: file_releases(db, file),
        has_target: target(db, file).is_some(),
        env: function.env(db),
        module: name.as_deref(),
        globals: &globals,
        vdevices: module_devices(db, function),
        sizes: Config::get(db).sizes(db),
        checked: function.checked(db),
        effort: &Effort::new(&give_way),
    };
    match function.kind(db) {
        FunctionKind::Relax => {
            let body = body_of(db, function);
            if db.keeps_expressions() {
                return Arc::new(incremental::infer_with_expressions(body, &cx));
            }
            let before = previous_facts(db, function);
            let facts = incremental::infer(body, &cx, before.as_deref());
            let facts = Arc::new(facts);
            keep_facts(db, function, &facts);
            facts
        }
        FunctionKind::PrimFunc | FunctionKind::Macro | FunctionKind::Python => Arc::default(),
    }
}

/// Below this number of pieces, reusing facts saves nothing.
const LEAST_PIECES: usize = 3;

fn previous_facts(db: &dyn Db, function: FunctionItem<'_>) -> Option<Arc<Facts>> {
    db.previous().get(function.as_id())
}

fn keep_facts(db: &dyn Db, function: FunctionItem<'_>, facts: &Arc<Facts>) {
    if facts.pieces.len() < LEAST_PIECES {
        db.previous().remove::<Facts>(function.as_id());
    } else {
        db.previous().insert(function.as_id(), Arc::clone(facts));
    }
}

/// Returns all facts of a function, including types of expressions on request.
pub fn lazy_facts<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> &'db LazyFacts {
    let shared = facts_of(db, function);
    let is_current = |facts: &LazyFacts| facts.is_of(shared);
    let make = || LazyFacts::new(shared);
    db.snapshot()
        .get_or_insert(function.as_id(), is_current, make)
}

/// Returns the facts of a function without the types of its expressions.
pub fn function_facts<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> &'db Facts {
    facts_of(db, function)
}

/// Returns the facts of a PrimFunc or a macro. They are empty for other functions.
#[salsa::tracked(returns(ref), no_eq)]
pub fn function_prim_facts<'db>(db: &'db dyn Db, function: FunctionItem<'db>) -> PrimFacts {
    let kind = function.kind(db);
    if !matches!(kind, FunctionKind::PrimFunc | FunctionKind::Macro) {
        return PrimFacts::default();
    }
    prim_reading(db, function).facts
}

/// Returns the program of a PrimFunc, or why it cannot run.
pub fn function_program(
    db: &dyn Db,
    function: FunctionItem<'_>,
) -> Result<PrimFunc, Vec<TirError>> {
    prim_reading(db, function).program()
}

/// Returns the program of a PrimFunc as far as it is understood, with the reasons for its holes.
pub(crate) fn function_program_with_holes(db: &dyn Db, function: FunctionItem<'_>) -> WithHoles {
    prim_reading(db, function).with_holes()
}

fn prim_reading(db: &dyn Db, function: FunctionItem<'_>) -> Reading {
    let file = function.file(db);
    let names = function
        .module(db)
        .map(|module| module_names(db, file, module));
    let around = Outside {
        release: file_release(db, file),
        releases: file_releases(db, file),
        checked: function.checked(db),
        s_tir: function.s_tir(db),
        env: function.env(db),
        globals: &|name| names.is_some_and(|names| names.contains_key(name)),
        open: function.kind(db) == FunctionKind::Macro,
        give_way: &|| db.give_way(),
    };
    prim::read(function_body(db, function), around)
}

/// Returns the diagnostics of a function, relative to its start.
pub fn function_diagnostics<'db>(
    db: &'db dyn Db,
    function: FunctionItem<'db>,
) -> impl Iterator<Item = &'db Diagnostic> {
    let kind = function.kind(db);
    let facts = match kind {
        FunctionKind::Relax => function_facts(db, function).diagnostics.as_slice(),
        FunctionKind::PrimFunc => &function_prim_facts(db, function).diagnostics,
        FunctionKind::Macro | FunctionKind::Python => &[],
    };
    let spellings = match kind {
        FunctionKind::Python => &[],
        _ => releases::function_spellings(db, function).as_slice(),
    };
    // One mistake, one diagnostic: the spelling is the cause.
    let explained = Explained::by(spellings);
    let own = facts.iter().filter(move |it| !explained.contains(it));
    own.chain(spellings.iter().filter_map(ForeignSpelling::report))
}

/// Returns the diagnostics of a file: about its syntax, its modules, then each function.
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    if let Some(relay) = relay_file(db, file) {
        return relay.diagnostics(&file.source(db).text);
    }
    let mut all = syntax_errors(db, file, &file.source(db).parse.errors);
    let items = file_items(db, file);
    all.extend(items.mistakes.iter().cloned());
    unbound(db, file, &mut all);
    for module in &items.modules {
        all.extend(module.mistakes(db).iter().cloned());
        redefinitions(db, module.functions(db), &mut all);
    }
    for &function in &items.functions {
        let offset = function.offset(db);
        all.extend(function_diagnostics(db, function).map(|d| d.moved(offset)));
    }
    crate::module::diagnostics(db, file, &mut all);
    releases::imports(db, file, &mut all);
    all.sort_by_key(|d| (d.range.start(), d.range.end(), d.code));
    releases::relate(db, file, &mut all);
    all
}

/// Returns the diagnostics in a range of a file that do not belong to a function: syntax errors and those of modules.
pub fn outline_diagnostics(db: &dyn Db, file: SourceFile, range: TextRange) -> Vec<Diagnostic> {
    let errors = &file.source(db).parse.errors;
    let first = errors.partition_point(|it| it.range.end() < range.start());
    let after = errors.partition_point(|it| it.range.start() <= range.end());
    let mut all = syntax_errors(db, file, &errors[first..after.max(first)]);
    let items = file_items(db, file);
    let touched = |at: TextRange| at.intersect(range).is_some();
    all.extend(items.mistakes.iter().cloned());
    unbound(db, file, &mut all);
    for module in items.modules.iter().filter(|it| touched(it.range(db))) {
        all.extend(module.mistakes(db).iter().cloned());
        redefinitions(db, module.functions(db), &mut all);
    }
    crate::module::diagnostics(db, file, &mut all);
    releases::imports(db, file, &mut all);
    all.retain(|it| touched(it.range));
    all
}

/// Adds the names that the imports of a file lack. The RFC's own programs have few of the imports that they need.
fn unbound(db: &dyn Db, file: SourceFile, all: &mut Vec<Diagnostic>) {
    if file_release(db, file) > Release::Rfc {
        all.extend(file_items(db, file).unbound.iter().cloned());
    }
}

/// In a notebook cell, only reports syntax errors of TVMScript, since other lines may be for the notebook.
fn syntax_errors(db: &dyn Db, file: SourceFile, errors: &[SyntaxError]) -> Vec<Diagnostic> {
    if file.source(db).language != Language::Cell {
        return reports(&file.source(db).text, errors.iter());
    }
    let items = file_items(db, file);
    let functions = items.functions.iter();
    let functions = functions.map(|it| TextRange::at(it.offset(db), it.source(db).0.text_len()));
    let modules = items.modules.iter().map(|it| it.range(db));
    let script: Vec<TextRange> = functions.chain(modules).collect();
    let inside = |error: &&SyntaxError| script.iter().any(|it| it.contains_range(error.range));
    reports(&file.source(db).text, errors.iter().filter(inside))
}

/// Reports functions of one module with the same name.
fn redefinitions(db: &dyn Db, functions: &[FunctionItem<'_>], all: &mut Vec<Diagnostic>) {
    let mut seen: FxHashMap<SmolStr, FunctionItem<'_>> = FxHashMap::default();
    for &function in functions {
        let name = function.name(db);
        let name_range = |f: FunctionItem<'_>| {
            let name = f.source(db).def().and_then(|def| def.name());
            name.map(|n| n.text_range() + f.offset(db))
                .unwrap_or_default()
        };
        match seen.get(&name) {
            Some(&first) => all.push(
                Diagnostic::new(
                    Code::Redefinition,
                    name_range(function),
                    format!("the module already has a function `{name}`"),
                )
                .related(name_range(first), "the first one"),
            ),
            None => {
                seen.insert(name, function);
            }
        }
    }
}

struct NoGlobals;

impl Globals for NoGlobals {
    fn get(&self, _: &str) -> Option<Global> {
        None
    }

    fn names(&self) -> Arc<Vocabulary> {
        Arc::default()
    }
}

struct ModuleGlobals<'db> {
    db: &'db dyn Db,
    function: FunctionItem<'db>,
}

impl<'db> ModuleGlobals<'db> {
    fn functions(&self) -> &'db [FunctionItem<'db>] {
        let db = self.db;
        let module = self.function.module(db);
        let items = file_items(db, self.function.file(db));
        module
            .and_then(|m| items.modules.get(m as usize))
            .map_or(&[], |m| m.functions(db).as_slice())
    }

    /// Compares the depth of inferring a function's result with the limit, given its position.
    fn reach(&self, at: usize) -> Ordering {
        let (db, function) = (self.db, self.function);
        let module = function.module(db);
        module.map_or(Ordering::Greater, |it| {
            returns::reach(db, function.file(db), it, at)
        })
    }

    /// Returns the function's position in the module.
    fn position(&self) -> Option<usize> {
        let module = self.function.module(self.db)?;
        let order = module_order(self.db, self.function.file(self.db), module);
        order.get(&self.function.as_id()).copied()
    }

    fn find(&self, name: &str) -> Option<(usize, FunctionItem<'db>)> {
        let module = self.function.module(self.db)?;
        let names = module_names(self.db, self.function.file(self.db), module);
        let &at = names.get(name)?;
        Some((at, *self.functions().get(at)?))
    }
}

impl Globals for ModuleGlobals<'_> {
    fn get(&self, name: &str) -> Option<Global> {
        let (at, function) = self.find(name)?;
        let signature = function_signature(self.db, function);
        let mut is_cut = false;
        let struct_info = if signature.kind == FunctionKind::Relax {
            let here = self.position();
            let ret = match &signature.ret {
                Some(ret) if returns::is_declared(self.db, function) => ret.clone(),
                // TVM reads functions in order, so only the declaration of a later function is known.
                ret if here.is_some_and(|here| at < here) => {
                    let reach = self.reach(at);
                    is_cut = reach.is_eq();
                    if reach.is_lt() {
                        inferred_return(self.db, function).0.clone()
                    } else {
                        ret.clone().unwrap_or(StructInfo::Unknown)
                    }
                }
                Some(ret) => ret.clone(),
                None => StructInfo::Object,
            };
            StructInfo::callable(Callable {
                params: Some(signature.params.clone()),
                ret,
                pure: signature.pure,
            })
        } else if signature.kind == FunctionKind::PrimFunc {
            StructInfo::callable(Callable {
                params: Some(signature.params.clone()),
                ret: signature.ret.clone().unwrap_or(StructInfo::tuple([])),
                pure: signature.pure,
            })
        } else {
            StructInfo::Unknown
        };
        Some(Global {
            kind: signature.kind,
            struct_info: AsWritten(struct_info),
            is_cut,
        })
    }

    fn names(&self) -> Arc<Vocabulary> {
        let module = self.function.module(self.db);
        let file = self.function.file(self.db);
        module.map_or_else(Arc::default, |it| {
            Arc::clone(module_vocabulary(self.db, file, it))
        })
    }
}

#[cfg(test)]
mod edits;
#[cfg(test)]
mod tests;
