//! Explains why a call is impure, by the chain of calls that leads to the effect.

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic};
use relax::ops::Purity;
use relax::sinfo::StructInfo;
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, Expr, ExprId};
use crate::db::{Db, SourceFile};
use crate::facts::Def;
use crate::incremental::LazyFacts;
use crate::item_tree::{FunctionItem, file_items};
use crate::queries::{function_body, function_signature, lazy_facts, module_names};

/// The maximum length of a chain.
const LONGEST: usize = 8;

/// Adds an explanation to each report of an impure call of a function.
pub(super) fn explain(db: &dyn Db, file: SourceFile, all: &mut [Diagnostic]) {
    let functions = &file_items(db, file).functions;
    let mut effects = Effects::default();
    for diagnostic in all {
        if !matches!(
            diagnostic.code,
            Code::ImpureCallInDataflow | Code::ImpureCallInPureFunction
        ) {
            continue;
        }
        let start = diagnostic.range.start();
        let after = functions.partition_point(|it| it.offset(db) <= start);
        let Some(holder) = after.checked_sub(1).map(|last| functions[last]) else {
            continue;
        };
        let here = diagnostic.range - holder.offset(db);
        let callee = callee_at(function_body(db, holder), lazy_facts(db, holder), here);
        if let (Some(callee), Some(module)) = (callee, holder.module(db)) {
            let module = Module {
                db,
                file,
                index: module,
            };
            follow(&module, &mut effects, callee, diagnostic);
        }
    }
}

/// The functions of one module.
struct Module<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    index: u32,
}

impl<'db> Module<'db> {
    fn find(&self, name: &str) -> Option<FunctionItem<'db>> {
        let &at = module_names(self.db, self.file, self.index).get(name)?;
        let module = &file_items(self.db, self.file).modules[self.index as usize];
        module.functions(self.db).get(at).copied()
    }
}

/// An impure call: its range, the callee, and the module function that this is, if any.
type Effect = (TextRange, String, Option<SmolStr>);

/// The first effect of each function examined so far.
type Effects<'db> = FxHashMap<FunctionItem<'db>, Option<Effect>>;

fn callee_at(body: &Body, facts: &LazyFacts, at: TextRange) -> Option<SmolStr> {
    let mut around = body.exprs_around(at).into_iter();
    around.find_map(|expr| global(facts, expr).filter(|_| body.range(expr) == at))
}

fn global(facts: &LazyFacts, expr: ExprId) -> Option<SmolStr> {
    match facts.def(expr) {
        Some(Def::Global(name)) => Some(name.clone()),
        _ => None,
    }
}

fn follow<'db>(
    module: &Module<'db>,
    effects: &mut Effects<'db>,
    callee: SmolStr,
    diagnostic: &mut Diagnostic,
) {
    let mut callee = Some(callee);
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    while let Some(name) = callee.take() {
        let function = module.find(&name);
        let Some(function) = function.filter(|_| seen.insert(name.clone())) else {
            return;
        };
        if seen.len() > LONGEST {
            return;
        }
        let effect = effects.entry(function);
        let effect = effect.or_insert_with(|| first_effect(module, function));
        if let Some((at, what, next)) = effect {
            let note = format!("`{name}` is impure: it calls {what}");
            let at = *at + function.offset(module.db);
            diagnostic.related.push((at, note));
            callee.clone_from(next);
        }
    }
}

/// Returns the first impure call of a function.
fn first_effect<'db>(module: &Module<'db>, function: FunctionItem<'db>) -> Option<Effect> {
    let db = module.db;
    let (body, facts) = (function_body(db, function), lazy_facts(db, function));
    let mut first: Option<Effect> = None;
    for (id, expr) in body.exprs.iter() {
        let Expr::Call { callee, .. } = expr else {
            continue;
        };
        let at = body.range(*callee);
        let (what, next) = if let Some(call) = facts.call(id) {
            if call.op.0.purity != Purity::Impure {
                continue;
            }
            (format!("`R.{}`", call.op.0.script()), None)
        } else if let Some(name) = global(facts, *callee) {
            let impure = module.find(&name).is_some_and(|it| {
                it.kind(db) == FunctionKind::Relax && !function_signature(db, it).pure
            });
            if !impure {
                continue;
            }
            (format!("`{name}`"), Some(name))
        } else {
            match facts.value(*callee) {
                Value::Extern(symbol) => (format!("packed function `{symbol}`"), None),
                Value::Expr(StructInfo::Callable(callable)) if !callable.pure => {
                    ("a function that is impure".to_owned(), None)
                }
                _ => continue,
            }
        };
        if first
            .as_ref()
            .is_none_or(|(before, ..)| at.start() < before.start())
        {
            first = Some((at, what, next));
        }
    }
    first
}
