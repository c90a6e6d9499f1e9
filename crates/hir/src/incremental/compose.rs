//! Combines the facts of the pieces to those of the function: its result, its purity, unused variables.

use relax::dialect::Dialect;
use relax::release::Release;
use std::cell::RefCell;

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::sinfo::StructInfo;
use relax::sym::{SymCx, SymVar, Tri};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{self, Body};
use crate::consequences::without_consequences;
use crate::facts::{Facts, FunctionFact};
use crate::incremental::names::{Names, PieceUid};
use crate::incremental::state::Anchor;
use crate::infer::Context;
use crate::infer::reports::duplicates::without_repeats;
use crate::infer::reports::out_of_reach;

/// Completes the facts from the pieces, their rows and counts.
pub(crate) fn finish(facts: &mut Facts, body: &Body, cx: &Context<'_>, names: &Names) {
    let ends = gather(facts);
    if let Some(root) = facts.functions.first_mut() {
        root.range = body.function.range;
    }
    let mut diagnostics = if ends.has_reports {
        reports(facts)
    } else {
        Vec::new()
    };
    diagnostics.extend(conclusion(facts, ends, body, cx));
    diagnostics.extend(unused(facts));
    if !cx.checked {
        let of_form = diagnostics.iter_mut().filter(|it| it.code.is_of_form());
        of_form.for_each(|it| it.severity = it.severity.max(Severity::Warning));
    }
    // An unbound name may be a missing parameter that would bind them.
    if diagnostics.iter().any(|it| it.code == Code::UndefinedName) {
        diagnostics.retain(|it| it.code != Code::UnboundShapeVariable);
    }
    diagnostics.sort_by_key(|d| (d.range.start(), d.range.end(), d.code));
    diagnostics.dedup();
    let mut diagnostics = without_consequences(without_repeats(diagnostics));
    out_of_reach::explain(facts, names, &mut diagnostics);
    facts.diagnostics = diagnostics;
}

/// What the pieces say about the function as a whole.
#[derive(Default)]
struct Ends {
    has_reports: bool,
    force_pure: bool,
    returns: bool,
    result: Option<StructInfo>,
}

/// Collects what the pieces add. A long function has thousands, and most only bind variables.
fn gather(facts: &mut Facts) -> Ends {
    let mut ends = Ends::default();
    let notable: Vec<usize> = facts.notable().collect();
    for at in notable {
        let (piece, place) = (&facts.pieces[at], facts.places[at]);
        facts.joins.extend_from_slice(&piece.joins);
        facts.promoted.extend(piece.promoted.iter().copied());
        let function = |function: &FunctionFact| FunctionFact {
            name_range: place.range(function.name_range),
            range: place.range(function.range),
            ..function.clone()
        };
        facts.functions.extend(piece.functions.iter().map(function));
        ends.has_reports |= !piece.reports.is_empty();
        // The last one counts.
        ends.force_pure = piece.force_pure.unwrap_or(ends.force_pure);
        ends.returns |= piece.returned.is_some() || piece.returns_in_branch;
        if ends.result.is_none() {
            ends.result.clone_from(&piece.result);
        }
    }
    ends
}

