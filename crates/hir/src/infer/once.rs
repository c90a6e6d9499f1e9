//! A mistake in what a variable is shows wherever the variable is used: it is said once, with the other places.

use rustc_hash::FxHashMap;

use relax::diagnostics::{Code, Diagnostic};

/// Codes of which equal reports about one variable are one mistake.
const OF_VARIABLES: &[Code] = &[
    Code::ShapeMismatch,
    Code::RankMismatch,
    Code::DtypeMismatch,
    Code::ArgumentType,
];

/// The reports of a function, sorted, without those that say of a variable what an earlier one says.
pub(super) fn said_once(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut said: FxHashMap<(Code, String), Vec<usize>> = FxHashMap::default();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics {
        if !OF_VARIABLES.contains(&diagnostic.code) {
            kept.push(diagnostic);
            continue;
        }
        let places = said
            .entry((diagnostic.code, diagnostic.message.clone()))
            .or_default();
        let alike = |it: &usize| {
            let earlier = &kept[*it];
            let shared = |note| earlier.related.contains(note);
            earlier.severity == diagnostic.severity && diagnostic.related.iter().any(shared)
        };
        match places.iter().copied().find(|it| alike(it)) {
            Some(first) => {
                let again = (diagnostic.range, "the same here".to_owned());
                kept[first].related.push(again);
            }
            None => {
                places.push(kept.len());
                kept.push(diagnostic);
            }
        }
    }
    kept
}
