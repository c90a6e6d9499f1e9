//! Merges reports of one mistake: it is reported at the first place, which refers to the others.

use relax::diagnostics::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

/// What reports of the same mistake have in common.
#[derive(Clone, Copy)]
enum Common {
    /// The name that they are about.
    Name,
    /// The first related place.
    Cause,
    /// The message.
    Message,
    /// The difference, and a variable on one of the two sides: the variable is not what its uses need.
    Variable,
}

/// The codes whose reports may be about the same mistake.
const COMMON: &[(Code, Common)] = &[
    (Code::UndefinedName, Common::Name),
    (Code::UndefinedFunction, Common::Name),
    (Code::DataflowVarOutsideBlock, Common::Cause),
    (Code::ImpureCallInPureFunction, Common::Cause),
    (Code::ArgumentType, Common::Message),
    (Code::InvalidAnnotation, Common::Name),
    (Code::AnnotationMismatch, Common::Variable),
    (Code::ShapeMismatch, Common::Variable),
    (Code::RankMismatch, Common::Variable),
    (Code::DtypeMismatch, Common::Variable),
    (Code::ArgumentType, Common::Variable),
];

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Name(Code, SmolStr),
    Cause(Code, TextRange),
    Message(Code, String),
    /// The difference, for any code: a wrong dtype contradicts an annotation here and an operand there.
    Differing(SmolStr, SmolStr),
}

impl Common {
    fn key(self, it: &Diagnostic) -> Option<Key> {
        match self {
            Common::Name => it.about.clone().map(|name| Key::Name(it.code, name)),
            Common::Cause => {
                let cause = it.related.first();
                cause.map(|(range, _)| Key::Cause(it.code, *range))
            }
            Common::Message => Some(Key::Message(it.code, it.message.clone())),
            Common::Variable => {
                let (a, b) = it.differing.clone()?;
                Some(if a < b {
                    Key::Differing(a, b)
                } else {
                    Key::Differing(b, a)
                })
            }
        }
    }

    fn is_shared(self, earlier: &Diagnostic, later: &Diagnostic) -> bool {
        let is_related = |note| earlier.related.contains(note);
        earlier.severity == later.severity
            && match self {
                Common::Name | Common::Cause | Common::Message => true,
                Common::Variable => later.related.iter().any(is_related),
            }
    }
}

/// Returns the reports of a function, sorted and without duplicates.
pub(crate) fn without_repeats(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut reported: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics {
        let rows = COMMON.iter().filter(|(code, _)| *code == diagnostic.code);
        let keyed = rows.filter_map(|&(_, common)| Some((common, common.key(&diagnostic)?)));
        let keyed: Vec<(Common, Key)> = keyed.collect();
        let first = keyed.iter().find_map(|(common, key)| {
            let mut earlier = reported.get(key)?.iter().copied();
            earlier.find(|&it| common.is_shared(&kept[it], &diagnostic))
        });
        if let Some(first) = first {
            kept[first].repeats.push(diagnostic.range);
            continue;
        }
        for (_, key) in keyed {
            reported.entry(key).or_default().push(kept.len());
        }
        kept.push(diagnostic);
    }
    kept
}
