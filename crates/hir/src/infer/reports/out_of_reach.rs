//! Explains names that are bound in the function, but not visible where they are used: later, or in a branch.

use relax::diagnostics::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use crate::facts::{Facts, Var};
use crate::incremental::names::Names;

/// Variables by name, in the pieces visited so far.
struct ByName<'a> {
    facts: &'a Facts,
    names: &'a Names,
    pieces: FxHashMap<usize, FxHashMap<&'a str, Vec<Var<'a>>>>,
}

impl<'a> ByName<'a> {
    fn of(&mut self, name: &str) -> Vec<Var<'a>> {
        let facts = self.facts;
        let mut found = Vec::new();
        for piece in facts.pieces_naming(self.names, name) {
            let by_name = self.pieces.entry(piece).or_insert_with(|| {
                let mut by_name: FxHashMap<&'a str, Vec<Var<'a>>> = FxHashMap::default();
                for var in facts.vars_of_piece(piece) {
                    by_name.entry(var.name.as_str()).or_default().push(var);
                }
                by_name
            });
            found.extend(by_name.get(name).into_iter().flatten().copied());
        }
        found
    }
}

/// Adds notes to reports of undefined names about where they are bound.
pub(crate) fn explain(facts: &Facts, names: &Names, diagnostics: &mut [Diagnostic]) {
    let mut by_name = ByName {
        facts,
        names,
        pieces: FxHashMap::default(),
    };
    for diagnostic in diagnostics {
        let Some(name) = diagnostic.about.clone() else {
            continue;
        };
        if diagnostic.code != Code::UndefinedName {
            continue;
        }
        let Some((var, is_after)) = nearest(facts, &by_name.of(&name), diagnostic.range) else {
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
                "bound here; only the last variable of a branch is visible after the `if`"
                    .to_owned(),
            )
        };
        diagnostic.message = message;
        diagnostic.instead = None;
        diagnostic.related.push((var.name_range, note));
    }
}

/// Returns the last of the variables before `at`, or else the first after it.
fn nearest<'a>(facts: &Facts, named: &[Var<'a>], at: TextRange) -> Option<(Var<'a>, bool)> {
    // Variables of a local function are only visible in it.
    let is_around = |var: &Var<'_>| {
        let function = facts.functions.get(var.function);
        function.is_some_and(|it| it.range.contains_range(at))
    };
    let vars = || named.iter().copied().filter(is_around);
    let before = vars().filter(|var| var.name_range.end() <= at.start());
    let after = vars().filter(|var| var.name_range.start() >= at.end());
    let before = before.max_by_key(|var| var.name_range.start());
    let after = || after.min_by_key(|var| var.name_range.start());
    before
        .map(|var| (var, false))
        .or_else(|| after().map(|var| (var, true)))
}
