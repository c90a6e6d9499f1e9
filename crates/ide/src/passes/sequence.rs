//! The changes that each pass of a compilation made, computed while its stages are read.

use std::ops::Range;
use std::sync::Arc;

use hir::difference::ModuleDifference;
use hir::form::ModuleForm;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::{Stage, nesting};
use crate::difference::Difference;

/// The stages of a compilation, and the change that each made.
#[derive(Debug, Default)]
pub struct Sequence {
    pub stages: Vec<Stage>,
    /// One step for each stage.
    pub steps: Vec<Step>,
    parents: Vec<Option<usize>>,
    /// Whether each pass belongs to a build inside of another pass.
    in_builds: Vec<bool>,
}

#[derive(Debug, Default)]
pub struct Step {
    /// The stage before the pass began; `None` for the first.
    pub before: Option<usize>,
    /// The difference between the stage before and this one.
    pub difference: ModuleDifference,
    /// `true` if the dump contains only part of the module: the next stage has the missing functions again.
    pub is_partial: bool,
}

impl Sequence {
    /// Returns a sequence without stages, for passes of the given names. `depths` says how many passes enclose each;
    /// if it is unknown for any pass, the nesting is reconstructed from the names.
    pub fn of_passes(passes: &[&str], depths: &[Option<usize>]) -> Sequence {
        let depths: Option<Vec<usize>> = depths.iter().copied().collect();
        Sequence {
            parents: match depths {
                Some(depths) => nesting::by_depth(&depths),
                None => nesting::parents(passes),
            },
            in_builds: nesting::in_builds(passes),
            ..Sequence::default()
        }
    }

    /// Adds the next stage, and returns the range of steps that became known. A step may have to wait for the stage
    /// after it.
    pub fn push(&mut self, stage: Stage) -> Range<usize> {
        self.stages.push(stage);
        let known = self.steps.len();
        while self.steps.len() < self.stages.len() {
            let at = self.steps.len();
            let is_last = at + 1 == self.parents.len();
            if !is_last && at + 1 == self.stages.len() {
                break;
            }
            let step = self.step(at);
            self.steps.push(step);
        }
        known..self.steps.len()
    }

    /// Computes the step of the pass at an index from the stages before it and the one after it.
    fn step(&self, at: usize) -> Step {
        let form = |at: usize| &self.stages[at].snapshot.form;
        let first = first_inside(at, &self.parents);
        let before = (0..first).rev().find(|it| !self.steps[*it].is_partial);
        // A build works on a module of its own, which no pass before it had.
        let is_inside = self.is_in_build(at);
        let before = before.filter(|it| !is_inside || self.is_same_build(*it, at));
        let next = self.stages.get(at + 1).map(|it| &it.snapshot.form);
        let is_partial = before
            .zip(next)
            .is_some_and(|(before, next)| is_part(form(before), form(at), next));
        let difference = match before {
            // Both stages share one text, which was read once.
            Some(before) if Arc::ptr_eq(form(before), form(at)) => ModuleDifference::default(),
            Some(before) if !is_partial => ModuleDifference::of(form(before), form(at)),
            _ => ModuleDifference::default(),
        };
        Step {
            before,
            difference,
            is_partial,
        }
    }

    /// Returns the parent of each pass.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Returns `true` for a pass of a build inside of another pass, such as `FoldConstant`.
    pub fn is_in_build(&self, at: usize) -> bool {
        self.in_builds.get(at).is_some_and(|it| *it)
    }

    /// Returns `true` if the module of a build goes on from one stage to the other.
    fn is_same_build(&self, before: usize, at: usize) -> bool {
        let form = |at: usize| &self.stages[at].snapshot.form;
        self.is_in_build(before) && !shares_no_function(form(before), form(at))
    }

    /// Returns the passes that `parent` runs directly, or the top-level passes for `None`.
    pub fn inner_passes(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let passes = self.parents.iter().enumerate();
        let inside = passes.filter(move |(_, it)| **it == parent);
        inside.map(|(at, _)| at)
    }

    /// Returns `true` if neither a pass nor any pass that it runs made a visible change.
    pub fn is_idle(&self, at: usize) -> bool {
        let step = &self.steps[at];
        (step.before.is_some() && step.difference.is_empty() || step.is_partial)
            && self.inner_passes(Some(at)).all(|inner| self.is_idle(inner))
    }

    /// Returns the first ill-formed stage.
    pub fn first_ill_formed(&self) -> Option<usize> {
        let mut stages = self.stages.iter();
        stages.position(|it| !it.errors.is_empty())
    }

    /// Returns the first stage with a warning about what it computes.
    pub fn first_warned(&self) -> Option<usize> {
        let mut stages = self.stages.iter();
        stages.position(|it| !it.warnings.is_empty())
    }

    /// Returns the last stage with a whole module of Relax functions, if it comes after LegalizeOps.
    pub fn last_legalized(&self) -> Option<usize> {
        let legalized = self.stages.iter().position(|it| it.pass == "LegalizeOps")?;
        let stages = (legalized..self.stages.len()).rev();
        let mut whole = stages.filter(|at| !self.steps[*at].is_partial);
        whole.find(|at| self.stages[*at].figures.relax_functions > 0)
    }

    /// Returns the changes of a pass with their texts.
    pub fn difference(&self, at: usize) -> Difference {
        let step = &self.steps[at];
        match self.before(at) {
            Some(before) => {
                let (old, new) = (&before.snapshot, &self.stages[at].snapshot);
                Difference::described(&step.difference, old, new)
            }
            None => Difference::default(),
        }
    }

    /// Returns the complete stage before a pass began.
    pub fn before(&self, at: usize) -> Option<&Stage> {
        Some(&self.stages[self.steps[at].before?])
    }
}

/// Returns the first of the stages that a pass contains, or its own.
fn first_inside(at: usize, parents: &[Option<usize>]) -> usize {
    let mut first = at;
    while let Some(inner) = (0..first).find(|it| parents[*it] == Some(first)) {
        first = inner;
    }
    first
}

fn shares_no_function(a: &ModuleForm, b: &ModuleForm) -> bool {
    let names: FxHashSet<&SmolStr> = a.functions.iter().map(|it| &it.name).collect();
    b.functions.iter().all(|it| !names.contains(&it.name))
}

/// Returns `true` if `own` is a partial dump: it lacks functions of `before` that `next` has again.
pub fn is_part(before: &ModuleForm, own: &ModuleForm, next: &ModuleForm) -> bool {
    if own.functions.len() >= before.functions.len() {
        return false;
    }
    let names = |form: &ModuleForm| -> FxHashSet<SmolStr> {
        form.functions.iter().map(|it| it.name.clone()).collect()
    };
    let (own, next) = (names(own), names(next));
    let mut functions = before.functions.iter();
    functions.any(|it| !own.contains(&it.name) && next.contains(&it.name))
}
