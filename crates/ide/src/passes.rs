//! The passes of a compilation: the module after each, what each changed, and which one broke it.
//!
//! A [`Stage`] is one dumped module apart from its database; a [`Sequence`] puts stages in their order and tells what each
//! pass did. A pass that runs others is dumped after them, so the sequence is a tree: see `nesting`.

mod figures;
mod nesting;
mod sequence;
#[cfg(test)]
mod tests;

use hir::cost::MemoryPlan;
use hir::{Database, SourceFile, Text, file_items};
use relax::FunctionKind;

pub use figures::Figures;
pub use sequence::{Sequence, Step, is_part};

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
    /// Of the functions that allocate storages.
    pub plans: Vec<MemoryPlan>,
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
        let plans = self.with_file(file, plans)?;
        let mut figures = self.with_file(file, |db, file| Figures::of(db, file, &plans))?;
        for function in &snapshot.form.functions {
            figures.count(function);
        }
        Ok(Stage {
            label: label.to_owned(),
            pass: pass_name(label).to_owned(),
            snapshot,
            figures,
            plans,
            errors,
        })
    }
}

fn plans(db: &Database, file: SourceFile) -> Vec<MemoryPlan> {
    let functions = file_items(db, file).functions.iter();
    let relax = functions.filter(|it| it.kind(db) == FunctionKind::Relax);
    relax.filter_map(|it| MemoryPlan::of(db, *it)).collect()
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
pub fn pass_name(label: &str) -> &str {
    let rest = label.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['_', '-', '.']) {
        Some(name) if rest.len() < label.len() && !name.is_empty() => name,
        _ => label,
    }
}