/// Returns the diagnostics of the pieces at their current positions.
fn reports(facts: &Facts) -> Vec<Diagnostic> {
    let notable = || facts.notable();
    let withdrawn: FxHashSet<Anchor> = notable()
        .flat_map(|at| facts.pieces[at].withdrawn.iter().copied())
        .collect();
    let mut all = Vec::new();
    for at in notable() {
        let (own, own_place) = (&facts.pieces[at], facts.places[at]);
        let place = |piece: PieceUid, range: TextRange| {
            if piece == own.uid {
                return own_place.range(range);
            }
            let at = facts.history.position(piece);
            at.map_or(range, |at| facts.places[at].range(range))
        };
        for report in &own.reports {
            let anchor = Anchor {
                piece: report.at,
                range: report.diagnostic.range,
            };
            if report.diagnostic.code == Code::MissingOutput && withdrawn.contains(&anchor) {
                continue;
            }
            let mut diagnostic = report.diagnostic.clone();
            diagnostic.range = place(report.at, diagnostic.range);
            let instead = diagnostic.instead.iter_mut().map(|(range, _)| range);
            for range in instead.chain(&mut diagnostic.repeats) {
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

/// Computes the end of the function itself.
fn conclusion(facts: &mut Facts, ends: Ends, body: &Body, cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some(mut root) = facts.functions.first().cloned() else {
        return Vec::new();
    };
    let impure = facts.counts.impure().iter();
    let impure = impure.filter_map(|piece| facts.history.position(*piece));
    let impure = impure.flat_map(|at| {
        let place = facts.places[at];
        let at_place =
            move |(range, what): &(TextRange, SmolStr)| (place.range(*range), what.clone());
        facts.pieces[at].impure.iter().map(at_place)
    });
    let concluded = Conclusion {
        function: &body.function,
        release: cx.release,
        force_pure: ends.force_pure,
        returns: ends.returns,
        result: ends.result,
        // Nothing outside of the function binds the variables of its casts.
        cast: FxHashSet::default(),
        impure: if root.pure && !ends.force_pure {
            impure.collect()
        } else {
            Vec::new()
        },
    };
    let params = root.params.clone();
    let params = params.iter().map(|&param| facts.var(param).struct_info);
    let diagnostics = concluded.conclude(&mut root, params, cx.sizes);
    facts.functions[0] = root;
    diagnostics
}

fn unused(facts: &Facts) -> Vec<Diagnostic> {
    let unused = facts.counts.unused().iter().filter_map(|row| {
        let at = facts.history.position(row.piece)?;
        let var = &facts.pieces[at].vars[row.at as usize];
        let message = format!("`{}` is never used", var.name);
        let range = facts.places[at].range(var.name_range);
        Some(Diagnostic::new(Code::UnusedBinding, range, message))
    });
    unused.collect()
}

/// The shape variables that parameters bind, computed lazily: a printed model has thousands of parameters, and usually
/// the first ones bind all variables.
struct BoundSyms<I> {
    found: FxHashSet<SymVar>,
    rest: I,
}

impl<I: Iterator<Item = SymVar>> BoundSyms<I> {
    fn contains(&mut self, var: &SymVar) -> bool {
        if self.found.contains(var) {
            return true;
        }
        for bound in self.rest.by_ref() {
            let is_it = bound == *var;
            self.found.insert(bound);
            if is_it {
                return true;
            }
        }
        false
    }
}

/// What is known at the end of a function.
pub(crate) struct Conclusion<'a> {
    pub function: &'a body::Function,
    pub release: Release,
    pub force_pure: bool,
    pub returns: bool,
    pub result: Option<StructInfo>,
    /// The shape variables of its casts.
    pub cast: FxHashSet<SymVar>,
    /// Impure calls with their callees.
    pub impure: Vec<(TextRange, SmolStr)>,
}

impl Conclusion<'_> {
    /// Completes the facts of the function, whose parameters are `params`.
    pub fn conclude<'a>(
        self,
        fact: &mut FunctionFact,
        params: impl Iterator<Item = &'a StructInfo> + Clone,
        sym: &SymCx,
    ) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let result = self.result(params.clone(), &FxHashSet::default());
        // If the body determines the result more precisely than the annotation, it takes precedence, unless it
        // contradicts the annotation. TVM compares while it knows the variables of casts.
        let of_cast = (!self.cast.is_empty()).then(|| self.result(params, &self.cast));
        let of_body = of_cast.as_ref().unwrap_or(&result);
        fact.ret = match fact.annotated_ret.clone() {
            Some(annotated) if of_body.is_subtype(&annotated, sym) == Tri::Yes => result,
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
        if self.release.dialect() == Dialect::Rfc {
            // In the RFC, a function is pure if its calls are.
            fact.pure &= self.impure.is_empty();
        } else if fact.pure && !self.force_pure {
            for (range, callee) in self.impure {
                let message = format!(
                    "{callee} is impure, but function `{}` is pure: mark it `@R.function(pure=False)`, or call a pure variant",
                    name.text
                );
                let mut diagnostic =
                    Diagnostic::new(Code::ImpureCallInPureFunction, range, message)
                        .related(name.range, "the function that is pure");
                if !self.release.has_purity() {
                    diagnostic.severity = Severity::Warning;
                }
                diagnostics.push(diagnostic);
            }
        }
        diagnostics
    }
    /// Returns the result in terms of the variables of the parameters and of those in `known`.
    fn result<'a>(
        &self,
        params: impl Iterator<Item = &'a StructInfo>,
        known: &FxHashSet<SymVar>,
    ) -> StructInfo {
        let Some(result) = &self.result else {
            return StructInfo::Unknown;
        };
        // In the Type dialect, a scalar parameter is only a variable of the body.
        let scalars = self.release.dialect() != Dialect::Type;
        let binding = params.filter(|it| scalars || !matches!(it, StructInfo::Prim(_)));
        let bound = RefCell::new(BoundSyms {
            found: FxHashSet::default(),
            rest: binding.flat_map(StructInfo::defined_vars),
        });
        result.erase_to_scope(
            &|var| var.is_python() || known.contains(var) || bound.borrow_mut().contains(var),
            // A shape that is given by a variable is not visible in the signature, not even a parameter's.
            &|_, _| false,
        )
    }
}
