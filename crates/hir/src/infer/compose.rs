//! From the facts of the pieces to those of the function: what it returns, its purity, what nothing uses.

use rustc_hash::{FxHashMap, FxHashSet};
use text_size::TextRange;

use super::names::PieceUid;
use super::state::{Anchor, State};
use crate::body::{self, Body};
use crate::diagnostics::{Code, Diagnostic};
use crate::dialect::{Dialect, ForeignSpelling};
use crate::facts::{Facts, FunctionFact, VarId, VarKind};
use crate::sinfo::StructInfo;
use crate::sym::{SymCx, SymVar, Tri};

pub(super) fn finish(facts: &mut Facts, body: &Body, state: State, dialect: Dialect) {
    facts.rows = state.vars;
    facts.used = vec![false; facts.rows.len()];
    for piece in &facts.pieces {
        for var in &piece.used {
            if let Some(used) = facts.used.get_mut(var.0 as usize) {
                *used = true;
            }
        }
        facts.joins.extend_from_slice(&piece.joins);
        facts.promoted.extend(piece.promoted.iter().copied());
    }
    let pieces = facts.pieces.iter().zip(&facts.places);
    let spellings = pieces.flat_map(|(piece, place)| {
        let at = |it: &ForeignSpelling| it.at(|range| place.range(range));
        piece.spellings.iter().map(at)
    });
    facts.spellings = spellings.collect();
    functions(facts, body);
    let mut diagnostics = reports(facts);
    diagnostics.extend(conclusion(facts, body, dialect));
    diagnostics.extend(unused(facts));
    diagnostics.sort_by_key(|d| (d.range.start(), d.range.end(), d.code));
    diagnostics.dedup();
    facts.diagnostics = diagnostics;
}

fn functions(facts: &mut Facts, body: &Body) {
    let pieces = facts.pieces.iter().zip(&facts.places);
    let placed = pieces.flat_map(|(piece, &place)| {
        piece.functions.iter().map(move |function| FunctionFact {
            name_range: place.range(function.name_range),
            range: place.range(function.range),
            ..function.clone()
        })
    });
    facts.functions = placed.collect();
    if let Some(root) = facts.functions.first_mut() {
        root.range = body.function.range;
    }
}

/// What the pieces report, where they are now.
fn reports(facts: &Facts) -> Vec<Diagnostic> {
    let pieces = || facts.pieces.iter().zip(&facts.places);
    if pieces().all(|(piece, _)| piece.reports.is_empty()) {
        return Vec::new();
    }
    let places: FxHashMap<PieceUid, _> =
        pieces().map(|(piece, &place)| (piece.uid, place)).collect();
    let withdrawn: FxHashSet<Anchor> = pieces()
        .flat_map(|(piece, _)| piece.withdrawn.iter().copied())
        .collect();
    let place = |piece: PieceUid, range: TextRange| {
        places.get(&piece).map_or(range, |place| place.range(range))
    };
    let mut all = Vec::new();
    for (piece, _) in pieces() {
        for report in &piece.reports {
            let anchor = Anchor {
                piece: report.at,
                range: report.diagnostic.range,
            };
            if report.diagnostic.code == Code::MissingOutput && withdrawn.contains(&anchor) {
                continue;
            }
            let mut diagnostic = report.diagnostic.clone();
            diagnostic.range = place(report.at, diagnostic.range);
            if let Some((range, _)) = &mut diagnostic.instead {
                *range = place(report.at, *range);
            }
            for ((range, _), &piece) in diagnostic.related.iter_mut().zip(&report.related) {
                *range = place(piece, *range);
            }
            all.push(diagnostic);
        }
    }
    all
}

