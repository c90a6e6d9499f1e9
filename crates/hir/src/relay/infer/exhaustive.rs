//! Finds the values that no arm of a match accepts.
//!
//! Starts from a candidate that covers every value, and splits it by the patterns that look deeper, as TVM does.

use smol_str::SmolStr;

use super::super::body::{Pattern, PatternKind};
use super::super::env::Env;

/// Nested patterns multiply the candidates. With more than this many, the match counts as complete.
const MOST_CANDIDATES: usize = 4096;

#[derive(Clone, Debug, PartialEq)]
enum Candidate {
    Any,
    Constructor(SmolStr, Vec<Candidate>),
    Tuple(Vec<Candidate>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fit {
    Matches,
    Clashes,
    /// The pattern looks deeper than the candidate.
    Open,
}

/// Returns the cases without an arm, as patterns.
pub fn unmatched(patterns: &[&Pattern], env: &Env) -> Vec<String> {
    let mut candidates = vec![Candidate::Any];
    let mut missing = Vec::new();
    let mut seen = 0;
    while let Some(candidate) = candidates.pop() {
        seen += 1;
        if seen > MOST_CANDIDATES {
            return Vec::new();
        }
        let first = patterns
            .iter()
            .find_map(|pattern| match fit(pattern, &candidate) {
                Fit::Clashes => None,
                fits => Some((pattern, fits)),
            });
        match first {
            None => missing.push(show(&candidate)),
            Some((_, Fit::Matches | Fit::Clashes)) => {}
            Some((pattern, Fit::Open)) => match split(pattern, &candidate, env) {
                Some(parts) => candidates.extend(parts.into_iter().rev()),
                None => return Vec::new(),
            },
        }
    }
    missing
}

fn fit(pattern: &Pattern, candidate: &Candidate) -> Fit {
    let all = |patterns: &[Pattern], candidates: &[Candidate]| {
        let pairs = patterns.iter().zip(candidates);
        pairs.fold(Fit::Matches, |all, (pattern, candidate)| {
            match (all, fit(pattern, candidate)) {
                (Fit::Clashes, _) | (_, Fit::Clashes) => Fit::Clashes,
                (Fit::Open, _) | (_, Fit::Open) => Fit::Open,
                _ => Fit::Matches,
            }
        })
    };
    match (&pattern.kind, candidate) {
        (PatternKind::Missing | PatternKind::Wildcard | PatternKind::Local(_), _) => Fit::Matches,
        (_, Candidate::Any) => Fit::Open,
        (PatternKind::Constructor { name, fields }, Candidate::Constructor(made, parts)) => {
            if name.text == *made {
                all(fields, parts)
            } else {
                Fit::Clashes
            }
        }
        (PatternKind::Tuple(fields), Candidate::Tuple(parts)) => all(fields, parts),
        _ => Fit::Clashes,
    }
}

/// Splits the candidate into the cases that the pattern distinguishes. Returns `None` if the pattern names an unknown
/// type or constructor.
fn split(pattern: &Pattern, candidate: &Candidate, env: &Env) -> Option<Vec<Candidate>> {
    match (&pattern.kind, candidate) {
        (PatternKind::Constructor { name, .. }, Candidate::Any) => {
            let adt = env.adt(&env.constructor(&name.text)?.adt)?;
            let made = adt.constructors.iter().map(|name| {
                let fields = env.constructor(name).map_or(0, |it| it.fields.len());
                Candidate::Constructor(name.clone(), vec![Candidate::Any; fields])
            });
            Some(made.collect())
        }
        (PatternKind::Tuple(fields), Candidate::Any) => {
            Some(vec![Candidate::Tuple(vec![Candidate::Any; fields.len()])])
        }
        (PatternKind::Constructor { fields, .. }, Candidate::Constructor(name, parts)) => {
            let all = product(fields, parts, env)?;
            let made = all.into_iter();
            Some(
                made.map(|it| Candidate::Constructor(name.clone(), it))
                    .collect(),
            )
        }
        (PatternKind::Tuple(fields), Candidate::Tuple(parts)) => {
            let all = product(fields, parts, env)?;
            Some(all.into_iter().map(Candidate::Tuple).collect())
        }
        _ => Some(vec![candidate.clone()]),
    }
}

fn product(patterns: &[Pattern], parts: &[Candidate], env: &Env) -> Option<Vec<Vec<Candidate>>> {
    let mut all = vec![Vec::new()];
    for (pattern, part) in patterns.iter().zip(parts) {
        let choices = split(pattern, part, env)?;
        if all.len().saturating_mul(choices.len()) > MOST_CANDIDATES {
            return None;
        }
        all = all
            .iter()
            .flat_map(|begun: &Vec<Candidate>| {
                choices.iter().map(move |choice| {
                    let mut longer = begun.clone();
                    longer.push(choice.clone());
                    longer
                })
            })
            .collect();
    }
    Some(all)
}

fn show(candidate: &Candidate) -> String {
    let list = |parts: &[Candidate]| {
        let parts: Vec<String> = parts.iter().map(show).collect();
        parts.join(", ")
    };
    match candidate {
        Candidate::Any => "_".to_owned(),
        Candidate::Constructor(name, parts) if parts.is_empty() => name.to_string(),
        Candidate::Constructor(name, parts) => format!("{name}({})", list(parts)),
        Candidate::Tuple(parts) => format!("({})", list(parts)),
    }
}
