//! A name that is bound in the function, and not in reach where it is used: after it, or in a branch.

use relax::diagnostics::{Code, Diagnostic};
use text_size::TextRange;

use crate::facts::{Facts, Var};
use crate::incremental::names::Names;

/// Says of names that are not defined where they are bound.
pub(crate) fn explain(facts: &Facts, names: &Names, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        let Some(name) = diagnostic.about.clone() else {
            continue;
        };
        if diagnostic.code != Code::UndefinedName {
            continue;
        }
        let Some((var, is_after)) = nearest(facts, names, &name, diagnostic.range) else {
            continue;
        };
        let (message, note) = if is_after {
            (
                format!("`{name}` is used before it is bound"),
                format!("`{name}` is bound here, after this"),
            )
        } else {
            (
                format!("`{name}` is not defined here: it is bound in a branch of an `if`"),
                "bound here; a branch gives out only the variable that it binds last".to_owned(),
            )
        };
        diagnostic.message = message;
        diagnostic.instead = None;
        diagnostic.related.push((var.name_range, note));
    }
}

/// The last variable of that name before `at`, else the first after it.
fn nearest<'a>(
    facts: &'a Facts,
    names: &Names,
    name: &str,
    at: TextRange,
) -> Option<(Var<'a>, bool)> {
    // The variables of a function inside the function are its own.
    let is_around = |var: &Var<'_>| {
        let function = facts.functions.get(var.function);
        function.is_some_and(|it| it.range.contains_range(at))
    };
    let vars = || facts.vars_named(names, name).filter(is_around);
    let before = vars().filter(|var| var.name_range.end() <= at.start());
    let after = vars().filter(|var| var.name_range.start() >= at.end());
    let before = before.max_by_key(|var| var.name_range.start());
    let after = || after.min_by_key(|var| var.name_range.start());
    before
        .map(|var| (var, false))
        .or_else(|| after().map(|var| (var, true)))
}
