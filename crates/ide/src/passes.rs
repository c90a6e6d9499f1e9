//! The passes of a compilation: the module after each, what each changed, and which one broke it.
//!
//! A [`Stage`] is one dumped module apart from its database; a [`Sequence`] puts stages in their order and tells what each
//! pass did. A pass that runs others is dumped after them, so the sequence is a tree: see `nesting`.

mod figures;
mod memory;
mod nesting;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use hir::Text;
use hir::difference::{Kind, ModuleDifference};
use hir::form::ModuleForm;

pub use figures::Figures;
pub use memory::{Life, MemoryPlan, Storage};

use crate::analysis::{Analysis, Cancellable};
use crate::difference::Snapshot;
use crate::host::{AnalysisHost, Change, Config};
use crate::types::{Diagnostic, FileId, Severity};

/// The module after one pass.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The name of the file without its ending: `003_FuseOps`.
    pub label: String,
    /// `FuseOps`
    pub pass: String,
    pub snapshot: Snapshot,
    pub figures: Figures,
    /// In how many passes it ran, where that was recorded.
    pub depth: Option<usize>,
    /// What makes it ill-formed.
    pub errors: Vec<Diagnostic>,
}

/// Reads dumps. A function that is the same in two dumps, one read after the other, is analysed once.
pub struct StageReader {
    host: AnalysisHost,
}

impl Default for StageReader {
    fn default() -> StageReader {
        StageReader {
            host: AnalysisHost::of_whole_files(),
        }
    }
}

impl StageReader {
    pub fn read(&mut self, text: Text, config: Config, label: &str) -> Stage {
        let file = FileId(0);
        self.host.set_config(config);
        self.host.apply_change(Change::new(file, text));
        let stage = self.host.analysis().stage(file, label);
        stage.expect("nothing changes the file meanwhile")
    }
}

impl Analysis {
    /// A file as the dump of a pass.
    pub fn stage(&self, file: FileId, label: &str) -> Cancellable<Stage> {
        let mut errors = self.diagnostics(file)?;
        errors.retain(|it| it.severity == Severity::Error);
        let snapshot = self.snapshot(file)?;
        let mut figures = self.with_file(file, figures::of)?;
        for function in &snapshot.form.functions {
            figures.count(function);
        }
        Ok(Stage {
            label: label.to_owned(),
            pass: pass_name(label).to_owned(),
            snapshot,
            figures,
            depth: None,
            errors,
        })
    }
}

impl Stage {
    /// The same module after another pass.
    #[must_use]
    pub fn named(&self, label: &str) -> Stage {
        Stage {
            label: label.to_owned(),
            pass: pass_name(label).to_owned(),
            ..self.clone()
        }
    }
}

/// The name of the pass in that of its dump, which `DumpIR` numbers.
fn pass_name(label: &str) -> &str {
    let rest = label.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['_', '-', '.']) {
        Some(name) if rest.len() < label.len() && !name.is_empty() => name,
        _ => label,
    }
}

/// What each pass did.
#[derive(Debug, Default)]
pub struct Sequence {
    pub stages: Vec<Stage>,
    /// One for each stage.
    pub steps: Vec<Step>,
}

#[derive(Debug, Default)]
pub struct Step {
    /// The step of the pass that runs this one.
    pub parent: Option<usize>,
    /// The stage before the pass began; none for the first.
    pub before: Option<usize>,
    /// From the stage before to this one.
    pub difference: ModuleDifference,
    /// The dump is not of the whole module: the next stage has again what it lacks.
    pub is_partial: bool,
}

impl Sequence {
    pub fn of(stages: Vec<Stage>) -> Sequence {
        let depths: Option<Vec<usize>> = stages.iter().map(|it| it.depth).collect();
        let parents = match depths {
            Some(depths) if !depths.is_empty() => nesting::by_depth(&depths),
            _ => {
                let names: Vec<&str> = stages.iter().map(|it| it.pass.as_str()).collect();
                nesting::parents(&names)
            }
        };
        let mut steps: Vec<Step> = Vec::new();
        for (at, parent) in parents.iter().enumerate() {
            let first = first_inside(at, &parents);
            let before = (0..first).rev().find(|it| !steps[*it].is_partial);
            let form = |at: usize| &stages[at].snapshot.form;
            let is_partial = before.is_some_and(|before| {
                let has_next = at + 1 < stages.len();
                has_next && is_part(form(before), form(at), form(at + 1))
            });
            let difference = match before {
                // One text, which was read once.
                Some(before) if Arc::ptr_eq(form(before), form(at)) => ModuleDifference::default(),
                Some(before) if !is_partial => ModuleDifference::of(form(before), form(at)),
                _ => ModuleDifference::default(),
            };
            steps.push(Step {
                parent: *parent,
                before,
                difference,
                is_partial,
            });
        }
        Sequence { stages, steps }
    }

    /// The passes that a pass runs, or the outermost ones.
    pub fn inside(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let steps = self.steps.iter().enumerate();
        let inside = steps.filter(move |(_, step)| step.parent == parent);
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
