//! What each pass of a compilation did, told while its stages are read.

use std::ops::Range;
use std::sync::Arc;

use hir::difference::{Kind, ModuleDifference};
use hir::form::ModuleForm;

use super::{Stage, nesting};
use crate::difference::Difference;

/// What each pass did.
#[derive(Debug, Default)]
pub struct Sequence {
    pub stages: Vec<Stage>,
    /// One for each stage.
    pub steps: Vec<Step>,
    parents: Vec<Option<usize>>,
}

#[derive(Debug, Default)]
pub struct Step {
    /// The stage before the pass began; none for the first.
    pub before: Option<usize>,
    /// From the stage before to this one.
    pub difference: ModuleDifference,
    /// The dump is not of the whole module: the next stage has again what it lacks.
    pub is_partial: bool,
}

impl Sequence {
    /// A sequence whose stages are still to come, by the names of its passes and in how many others each ran, where that
    /// is known of all.
    pub fn of_passes(passes: &[&str], depths: &[Option<usize>]) -> Sequence {
        let depths: Option<Vec<usize>> = depths.iter().copied().collect();
        Sequence {
            parents: match depths {
                Some(depths) => nesting::by_depth(&depths),
                None => nesting::parents(passes),
            },
            ..Sequence::default()
        }
    }

    /// Takes the next stage in, and gives the steps that are known now: one may have to wait for the stage after it.
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

    /// What the pass at a position did, by the stages before it and the one after it.
    fn step(&self, at: usize) -> Step {
        let form = |at: usize| &self.stages[at].snapshot.form;
        let first = first_inside(at, &self.parents);
        let before = (0..first).rev().find(|it| !self.steps[*it].is_partial);
        let next = self.stages.get(at + 1).map(|it| &it.snapshot.form);
        let is_partial = before
            .zip(next)
            .is_some_and(|(before, next)| is_part(form(before), form(at), next));
        let difference = match before {
            // One text, which was read once.
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

    /// For each pass the one that runs it.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// The passes that a pass runs, or the outermost ones.
    pub fn inside(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let passes = self.parents.iter().enumerate();
        let inside = passes.filter(move |(_, it)| **it == parent);
        inside.map(|(at, _)| at)
    }

    /// Whether a pass, and each that it runs, changed nothing that can be seen.
    pub fn is_idle(&self, at: usize) -> bool {
        let step = &self.steps[at];
        (step.before.is_some() && step.difference.is_empty() || step.is_partial)
            && self.inside(Some(at)).all(|inner| self.is_idle(inner))
    }

    /// The first stage that is ill-formed.
    pub fn first_ill_formed(&self) -> Option<usize> {
        let mut stages = self.stages.iter();
        stages.position(|it| !it.errors.is_empty())
    }

    /// What a pass changed, as it is shown.
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

    /// The whole stage before a pass began.
    pub fn before(&self, at: usize) -> Option<&Stage> {
        Some(&self.stages[self.steps[at].before?])
    }
}

/// The first stage of those that a pass runs, or its own.
fn first_inside(at: usize, parents: &[Option<usize>]) -> usize {
    let mut first = at;
    while let Some(inner) = (0..first).find(|it| parents[*it] == Some(first)) {
        first = inner;
    }
    first
}

/// Whether a module lacks functions of the one before it that the next one has again.
pub fn is_part(before: &ModuleForm, own: &ModuleForm, next: &ModuleForm) -> bool {
    let has = |form: &ModuleForm, name: &str| form.functions.iter().any(|it| it.name == name);
    let mut functions = before.functions.iter();
    own.functions.len() < before.functions.len()
        && functions.any(|it| !has(own, &it.name) && has(next, &it.name))
}

/// Names are told of so many functions; more are counted.
const FEW: usize = 2;

impl Sequence {
    /// `forward changed, 2 merged, 7 removed`: what a pass did, without what stayed the same.
    pub fn summary(&self, at: usize) -> String {
        const WORDS: [&str; 6] = [
            "changed",
            "renamed",
            "merged",
            "split off",
            "added",
            "removed",
        ];
        let word = |kind: &Kind| match kind {
            Kind::Unchanged => None,
            Kind::Changed => Some(0),
            Kind::Renamed => Some(1),
            Kind::Added { from } if from.len() > 1 => Some(2),
            Kind::Added { from } if from.len() == 1 => Some(3),
            Kind::Added { .. } => Some(4),
            Kind::Removed { .. } => Some(5),
        };
        let mut named: [Vec<&str>; 6] = Default::default();
        for function in &self.steps[at].difference.functions {
            let Some(word) = word(&function.kind) else {
                continue;
            };
            let before = self.before(at).zip(function.before);
            let place = match function.after {
                Some(after) => Some((&self.stages[at], after)),
                None => before,
            };
            if let Some((stage, function)) = place {
                named[word].push(&stage.snapshot.form.functions[function].name);
            }
        }
        let parts = named
            .iter()
            .zip(WORDS)
            .filter(|(names, _)| !names.is_empty());
        let parts = parts.map(|(names, word)| match names.len() {
            1..=FEW => format!("{} {word}", names.join(" and ")),
            count => format!("{count} {word}"),
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}
