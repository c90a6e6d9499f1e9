//! Offers variables in scope for an unbound name that is not similar to any name.

use hir::facts::Def;
use relax::{Diagnostic, FunctionKind};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Fixes;
use super::nearest_name::everywhere;
use crate::semantics::FunctionContext;

/// The maximum number of variables that are offered.
const MAX_OFFERED: usize = 3;
/// The maximum number of variables that are tried.
const MAX_TRIED: usize = 8;

/// Offers variables whose names start alike, then unused ones, if they fit at this position.
pub fn offer(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let written = cx.slice(diagnostic.range);
    let is_name = written.chars().all(|c| c.is_alphanumeric() || c == '_');
    // A related location means that the name was bound, but its scope has ended.
    if diagnostic.instead.is_some() || !is_name || !diagnostic.related.is_empty() {
        return;
    }
    let mut known: Vec<(bool, SmolStr)> = Vec::new();
    for (name, is_used) in visible_variables(cx, diagnostic) {
        let other = !begin_alike(&name, written);
        if !(other && is_used) && known.iter().all(|(_, it)| *it != name) {
            known.push((other, name));
        }
    }
    known.sort_by_key(|(other, _)| *other);
    let checking = fixes.checking(cx);
    let tried = known.into_iter().take(MAX_TRIED).map(|(_, name)| {
        let edit = everywhere(cx, diagnostic, diagnostic.range, &name);
        (name, edit)
    });
    let fitting = tried.filter(|(_, edit)| checking.improves(edit) != Some(false));
    for (name, edit) in fitting.take(MAX_OFFERED) {
        fixes.possible(
            "meant-name",
            format!("Change `{written}` to `{name}`"),
            edit,
        );
    }
}

/// Returns the variables that are visible at a diagnostic and whether they are used, the nearest first.
fn visible_variables(cx: &FunctionContext<'_>, diagnostic: &Diagnostic) -> Vec<(SmolStr, bool)> {
    let mut known: Vec<(SmolStr, bool)> = if cx.function.kind(cx.db) == FunctionKind::PrimFunc {
        // Without dtypes, it is unknown whether an unused variable would fit, so treat each as used.
        let facts = hir::function_prim_facts(cx.db, cx.function);
        let visible = facts.visible_at(diagnostic.range.start());
        visible.map(|(_, def)| (def.name.clone(), true)).collect()
    } else {
        let used: FxHashSet<u32> = cx
            .facts
            .defs()
            .filter_map(|(_, def)| match def {
                Def::Var(id) => Some(id.0),
                _ => None,
            })
            .collect();
        let before = cx.vars_before(diagnostic.range);
        let vars = before.map(|var| (var.name.clone(), used.contains(&var.id.0)));
        // Shape variables are used elsewhere.
        let syms = cx.facts.sym_vars().map(|it| (it.name, true));
        syms.chain(vars).collect()
    };
    known.reverse();
    known.retain(|(name, _)| !name.starts_with('_'));
    known
}

/// Returns `true` if one name is a prefix of the other, up to an underscore.
fn begin_alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let rest = long.strip_prefix(short);
    rest.is_some_and(|rest| rest.starts_with('_'))
}
