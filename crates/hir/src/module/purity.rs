//! Why a call is impure: the calls from function to function that lead to the effect.

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic};
use relax::ops::Purity;
use relax::sinfo::StructInfo;
use relax::value::Value;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Body, Expr, ExprId};
use crate::db::{Db, SourceFile};
use crate::facts::Def;
use crate::incremental::LazyFacts;
use crate::item_tree::{FunctionItem, file_items};
use crate::queries::{function_body, function_signature, lazy_facts};

/// How far a chain is followed.
const LONGEST: usize = 8;

/// Adds to each report of an impure call of a function why that function is impure.
pub(super) fn explain(db: &dyn Db, file: SourceFile, all: &mut [Diagnostic]) {
    for diagnostic in all {
        if !matches!(
            diagnostic.code,
            Code::ImpureCallInDataflow | Code::ImpureCallInPureFunction
        ) {
            continue;
        }
        let items = file_items(db, file);
        let holder = items.functions.iter().copied().find(|f| {
            let end = f.source(db).0.text_len();
            TextRange::at(f.offset(db), end).contains_range(diagnostic.range)
        });
        if let Some(holder) = holder {
            let here = diagnostic.range - holder.offset(db);
            let callee = callee_at(function_body(db, holder), lazy_facts(db, holder), here);
            follow(db, file, holder, callee, diagnostic);
        }
    }
}

fn callee_at(body: &Body, facts: &LazyFacts, at: TextRange) -> Option<SmolStr> {
    body.expr_ranges_in(at)
        .filter(|(_, range)| *range == at)
        .find_map(|(expr, _)| global(facts, expr))
}

fn global(facts: &LazyFacts, expr: ExprId) -> Option<SmolStr> {
    match facts.def(expr) {
        Some(Def::Global(name)) => Some(name.clone()),
        _ => None,
    }
}

fn follow<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    holder: FunctionItem<'db>,
    mut callee: Option<SmolStr>,
    diagnostic: &mut Diagnostic,
) {
    let functions = holder
        .module(db)
        .and_then(|m| file_items(db, file).modules.get(m as usize))
        .map_or(&[][..], |m| m.functions(db).as_slice());
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    while let Some(name) = callee.take() {
        let function = functions.iter().copied().find(|f| f.name(db) == name);
        let Some(function) = function.filter(|_| seen.insert(name.clone())) else {
            return;
        };
        if seen.len() > LONGEST {
            return;
        }
        if let Some((at, what, next)) = first_effect(db, functions, function) {
            let note = format!("`{name}` is impure: it calls {what}");
            let at = at + function.offset(db);
            diagnostic.related.push((at, note));
            callee = next;
        }
    }
}

/// The first impure call of a function: where, of what, and which function of the module that is.
fn first_effect(
    db: &dyn Db,
    functions: &[FunctionItem<'_>],
    function: FunctionItem<'_>,
) -> Option<(TextRange, String, Option<SmolStr>)> {
    let (body, facts) = (function_body(db, function), lazy_facts(db, function));
    let mut first: Option<(TextRange, String, Option<SmolStr>)> = None;
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
            let impure = functions.iter().any(|&f| {
                f.name(db) == name
                    && f.kind(db) == FunctionKind::Relax
                    && !function_signature(db, f).pure
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