/// The end of the function itself.
fn conclusion(facts: &mut Facts, body: &Body, dialect: Dialect) -> Vec<Diagnostic> {
    let Some(mut root) = facts.functions.first().cloned() else {
        return Vec::new();
    };
    let pieces = facts.pieces.iter().zip(&facts.places);
    let impure = pieces.flat_map(|(piece, place)| {
        let at = |(range, what): &(TextRange, String)| (place.range(*range), what.clone());
        piece.impure.iter().map(at)
    });
    let force_pure = facts.pieces.iter().rev().find_map(|it| it.force_pure);
    let force_pure = force_pure.unwrap_or(false);
    let concluded = Conclusion {
        function: &body.function,
        dialect,
        force_pure,
        returns: facts.pieces.iter().any(|it| it.returned.is_some()),
        result: facts.pieces.iter().find_map(|it| it.result.clone()),
        impure: if root.pure && !force_pure {
            impure.collect()
        } else {
            Vec::new()
        },
    };
    let params = root.params.clone();
    let params = params.iter().map(|&param| facts.var(param).struct_info);
    let diagnostics = concluded.conclude(&mut root, params, &SymCx::default());
    facts.functions[0] = root;
    diagnostics
}

fn unused(facts: &Facts) -> Vec<Diagnostic> {
    facts
        .vars()
        .filter(|var| !var.used && var.kind != VarKind::Param && !var.name.starts_with('_'))
        .map(|var| {
            let message = format!("`{}` is never used", var.name);
            Diagnostic::new(Code::UnusedBinding, var.name_range, message)
        })
        .collect()
}

/// What is known at the end of a function.
pub(super) struct Conclusion<'a> {
    pub function: &'a body::Function,
    pub dialect: Dialect,
    pub force_pure: bool,
    pub returns: bool,
    pub result: Option<StructInfo>,
    /// Calls that are impure, and what they call.
    pub impure: Vec<(TextRange, String)>,
}

impl Conclusion<'_> {
    /// Completes the facts of the function, whose parameters are `params`.
    pub fn conclude<'a>(
        self,
        fact: &mut FunctionFact,
        params: impl Iterator<Item = &'a StructInfo>,
        sym: &SymCx,
    ) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let result = match &self.result {
            Some(result) => {
                // The shape variables that the parameters bind.
                // In the Type dialect a scalar parameter is a variable of the body alone.
                let scalars = self.dialect != Dialect::Type;
                let bound: FxHashSet<SymVar> = params
                    .filter(|param| scalars || !matches!(param, StructInfo::Prim(_)))
                    .flat_map(StructInfo::defined_vars)
                    .collect();
                result.erase_to_scope(
                    &|var| bound.contains(var) || var.id == super::PYTHON_DIM,
                    &|_, id| fact.params.contains(&VarId(id)),
                )
            }
            None => StructInfo::Unknown,
        };
        // What the body tells more exactly than the annotation wins; what contradicts it does not.
        fact.ret = match fact.annotated_ret.clone() {
            Some(annotated) if result.is_subtype(&annotated, sym) == Tri::Yes => result,
            Some(annotated) => annotated,
            None => result,
        };
        let name = &self.function.name;
        if !self.returns {
            let message = format!(
                "function `{}` returns nothing: it must end in `return`",
                name.text
            );
            diagnostics.push(Diagnostic::new(
                Code::MissingReturn,
                self.function.header,
                message,
            ));
        }
        if self.force_pure && !fact.pure {
            diagnostics.push(Diagnostic::new(
                Code::ConflictingPurity,
                name.range,
                "`relax.force_pure` asserts a purity that `pure=False` denies",
            ));
        }
        if fact.pure && !self.force_pure {
            for (range, callee) in self.impure {
                let message = format!(
                    "{callee} is impure, but function `{}` is pure: mark it `@R.function(pure=False)`, or call a pure variant",
                    name.text
                );
                diagnostics.push(
                    Diagnostic::new(Code::ImpureCallInPureFunction, range, message)
                        .related(name.range, "the function that is pure"),
                );
            }
        }
        diagnostics
    }
}
